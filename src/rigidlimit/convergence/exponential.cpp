#include "rigidlimit/convergence/exponential.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {

double growth(double s, double d) {
  return s == 0.0 ? d : std::expm1(s * d) / s;
}

double rate_of(double ratio, double far, double near) {
  // e^40 between neighbouring orders is beyond any data; the clamp keeps exp() finite.
  double low = -40.0 / near, high = 40.0 / near;
  for (int i = 0; i < 100; ++i) {
    const double s = 0.5 * (low + high);
    (growth(s, far) / growth(s, near) < ratio ? low : high) = s;
  }
  return 0.5 * (low + high);
}

namespace {

double limit_through(std::span<const SequencePoint, 3> points) {
  const SequencePoint &a = points[0], &b = points[1], &c = points[2];
  const double first = a.value - b.value, second = b.value - c.value;
  if (std::abs(second) <= b.floor + c.floor) return c.value;
  if (!(first * second > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double near = std::log(b.epsilon / c.epsilon), far = std::log(a.epsilon / c.epsilon);
  const double s = rate_of((a.value - c.value) / second, far, near);
  return s > 0.0 ? c.value - second / growth(s, near) / s
                 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double slow_limit_of(std::span<const SequencePoint, 3> points) {
  const SequencePoint &a = points[0], &b = points[1], &c = points[2];
  const double first = b.value - a.value, second = c.value - b.value;
  if (first == 0.0 && second == 0.0) return c.value;
  if (!(first * second > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double far = std::log(a.epsilon / b.epsilon), near = std::log(b.epsilon / c.epsilon);
  // With A = c − log ε at a: first = m far/(A (A + far)), second = m near/((A + far)(A + far +
  // near)). The quotient of the slopes is 1 + (far + near)/A, and the remainder is m/(A + far +
  // near).
  const double slopes = (first / far) / (second / near);
  if (!(slopes > 1.0)) return std::copysign(std::numeric_limits<double>::infinity(), second);
  const double at_a = (far + near) / (slopes - 1.0);
  return c.value + second * (at_a + far) / near;
}

Limit limit_of(std::span<const SequencePoint> points) {
  if (points.size() < 3) return {};
  const auto last = points.last<3>();
  Limit limit{.value = limit_through(last), .error = 0.0};
  for (const SequencePoint& p : last) limit.error = std::max(limit.error, p.floor);
  // An alternating or stalling start has no limit: compare with the last value instead.
  const double before = points.size() > 3 ? limit_through(points.last<4>().first<3>())
                                          : std::numeric_limits<double>::quiet_NaN();
  const double other = std::isnan(before) ? points.back().value : before;
  limit.error = std::max(limit.error, std::abs(limit.value - other));
  return limit;
}

}  // namespace rigidlimit
