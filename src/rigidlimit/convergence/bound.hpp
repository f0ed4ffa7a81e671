// Checks whether a series stays below K ε^p: a gate for a known constant and order.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// The claim e(ε) ≤ K ε^p for every ε of an interval, its ends included.
struct Bound {
  double constant = 0.0;  ///< K > 0, in units of the error
  double power = 0.0;     ///< p, any finite number; 0: a ceiling
  double from = 0.0;      ///< one end of the interval in ε, ≥ 0, the other end may be smaller
  double to = std::numeric_limits<double>::infinity();  ///< the other end

  double limit(double epsilon) const;  ///< K ε^p
  /// Within the interval, with a tolerance of 1e-9 ε, because the ε of a series are rounded.
  bool covers(double epsilon) const;
};

/// State of one row with respect to a bound, by increasing weight.
enum class BoundState {
  outside,    ///< not in the interval
  held,       ///< error + floor, or the proved upper bound ≤ K ε^p
  undecided,  ///< the limit lies within the error bar
  unknown,    ///< a failed row, or an unknown error bar (NaN)
  broken      ///< error − floor, or the proved lower bound > K ε^p
};

/// "outside", "held", "undecided", "unknown", "broken".
const char* name_of(BoundState state);

/// State of a series with respect to a bound: that of its worst row.
struct BoundJudgement {
  BoundState state = BoundState::outside;  ///< of the worst row; outside: no row in the interval
  std::vector<BoundState> rows;            ///< one for each point of the series
  std::optional<std::size_t> worst;  ///< row of greatest weight; among equals, of largest factor
  double limit = std::numeric_limits<double>::quiet_NaN();   ///< K ε^p of the worst row
  double factor = std::numeric_limits<double>::quiet_NaN();  ///< its error over that limit
  /// "error 1.766e-05 ± 3e-10 is 55.8 times the limit 3.162e-07", of the worst row.
  std::string reason;

  /// True only for a decided row: undecided, unknown and an empty interval do not hold.
  bool held() const { return state == BoundState::held; }
};

/// Judges the series (see SeriesPoint for its order) row by row, each with its own error bar
/// `floor`. `measured` names the numbers in the reason.
///
/// Throws std::invalid_argument for an invalid series, K not positive and finite, p not finite, or
/// an interval with a negative or NaN end.
BoundJudgement judge_bound(std::span<const SeriesPoint> points, const Bound& bound,
                           const std::string& measured = "error");

/// "10 ε^2.5", "0.91" (p = 0), "10 ε^2.5 for 0.0001 ≤ ε ≤ 0.01".
std::string text_of(const Bound& bound);

}  // namespace rigidlimit
