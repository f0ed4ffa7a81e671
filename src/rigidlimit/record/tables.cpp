#include "rigidlimit/record/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/record/ratio_tables.hpp"

namespace rigidlimit {

std::string error_text(const Row& row) {
  if (std::isnan(row.model_error)) return "-";
  const double bar = row.error_bar();
  return fmt::format("{:.3e} ± {}", row.model_error,
                     std::isnan(bar) ? "?" : fmt::format("{:.0e}", bar));
}

std::string pairing_text(const Study& study, const std::string& law,
                         const std::string& compliant_solver, const std::string& rigid_solver) {
  const std::string solvers = fmt::format("{} / {}", compliant_solver, rigid_solver);
  return study.has_several_laws() ? law + ", " + solvers : solvers;
}

namespace {

std::string number_text(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.3e}", x);
}

}  // namespace

std::string fixed_text(double x, int digits) {
  const std::string text = fmt::format("{:.{}f}", x, digits);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

namespace {

std::string order_text(double p) {
  return std::isnan(p) ? "-" : fixed_text(p, 2);
}

bool is_series(const Series& series, const std::string& law, const std::string& rigid,
               const std::string& compliant, Quantity quantity, Norm norm, Window window) {
  if (series.rows.empty()) return false;
  const Row& row = series.rows.front();
  return row.law.name == law && row.rigid_solver == rigid && row.compliant_solver == compliant &&
         row.measure.quantity == quantity && row.measure.norm == norm &&
         row.measure.window == window;
}

/// The ε of the points that the fit used.
std::string fit_window_text(const Series& series) {
  const OrderFit& fit = series.judgement.fit;
  if (fit.count == 0) return "-";
  return fmt::format("{:.3g} – {:.3g} ({} of {})", series.rows[fit.first].epsilon,
                     series.rows[fit.last].epsilon, fit.count, series.rows.size());
}

/// The order continued to ε → 0, with as many digits as its error bar has a say in.
std::string limit_text(const Limit& limit) {
  if (std::isnan(limit.value)) return "-";
  const double digits = std::ceil(-std::log10(std::max(limit.error, 1e-6)));
  return fmt::format("{} ± {:.0e}",
                     fixed_text(limit.value, static_cast<int>(std::clamp(digits, 2.0, 6.0))),
                     limit.error);
}

std::string fitted_text(const OrderFit& fit) {
  if (std::isnan(fit.standard_error)) return "-";  // of two points: no error bar, no order
  return fmt::format("{} ± {:.3f}", fixed_text(fit.order, 3), fit.standard_error);
}

/// "2 ± 0.05", "no convergence", "no error beyond 1e-08".
std::string expected_text(const ExpectationSpec& e) {
  switch (e.convergence) {
    case Convergence::none: return "no convergence";
    case Convergence::bounded:
    case Convergence::exact: return fmt::format("no error beyond {:.4g}", e.within);
    case Convergence::of_order: break;
  }
  return e.order ? fmt::format("{:.4g} ± {:.4g}", *e.order, e.within) : "-";
}

}  // namespace

const char* symbol_of(Quantity quantity) {
  return quantity == Quantity::lambda ? "λ" : name_of(quantity);
}

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return Tone::good;
    case Verdict::settled: return Tone::plain;
    case Verdict::refuted:
    case Verdict::diverging: return Tone::bad;
    case Verdict::pre_asymptotic:
    case Verdict::floor_limited:
    case Verdict::inconclusive: break;
  }
  return Tone::doubtful;
}

std::string window_text(const Study& study, Window window) {
  return window == Window::all ? "all t" : fmt::format("t > {:.4g}", study.after);
}

TextTable error_table(const StudyResult& result, const std::string& rigid_solver,
                      const std::string& compliant_solver, Window window, Norm norm,
                      const std::string& law) {
  TextTable table{.headers = {"ε"}, .left_aligned = {false}, .rows = {}};
  std::vector<const Series*> columns;
  for (const Quantity quantity : all_quantities)
    for (const Series& s : result.series)
      if (is_series(s, law, rigid_solver, compliant_solver, quantity, norm, window)) {
        columns.push_back(&s);
        table.breaks.push_back(table.headers.size());
        table.headers.push_back(fmt::format("{} error", symbol_of(quantity)));
        table.headers.emplace_back("order");
      }
  if (columns.empty()) return table;
  table.breaks.push_back(table.headers.size());
  table.headers.insert(table.headers.end(), {"steps", "flags"});
  table.left_aligned.resize(table.headers.size(), false);
  table.left_aligned.back() = true;
  for (std::size_t k = 0; k < columns.front()->rows.size(); ++k) {
    std::vector<Cell> cells{{fmt::format("{:.3e}", columns.front()->rows[k].epsilon)}};
    std::vector<std::string> flags;
    for (const Series* s : columns) {
      const Row& row = s->rows[k];
      const Tone tone = row.status == "ok" ? Tone::plain : Tone::faint;
      cells.push_back({error_text(row), tone});
      cells.push_back({order_text(row.order), tone});
      // A failed solve fails all three: say it once.
      const bool failed = row.status.starts_with("failed");
      const std::string flag =
          failed ? row.status : fmt::format("{} {}", symbol_of(row.measure.quantity), row.status);
      if (row.status != "ok" && std::ranges::find(flags, flag) == flags.end())
        flags.push_back(flag);
    }
    cells.push_back({fmt::format("{}", columns.front()->rows[k].work.steps)});
    cells.push_back({fmt::format("{}", fmt::join(flags, ", ")), Tone::doubtful});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable verdict_table(const StudyResult& result, bool every_norm) {
  TextTable table{.headers = {"solvers", "", "norm", "window", "fitted order", "over ε",
                              "for ε → 0", "expected", "verdict"},
                  .left_aligned = {true, true, true, true, false, true, false, false, true},
                  .rows = {},
                  .keys = 4};
  for (const Series& s : result.series) {
    if (s.rows.empty()) continue;
    const Row& row = s.rows.front();
    if (row.measure.norm != Norm::sup && !s.expectation && !every_norm) continue;
    const std::string expected = s.expectation ? expected_text(*s.expectation) : "-";
    table.rows.push_back(
        {{pairing_text(result.study, row.law.name, row.compliant_solver, row.rigid_solver)},
         {symbol_of(row.measure.quantity)},
         {name_of(row.measure.norm)},
         {window_text(result.study, row.measure.window)},
         {fitted_text(s.judgement.fit)},
         {fit_window_text(s)},
         {limit_text(s.judgement.limit)},
         {expected},
         {name_of(s.judgement.verdict), tone_of(s.judgement.verdict)}});
  }
  return table;
}

std::string claim_text(const Study& study, const BoundSpec& spec) {
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  return fmt::format("{}{} {} {} ≤ {}", of_solver ? "solver error of " : "",
                     symbol_of(spec.measure.quantity), name_of(spec.measure.norm),
                     window_text(study, spec.measure.window), text_of(spec.bound));
}

std::string bound_line(const Study& study, const BoundReport& report) {
  const BoundJudgement& j = report.judgement;
  const std::string where =
      j.worst ? fmt::format(" at ε = {:.4g}", report.epsilons[*j.worst]) : std::string();
  // A bound that holds does so everywhere; its row is the one that comes nearest to the limit.
  const std::string state = report.held() ? fmt::format("held, nearest{}", where)
                            : j.worst     ? name_of(j.state) + where
                                          : std::string("not judged");
  return fmt::format(
      "bound {} {} ({}): {}", claim_text(study, report.spec), state,
      pairing_text(study, report.spec.law, report.compliant_solver, report.rigid_solver), j.reason);
}

TextTable bound_table(const StudyResult& result) {
  TextTable table{.headers = {"solvers", "bound", "worst ε", "limit", "of the limit", "result"},
                  .left_aligned = {true, true, false, false, false, true},
                  .rows = {},
                  .keys = 2};
  for (const BoundReport& report : result.bounds) {
    const BoundJudgement& j = report.judgement;
    const Tone tone = report.held()                   ? Tone::good
                      : j.state == BoundState::broken ? Tone::bad
                                                      : Tone::doubtful;
    table.rows.push_back({{pairing_text(result.study, report.spec.law, report.compliant_solver,
                                        report.rigid_solver)},
                          {claim_text(result.study, report.spec)},
                          {j.worst ? fmt::format("{:.3e}", report.epsilons[*j.worst]) : "-"},
                          {number_text(j.limit)},
                          {std::isnan(j.factor) ? "-" : fmt::format("{:.4g}", j.factor)},
                          {j.worst ? name_of(j.state) : "not judged", tone}});
  }
  return table;
}

TextTable energy_table(const StudyResult& result) {
  TextTable table{.headers = {"solver", "ε", "K* + P", "spring", "work", "damper", "unaccounted"},
                  .left_aligned = {true, false, false, false, false, false, false},
                  .rows = {},
                  .keys = 2};
  for (const EnergyReport& e : result.energy)
    table.rows.push_back(
        {{result.study.has_several_laws() ? e.law + ", " + e.compliant_solver : e.compliant_solver},
         {number_text(e.epsilon)},
         {number_text(e.mechanical)},
         {number_text(e.spring)},
         {number_text(e.work)},
         {number_text(e.damper)},
         {number_text(e.defect)}});
  return table;
}

TextTable rigid_table(const StudyResult& result) {
  TextTable table{
      .headers = {"solver", "compared with", "q error", "v error", "Λ error", "‖G v‖",
                  "energy error", "kinetic", "steps", "outcome"},
      .left_aligned = {true, true, false, false, false, false, false, false, false, true},
      .rows = {}};
  for (const RigidReport& r : result.rigid)
    table.rows.push_back(
        {{r.solver},
         {r.reference},
         {number_text(r.error[0])},
         {number_text(r.error[1])},
         {number_text(r.error[2])},
         {number_text(r.drift)},
         {number_text(r.energy_error)},
         {number_text(r.energy_scale)},
         {fmt::format("{}", r.work.steps)},
         {r.outcome == Outcome::success ? "ok"
                                        : fmt::format("{}: {}", name_of(r.outcome), r.message),
          r.outcome == Outcome::success ? Tone::plain : Tone::bad}});
  return table;
}

namespace {

/// "13 of 13 ε failed: max_steps", or what else leaves too few rows for an order.
std::string why_no_order(const Series& series) {
  std::vector<std::string> outcomes;
  std::size_t failed = 0;
  for (const Row& row : series.rows) {
    if (!row.status.starts_with("failed")) continue;
    ++failed;
    const std::string outcome = row.status.substr(std::min(row.status.size(), sizeof "failed:"));
    if (std::ranges::find(outcomes, outcome) == outcomes.end()) outcomes.push_back(outcome);
  }
  if (failed == 0) return series.judgement.reason;
  return fmt::format("{} of {} ε failed: {}", failed, series.rows.size(),
                     fmt::join(outcomes, ", "));
}

}  // namespace

std::string found_and_expected(const Series& series) {
  const bool has_order = series.judgement.fit.count >= 2;
  std::string found = has_order ? fmt::format("order {}", fitted_text(series.judgement.fit))
                                : fmt::format("no order ({})", why_no_order(series));
  if (!series.expectation || !series.expectation->judges_errors()) return found;
  return fmt::format("{}, expected {}", found, expected_text(*series.expectation));
}

namespace {

/// What came of the expectations of a study.
struct ExpectationCount {
  int judged = 0, broken = 0;
  std::string lines;  ///< one for each broken one, "\n" before it
};

ExpectationCount counted_expectations(const StudyResult& result) {
  const Study& study = result.study;
  ExpectationCount count;
  for (const Series& s : result.series) {
    if (!s.expectation || s.rows.empty()) continue;
    const Row& row = s.rows.front();
    const auto report = [&](bool is_broken, Verdict verdict, const std::string& found) {
      ++count.judged;
      if (!is_broken) return;
      ++count.broken;
      count.lines += fmt::format("\n  {} ({}{}, {}, {}): {} [{}]", symbol_of(row.measure.quantity),
                                 study.has_several_laws() ? row.law.name + ", " : "",
                                 row.compliant_solver, name_of(row.measure.norm),
                                 window_text(study, row.measure.window), found, name_of(verdict));
    };
    if (s.expectation->judges_errors())
      report(s.order_broken(), s.judgement.verdict, found_and_expected(s));
    if (s.expectation->ratio)
      report(s.ratio_broken(), s.ratio.verdict, ratio_found_and_expected(s));
  }
  return count;
}

}  // namespace

std::string verdict_line(const StudyResult& result) {
  const Study& study = result.study;
  if (result.interrupted) return fmt::format("{}: interrupted, not judged", study.name);
  if (!study.demands_something()) return fmt::format("{}: nothing was expected", study.name);
  const ExpectationCount expectations = counted_expectations(result);
  const auto bounds_held = std::ranges::count_if(result.bounds, &BoundReport::held);
  const auto bounds = std::ssize(result.bounds);
  const bool held = result.held();
  if (!held && expectations.broken == 0 && bounds_held == bounds)
    return fmt::format("{}: not held, no rows to judge", study.name);
  std::vector<std::string> counts;
  if (const auto& [judged, broken, lines] = expectations; judged > 0)
    counts.push_back(held || broken == 0
                         ? fmt::format("{} of {} expectations", judged, judged)
                         : fmt::format("{} of {} expectations broken", broken, judged));
  if (bounds > 0)
    counts.push_back(bounds_held == bounds
                         ? fmt::format("{} of {} bounds", bounds, bounds)
                         : fmt::format("{} of {} bounds not held", bounds - bounds_held, bounds));
  std::string text = fmt::format("{}: {}, {}{}", study.name, held ? "held" : "not held",
                                 fmt::join(counts, ", "), expectations.lines);
  for (const BoundReport& report : result.bounds)
    text += fmt::format("\n{}: {}", study.name, bound_line(study, report));
  return text;
}

}  // namespace rigidlimit
