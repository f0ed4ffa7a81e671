#include "rigidlimit/record/ratio_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/record/tables.hpp"

namespace rigidlimit {

namespace {

/// As many digits as the error bar has a say in, 9 at most.
std::string ratio_text(double ratio, double error) {
  if (std::isnan(ratio)) return "-";
  const double digits = std::ceil(-std::log10(std::max(error, 1e-9)));
  return fmt::format("{:.{}f} ± {:.0e}", ratio, static_cast<int>(std::clamp(digits, 2.0, 9.0)),
                     error);
}

bool is_predicted(const Series& series) {
  return std::ranges::any_of(series.rows,
                             [](const Row& row) { return !std::isnan(row.predicted_coefficient); });
}

/// "q: K ε^2", "λ: K", "v: K ε^1.5".
std::string term_text(const Series& series) {
  const double p = series.predicted_order;
  const std::string power = p == 0.0 ? "" : p == 1.0 ? " ε" : fmt::format(" ε^{:.3g}", p);
  return fmt::format("{}: K{}", symbol_of(series.rows.front().measure.quantity), power);
}

}  // namespace

TextTable ratio_table(const StudyResult& result, const std::string& rigid_solver,
                      const std::string& compliant_solver, Window window, Norm norm,
                      const std::string& law) {
  TextTable table{.headers = {"ε"}, .left_aligned = {false}, .rows = {}};
  std::vector<const Series*> columns;
  for (const Series& s : result.series) {
    if (s.rows.empty() || !is_predicted(s)) continue;
    const Row& row = s.rows.front();
    if (row.law.name != law || row.rigid_solver != rigid_solver ||
        row.compliant_solver != compliant_solver || row.measure.norm != norm ||
        row.measure.window != window)
      continue;
    columns.push_back(&s);
    table.breaks.push_back(table.headers.size());
    table.headers.insert(table.headers.end(), {term_text(s), "measured/predicted"});
    table.left_aligned.insert(table.left_aligned.end(), {false, false});
  }
  if (columns.empty()) return table;
  for (std::size_t k = 0; k < columns.front()->rows.size(); ++k) {
    std::vector<Cell> cells{{fmt::format("{:.3e}", columns.front()->rows[k].epsilon)}};
    for (const Series* s : columns) {
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

TextTable ratio_verdict_table(const StudyResult& result) {
  TextTable table{.headers = {"solvers", "", "norm", "window", "smallest ε", "measured/predicted",
                              "|ratio − 1| falls with", "expected", "verdict"},
                  .left_aligned = {true, true, true, true, false, false, true, false, true},
                  .rows = {},
                  .keys = 4};
  for (const Series& s : result.series) {
    if (s.rows.empty() || !s.expectation || !s.expectation->ratio) continue;
    const Row& row = s.rows[s.ratio.last];
    const OrderFit& approach = s.ratio.approach;
    table.rows.push_back(
        {{pairing_text(result.study, row.law.name, row.compliant_solver, row.rigid_solver)},
         {symbol_of(row.measure.quantity)},
         {name_of(row.measure.norm)},
         {window_text(result.study, row.measure.window)},
         {fmt::format("{:.3g}", row.epsilon)},
         {ratio_text(s.ratio.ratio, row.ratio_error)},
         {approach.count < 2 ? "-"
                             : fmt::format("ε^{:.2f} ({} ε)", approach.order, approach.count)},
         {fmt::format("{:.4g} ± {:.1e}", *s.expectation->ratio, s.expectation->ratio_within)},
         {name_of(s.ratio.verdict), tone_of(s.ratio.verdict)}});
  }
  return table;
}

std::string ratio_found_and_expected(const Series& series) {
  const Row& row = series.rows[series.ratio.last];
  return fmt::format("measured/predicted {} at ε = {:.4g}, expected {:.4g} ± {:.1e}",
                     ratio_text(series.ratio.ratio, row.ratio_error), row.epsilon,
                     *series.expectation->ratio, series.expectation->ratio_within);
}

}  // namespace rigidlimit
