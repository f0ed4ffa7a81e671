// Further results from every motion of a study: Duvaut and Lions' inequality, modes, and curves
// for figures.
#pragma once

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// The inequality on the rigid motion and on the compliant motions of the first solver.
std::vector<InequalityReport> inequalities_of(const FrictionStudy& study, const RigidSide& rigid,
                                              const std::vector<FrictionMotion>& motions);

/// The modes of all motions at the uniform samples.
std::vector<MotionModes> modes_of(const FrictionStudy& study, const RigidSide& rigid,
                                  const std::vector<FrictionMotion>& motions);

/// The rigid motion and the compliant motions of the first solver at the uniform samples.
std::vector<FrictionCurve> curves_of(const FrictionStudy& study, const RigidSide& rigid,
                                     const std::vector<FrictionMotion>& motions);

}  // namespace rigidlimit
