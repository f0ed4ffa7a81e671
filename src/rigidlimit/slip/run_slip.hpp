// SlipStudy -> SlipResult.
#pragma once

#include "rigidlimit/slip/slip_result.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

/// Solves both sides and judges every series. A failed solve is a row and a SlipSolve; an
/// interrupted run keeps what was finished. Of the options all but shard, curves and solve.
SlipResult run_slip(const SlipStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
