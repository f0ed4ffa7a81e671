// Rows → verdicts.
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

}  // namespace rigidlimit
