// Both sides of a study in 113 bits.
#pragma once

#include "rigidlimit/experiment/rolling/rigid_side.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// A compliant motion solved in 113 bits: the double solution's fields without its states, and the
/// motion.
struct QuadCompliantMotion {
  Solution ending;
  PreciseMotion motion;
};

/// A start is given in double, and the double nearest to a rolling velocity slides by some 1e-17
/// m/s, more than the effects measured. So both sides of a start that rolls (is_consistent()) begin
/// from the same velocity, that of the study projected onto ker [E; G] in Quad; a projection
/// rounded to double in between would be another start. Where the start slides the rigid side
/// begins from that projection and the compliant one from the velocity projected onto ker E. The
/// coordinates are likewise drawn onto the invariants, if doubles can be no nearer: what a
/// quaternion lacks to unit length is another start to every formulation. Parameters of the system
/// are doubles: both sides of the pair round them alike.

/// What the projection of the start in Quad changes.
struct QuadProjection {
  double before = 0.0;       ///< max |[E; G] v| of the study's doubles, m/s for contacts
  double change = 0.0;       ///< max |change of v|, each component in its unit
  double change_of_q = 0.0;  ///< likewise of q, onto the invariants
};
QuadProjection projection_in_quad(const RollingStudy& study);

/// The compliant motion at ε by radau_iia (`solver`: one of its entries in the catalogue) in the
/// study's formulation for it. `tighter` is the second solve, which tells the error of the first:
/// tolerances × θ and another number of stages, that is another method of another order.
/// `law`: one with a spring.
QuadCompliantMotion solve_compliant_quad(const RollingStudy& study, const LawInfo& law,
                                         const std::string& solver, double epsilon, bool tighter,
                                         const std::vector<double>& times, SolveOptions options);

/// As solve_rigid from rigid_start(), in 113 bits. Solvers: those that solves_in_quad().
RigidMotion solve_rigid_quad(const RollingStudy& study, const RigidSolver& solver,
                             const std::vector<double>& times, const SolveOptions& options);

/// Whether this name of a compliant or rigid solver has a 113-bit version.
bool solves_in_quad(const std::string& solver);

/// The solver that a rigid motion in 113 bits is judged by: the reduced system, and that one by the
/// ODE without multiplier.
const RigidSolver& quad_reference_for(const RigidSolver& solver);

}  // namespace rigidlimit
