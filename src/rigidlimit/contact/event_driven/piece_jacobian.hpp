// The exact Jacobian of the motion with fixed modes.
#pragma once

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

namespace rigidlimit {

/// ∂f/∂y of f = (q', v') of piece_rate(), y = (q, v): all of J ((nq + n) × (nq + n)).
///
/// From the residual of the equations at fixed a = v', κ and x, the unknowns of r = R x + r0,
///
///   c = F + Hᵀr − M a − Eᵀκ,   −(E a + (∂q E[Tv]) v + γ E v),   h = −(H a + (∂q H[Tv]) v + γ H v)
///
/// in which friction turns with its sliding velocity, ∂(w/|w|) = (1 − w wᵀ/|w|²) ∂w/|w|, follow
///
///   ∂a = M⁻¹∂c + M⁻¹Hᵀ R ∂x,   (A R)_held ∂x = ∂h − (H M⁻¹∂c)_held,
///
/// M⁻¹ as in ContactRows. Exact on g = 0 of the closed contacts, because terms with a factor g are
/// omitted, and for |w| ≥ least_directed_speed; below it directions are constant. For redundant
/// contacts ∂x is the least one, which does not affect ∂a.
void piece_jacobian(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
                    const VectorXd& v, double t, const VectorXd& compliance, MatrixOut J);

}  // namespace rigidlimit
