// The rigid motion of a study, by whatever solver it names, and how far it can be trusted.
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
  PreciseMotion motion;  ///< NaN where the solver did not arrive
};

/// The rigid motion of the study's system from `start` by the ODE without multiplier, piece by
/// piece, with its crossings of switches; `integrals` holds the work of the forces without
/// potential, J.
PiecewiseMotion rigid_by_elimination(const RollingStudy& study, const InitialState& start,
                                     const std::vector<double>& times, const std::string& method,
                                     const SolveOptions& options);

/// The rigid motion of the study's system from `start` (consistent) at `times`. Λ of redundant
/// contacts is the one that the compliant contact selects.
RigidMotion solve_rigid(const RollingStudy& study, const RigidSolver& solver,
                        const InitialState& start, const std::vector<double>& times,
                        const SolveOptions& options);

/// The solver that a rigid motion is judged by: the closed form where there is one, else the ODE
/// without multiplier by Runge-Kutta-Fehlberg 7(8), and that one by IDA.
const RigidSolver& reference_for(const RigidSolver& solver, bool has_closed_form);

/// Distance to the reference, drift ‖G v‖ and energy error of a motion. `work` (on the times of the
/// motion, J): what forces without potential have done on it.
RigidReport report_on(const System& system, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge, const VectorXd& work);

}  // namespace rigidlimit
