// Both sides of a study in 113 bits.
#pragma once

#include "rigidlimit/experiment/pair/rigid_side.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// A compliant motion solved in 113 bits: the fields of the solution without its states, and the
/// motion.
struct QuadCompliantMotion {
  Solution ending;
  PreciseMotion motion;
};

/// A start is given in double. The double nearest to a rolling velocity slides by about 1e-17 m/s,
/// more than the measured effects. Therefore both sides of a rolling start (is_consistent()) begin
/// with the velocity of the study projected onto ker [E; G] in Quad; rounding the projection to
/// double would give another start. From a sliding start, the rigid side begins with that
/// projection and the compliant side with the velocity projected onto ker E. The coordinates are
/// projected onto the invariants, if no double is nearer: each formulation sees a quaternion of
/// inexact length as another start. The parameters of the system are doubles and equal on both
/// sides.

/// The start of the compliant side.
InitialStateOf<Quad> compliant_start_in_quad(const RollingStudy& study);

/// The change of the start by the projection in Quad.
struct QuadProjection {
  double before = 0.0;       ///< max |[E; G] v| of the study's doubles, m/s for contacts
  double change = 0.0;       ///< max |change of v|, each component in its unit
  double change_of_q = 0.0;  ///< max |change of q| onto the invariants
};
QuadProjection projection_in_quad(const RollingStudy& study);

/// The compliant motion at ε by radau_iia (`solver`: one of its entries in the catalogue) in the
/// formulation that the study sets for it. `tighter`: the second solve, which measures the error of
/// the first, with tolerances × θ and another number of stages, i.e. a method of another order.
/// `law`: a law with a spring.
QuadCompliantMotion solve_compliant_quad(const RollingStudy& study, const LawInfo& law,
                                         const std::string& solver, double epsilon, bool tighter,
                                         const std::vector<double>& times, SolveOptions options);

/// solve_rigid from rigid_start(), in 113 bits, for a solver with solves_in_quad().
RigidMotion solve_rigid_quad(const RollingStudy& study, const RigidSolver& solver,
                             const std::vector<double>& times, const SolveOptions& options);

/// Whether this name of a compliant or rigid solver has a 113-bit version.
bool solves_in_quad(const std::string& solver);

/// The reference solver of a rigid motion in 113 bits: the reduced system; for that one, the ODE
/// without multiplier.
const RigidSolver& quad_reference_for(const RigidSolver& solver);

}  // namespace rigidlimit
