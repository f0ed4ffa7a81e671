// Motions → rows with error bars → verdicts.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Every series of one law and compliant solver against one rigid solver: quantities × norms ×
/// windows, with one row for each ε with a finished solve.
std::vector<Series> series_of(const RollingStudy& study, const Solves& solves,
                              const JudgedRigid& rigid, const std::string& law,
                              const std::string& compliant_solver);

}  // namespace rigidlimit
