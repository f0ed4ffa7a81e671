// The rigid motion of a study by any of its solvers.
#pragma once

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/piecewise.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

struct RigidMotion : SolveEnd {
  bool multiplier_tested = true;
  PreciseMotion motion{};    ///< NaN beyond the end of the solve
  double joint_drift = 0.0;  ///< max |g(q)| of joints before project_joints(), each in its unit
};

/// The rigid motion of the study's system from `start`, by the ODE without multiplier in smooth
/// pieces, with the crossings of its switches. `marks`: as of solve_piecewise(). `integrals`: work
/// of the forces without potential, J.
PiecewiseMotion rigid_by_elimination(const RollingStudy& study, const InitialState& start,
                                     const std::vector<double>& times,
                                     const std::vector<double>& marks, const std::string& method,
                                     const SolveOptions& options);

/// The rigid motion of the study's system from `start` (consistent) at `times`. For redundant
/// contacts, Λ is the one that the compliant contact selects. The samples are projected onto the
/// positions of joints, g(q) = 0 and then G v = 0 in their rows, in the metric of the kinetic
/// energy; the solver goes on from its own states, and Λ remains that of the solver.
RigidMotion solve_rigid(const RollingStudy& study, const RigidSolver& solver,
                        const InitialState& start, const std::vector<double>& times,
                        const std::vector<double>& marks, const SolveOptions& options);

/// The method for the ODE without multiplier: Runge-Kutta-Fehlberg 7(8), or radau_iia_5 if a rate
/// of decay inside the body, at the start, is so large that an explicit method would take thousands
/// of steps to T.
const char* rigid_method_for(const RollingStudy& study, const InitialState& start);

/// The reference solver of a rigid motion: the closed form if there is one, else the ODE without
/// multiplier by rigid_method_for(); for that one, and beside radau_iia_5, IDA.
const RigidSolver& reference_for(const RigidSolver& solver, bool has_closed_form,
                                 const std::string& rigid_method = "runge_kutta_fehlberg78");

}  // namespace rigidlimit
