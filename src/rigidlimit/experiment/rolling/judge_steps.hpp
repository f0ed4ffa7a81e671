// Step counts of the first solves → growth as ε shrinks → claims.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The first solve of every law and compliant solver at every ε.
std::vector<StepCount> step_counts_of(const RollingStudy& study, const Solves& solves);

/// Sets the growth of each count; `counts` has the order of RollingResult::step_counts.
void set_growth(std::vector<StepCount>& counts);

/// Every claim of the study for every compliant solver. A failed solve in the interval breaks it.
std::vector<StepsReport> judged_steps(const RollingStudy& study,
                                      const std::vector<StepCount>& counts);

}  // namespace rigidlimit
