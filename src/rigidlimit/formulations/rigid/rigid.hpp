// Rigid rolling as a fully implicit DAE.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Position of the multipliers μ = (κ, Λ_I) in the DAE.
enum class MultiplierForm {
  index2,  ///< y = (q, v, κ, Λ_I): index 2, multipliers excluded from the error test
  impulse  ///< y = (q, v, Π) with (κ, Λ_I) = Π': index 1, every component tested
};

/// Ideal rolling as a DAE with exact Jacobian and consistent start (v', μ from the KKT system):
///
///   0 = q' − T v,   0 = M v' − F + [E; G_I]ᵀ(μ or Π'),   0 = E v,   0 = G_I v,
///
/// nq + n + ne + r equations, r the rank of the contacts (contact_basis() at the start). M need be
/// positive definite on ker [E; G] only. If the system has invariants e, q' includes their
/// restoring rate. `start` must satisfy E v = 0 and G v = 0. The motion's λ is Λ as the solver
/// computed it, zero on dependent rows. One thread at a time: the callbacks own their workspace.
MotionProblem<DaeProblem> rigid_dae(const System& system, const InitialState& start,
                                    MultiplierForm form);

}  // namespace rigidlimit
