// The plan of a run as a table.
#pragma once

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/experiment/plan/plan_summary.hpp"

namespace rigidlimit {

/// One row for each kind of solve: number, number in the archive, and time of the latter.
Table plan_table(const PlanSummary& plan);

}  // namespace rigidlimit
