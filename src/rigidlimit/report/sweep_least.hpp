// [[least]] of a sweep: the swept value with the least error, beside the error at another value.
#pragma once

#include <vector>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/sweep_report.hpp"

namespace rigidlimit {

/// Adds, for each LeastSpec of the grid, a record to the table "least" for every ε, quantity, norm,
/// window, law, pair of solvers and choice of the other swept values; and for people one table for
/// each norm and window.
void add_least(Report& report, const SweepGrid& grid, const std::vector<PointReport>& points);

}  // namespace rigidlimit
