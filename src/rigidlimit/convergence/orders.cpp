#include "rigidlimit/convergence/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace rigidlimit {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A point of evidence in the log-log plane.
struct LogPoint {
  std::size_t row;
  double x;      ///< log ε
  double y;      ///< log e
  double slack;  ///< the floor can move y by this much: the true e lies in e ± floor
};

/// The order between two neighbours a, b of the evidence.
struct PairOrder {
  double order;
  double slack;  ///< effect of the floors of a and b
  double x;      ///< log of the logarithmic mean of ε_a, ε_b
};

std::vector<LogPoint> evidence_of(std::span<const SeriesPoint> points) {
  std::vector<LogPoint> evidence;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (const SeriesPoint& p = points[k]; is_evidence(p))
      evidence.push_back(
          {k, std::log(p.epsilon), std::log(p.error), -std::log1p(-p.floor / p.error)});
  return evidence;
}

/// At this x, e = K ε^p (1 + a ε) has exactly the neighbour order p + a exp(x), up to a². With
/// unequal ratios the geometric mean would make a smooth trend look jagged.
PairOrder pair_order(const LogPoint& a, const LogPoint& b) {
  const double h = a.x - b.x;
  return {(a.y - b.y) / h, (a.slack + b.slack) / h, a.x + std::log(-std::expm1(-h) / h)};
}

OrderFit least_squares(std::span<const LogPoint> points) {
  const std::size_t n = points.size();
  OrderFit fit{.count = n};
  if (n == 0) return fit;
  fit.first = points.front().row;
  fit.last = points.back().row;
  if (n < 3) return fit;  // any two points lie on a line

  const auto count = static_cast<double>(n);
  double x_mean = 0.0, y_mean = 0.0;
  for (const LogPoint& p : points) x_mean += p.x / count, y_mean += p.y / count;
  double xx = 0.0, xy = 0.0, slack = 0.0;
  for (const LogPoint& p : points) {
    xx += (p.x - x_mean) * (p.x - x_mean);
    xy += (p.x - x_mean) * (p.y - y_mean);
    slack += std::abs(p.x - x_mean) * p.slack;
  }
  fit.order = xy / xx;
  fit.floor_error = slack / xx;
  fit.coefficient = std::exp(y_mean - fit.order * x_mean);
  double squares = 0.0;
  for (const LogPoint& p : points) {
    const double residual = p.y - y_mean - fit.order * (p.x - x_mean);
    squares += residual * residual;
  }
  fit.standard_error = std::sqrt(squares / (count - 2.0) / xx);
  fit.spread = 0.0;
  for (std::size_t k = 1; k < n; ++k)
    fit.spread =
        std::max(fit.spread, std::abs(pair_order(points[k - 1], points[k]).order - fit.order));
  return fit;
}

bool has_one_order(std::span<const LogPoint> points, const OrderFit& fit, double max_spread) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const PairOrder pair = pair_order(points[k - 1], points[k]);
    if (!(std::abs(pair.order - fit.order) <= max_spread + pair.slack)) return false;
  }
  return fit.standard_error <= max_spread;  // noise must not pass because of slack at every pair
}

/// For each k, whether some order lies within reach of all neighbour orders of points[k], …:
/// without one, has_one_order is false whatever the fit. In long series this decides most tails.
std::vector<bool> may_have_one_order(std::span<const LogPoint> points, double max_spread) {
  std::vector<bool> may(points.size(), true);
  double low = -infinity, high = infinity;
  for (std::size_t k = points.size(); k-- > 1;) {
    const PairOrder pair = pair_order(points[k - 1], points[k]);
    constexpr double rounding = 1e-12;
    const double reach = max_spread + pair.slack + rounding * (1.0 + std::abs(pair.order));
    low = std::max(low, pair.order - reach);
    high = std::min(high, pair.order + reach);
    may[k - 1] = low <= high;
  }
  return may;
}

/// Differences of consecutive neighbour orders.
struct Steps {
  bool same_sign = true;
  bool shrink = true;       ///< each smaller than the one before, per log ε
  bool above_floor = true;  ///< each larger than twice the effect of the floors
};

Steps steps_of(const std::vector<PairOrder>& pairs) {
  Steps steps;
  double previous = 0.0;
  for (std::size_t k = 1; k < pairs.size(); ++k) {
    const PairOrder &a = pairs[k - 1], &b = pairs[k];
    const double slope = (a.order - b.order) / (a.x - b.x);
    if (slope == 0.0 || slope * previous < 0.0) steps.same_sign = false;
    if (k > 1 && std::abs(slope) >= std::abs(previous)) steps.shrink = false;
    // A floor is an estimate (the distance to a tighter solve omits the error of that solve), so
    // allow twice the floor.
    if (std::abs(a.order - b.order) <= 2.0 * (a.slack + b.slack)) steps.above_floor = false;
    previous = slope;
  }
  return steps;
}

}  // namespace

void require_series(std::span<const SeriesPoint> points) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double epsilon = points[k].epsilon, error = points[k].error, floor = points[k].floor;
    if (!(epsilon > 0.0) || !std::isfinite(epsilon))
      throw std::invalid_argument(fmt::format("row {}: epsilon = {} is not > 0", k, epsilon));
    if (k > 0 && !(epsilon < points[k - 1].epsilon))
      throw std::invalid_argument(fmt::format("row {}: epsilon = {} after {}; must decrease", k,
                                              epsilon, points[k - 1].epsilon));
    if (error < 0.0 || floor < 0.0)
      throw std::invalid_argument(
          fmt::format("row {}: negative error {} or floor {}", k, error, floor));
  }
}

bool is_failed(const SeriesPoint& point) {
  return point.usable && !std::isfinite(point.error);
}

bool is_evidence(const SeriesPoint& point) {
  return point.usable && std::isfinite(point.error) && point.error > 0.0 &&
         point.error >= evidence_factor * point.floor;
}

double neighbour_order(const SeriesPoint& a, const SeriesPoint& b) {
  const auto has_logarithm = [](double x) { return std::isfinite(x) && x > 0.0; };
  for (const SeriesPoint& p : {a, b})
    if (!p.usable || !has_logarithm(p.error) || !has_logarithm(p.epsilon)) return nan;
  if (a.epsilon == b.epsilon) return nan;
  return std::log(a.error / b.error) / std::log(a.epsilon / b.epsilon);
}

std::vector<double> neighbour_orders(std::span<const SeriesPoint> points) {
  require_series(points);
  std::vector<double> orders(points.size(), nan);
  for (std::size_t k = 1; k < points.size(); ++k)
    orders[k] = neighbour_order(points[k - 1], points[k]);
  return orders;
}

OrderFit fit_order(std::span<const SeriesPoint> points, const FitOptions& options) {
  require_series(points);
  if (!(options.max_spread > 0.0) || options.min_points < 3)
    throw std::invalid_argument(
        fmt::format("max_spread = {} must be > 0 and min_points = {} at least 3",
                    options.max_spread, options.min_points));
  const std::vector<LogPoint> evidence = evidence_of(points);
  const std::size_t needed = points.size() == 3 ? 3 : options.min_points;
  const std::vector<bool> may = may_have_one_order(evidence, options.max_spread);
  for (std::size_t start = 0; start + needed <= evidence.size(); ++start) {
    if (!may[start]) continue;
    const auto tail = std::span(evidence).subspan(start);
    OrderFit fit = least_squares(tail);
    if (!has_one_order(tail, fit, options.max_spread)) continue;
    fit.settled = true;
    return fit;
  }
  return least_squares(evidence);
}

OrderDrift order_drift(std::span<const SeriesPoint> points, const OrderFit& fit) {
  require_series(points);
  if (fit.count < 3) return {};
  const auto window = evidence_of(points.subspan(fit.first, fit.last + 1 - fit.first));
  const auto n = static_cast<double>(window.size());
  double x_mean = 0.0, y_mean = 0.0;
  for (const LogPoint& p : window) x_mean += p.x / n, y_mean += p.y / n;
  double xx = 0.0, xxx = 0.0;
  for (const LogPoint& p : window) {
    const double x = p.x - x_mean;
    xx += x * x;
    xxx += x * x * x;
  }
  // The quadratic orthogonal to 1 and x on these points.
  const auto quadratic = [&](const LogPoint& p) {
    const double x = p.x - x_mean;
    return x * x - xxx / xx * x - xx / n;
  };
  double qq = 0.0, qy = 0.0, xy = 0.0, slack = 0.0;
  for (const LogPoint& p : window) {
    const double q = quadratic(p);
    qq += q * q;
    qy += q * (p.y - y_mean);
    xy += (p.x - x_mean) * (p.y - y_mean);
    slack += std::abs(q) * p.slack;
  }
  double squares = 0.0;
  for (const LogPoint& p : window) {
    const double rest = p.y - y_mean - xy / xx * (p.x - x_mean) - qy / qq * quadratic(p);
    squares += rest * rest;
  }
  const double deviation = n > 3.0 ? std::sqrt(squares / (n - 3.0) / qq) : 0.0;
  return {.drift = -2.0 * qy / qq, .error = 2.0 * (2.0 * deviation + slack / qq)};
}

Limit order_limit(std::span<const SeriesPoint> points) {
  require_series(points);
  const std::vector<LogPoint> evidence = evidence_of(points);
  std::vector<SequencePoint> orders;
  for (std::size_t k = 1; k < evidence.size(); ++k) {
    const PairOrder pair = pair_order(evidence[k - 1], evidence[k]);
    orders.push_back({std::exp(pair.x), pair.order, pair.slack});
  }
  Limit limit = limit_of(orders);
  if (orders.size() < 3) return limit;
  const auto slow = [&](std::size_t skipped) {
    return slow_limit_of(std::span(orders).last(3 + skipped).first<3>());
  };
  const SequencePoint &now = orders.back(), &before = orders[orders.size() - 2];
  const double slow_now = slow(0);
  const bool seen = std::abs(now.value - before.value) > now.floor + before.floor;
  if (!seen || !std::isfinite(slow_now)) return limit;
  if (orders.size() > 3) {
    // Each trend gives a limit for each triple: the limit of the better trend changes less.
    const double moved = std::abs(slow_now - slow(1));
    const double power_moved =
        std::abs(limit.value - limit_of(std::span(orders).first(orders.size() - 1)).value);
    if (moved > power_moved) return limit;
  }
  limit.error = std::max(limit.error, std::abs(slow_now - limit.value));
  return limit;
}

std::optional<OrderTrend> order_trend(std::span<const SeriesPoint> points, std::size_t steps) {
  require_series(points);
  if (steps < 2) throw std::invalid_argument(fmt::format("steps = {} must be at least 2", steps));
  const std::vector<LogPoint> evidence = evidence_of(points);
  if (evidence.size() < steps + 2) return std::nullopt;

  std::vector<PairOrder> pairs;
  for (std::size_t k = evidence.size() - steps - 1; k < evidence.size(); ++k)
    pairs.push_back(pair_order(evidence[k - 1], evidence[k]));
  const Steps found = steps_of(pairs);
  if (!found.same_sign || !(found.shrink || found.above_floor)) return std::nullopt;

  OrderTrend trend{{}, found.shrink, found.above_floor, nan, nan, nan, nan};
  for (const PairOrder& pair : pairs) trend.orders.push_back(pair.order);
  const PairOrder &p1 = pairs[steps - 2], &p2 = pairs[steps - 1], &p3 = pairs[steps];
  const double near = p2.x - p3.x, far = p1.x - p3.x;
  const double s = rate_of((p1.order - p3.order) / (p2.order - p3.order), far, near);
  const double scale = (p2.order - p3.order) / growth(s, near);
  trend.limit = s > 0.0 ? p3.order - scale / s : (scale > 0.0 ? -infinity : infinity);
  std::vector<SequencePoint> sequence;
  for (const PairOrder& pair : pairs)
    sequence.push_back({std::exp(pair.x), pair.order, pair.slack});
  trend.slow_limit = slow_limit_of(std::span(sequence).last<3>());
  if (steps > 2) {
    const double before = slow_limit_of(std::span(sequence).last<4>().first<3>());
    if (std::abs(before - p3.order) > std::abs(trend.slow_limit - p3.order))
      trend.slow_limit = before;
  }
  const double one_more = evidence[evidence.size() - 2].x - evidence.back().x;
  trend.next = p3.order + scale * growth(s, -one_more);
  const double range = evidence.front().x - evidence.back().x;
  trend.horizon =
      p3.order + (s > 0.0 ? scale * growth(s, -range) : -(p2.order - p3.order) / near * range);
  return trend;
}

}  // namespace rigidlimit
