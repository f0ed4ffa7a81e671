// From motions to rows with error bars, and from rows to verdicts.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Every series of one law and compliant solver against one rigid solver: quantities × norms ×
/// windows, one row for each ε whose solve finished.
std::vector<Series> series_of(const RollingStudy& study, const Solves& solves,
                              const JudgedRigid& rigid, const std::string& law,
                              const std::string& compliant_solver);

}  // namespace rigidlimit
