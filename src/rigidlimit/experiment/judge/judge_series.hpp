// Differences of motions → rows → verdicts.
#pragma once

#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/judge/series.hpp"

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

/// Size of a difference; NaN without times.
double size_of(const Motion& difference, const Measure& measure, const Windows& windows);

/// Sets the four errors in row.measure. `share`: ‖first − second solve‖ as a fraction of the error
/// of the first.
void measure_errors(const Differences& differences, const Windows& windows, double share, Row& row);

/// The model errors with their floors, largest ε first.
std::vector<SeriesPoint> points_of(const std::vector<Row>& rows);

/// Finds the expectation of the series and judges it. Sets the verdict and the orders between
/// neighbours in its rows.
void judge(const std::vector<ExpectationSpec>& expectations, Series& series);

}  // namespace rigidlimit
