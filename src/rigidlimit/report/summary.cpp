#include "rigidlimit/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {

namespace {

/// The first series of this quantity, sup norm, all t; nullptr without rows.
const Series* first_series(const RollingResult& result, Quantity quantity) {
  for (const Series& s : result.series)
    if (!s.rows.empty() && s.rows.front().measure.quantity == quantity &&
        s.rows.front().measure.norm == Norm::sup && s.rows.front().measure.window == Window::all)
      return &s;
  return nullptr;
}

Cell order_cell(const RollingResult& result, Quantity quantity) {
  const Series* series = first_series(result, quantity);
  if (series == nullptr) return {"-"};
  const double order = series->judgement.fit.order;
  std::string text = std::isnan(order) ? "-" : fixed_text(order, 3);
  if (series->expectation && series->expectation->order)
    text += fmt::format(" ({:.4g})", *series->expectation->order);
  return {text, series->order_broken() ? Tone::bad : Tone::plain};
}

/// The ratio at the smallest ε that is evidence.
Cell ratio_cell(const RollingResult& result) {
  const Series* series = first_series(result, Quantity::q);
  if (series == nullptr) return {"-"};
  for (auto row = series->rows.rbegin(); row != series->rows.rend(); ++row)
    if (row->status == "ok" && !std::isnan(row->ratio))
      return {fmt::format("{:.5f} at {:.2g}", row->ratio, row->epsilon)};
  return {"-"};
}

std::vector<Cell> row_of(const RollingResult& result) {
  const System& model = result.study.model;
  std::vector<Cell> row{
      {result.study.name},
      {result.study.system->info.name},
      {fmt::format("{}", model.n)},
      {model.ne > 0 ? fmt::format("{} + {}", model.m, model.ne) : fmt::format("{}", model.m)}};
  if (result.rigid.empty()) {
    row.insert(row.end(), {{"-"}, {"-"}});
  } else {
    const RigidReport& rigid = result.rigid.front();
    row.push_back({fmt::format("{} / {}", rigid.solver, rigid.reference)});
    row.push_back(
        {fmt::format("{:.0e} {:.0e} {:.0e}", rigid.error[0], rigid.error[1], rigid.error[2])});
  }
  for (const Quantity quantity : all_quantities) row.push_back(order_cell(result, quantity));
  row.push_back(ratio_cell(result));
  row.push_back(!result.study.demands_something() ? Cell{"nothing expected", Tone::faint}
                : result.held()                   ? Cell{"held", Tone::good}
                                                  : Cell{"not held", Tone::bad});
  return row;
}

}  // namespace

TextTable summary_table(const RollingResult& result) {
  return {.headers = {"study", "system", "n", "m", "rigid motion / compared with",
                      "apart in q, v, Λ", "order q", "order v", "order λ", "ratio of q", "verdict"},
          .left_aligned = {true, true, false, false, true, true, false, false, false, false, true},
          .rows = {row_of(result)}};
}

}  // namespace rigidlimit
