// Checks whether measured / predicted tends to 1: the gate for a predicted coefficient.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {

/// One measured value over the predicted one. A series is in order of strictly decreasing ε > 0.
struct RatioPoint {
  double epsilon = 0.0;  ///< > 0
  double ratio = 0.0;    ///< of any sign; not finite where the solve failed
  double floor = 0.0;    ///< ≥ 0: uncertainty of the ratio; NaN: unknown
  bool usable = true;    ///< false: the caller excludes the row
};

/// The claim that a series of ratios tends to a number.
struct RatioTarget {
  double target = 1.0;   ///< r*
  double within = 1e-3;  ///< > 0: tolerance on the ratio at the smallest ε that is evidence
};

/// usable, finite, and known to within the tolerance: floor ≤ within.
bool is_evidence(const RatioPoint& point, const RatioTarget& target);

/// Verdict on a series of ratios, and its grounds.
struct RatioJudgement {
  /// Not available.
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  Verdict verdict = Verdict::inconclusive;  ///< the first rule of judge_ratio() that holds
  std::size_t last = 0;                     ///< row of the smallest ε that is evidence
  double ratio = none;                      ///< measured / predicted in that row
  double limit = none;        ///< the last three ratios of evidence extrapolated to ε → 0
  double limit_error = none;  ///< error of the extrapolation and of the floors
  OrderFit approach;          ///< |r − r*| = K ε^p over the rows where it exceeds ten floors
  std::string reason;         ///< "ratio 1.0004 ± 2e-05 at ε = 0.0001; …; expected 1 ± 0.001"
};

/// Judges one series of ratios. With d = |r − r*| over the evidence, the first rule that holds
/// decides:
///
///   floor-limited   fewer than 3 points of evidence, enough with the uncertain ones
///   inconclusive    fewer than 3 points of evidence; or a row at a smaller ε, itself too uncertain
///                   to be evidence, lies outside within + its floor
///   confirmed       d ≤ within at the smallest ε (at larger ε, d may be of any size), and d did
///                   not grow there: by more than the floors over the last three points, and so
///                   fast that the same growth once more exceeds within
///   pre-asymptotic  d fell over the last three points, beyond their floors, and the limit r∞ of
///                   r = r∞ + a ε^s through them agrees with r* to within + limit_error, or the
///                   slower trend r∞ − m/(c − log ε) still leads to r*; of three points in all: d
///                   fell, and they differ by a tenth of d or more
///   refuted         |r∞ − r*| > within + limit_error: the ratio settles elsewhere. The floors do
///                   not move r∞ to r*. No two terms r∞ + a ε^s + b ε^t, s = ⅓, ½, 1, t = 1.5 s,
///                   2 s, 3 s, through the last three ratios predict the one before as well as the
///                   power does and lead to r*: a ratio that turns between two ε, by more than the
///                   floors, settles only apparently. No row at a smaller ε is further from r∞ than
///                   twice its floor. Three points in all differ by less than a tenth of d, the
///                   last three of four by less than half of d. Or the last three differ by less
///                   than 1e-3 d
///   diverging       d grows at an increasing rate over the last three points
///   inconclusive    otherwise
///
/// limit_error is the difference to the limit through the three points before (with three points
/// in all, to the last ratio), at least the floors of the three.
///
/// Throws std::invalid_argument for an invalid series (ε not decreasing, a negative floor), within
/// ≤ 0 or r* not finite.
RatioJudgement judge_ratio(std::span<const RatioPoint> points, const RatioTarget& target = {});

}  // namespace rigidlimit
