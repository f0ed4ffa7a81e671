// RollingStudy -> RollingResult.
#pragma once

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

/// Solves the shard options.shard into options.archive, without judging.
SolveCounts solve_shard(const RollingStudy& study, const RunOptions& options);

/// Solves both sides and judges every series. A failed solve gives a row and a Failure; an
/// interrupted run keeps the finished rows.
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
