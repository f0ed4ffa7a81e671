// Both sides of a study in 113 bits.
#pragma once

#include "rigidlimit/study/rigid_side.hpp"
#include "rigidlimit/study/study.hpp"

namespace rigidlimit {

/// A compliant motion solved in 113 bits: the double solution's fields without its states, and the
/// motion.
struct QuadCompliantMotion {
  Solution ending;
  PreciseMotion motion;
};

/// A start is given in double. Its velocity is first projected onto ker [E; G] in Quad, for the
/// 1e-17 of sliding that rounding leaves would be larger than the effects measured; a compliant
/// problem whose start slides takes it as it is. Parameters of the system are doubles: both sides
/// of the pair round them alike.

/// The compliant motion at ε by radau_iia (`solver`: one of its entries in the catalogue) in the
/// study's formulation for it. `tighter` is the second solve, which tells the error of the first:
/// tolerances × θ and another number of stages, that is another method of another order.
/// `law`: one with a spring.
QuadCompliantMotion solve_compliant_quad(const Study& study, const LawInfo& law,
                                         const std::string& solver, double epsilon, bool tighter,
                                         const std::vector<double>& times, SolveOptions options);

/// As solve_rigid, in 113 bits. Solvers: those that solves_in_quad().
RigidMotion solve_rigid_quad(const Study& study, const RigidSolver& solver,
                             const InitialState& start, const std::vector<double>& times,
                             const SolveOptions& options);

/// Whether this name of a compliant or rigid solver has a 113-bit version.
bool solves_in_quad(const std::string& solver);

/// The solver that a rigid motion in 113 bits is judged by: the reduced system, and that one by the
/// ODE without multiplier.
const RigidSolver& quad_reference_for(const RigidSolver& solver);

}  // namespace rigidlimit
