// Viscoelastic rolling as a stiff ODE in the natural variables (q, v, η).
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// The compliant problem at one ε, y = (q, v, η), in the real numbers T, double or Quad
/// (docs/theory.md, section 1):
///
///   q' = T v,   M v' = F − Eᵀκ − Gᵀλ,   ε² η' = G v,   λ = C η + D ε^(−β) G v,
///
/// with κ such that (E v)' = −γ E v, γ = exact_constraint_recovery. M need be positive definite on
/// ker E only, and contacts may be redundant. If the system has invariants e, q' includes their
/// restoring rate (Equations::restoring_rate).
///
/// `start` is the state and eta0 (m) the scaled spring deflection at t = 0. The velocity must
/// satisfy E v = 0; it may slide. If M is singular on ker E, the right-hand side is not finite. One
/// thread at a time: the callbacks own their workspace.
///
/// In double there is a splitting: stiff is the effect of λ on v, and η'; rest is the motion
/// without contacts. The stiff Jacobian is exact. In these variables the number of steps of an
/// additive method grows like 1/ε, unless the other forces are constant: see
/// solvers/sundials/arkode.hpp, and use compliant_adapted().
template <class T>
MotionProblem<OdeProblemOf<T>, T> compliant_ode(const System& system,
                                                const InitialStateOf<T>& start,
                                                const ViscoelasticLaw& law, double epsilon,
                                                const VectorXd& eta0);

}  // namespace rigidlimit
