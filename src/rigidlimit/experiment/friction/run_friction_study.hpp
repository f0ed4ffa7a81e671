// FrictionStudy -> FrictionResult.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// Solves both sides and judges every series. A failed solve gives a row and a FrictionSolve; an
/// interrupted run keeps the finished results. Uses all options except shard and curves.
FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options = {});

/// Solves the shard options.shard into options.archive, without judging. Every shard contains the
/// rigid motion, whose events determine the grids.
SolveCounts solve_shard(const FrictionStudy& study, const RunOptions& options);

}  // namespace rigidlimit
