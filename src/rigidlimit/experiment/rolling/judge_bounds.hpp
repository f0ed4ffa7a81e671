// From rows to what they say about the study's bounds.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

/// A report for each bound of the study and each series that it speaks of, bounds in the order of
/// the study. The error bar of a model error is Row::floor(); a solver error is an estimate and has
/// none of its own.
std::vector<BoundReport> judged_bounds(const RollingStudy& study,
                                       const std::vector<Series>& series);

}  // namespace rigidlimit
