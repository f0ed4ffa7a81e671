// FrictionStudy -> FrictionResult.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// Solves both sides and judges every series. A failed solve is a row and a FrictionSolve; an
/// interrupted run keeps what was finished. Of the options all but shard and curves.
FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options = {});

/// Solves the shard of the study that the options name into their archive; nothing is judged. The
/// rigid motion, whose events decide about every grid, is in each shard.
SolveCounts solve_shard(const FrictionStudy& study, const RunOptions& options);

}  // namespace rigidlimit
