#include "rigidlimit/report/series_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/report/columns.hpp"

namespace rigidlimit {

std::string SeriesNames::pairing(const std::string& law, const std::string& compliant_solver,
                                 const std::string& rigid_solver) const {
  return fmt::format("{}{} / {}", law_prefix(law), compliant_solver, rigid_solver);
}

std::string SeriesNames::pairing(const Row& row) const {
  return pairing(text_of(row.law), row.compliant_solver, row.rigid_solver);
}

std::string SeriesNames::law_prefix(const std::string& law) const {
  return several_laws ? law + ", " : "";
}

std::string SeriesNames::window(Window window) const {
  switch (window) {
    case Window::all: return "all t";
    case Window::after: return fmt::format("t > {:.4g}", after);
    case Window::away: break;
  }
  return "away from events";
}

std::string error_text(const Row& row) {
  if (std::isnan(row.model_error)) return "-";
  if (const auto proved = row.proved_interval()) return outward_text(*proved, Notation::scientific);
  const double bar = row.floor();
  return fmt::format("{:.3e} ± {}", row.model_error,
                     std::isnan(bar) ? "?" : fmt::format("{:.0e}", bar));
}

std::string fixed_text(double x, int digits) {
  const std::string text = fmt::format("{:.{}f}", x, digits);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string number_text(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.3e}", x);
}

std::string symbol_of(const Measure& measure) {
  if (!measure.component.empty()) return measure.component;
  switch (measure.quantity) {
    case Quantity::lambda: return "λ";
    case Quantity::event_time: return "event time";
    case Quantity::q:
    case Quantity::v: break;
  }
  return name_of(measure.quantity);
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

bool is_shown(const Series& series) {
  if (series.rows.empty()) return false;
  const Measure& m = series.rows.front().measure;
  return series.expectation ||
         (m.norm == Norm::sup && m.window != Window::away && m.events.empty());
}

namespace {

std::string order_text(double p) {
  return std::isnan(p) ? "-" : fixed_text(p, 2);
}

/// "lambda", "event_time (impact)".
std::string name_of(const Measure& m) {
  const std::string quantity = quantity_name(m);
  return m.events.empty() ? quantity : fmt::format("{} ({})", quantity, m.events);
}

/// "λ", "event time (impact)".
std::string quantity_text(const Measure& m) {
  return m.events.empty() ? symbol_of(m) : fmt::format("{} ({})", symbol_of(m), m.events);
}

/// As many digits as the error bar supports, at most 9.
std::string ratio_text(double ratio, double error) {
  if (std::isnan(ratio)) return "-";
  const double digits = std::ceil(-std::log10(std::max(error, 1e-9)));
  return fmt::format("{:.{}f} ± {:.0e}", ratio, static_cast<int>(std::clamp(digits, 2.0, 9.0)),
                     error);
}

/// The ε of the points that the fit used.
std::string fit_window_text(const Series& series) {
  const OrderFit& fit = series.judgement.fit;
  if (fit.count == 0) return "-";
  return fmt::format("{:.3g} – {:.3g} ({} of {})", series.rows[fit.first].epsilon,
                     series.rows[fit.last].epsilon, fit.count, series.rows.size());
}

/// The order extrapolated to ε → 0, with the digits that its error bar supports.
std::string limit_text(const Limit& limit) {
  if (std::isnan(limit.value)) return "-";
  const double digits = std::ceil(-std::log10(std::max(limit.error, 1e-6)));
  return fmt::format("{} ± {:.0e}",
                     fixed_text(limit.value, static_cast<int>(std::clamp(digits, 2.0, 6.0))),
                     limit.error);
}

std::string fitted_text(const OrderFit& fit) {
  if (std::isnan(fit.order)) return "-";
  return fmt::format("{} ± {:.3f}", fixed_text(fit.order, 3), fit.standard_error);
}

/// "2 ± 0.05", "1 ± 0.05 beside 1.5, 2", "no convergence", "no error beyond 1e-08".
std::string expected_text(const ExpectationSpec& e) {
  switch (e.convergence) {
    case Convergence::none: return "no convergence";
    case Convergence::exact: return fmt::format("no error beyond {:.4g}", e.within);
    case Convergence::bounded: return fmt::format("≤ {:.2g} at every ε", e.within);
    case Convergence::of_order: break;
  }
  const Expectation expected = e.expected_order();
  if (!expected.order) return "-";
  const std::string text = text_of(expected);
  return e.next_orders.empty()
             ? text
             : fmt::format("{} beside {:g}", text, fmt::join(e.next_orders, ", "));
}

/// A further remark that is not in a neighbouring column.
std::string header_of(const Series& series, const SeriesColumns& columns) {
  const Measure& m = series.rows.front().measure;
  const bool alike = std::ranges::all_of(columns, [&](const Series* s) {
    const Measure& other = s->rows.front().measure;
    return other.norm == m.norm && other.window == m.window && other.events.empty();
  });
  return (alike ? symbol_of(m) : text_of(m)) + std::string(" error");
}

/// Why the errors of one ε are not evidence, each reason once; a failed solve is the reason for
/// all.
std::string flags_of(const SeriesColumns& columns, std::size_t k) {
  if (std::ranges::all_of(columns, [k](const Series* s) { return s->rows[k].status == "proved"; }))
    return "proved";
  std::vector<std::string> flags;
  for (const Series* s : columns) {
    const Row& row = s->rows[k];
    const std::string flag =
        row.failed() ? row.status : fmt::format("{} {}", quantity_text(row.measure), row.status);
    if (row.status != "ok" && std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
  }
  return fmt::format("{}", fmt::join(flags, ", "));
}

}  // namespace

TextTable error_table(const SeriesColumns& columns) {
  TextTable table{.headers = {"ε"}, .left_aligned = {false}, .rows = {}};
  if (columns.empty()) return table;
  for (const Series* s : columns) {
    table.breaks.push_back(table.headers.size());
    table.headers.push_back(header_of(*s, columns));
    table.headers.emplace_back("order");
  }
  table.breaks.push_back(table.headers.size());
  table.headers.insert(table.headers.end(), {"steps", "flags"});
  table.left_aligned.resize(table.headers.size(), false);
  table.left_aligned.back() = true;
  for (std::size_t k = 0; k < columns.front()->rows.size(); ++k) {
    const Row& first = columns.front()->rows[k];
    std::vector<Cell> cells{{fmt::format("{:.3e}", first.epsilon)}};
    for (const Series* s : columns) {
      const Row& row = s->rows[k];
      const Tone tone = row.is_evidence() ? Tone::plain : Tone::faint;
      cells.push_back({error_text(row), tone});
      cells.push_back({order_text(row.order), tone});
    }
    cells.push_back({count_text(first.work.steps)});
    cells.push_back({flags_of(columns, k), Tone::doubtful});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

namespace {

bool is_predicted(const Series& series) {
  return std::ranges::any_of(series.rows,
                             [](const Row& row) { return !std::isnan(row.predicted_coefficient); });
}

/// "q: K ε^2", "λ: K", "v: K ε^1.5".
std::string term_text(const Series& series) {
  const double p = series.predicted_order;
  const std::string power = p == 0.0 ? "" : p == 1.0 ? " ε" : fmt::format(" ε^{:.3g}", p);
  return fmt::format("{}: K{}", symbol_of(series.rows.front().measure), power);
}

}  // namespace

TextTable ratio_table(const SeriesColumns& columns) {
  TextTable table{.headers = {"ε"}, .left_aligned = {false}, .rows = {}};
  SeriesColumns predicted;
  std::ranges::copy_if(columns, std::back_inserter(predicted),
                       [](const Series* s) { return is_predicted(*s); });
  if (predicted.empty()) return table;
  for (const Series* s : predicted) {
    table.breaks.push_back(table.headers.size());
    table.headers.insert(table.headers.end(), {term_text(*s), "measured/predicted"});
    table.left_aligned.insert(table.left_aligned.end(), {false, false});
  }
  for (std::size_t k = 0; k < predicted.front()->rows.size(); ++k) {
    std::vector<Cell> cells{{fmt::format("{:.3e}", predicted.front()->rows[k].epsilon)}};
    for (const Series* s : predicted) {
      const Row& row = s->rows[k];
      cells.push_back({std::isnan(row.predicted_coefficient)
                           ? "-"
                           : fmt::format("{:.6g}", row.predicted_coefficient)});
      cells.push_back({ratio_text(row.ratio, row.ratio_error)});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable verdict_table(const std::vector<Series>& all, const SeriesNames& names, bool every_norm) {
  TextTable table{.headers = {"solvers", "", "norm", "window", "fitted order", "over ε",
                              "for ε → 0", "expected", "verdict"},
                  .left_aligned = {true, true, true, true, false, true, false, false, true},
                  .rows = {},
                  .keys = 4};
  for (const Series& s : all) {
    if (s.rows.empty() || !(is_shown(s) || every_norm)) continue;
    const Row& row = s.rows.front();
    table.rows.push_back({{names.pairing(row)},
                          {quantity_text(row.measure)},
                          {name_of(row.measure.norm)},
                          {names.window(row.measure.window)},
                          {fitted_text(s.judgement.fit)},
                          {fit_window_text(s)},
                          {limit_text(s.judgement.limit)},
                          {s.expectation ? expected_text(*s.expectation) : "-"},
                          {name_of(s.judgement.verdict), tone_of(s.judgement.verdict)}});
  }
  return table;
}

namespace {

/// The row of the smallest ε that is evidence, or the first one.
const Row& last_evidence(const Series& s) {
  const auto at = std::find_if(s.rows.rbegin(), s.rows.rend(),
                               [](const Row& row) { return row.is_evidence(); });
  return at == s.rows.rend() ? s.rows.front() : *at;
}

/// The verdict on the order, or on the ratio if that alone fails.
Cell verdict_cell(const Series& s) {
  if (s.expectation && s.expectation->ratio && s.ratio_broken() && !s.order_broken())
    return {fmt::format("{}: ratio", name_of(s.ratio.verdict)), tone_of(s.ratio.verdict)};
  return {name_of(s.judgement.verdict), tone_of(s.judgement.verdict)};
}

}  // namespace

TextTable expectation_table(const std::vector<Series>& all, const SeriesNames& names) {
  TextTable table{.headers = {"solver", "against", "", "norm", "window", "fitted order", "expected",
                              "measured/predicted", "at ε", "verdict"},
                  .left_aligned = {true, true, true, true, true, false, false, false, false, true},
                  .rows = {},
                  .keys = 5};
  const bool expects = std::ranges::any_of(
      all, [](const Series& s) { return !s.rows.empty() && s.expectation.has_value(); });
  for (const Series& s : all) {
    if (s.rows.empty() || !(expects ? s.expectation.has_value() : is_shown(s))) continue;
    const Row& row = s.rows.front();
    const bool judged = s.expectation && s.expectation->ratio;
    const Row& last = judged ? s.rows[s.ratio.last] : last_evidence(s);
    const double ratio = judged ? s.ratio.ratio : last.ratio;
    table.rows.push_back({{names.law_prefix(text_of(row.law)) + row.compliant_solver},
                          {row.rigid_solver},
                          {quantity_text(row.measure)},
                          {name_of(row.measure.norm)},
                          {names.window(row.measure.window)},
                          {fitted_text(s.judgement.fit)},
                          {s.expectation ? expected_text(*s.expectation) : "-"},
                          {ratio_text(ratio, last.ratio_error)},
                          {std::isnan(ratio) ? "-" : fmt::format("{:.3g}", last.epsilon)},
                          verdict_cell(s)});
  }
  return table;
}

TextTable ratio_verdict_table(const std::vector<Series>& all, const SeriesNames& names) {
  TextTable table{.headers = {"solvers", "", "norm", "window", "smallest ε", "measured/predicted",
                              "|ratio − 1| falls with", "expected", "verdict"},
                  .left_aligned = {true, true, true, true, false, false, true, false, true},
                  .rows = {},
                  .keys = 4};
  for (const Series& s : all) {
    if (s.rows.empty() || !s.expectation || !s.expectation->ratio) continue;
    const Row& row = s.rows[s.ratio.last];
    const OrderFit& approach = s.ratio.approach;
    table.rows.push_back(
        {{names.pairing(row)},
         {symbol_of(row.measure)},
         {name_of(row.measure.norm)},
         {names.window(row.measure.window)},
         {fmt::format("{:.3g}", row.epsilon)},
         {ratio_text(s.ratio.ratio, row.ratio_error)},
         {std::isnan(approach.order)
              ? "-"
              : fmt::format("ε^{:.2f} ({} ε)", approach.order, approach.count)},
         {fmt::format("{:.4g} ± {:.1e}", *s.expectation->ratio, s.expectation->ratio_within)},
         {name_of(s.ratio.verdict), tone_of(s.ratio.verdict)}});
  }
  return table;
}

namespace {

/// "13 of 13 ε failed: max_steps", or another reason for too few rows.
std::string why_no_order(const Series& series) {
  std::vector<std::string> outcomes;
  std::size_t failed = 0;
  for (const Row& row : series.rows) {
    if (!row.failed()) continue;
    ++failed;
    const std::string outcome = row.status.substr(std::min(row.status.size(), sizeof "failed:"));
    if (std::ranges::find(outcomes, outcome) == outcomes.end()) outcomes.push_back(outcome);
  }
  if (failed == 0) return series.judgement.reason;
  return fmt::format("{} of {} ε failed: {}", failed, series.rows.size(),
                     fmt::join(outcomes, ", "));
}

/// "1.00002 ± 3e-06 at ε = 0.0001, expected 1 ± 0.001".
std::string ratio_found_and_expected(const Series& series) {
  const Row& row = series.rows[series.ratio.last];
  return fmt::format("{} at ε = {:.4g}, expected {:.4g} ± {:.1e}",
                     ratio_text(series.ratio.ratio, row.ratio_error), row.epsilon,
                     *series.expectation->ratio, series.expectation->ratio_within);
}

/// The advice on an order is about rows and orders.
const char* ratio_advice(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "Nothing to do.";
    case Verdict::pre_asymptotic: return "Add smaller ε.";
    case Verdict::floor_limited:
      return "Tighten the solvers' tolerances, improve the reference, or widen ratio_within.";
    case Verdict::refuted:
    case Verdict::diverging:
      return "The measured coefficient differs from the prediction: check the law, its stiffness "
             "and damping, and the start.";
    case Verdict::settled:
    case Verdict::inconclusive: break;
  }
  return "Add ε for a longer series, or tighten the solvers' tolerances.";
}

/// "; order only: the start slides", or nothing.
std::string reason_without_ratio(const ExpectationSpec& e) {
  return e.order_only.empty() ? "" : "; order only: " + e.order_only;
}

const char* subject_of(Convergence convergence) {
  switch (convergence) {
    case Convergence::none: return "no convergence of";
    case Convergence::exact: return "no error of";
    case Convergence::bounded: return "bounded error of";
    case Convergence::of_order: break;
  }
  return "order of";
}

}  // namespace

std::string found_and_expected(const Series& series) {
  const bool has_order = !std::isnan(series.judgement.fit.order);
  std::string found = has_order ? fmt::format("order {}", fitted_text(series.judgement.fit))
                                : fmt::format("no order ({})", why_no_order(series));
  if (!series.expectation || !series.expectation->judges_errors()) return found;
  found += ", expected " + expected_text(*series.expectation);
  const bool has_reason = found.find(series.judgement.reason) != std::string::npos;
  return series.expectation->expected_order().order || has_reason
             ? found
             : fmt::format("{}: {}", found, series.judgement.reason);
}

std::vector<JunitCase> cases_of(const std::vector<Series>& all, const SeriesNames& names) {
  std::vector<JunitCase> cases;
  for (const Series& s : all) {
    if (!s.expectation || s.rows.empty()) continue;
    const Row& row = s.rows.front();
    const std::string measure =
        fmt::format("{} ({}, {}), {}{} against {}", name_of(row.measure), name_of(row.measure.norm),
                    names.window(row.measure.window), names.law_prefix(text_of(row.law)),
                    row.compliant_solver, row.rigid_solver);
    if (s.expectation->judges_errors())
      cases.push_back(
          {.name = fmt::format("{} {}", subject_of(s.expectation->convergence), measure),
           .group = "expectations",
           .state = state_if(!s.order_broken()),
           .type = name_of(s.judgement.verdict),
           .message = found_and_expected(s) + reason_without_ratio(*s.expectation),
           .reason = s.judgement.reason,
           .advice = advice(s.judgement)});
    if (s.expectation->ratio)
      cases.push_back({.name = "measured/predicted of " + measure,
                       .group = "expectations",
                       .state = state_if(!s.ratio_broken()),
                       .type = name_of(s.ratio.verdict),
                       .message = ratio_found_and_expected(s),
                       .reason = s.ratio.reason,
                       .advice = ratio_advice(s.ratio.verdict)});
  }
  return cases;
}

std::vector<JunitCase> missing_cases(const std::vector<ExpectationSpec>& expectations,
                                     const std::vector<LawName>& laws,
                                     const std::vector<std::string>& solvers,
                                     const std::vector<Series>& all, const SeriesNames& names,
                                     const std::string& why) {
  std::vector<JunitCase> cases;
  for (const ExpectationSpec& e : expectations)
    for (const LawName& law : laws)
      for (const std::string& solver : solvers) {
        if (!e.concerns(law, e.measure)) continue;
        const bool found = std::ranges::any_of(all, [&](const Series& s) {
          if (s.rows.empty()) return false;
          const Row& row = s.rows.front();
          return row.law == law && row.measure == e.measure && row.compliant_solver == solver;
        });
        if (found) continue;
        cases.push_back(
            {.name = fmt::format("{} {}, {}{}", subject_of(e.convergence), text_of(e.measure),
                                 names.law_prefix(text_of(law)), solver),
             .group = "expectations",
             .state = ClaimState::failed,
             .type = "nothing_compared",
             .message = "nothing to compare: " + why,
             .reason = why});
      }
  return cases;
}

namespace {

Record law_and_solvers(const Row& row, RowsOf kind) {
  Record record{{"law", row.law.name}};
  // A law without κ has the value 1, as its contact force has.
  if (kind == RowsOf::friction)
    record.push_back({"tangential_power", row.law.tangential_power.value_or(1.0)});
  record.push_back({"rigid_solver", row.rigid_solver});
  record.push_back({"compliant_solver", row.compliant_solver});
  return record;
}

void add_measure(Record& record, const Measure& measure, RowsOf kind) {
  record.push_back({"quantity", quantity_name(measure)});
  if (kind == RowsOf::friction) record.push_back({"events", measure.events});
  record.push_back({"norm", name_of(measure.norm)});
  record.push_back({"window", name_of(measure.window)});
}

Record record_of(const Row& row, RowsOf kind) {
  Record record = identity_of(row, kind);
  record.insert(record.end(), {{"model_error", row.model_error},
                               {"solver_error", row.solver_error},
                               {"reference_error", row.reference_error},
                               {"sampling_error", row.sampling_error}});
  if (kind == RowsOf::certified) {
    const ProvedSizes bounds = row.proved() != nullptr ? *row.proved() : ProvedSizes{};
    const ErrorSizes measured = row.measured.value_or(ErrorSizes{});
    record.insert(record.end(), {{"proved_lower", bounds.lower},
                                 {"proved_upper", bounds.upper},
                                 {"least_solver_error", bounds.least_solver},
                                 {"least_reference_error", bounds.least_reference},
                                 {"measured_error", measured.model},
                                 {"estimated_solver_error", measured.solver},
                                 {"estimated_reference_error", measured.reference}});
  }
  record.insert(record.end(), {{"order", row.order},
                               {"predicted_coefficient", row.predicted_coefficient},
                               {"ratio", row.ratio},
                               {"ratio_error", row.ratio_error}});
  record.push_back({"verdict", name_of(row.verdict)});
  record.push_back({"status", row.status});
  for (const auto& [name, count] : work_counters)
    record.push_back({std::string("work.") + name, count_value(row.work.*count)});
  return record;
}

/// The expectation, if there is one.
void add_expectation(Record& record, const Series& s) {
  if (!s.expectation) return;
  const ExpectationSpec& e = *s.expectation;
  if (e.judges_errors()) {
    if (e.order)
      record.push_back({"expected_order", *e.order});
    else if (e.at_least)
      record.push_back({"expected_at_least", *e.at_least});
    else
      record.push_back({"expected_convergence", name_of(e.convergence)});
    if (!e.next_orders.empty()) record.push_back({"next_orders", e.next_orders});
    record.push_back({"within", e.within});
    record.push_back({"held", !s.order_broken()});
    if (!e.order_only.empty()) record.push_back({"order_only", e.order_only});
  }
  if (e.ratio)
    record.insert(record.end(), {{"ratio.expected", *e.ratio},
                                 {"ratio.within", e.ratio_within},
                                 {"ratio.found", s.ratio.ratio},
                                 {"ratio.limit", s.ratio.limit},
                                 {"ratio.limit_error", s.ratio.limit_error},
                                 {"ratio.verdict", name_of(s.ratio.verdict)},
                                 {"ratio.reason", s.ratio.reason},
                                 {"ratio.held", !s.ratio_broken()}});
}

Record record_of(const Series& s, RowsOf kind) {
  const Row& row = s.rows.front();
  const OrderFit& fit = s.judgement.fit;
  Record record = law_and_solvers(row, kind);
  add_measure(record, row.measure, kind);
  record.insert(record.end(), {{"order", fit.order},
                               {"standard_error", fit.standard_error},
                               {"coefficient", fit.coefficient},
                               {"floor_error", fit.floor_error},
                               {"spread", fit.spread},
                               {"order_limit", s.judgement.limit.value},
                               {"order_limit_error", s.judgement.limit.error},
                               {"predicted_order", s.predicted_order},
                               {"settled", fit.settled},
                               {"points", fit.count},
                               {"verdict", name_of(s.judgement.verdict)},
                               {"reason", s.judgement.reason},
                               {"advice", advice(s.judgement)}});
  add_expectation(record, s);
  return record;
}

}  // namespace

Record identity_of(const Row& row, RowsOf kind) {
  Record record = law_and_solvers(row, kind);
  record.push_back({"epsilon", row.epsilon});
  add_measure(record, row.measure, kind);
  return record;
}

DataTable error_rows(std::string name, Record of_all,
                     const std::shared_ptr<const std::vector<Series>>& all, RowsOf kind) {
  auto rows = std::make_shared<std::vector<const Row*>>();
  for (const Series& s : *all)
    for (const Row& row : s.rows) rows->push_back(&row);
  return {std::move(name), std::move(of_all), record_of(Row{}, kind),
          Records(std::shared_ptr<const std::vector<const Row*>>(std::move(rows)),
                  [all, kind](const Row* row) { return record_of(*row, kind); })};
}

DataTable series_rows(const std::vector<Series>& all, RowsOf kind) {
  DataTable table;
  for (const Series& s : all)
    if (!s.rows.empty()) table.records.push_back(record_of(s, kind));
  return table;
}

}  // namespace rigidlimit
