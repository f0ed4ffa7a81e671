#include "rigidlimit/report/friction_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/report/claims.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

namespace {

std::string text_of_number(double x, const char* form) {
  return std::isnan(x) ? "-" : fmt::format(fmt::runtime(form), x);
}

std::string vector_text(const VectorXd& x) {
  std::vector<std::string> texts;
  for (const double entry : x) texts.push_back(fmt::format("{:.6g}", entry + 0.0));
  return fmt::format("({})", fmt::join(texts, ", "));
}

}  // namespace

TextTable friction_event_table(const FrictionResult& result) {
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

TextTable friction_transition_table(const FrictionResult& result, const ComparedLaw& law,
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
    table.rows.back().push_back({text_of_number(matches[k]->difference, "{:+.3e}")});
    if (k + 1 == matches.size() || matches[k + 1]->event != matches[k]->event)
      table.rows.back().push_back({text_of_number(matches[k]->order, "{:.2f}")});
  }
  return table;
}

TextTable friction_step_table(const FrictionResult& result) {
  TextTable table{.headers = {"step [s]", "outcome", "impacts", "q sup", "order", "v l1", "order"},
                  .left_aligned = {false, true, false, false, false, false, false},
                  .rows = {}};
  for (const StepCheck& check : result.rigid.steps)
    table.rows.push_back({{fmt::format("{:.4g}", check.step)},
                          {name_of(check.outcome)},
                          {fmt::format("{}", check.impacts)},
                          {number_text(check.q_sup)},
                          {text_of_number(check.q_order, "{:.2f}")},
                          {number_text(check.v_l1)},
                          {text_of_number(check.v_order, "{:.2f}")}});
  return table;
}

TextTable friction_mode_table(const FrictionResult& result) {
  TextTable table{.headers = {"motion", "ε", "outcome", "modes", "sliding at T [m/s]"},
                  .left_aligned = {true, false, true, true, false},
                  .rows = {},
                  .keys = 2};
  for (const MotionModes& m : result.modes) {
    const bool failed = m.outcome != Outcome::success;
    table.rows.push_back({{m.is_rigid() ? "rigid" : text_of(m.law) + ", " + m.solver},
                          {m.is_rigid() ? "-" : fmt::format("{:.4g}", m.epsilon)},
                          {name_of(m.outcome), failed ? Tone::bad : Tone::plain},
                          {m.sequence.empty() ? "-" : m.sequence},
                          {number_text(m.sliding_at_end)}});
  }
  return table;
}

TextTable friction_claim_table(const FrictionResult& result) {
  TextTable table{
      .headers = {"claim", "held", "found"}, .left_aligned = {true, true, true}, .rows = {}};
  for (const HistoryClaim& claim : result.claims)
    table.rows.push_back({{claim.text},
                          {claim.held ? "yes" : "no", claim.held ? Tone::good : Tone::bad},
                          {claim.held ? "" : claim.found}});
  return table;
}

TextTable friction_solve_table(const FrictionResult& result) {
  TextTable table{.headers = {"law", "solver", "ε", "outcome", "steps", "rejected", "kinks",
                              "right-hand sides"},
                  .left_aligned = {true, true, false, true, false, false, false, false},
                  .rows = {},
                  .keys = 3};
  for (const FrictionSolve& s : result.solves) {
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

TextTable friction_inequality_table(const FrictionResult& result) {
  TextTable table{
      .headers = {"motion", "ε", "virtual velocities", "minimum [W]", "relative to terms", "t [s]"},
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

}  // namespace rigidlimit
