// The plan of a run as text.
#pragma once

#include <string>

#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// One row for each kind of solve: number, number in the archive, and time of the latter.
TextTable plan_table(const PlanSummary& plan);

}  // namespace rigidlimit
