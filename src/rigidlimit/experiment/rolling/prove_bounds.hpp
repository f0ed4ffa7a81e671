// Bounds that are claimed for all ε: judged by the theorem of the study and by its rows.
#pragma once

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

/// Judges the bounds with proved = "all" of a result, whose reports have the judgement of the rows.
/// Such a bound holds if it is a theorem, every row of its interval has a number, and no row
/// contradicts the bound or the theorem. Returns false if a proof was stopped.
bool prove_bounds(const RunOptions& options, RollingResult& result);

}  // namespace rigidlimit
