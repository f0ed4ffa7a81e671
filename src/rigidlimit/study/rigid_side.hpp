// The rigid motion of a study, by whatever solver it names, and how far it can be trusted.
#pragma once

#include "rigidlimit/formulations/pair.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/precise_motion.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

struct RigidMotion {
  Outcome outcome = Outcome::not_run;
  std::string message;
  bool multiplier_tested = true;
  Work work;
  PreciseMotion motion;  ///< NaN where the solver did not arrive
};

/// The rigid motion from `start` (consistent) at `times`.
RigidMotion solve_rigid(const Pair& pair, const RigidSolver& solver, const InitialState& start,
                        const std::vector<double>& times, const SolveOptions& options);

/// The solver that a rigid motion is judged by: the closed form where there is one, else the ODE
/// without multiplier by Runge-Kutta-Fehlberg 7(8), and that one by IDA.
const RigidSolver& reference_for(const RigidSolver& solver, bool has_closed_form);

/// Distance to the reference, drift ‖G v‖ and energy error of a motion.
RigidReport report_on(const Pair& pair, const RigidSolver& solver, const RigidMotion& rigid,
                      const RigidSolver& reference, const RigidMotion& judge);

}  // namespace rigidlimit
