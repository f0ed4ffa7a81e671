#include "rigidlimit/convergence/tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "rigidlimit/convergence/text.hpp"

namespace rigidlimit {
namespace {

/// Four right-aligned columns and a mark.
std::string line(const std::string& epsilon, const std::string& value, const std::string& floor,
                 const std::string& last, const std::string& mark = "") {
  std::string text =
      fmt::format("  {:>10}  {:>12}  {:>10}  {:>10}  {}", epsilon, value, floor, last, mark);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// "1.234e-05", or "-" for NaN.
std::string number(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.3e}", x);
}

std::string ratio_text(double ratio) {
  return std::isnan(ratio) ? "-" : fmt::format("{:.8g}", ratio);
}

constexpr const char* no_evidence = "<- no evidence";

}  // namespace

std::string table_of(std::span<const SeriesPoint> points) {
  std::string text = line("ε", "error", "floor", "");
  for (const SeriesPoint& p : points)
    text += "\n" + line(number(p.epsilon), number(p.error), number(p.floor), "",
                        is_evidence(p) ? "" : no_evidence);
  return text;
}

std::string table_of(std::span<const SeriesPoint> points, const Expectation& expectation,
                     bool confirmed) {
  const auto mark = [&](const SeriesPoint& p, double order) -> std::string {
    if (!is_evidence(p)) return no_evidence;
    if (confirmed || !expectation.order) return "";
    const bool other = expectation.distance(order) > expectation.within;
    return other ? "<- not " + text_of(expectation) : "";
  };
  const std::vector<double> orders = neighbour_orders(points);
  std::string text = line("ε", "error", "floor", "order");
  for (std::size_t k = 0; k < points.size(); ++k) {
    const SeriesPoint& p = points[k];
    text += "\n" + line(number(p.epsilon), number(p.error), number(p.floor), order_text(orders[k]),
                        mark(p, orders[k]));
  }
  return text;
}

std::string table_of(std::span<const SeriesPoint> points, const Bound& bound,
                     const BoundJudgement& found, const std::string& measured) {
  std::string text = line("ε", measured, "floor", "limit");
  for (std::size_t k = 0; k < points.size(); ++k) {
    const SeriesPoint& p = points[k];
    const BoundState state = found.rows[k];
    const bool outside = state == BoundState::outside;
    text += "\n" +
            line(number(p.epsilon), number(p.error), number(p.floor),
                 outside ? "-" : number(bound.limit(p.epsilon)),
                 outside || state == BoundState::held ? "" : fmt::format("<- {}", name_of(state)));
  }
  return text;
}

std::string table_of(std::span<const RatioPoint> points) {
  std::string text = line("ε", "ratio", "floor", "");
  for (const RatioPoint& p : points)
    text += "\n" + line(number(p.epsilon), ratio_text(p.ratio), number(p.floor), "");
  return text;
}

std::string table_of(std::span<const RatioPoint> points, const RatioTarget& target,
                     bool confirmed) {
  std::string text = line("ε", "ratio", "floor", "distance");
  for (const RatioPoint& p : points) {
    const double distance = std::abs(p.ratio - target.target);
    const bool far = !confirmed && distance > target.within;
    text += "\n" + line(number(p.epsilon), ratio_text(p.ratio), number(p.floor), number(distance),
                        !is_evidence(p, target) ? no_evidence
                        : far                   ? "<- too far"
                                                : "");
  }
  return text;
}

}  // namespace rigidlimit
