#include "rigidlimit/report/damping_map_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {

namespace {

const Series* find_series(const MapColumn& column, Quantity quantity, Norm norm, Window window) {
  for (const Series& s : column.series)
    if (!s.rows.empty() && s.rows.front().measure.quantity == quantity &&
        s.rows.front().measure.norm == norm && s.rows.front().measure.window == window)
      return &s;
  return nullptr;
}

Cell order_cell(const MapColumn& column, Quantity quantity, Window window) {
  if (!column.complaint.empty()) return {"failed", Tone::bad};
  const Series* s = find_series(column, quantity, Norm::sup, window);
  if (!s) return {"-", Tone::faint};
  const OrderFit& fit = s->judgement.fit;
  const Verdict verdict = s->judgement.verdict;
  std::string text = std::isnan(fit.order) ? "-" : fixed_text(fit.order, 2);
  if (!std::isnan(fit.standard_error)) text += fmt::format(" ± {:.2f}", fit.standard_error);
  if (verdict != Verdict::settled) text += fmt::format(" {}", name_of(verdict));
  return {text, tone_of(verdict)};
}

std::string measure_text(const RollingStudy& study, NormAndWindow measure) {
  return fmt::format("{}, {}", name_of(measure.norm), names_of(study).window(measure.window));
}

std::string best_text(const BestDamping& b) {
  if (std::isnan(b.best)) return "-";
  switch (b.place) {
    case BestDamping::Place::inside: return fmt::format("{:.3g}", b.best);
    case BestDamping::Place::lower: return fmt::format("<= {:.3g}", b.best);
    case BestDamping::Place::upper: return fmt::format(">= {:.3g}", b.best);
    case BestDamping::Place::flat: break;
  }
  return "any";
}

std::vector<Cell> best_row(const DampingMapResult& result, const BestDamping& b) {
  const bool plane = result.map.grid.kind == MapGrid::Kind::plane;
  const double ratio = b.critical_error / b.error;
  const auto number = [](double x) { return std::isnan(x) ? "-" : fmt::format("{:.3e}", x); };
  return {{symbol_of(b.quantity)},
          {measure_text(result.map.study, b.measure)},
          {fmt::format("{:.3e}", plane ? b.stiffness : b.epsilon)},
          {best_text(b), b.place == BestDamping::Place::inside ? Tone::plain : Tone::faint},
          {b.place == BestDamping::Place::inside ? fmt::format("{:.3g} – {:.3g}", b.low, b.high)
                                                 : name_of(b.place)},
          {std::isnan(b.error) ? "-" : fmt::format("{:.3e} ± {:.0e}", b.error, b.error_bar)},
          {number(b.critical_error)},
          {std::isnan(ratio) ? "-" : fmt::format("{:.3g}", ratio)}};
}

/// At most nine of the c, including both ends; a figure shows all.
bool is_shown(const std::vector<double>& stiffness, double c) {
  const auto at = std::ranges::find(stiffness, c) - stiffness.begin();
  const auto last = static_cast<std::ptrdiff_t>(stiffness.size()) - 1;
  if (last <= 8) return true;
  for (std::ptrdiff_t k = 0; k <= 8; ++k)
    if (at == (k * last + 4) / 8) return true;
  return false;
}

}  // namespace

TextTable order_map_table(const DampingMapResult& result, Quantity quantity, Window window) {
  const MapGrid& grid = result.map.grid;
  TextTable table{.headers = {"β"}, .left_aligned = {false}, .rows = {}};
  for (const double zeta : grid.ratios) {
    table.headers.push_back(fmt::format("ζ = {:.3g}", zeta));
    table.left_aligned.push_back(false);
  }
  for (const double beta : grid.exponents) {
    std::vector<Cell> cells{{fmt::format("{:.3g}", beta)}};
    for (const MapColumn& column : result.columns)
      if (column.damping_exponent == beta) cells.push_back(order_cell(column, quantity, window));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable best_damping_table(const DampingMapResult& result, double exponent) {
  const bool plane = result.map.grid.kind == MapGrid::Kind::plane;
  TextTable table{
      .headers = {"", "measure", plane ? "c [N/m]" : "ε", plane ? "best d/d_crit" : "best ζ",
                  "between", "error there", plane ? "near d_crit" : "at ζ = 1", "gain"},
      .left_aligned = {true, true, false, false, false, false, false, false},
      .rows = {}};
  for (const Quantity quantity : {Quantity::v, Quantity::lambda, Quantity::q})
    for (const NormAndWindow measure : all_measures)
      for (const BestDamping& b : result.best)
        if (b.quantity == quantity && b.measure == measure &&
            (plane ? is_shown(result.map.grid.stiffness, b.stiffness)
                   : b.damping_exponent == exponent))
          table.rows.push_back(best_row(result, b));
  return table;
}

double shown_exponent(const MapGrid& grid) {
  if (grid.exponents.empty()) return std::nan("");
  return *std::ranges::min_element(grid.exponents, {}, [](double b) { return std::abs(b - 1.0); });
}

}  // namespace rigidlimit
