// Remarks on a rolling study for readers of its tables.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// On the start, excluded multipliers, redundant contacts, solvers that disagree, estimates that
/// are too small, a motion at rest and switches. The result has its series and rigid reports.
std::vector<std::string> rolling_notes(const RollingResult& result, const Solves& solves);

}  // namespace rigidlimit
