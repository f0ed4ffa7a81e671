// The rigid motion of a study by any of its solvers, with its errors.
#pragma once

#include "rigidlimit/experiment/judge/precise_motion.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/piecewise.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit {

struct RigidMotion {
  Outcome outcome = Outcome::not_run;
  std::string message;
  bool multiplier_tested = true;
  Work work;
  PreciseMotion motion;  ///< NaN beyond the end of the solve
};

/// The rigid motion of the study's system from `start`, by the ODE without multiplier in smooth
/// pieces, with the crossings of its switches. `integrals`: work of the forces without potential,
/// J.
PiecewiseMotion rigid_by_elimination(const RollingStudy& study, const InitialState& start,
                                     const std::vector<double>& times, const std::string& method,
                                     const SolveOptions& options);

/// The rigid motion of the study's system from `start` (consistent) at `times`. For redundant
/// contacts, Λ is the one that the compliant contact selects.
RigidMotion solve_rigid(const RollingStudy& study, const RigidSolver& solver,
                        const InitialState& start, const std::vector<double>& times,
                        const SolveOptions& options);

/// The reference solver of a rigid motion: the closed form if there is one, else the ODE without
/// multiplier by Runge-Kutta-Fehlberg 7(8); for that one, IDA.
const RigidSolver& reference_for(const RigidSolver& solver, bool has_closed_form);

/// Distance to the reference, drift ‖G v‖ and energy error of a motion. `work`: work of the forces
/// without potential at the times of the motion, J.
RigidReport report_on(const System& system, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge, const VectorXd& work);

}  // namespace rigidlimit
