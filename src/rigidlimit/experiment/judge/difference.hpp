// Differences of motions → their sizes.
#pragma once

#include <cmath>
#include <vector>

#include "rigidlimit/experiment/judge/difference_curve.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"

namespace rigidlimit {

/// Rounding errors of compared values of q, v and λ.
struct Rounding {
  double q = 0.0, v = 0.0, lambda = 0.0;
};

/// Four units in the last place of the largest value of two motions, in the precision of the less
/// precise one: each value, their difference and the last operation of a solver are rounded.
Rounding rounding_of(const PreciseMotion& a, const PreciseMotion& b);

/// Differences of the motions of one ε, on one grid; without times if one of the two motions
/// failed.
struct Differences {
  Motion model;      ///< compliant − rigid
  Motion solver;     ///< compliant − compliant at tighter tolerances
  Motion reference;  ///< rigid − its reference
  Rounding rounding = {};
};

/// A number of a table and the errors that it must exceed to be evidence.
struct ErrorSizes {
  double model = std::nan("");   ///< ‖compliant − rigid‖
  double solver = std::nan("");  ///< ‖compliant − compliant at tolerances × θ‖/(1 − θ)
  double reference = std::nan("");  ///< ‖rigid − independent reference‖
  double sampling = std::nan("");   ///< error of the interpolation of `model`
  double rounding = 0.0;            ///< of the compared values
};

/// The sizes of one compliant motion against one rigid motion at one ε, in each measure of a kind
/// of study.
struct Comparison {
  std::vector<ErrorSizes> sizes;
  /// Size of the predicted leading terms of `sizes.model`, likewise; NaN without a prediction.
  std::vector<double> predicted;
};

/// The sizes of the differences of one ε in every measure.
class ErrorMeasures {
 public:
  /// `share`: ‖first − second solve‖ as a fraction of the error of the first.
  ErrorMeasures(Differences differences, Windows windows, double share);

  /// NaN where a motion failed.
  ErrorSizes sizes(const Measure& measure) const;

 private:
  Windows windows_;
  DifferenceCurve model_;
  Differences rest_;  ///< without the model difference
  double share_;
};

}  // namespace rigidlimit
