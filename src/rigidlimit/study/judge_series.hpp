// From the differences of motions to rows, and from rows to verdicts.
#pragma once

#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/study/series.hpp"

namespace rigidlimit {

/// What the motions of one ε differ by, on one grid; each without times where one of two failed.
struct Differences {
  Motion model;      ///< compliant − what it is compared with
  Motion solver;     ///< compliant − compliant at tighter tolerances
  Motion reference;  ///< rigid − its reference
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
