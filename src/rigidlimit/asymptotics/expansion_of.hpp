// Computes the data of an expansion from a system.
#pragma once

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// The data of the expansion from `start` (consistent: E v = 0, G v = 0) with the scaled deflection
/// eta0 (m) at t = 0. Exact rows E hold at every order; M need be positive definite on ker E only.
/// Contacts may be redundant, if their dependence does not change along the motion.
///
/// Throws InputError if the expansion is invalid: β ≠ 1, D not positive definite (the layer does
/// not decay), |[E; G] v| > 1e-10 (1 + |v|), violated invariants, no contact with an effect, or
/// wrong sizes.
Expansion expansion_of(const System& system, const InitialState& start, const ViscoelasticLaw& law,
                       const VectorXd& eta0);

/// A switch of the equations (mechanics/switches.hpp) that the rigid motion crosses at time t.
struct SwitchCrossing {
  double t = 0.0;
  std::vector<Index> which{};  ///< indices of switching functions; empty: a given instant
  Sides before{}, after{};
};

/// The expansion behind a switch of `system`, from the outer state y = (q̂, v̂, q₂, v₂) before it
/// (docs/theory.md, section 14). The jump of Λ is the missing load of a layer that begins there:
///
///   e₀ = C_r⁻¹ Δμ,   Δμ = μ(t+) − μ(t−),
///
/// q₂ and v₂ jump by it as at an unloaded start. The compliant motion crosses a switch that depends
/// on the state at t + ε² t₂, t₂ = −δσ/σ', with δσ along (q₂, v₂) and σ' along the rigid motion
/// before it; v₂ then has the additional jump −Δv̂' t₂. If the force is continuous and its rate
/// jumps, Δμ = 0, the layer is that of a prepared start.
///
/// Throws InputError if this does not hold: σ' = 0 or of another sign behind the switch, for some
/// contact force within the layer; or two simultaneous switches that depend on the state.
Expansion expansion_behind(const System& system, const SwitchCrossing& crossing, VectorIn y,
                           const ViscoelasticLaw& law, const VectorXd& eta0);

}  // namespace rigidlimit
