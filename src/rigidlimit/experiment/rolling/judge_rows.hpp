// Comparisons → rows with error bars → verdicts; rigid motions → their errors.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The judged series of one law, compliant solver and rigid solver (an index into Solves::judged),
/// one for each of rolling_measures(). `ladder`: compared pairs, largest ε first.
std::vector<Series> judged_series(const RollingStudy& study, const Solves& solves,
                                  std::size_t judged,
                                  const std::vector<const RollingPair*>& ladder);

/// Distance to the reference, drift ‖G v‖ and energy error of a motion. `work`: work of the forces
/// without potential at the times of the motion, J.
RigidReport report_on(const System& system, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge, const VectorXd& work);

}  // namespace rigidlimit
