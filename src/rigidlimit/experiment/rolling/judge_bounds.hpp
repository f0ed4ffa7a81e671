// Rows → reports on the study's bounds.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

/// One report for each bound of the study and each series in its scope, in the order of the bounds.
/// The error bar of a model error is Row::floor(); a solver error is an estimate without a bar.
std::vector<BoundReport> judged_bounds(const RollingStudy& study,
                                       const std::vector<Series>& series);

}  // namespace rigidlimit
