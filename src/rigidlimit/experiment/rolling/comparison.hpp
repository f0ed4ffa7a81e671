// The motions of a pair against the rigid side → sizes of their differences.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Quantities × norms × windows, and the components that the study names.
std::vector<Measure> measures_of(const RollingStudy& study);

/// The words of PairTasks::Kind::comparison_settings().
std::string comparison_settings(const RollingStudy& study);

/// Without times if the rigid motion or its reference failed.
Motion distance_from_reference(const Solves& solves, const JudgedRigid& rigid);

/// Sets CompliantPair::against and CompliantPair::energy from the motions of the pair. The rigid
/// side is done: `solves` has its motions, Solves::off_reference and the predicted terms. A
/// certified study also gets bounds, and CompliantPair::enclosure; throws ProofStopped.
void compare(const RollingStudy& study, const Solves& solves, CompliantPair& pair,
             const RunOptions& options);

}  // namespace rigidlimit
