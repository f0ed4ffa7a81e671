// Limit of a sequence that converges like a power of ε: r(x) = r∞ + a e^{s x}, x = log ε.
#pragma once

#include <limits>
#include <span>

namespace rigidlimit {

/// ∫_0^d e^{s u} du
double growth(double s, double d);

/// The s for which growth(s, far) / growth(s, near) = ratio, which increases with s; far > near >
/// 0.
double rate_of(double ratio, double far, double near);

/// A member of the sequence, known to within its floor.
struct SequencePoint {
  double epsilon;  ///< > 0
  double value;    ///< of the sequence
  double floor;    ///< ≥ 0: uncertainty of the value
};

/// A limit for ε → 0 and its error.
struct Limit {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no limit found
  double error = std::numeric_limits<double>::quiet_NaN();  ///< an estimate, ≥ 0
};

/// r∞ of r∞ + a ε^s through the last three points, by decreasing ε. It is the last value where the
/// steps are below the floors. It is NaN where the steps do not shrink, or with fewer than three
/// points. The error is the difference to the limit through the three points before, or to the last
/// value if those have none; it is at least the floors of the three.
Limit limit_of(std::span<const SequencePoint> points);

/// r∞ of r∞ − m/(c − log ε) through three points by decreasing ε, the trend of the orders of ε^p
/// (log 1/ε)^m. ±∞ in the direction of the last step where the steps do not shrink per log ε; NaN
/// where they change sign.
double slow_limit_of(std::span<const SequencePoint, 3> points);

}  // namespace rigidlimit
