// RollingStudy -> RollingResult.
#pragma once

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

/// Solves the shard of the study that the options name into their archive; nothing is judged.
SolveCounts solve_shard(const RollingStudy& study, const RunOptions& options);

/// Solves both sides on the study's grids and judges every series. A failed solve is a row and a
/// Failure; an interrupted run keeps the rows finished so far.
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
