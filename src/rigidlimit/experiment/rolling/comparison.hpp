// The motions of a pair against the rigid side → sizes of their differences, which an archive can
// keep without the motions.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/task.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Quantities × norms × windows, and the components that the study names.
std::vector<Measure> measures_of(const RollingStudy& study);

/// A hash of the determinants of all these solves.
template <class Tasks>
std::string hash_of_inputs(const Tasks& tasks) {
  std::string inputs;
  for (const Task& task : tasks)
    for (const Solve& solve : task.solves) inputs += solve.identity.determinants + "\n";
  return content_hash(inputs);
}

/// Of the comparison of two compliant solves with the rigid side, whose inputs have this hash.
SolveIdentity comparison_identity(const RollingStudy& study, const std::string& rigid_side,
                                  const Task& pair);

/// RollingPair::against and RollingPair::energy as a record, and back.
SolveRecord comparison_record(const RollingPair& pair);
void take_comparison(const RollingStudy& study, const SolveRecord& record, RollingPair& pair);

/// Without times if the rigid motion or its reference failed.
Motion distance_from_reference(const Solves& solves, const JudgedRigid& rigid);

/// Sets RollingPair::against and RollingPair::energy from the motions of the pair. The rigid side
/// is done: `solves` has its motions, Solves::off_reference and the predicted terms.
/// A certified study also gets bounds, and RollingPair::enclosure; throws ProofStopped.
void compare(const RollingStudy& study, const Solves& solves, RollingPair& pair,
             const RunOptions& options);

}  // namespace rigidlimit
