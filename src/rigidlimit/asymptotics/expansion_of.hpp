// From a system to the data of its expansion.
#pragma once

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// The data of the expansion from `start` (consistent: E v = 0, G v = 0) with the scaled deflection
/// eta0 (m) at t = 0. Exact rows E hold at every order; M need be positive definite on ker E only.
/// Contacts may be redundant, with a relation between them that does not change along the motion.
///
/// Throws InputError if the expansion does not hold: β ≠ 1, D not positive definite (the layer does
/// not decay), |[E; G] v| > 1e-10 (1 + |v|), invariants not met, no contact that acts at all, or
/// sizes that do not fit.
Expansion expansion_of(const System& system, const InitialState& start, const ViscoelasticLaw& law,
                       const VectorXd& eta0);

/// A switch of the equations (mechanics/switches.hpp) that the rigid motion crosses at time t.
struct SwitchCrossing {
  double t = 0.0;
  std::vector<Index> which{};  ///< of the switching functions; none: an instant that is given
  Sides before{}, after{};
};

/// The expansion behind a switch of `system`, from the outer state y = (q̂, v̂, q₂, v₂) before it
/// (docs/theory.md, section 14). The jump of Λ is the missing load of a layer that begins there,
///
///   e₀ = C_r⁻¹ Δμ,   Δμ = μ(t+) − μ(t−),
///
/// by which q₂ and v₂ jump as they begin at an unloaded start. A switch that depends on the state
/// is crossed by the compliant motion at t + ε² t₂, t₂ = −δσ/σ', with δσ along (q₂, v₂) and σ'
/// along the rigid motion before it: v₂ has the jump −Δv̂' t₂ besides. Where the force is continuous
/// and its rate jumps, Δμ = 0, the layer is that of a prepared start.
///
/// Throws InputError where this does not hold: σ' = 0 or of another sign behind the switch, for
/// some contact force within the layer; two switches that depend on the state at once.
Expansion expansion_behind(const System& system, const SwitchCrossing& crossing, VectorIn y,
                           const ViscoelasticLaw& law, const VectorXd& eta0);

}  // namespace rigidlimit
