// [[least]] of a sweep: the swept value with the least error, beside the error at another value.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/sweep_report.hpp"

namespace rigidlimit {

/// The table "least": for each LeastSpec of the grid a record for every ε, quantity, norm, window,
/// law, pair of solvers and choice of the other swept values; empty without records. Adds to the
/// report one table for each norm and window, for people.
std::optional<DataTable> add_least(Report& report, const SweepGrid& grid,
                                   const std::vector<PointReport>& points);

}  // namespace rigidlimit
