#include "rigidlimit/record/slip_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/record/claims.hpp"
#include "rigidlimit/record/tables.hpp"
#include "rigidlimit/slip/rigid_history.hpp"

namespace rigidlimit {

namespace {

std::string number_text(double x, const char* form = "{:.3e}") {
  return std::isnan(x) ? "-" : fmt::format(fmt::runtime(form), x);
}

std::string vector_text(const VectorXd& x) {
  std::vector<std::string> texts;
  for (const double entry : x) texts.push_back(fmt::format("{:.6g}", entry + 0.0));
  return fmt::format("({})", fmt::join(texts, ", "));
}

/// Of these something is expected, or they are what a reader asks for first.
bool is_shown(const Series& series) {
  if (series.rows.empty()) return false;
  const Measure& m = series.rows.front().measure;
  if (series.expectation) return true;
  if (m.quantity == Quantity::event_time) return m.events.empty();
  return m.norm == Norm::sup && m.window == Window::all;
}

bool is_of(const Series& series, const SlipLaw& law, const std::string& solver) {
  return is_shown(series) && series.rows.front().law == name_of(law) &&
         series.rows.front().compliant_solver == solver;
}

Cell status_cell(const std::string& text, const std::string& status) {
  if (status == "ok") return {text};
  return {text + (status.starts_with("failed") ? " " + status : " *"), Tone::faint};
}

}  // namespace

TextTable slip_event_table(const SlipResult& result) {
  const FrictionalSystem& system = result.study.model;
  TextTable table{
      .headers = {"t [s]", "event", "modes after", "v before", "v after", "impulse λ, p [N s]"},
      .left_aligned = {false, true, true, true, true, true},
      .rows = {},
      .keys = 2};
  for (const ContactEvent& event : result.rigid.motion.events) {
    const bool jumps = event.impulse.size() > 0 && event.impulse.cwiseAbs().maxCoeff() > 0.0;
    table.rows.push_back({{fmt::format("{:.12g}", event.t)},
                          {text_of(event, system)},
                          {event.modes},
                          {vector_text(event.v_before)},
                          {jumps ? vector_text(event.v_after) : ""},
                          {jumps ? vector_text(event.impulse) : ""}});
  }
  return table;
}

TextTable slip_transition_table(const SlipResult& result, const SlipLaw& law,
                                const std::string& solver) {
  TextTable table{
      .headers = {"rigid t [s]", "event"}, .left_aligned = {false, true}, .rows = {}, .keys = 2};
  std::vector<const EventMatch*> matches;
  for (const EventMatch& match : result.matches)
    if (match.law == law && match.solver == solver) matches.push_back(&match);
  for (const EventMatch* match : matches)
    if (match->event == matches.front()->event) {
      table.headers.push_back(fmt::format("ε = {:.3g}", match->epsilon));
      table.left_aligned.push_back(false);
    }
  table.headers.emplace_back("order");
  table.left_aligned.push_back(false);
  for (std::size_t k = 0; k < matches.size(); ++k) {
    const ContactEvent& event = result.rigid.motion.events[matches[k]->event];
    if (k == 0 || matches[k]->event != matches[k - 1]->event)
      table.rows.push_back(
          {{fmt::format("{:.9g}", event.t)}, {text_of(event, result.study.model)}});
    table.rows.back().push_back({number_text(matches[k]->difference, "{:+.3e}")});
    if (k + 1 == matches.size() || matches[k + 1]->event != matches[k]->event)
      table.rows.back().push_back({number_text(matches[k]->order, "{:.2f}")});
  }
  return table;
}

TextTable slip_error_table(const SlipResult& result, const SlipLaw& law,
                           const std::string& solver) {
  TextTable table{.headers = {"ε"}, .left_aligned = {false}, .rows = {}};
  for (const Series& series : result.series) {
    if (!is_of(series, law, solver)) continue;
    const Measure& m = series.rows.front().measure;
    table.breaks.push_back(table.headers.size());
    table.headers.push_back(text_of(m));
    table.headers.emplace_back("order");
    table.left_aligned.insert(table.left_aligned.end(), 2, false);
    if (table.rows.empty())
      for (const Row& row : series.rows)
        table.rows.push_back({{fmt::format("{:.4g}", row.epsilon)}});
    for (std::size_t k = 0; k < series.rows.size() && k < table.rows.size(); ++k) {
      const Row& row = series.rows[k];
      table.rows[k].push_back(status_cell(error_text(row), row.status));
      table.rows[k].push_back({std::isnan(row.order) ? "-" : fixed_text(row.order, 2)});
    }
  }
  return table;
}

TextTable slip_order_table(const SlipResult& result) {
  TextTable table{
      .headers = {"law", "solver", "measure", "order", "fitted over", "verdict", "expected"},
      .left_aligned = {true, true, true, true, true, true, true},
      .rows = {},
      .keys = 3};
  for (const Series& series : result.series) {
    if (!is_shown(series)) continue;
    const Row& row = series.rows.front();
    const OrderFit& fit = series.judgement.fit;
    std::string expected = "-";
    if (series.expectation && series.expectation->convergence == Convergence::bounded)
      expected = fmt::format("≤ {:.2g} at every ε", series.expectation->within);
    else if (series.expectation)
      expected = series.expectation->order
                     ? fmt::format("{:.3g} ± {:.2g}", *series.expectation->order,
                                   series.expectation->within)
                     : "no convergence";
    if (series.expectation && !series.expectation->next_orders.empty())
      expected += fmt::format(", beside {:g}", fmt::join(series.expectation->next_orders, ", "));
    table.rows.push_back(
        {{text_of(row.law)},
         {row.compliant_solver},
         {text_of(row.measure)},
         {std::isnan(fit.standard_error)
              ? "-"  // of two points: no error bar, no order
              : fmt::format("{} ± {:.0e}", fixed_text(fit.order, 3), fit.standard_error)},
         {fit.count == 0
              ? "-"
              : fmt::format("{:.3g} – {:.3g} ({} of {})", series.rows[fit.first].epsilon,
                            series.rows[fit.last].epsilon, fit.count, series.rows.size())},
         {name_of(series.judgement.verdict), tone_of(series.judgement.verdict)},
         {expected}});
  }
  return table;
}

TextTable slip_step_table(const SlipResult& result) {
  TextTable table{.headers = {"step [s]", "outcome", "impacts", "q sup", "order", "v l1", "order"},
                  .left_aligned = {false, true, false, false, false, false, false},
                  .rows = {}};
  for (const StepCheck& check : result.rigid.steps)
    table.rows.push_back({{fmt::format("{:.4g}", check.step)},
                          {name_of(check.outcome)},
                          {fmt::format("{}", check.impacts)},
                          {number_text(check.q_sup)},
                          {number_text(check.q_order, "{:.2f}")},
                          {number_text(check.v_l1)},
                          {number_text(check.v_order, "{:.2f}")}});
  return table;
}

TextTable slip_claim_table(const SlipResult& result) {
  TextTable table{
      .headers = {"claim", "held", "found"}, .left_aligned = {true, true, true}, .rows = {}};
  for (const HistoryClaim& claim : result.claims)
    table.rows.push_back({{claim.text},
                          {claim.held ? "yes" : "no", claim.held ? Tone::good : Tone::bad},
                          {claim.held ? "" : claim.found}});
  return table;
}

TextTable slip_solve_table(const SlipResult& result) {
  TextTable table{.headers = {"law", "solver", "ε", "outcome", "steps", "rejected", "kinks",
                              "right-hand sides"},
                  .left_aligned = {true, true, false, true, false, false, false, false},
                  .rows = {},
                  .keys = 3};
  for (const SlipSolve& s : result.solves) {
    const bool failed = s.outcome != Outcome::success;
    if (s.tighter && !failed) continue;
    table.rows.push_back({{text_of(s.law)},
                          {s.solver},
                          {fmt::format("{:.4g}{}", s.epsilon, s.tighter ? ", tighter" : "")},
                          {name_of(s.outcome), failed ? Tone::bad : Tone::plain},
                          {fmt::format("{}", s.work.steps)},
                          {fmt::format("{}", s.work.rejected_steps)},
                          {fmt::format("{}", s.roots)},
                          {fmt::format("{}", s.work.rhs_evaluations)}});
  }
  return table;
}

TextTable slip_inequality_table(const SlipResult& result) {
  TextTable table{
      .headers = {"motion", "ε", "virtual velocities", "least value [W]", "of its terms", "t [s]"},
      .left_aligned = {true, false, false, false, false, false},
      .rows = {},
      .keys = 2};
  for (const InequalityReport& report : result.inequality)
    table.rows.push_back(
        {{report.epsilon == 0.0 ? report.motion : text_of(report.law)},
         {report.epsilon == 0.0 ? "-" : fmt::format("{:.4g}", report.epsilon)},
         {fmt::format("{}", report.check.drawn)},
         {fmt::format("{:.3e}", report.check.least)},
         {fmt::format("{:.1e}", report.scale > 0.0 ? report.check.least / report.scale : 0.0)},
         {report.check.contact < 0 ? "-" : fmt::format("{:.4g}", report.check.t)}});
  return table;
}

std::string slip_verdict_line(const SlipResult& result) {
  std::string broken = broken_lines(result.claims);
  const auto claims = std::ranges::count_if(result.claims, &Claim::held);
  int orders = 0, expected = 0;
  for (const Series& series : result.series) {
    if (!series.expectation || series.rows.empty()) continue;
    ++expected;
    orders += series.held() ? 1 : 0;
    const Row& row = series.rows.front();
    if (!series.held())
      broken += fmt::format("\n  {}, {}, {}: {}, {}", text_of(row.measure), text_of(row.law),
                            row.compliant_solver, name_of(series.judgement.verdict),
                            series.judgement.reason);
  }
  return fmt::format("{}: {}, {} of {} claims on the history, {} of {} orders{}", result.study.name,
                     result.held() ? "held" : "not held", claims, result.claims.size(), orders,
                     expected, broken);
}

}  // namespace rigidlimit
