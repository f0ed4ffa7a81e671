#include "rigidlimit/convergence/further_terms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace rigidlimit {

namespace {

/// The one refinement ratio of a series.
double ratio_of(std::span<const SeriesPoint> points) {
  const double ratio = points[0].epsilon / points[1].epsilon;
  for (std::size_t k = 2; k < points.size(); ++k)
    if (const double here = points[k - 1].epsilon / points[k].epsilon;
        !(std::abs(here / ratio - 1.0) <= 1e-6))
      throw std::invalid_argument(fmt::format(
          "refinement ratios {} and {} differ, so no term can be removed", ratio, here));
  return ratio;
}

std::vector<SeriesPoint> without_term(std::span<const SeriesPoint> points, double power) {
  std::vector<SeriesPoint> rest;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const SeriesPoint& coarse = points[k - 1];
    const SeriesPoint& fine = points[k];
    SeriesPoint point{.epsilon = fine.epsilon,
                      .error = (power * fine.error - coarse.error) / (power - 1.0),
                      .floor = (power * fine.floor + coarse.floor) / (power - 1.0),
                      .usable = coarse.usable && fine.usable,
                      .source = fine.source};
    if (is_failed(coarse) || is_failed(fine)) {
      point.usable = true;
      point.error = OrderFit::none;
    } else if (!(point.error > 0.0)) {
      point.usable = false;
      point.error = OrderFit::none;
    }
    rest.push_back(point);
  }
  return rest;
}

}  // namespace

std::vector<SeriesPoint> without_terms(std::span<const SeriesPoint> points,
                                       std::span<const double> orders) {
  require_series(points);
  std::vector<SeriesPoint> rest(points.begin(), points.end());
  if (orders.empty()) return rest;
  if (orders.size() >= points.size())
    throw std::invalid_argument(
        fmt::format("{} terms cannot be removed from {} rows", orders.size(), points.size()));
  const double ratio = ratio_of(points);
  for (const double s : orders) {
    if (!(s > 0.0) || !std::isfinite(s))
      throw std::invalid_argument(fmt::format("a further term cannot have order {}", s));
    rest = without_term(rest, std::pow(ratio, s));
  }
  return rest;
}

}  // namespace rigidlimit
