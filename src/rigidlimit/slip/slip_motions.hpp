// What is looked at in every motion of a study: Duvaut and Lions' inequality, and curves
// for pictures.
#pragma once

#include "rigidlimit/slip/compliant_motions.hpp"
#include "rigidlimit/slip/rigid_history.hpp"

namespace rigidlimit {

/// On the rigid motion and on the compliant ones of the first solver.
std::vector<InequalityReport> inequalities_of(const SlipStudy& study, const RigidSide& rigid,
                                              const std::vector<SlipMotion>& motions);

/// Rigid, and compliant ones of the first solver, on the uniform samples.
std::vector<SlipCurve> curves_of(const SlipStudy& study, const RigidSide& rigid,
                                 const std::vector<SlipMotion>& motions);

}  // namespace rigidlimit
