// Comparisons → rows with error bars → verdicts; bounds, claims on steps, errors of the rigid
// motions.
#pragma once

#include <vector>

#include "rigidlimit/experiment/pair/pair_tasks.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The judged series of one law, compliant solver and rigid solver (an index into Solves::judged),
/// one for each of measures_of(study). The pairs of the ladder are compared.
std::vector<Series> judged_series(const RollingStudy& study, const Solves& solves,
                                  std::size_t judged, const PairAxes& axes,
                                  const PairLadder& ladder);

/// Distance to the reference, drift ‖G v‖ and energy error of a motion. `work`: work of the forces
/// without potential at the times of the motion, J.
RigidReport report_on(const System& system, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge, const VectorXd& work);

/// One report for each bound of the study and each series in its scope, in the order of the bounds.
/// The error bar of a model error is Row::floor(); a solver error is an estimate without a bar.
std::vector<BoundReport> judged_bounds(const RollingStudy& study,
                                       const std::vector<Series>& series);

/// The first solve of every law and compliant solver at every ε.
std::vector<StepCount> step_counts_of(const RollingStudy& study, const PairTasks& pairs);

/// Sets the growth of each count; `counts` has the order of RollingResult::step_counts.
void set_growth(std::vector<StepCount>& counts);

/// Every claim of the study for every compliant solver. A failed solve in the interval breaks it.
std::vector<StepsReport> judged_steps(const RollingStudy& study,
                                      const std::vector<StepCount>& counts);

}  // namespace rigidlimit
