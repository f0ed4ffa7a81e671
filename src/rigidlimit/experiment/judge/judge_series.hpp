// From the differences of motions to rows, and from rows to verdicts.
#pragma once

#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/judge/series.hpp"

namespace rigidlimit {

/// The rounding of compared values of q, v and λ.
struct Rounding {
  double q = 0.0, v = 0.0, lambda = 0.0;
};

/// Four units in the last place of the largest value of two motions, in the precision of the less
/// precise one: each value and their difference are rounded, and the last operation of a solver is.
Rounding rounding_of(const PreciseMotion& a, const PreciseMotion& b);

/// What the motions of one ε differ by, on one grid; each without times where one of two failed.
struct Differences {
  Motion model;      ///< compliant − what it is compared with
  Motion solver;     ///< compliant − compliant at tighter tolerances
  Motion reference;  ///< rigid − its reference
  Rounding rounding = {};
};

/// The size of a difference; NaN without times.
double size_of(const Motion& difference, const Measure& measure, const Windows& windows);

/// Sets the four errors in row.measure. `share`: ‖first − second solve‖ over the error of the
/// first.
void measure_errors(const Differences& differences, const Windows& windows, double share, Row& row);

/// The model errors, largest ε first, above their floors.
std::vector<SeriesPoint> points_of(const std::vector<Row>& rows);

/// Looks up what is expected of the series, and judges it; its rows learn the verdict and the
/// orders between neighbours.
void judge(const std::vector<ExpectationSpec>& expectations, Series& series);

}  // namespace rigidlimit
