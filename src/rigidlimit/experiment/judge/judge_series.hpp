// Rows → evidence → verdicts.
#pragma once

#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/judge/series.hpp"

namespace rigidlimit {

/// The model errors with their floors, largest ε first.
std::vector<SeriesPoint> points_of(const std::vector<Row>& rows);

/// Finds the expectation of the series and judges it. Sets the verdict and the orders between
/// neighbours in its rows.
void judge(const std::vector<ExpectationSpec>& expectations, Series& series);

/// Of a row with a number: proved if the bounds of a proof are apart by a fifth of the model error
/// at most, else equal to rounding. Without bounds, ok if the model error exceeds every other error
/// by a factor of ten (evidence_factor). Otherwise limited by the first error that is too large:
/// rounding, solver, reference, sampling. An unknown error (NaN) is too large.
Evidence evidence_of(const Row& row);

}  // namespace rigidlimit
