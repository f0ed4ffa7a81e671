// What is looked at in every motion of a study: Duvaut and Lions' inequality, and curves
// for pictures.
#pragma once

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// On the rigid motion and on the compliant ones of the first solver.
std::vector<InequalityReport> inequalities_of(const FrictionStudy& study, const RigidSide& rigid,
                                              const std::vector<FrictionMotion>& motions);

/// Rigid, and compliant ones of the first solver, on the uniform samples.
std::vector<FrictionCurve> curves_of(const FrictionStudy& study, const RigidSide& rigid,
                                     const std::vector<FrictionMotion>& motions);

}  // namespace rigidlimit
