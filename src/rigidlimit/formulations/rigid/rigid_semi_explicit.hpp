// Rigid rolling as a semi-explicit DAE of index 2 with a constant mass matrix.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Ideal rolling in y = (q, v, k, Λ_I), index 2 in k (ne) and Λ_I (r), in the real numbers T,
/// double or Quad:
///
///   q' = T v,   v' = M₊⁻¹(F − Eᵀk − G_IᵀΛ_I),   0 = E v,   0 = G_I v,   mass diag(I, I, 0, 0).
///
/// M₊ = M + ρ EᵀE is regular if M is positive definite on ker E. The motion is that of M, with k =
/// κ − ρ E v' in place of κ, because ρ Eᵀ(E v') acts along Eᵀ. ρ is the largest entry of M over
/// that of EᵀE at the start, so that both have equal weight. M₊ = M without exact rows. For a
/// tangent lift (mechanics/tangent_system.hpp) EᵀJE takes the place of EᵀE, J the exchange of the
/// halves of E, which makes M₊ the lift of M₊.
///
/// `start` must satisfy E v = 0 and G v = 0; k(0), Λ(0) are those of the KKT system. The motion's λ
/// is Λ as the solver computed it, zero on dependent rows. One thread at a time.
template <class T>
MotionProblem<MassProblemOf<T>, T> rigid_semi_explicit(const System& system,
                                                       const InitialStateOf<T>& start);

}  // namespace rigidlimit
