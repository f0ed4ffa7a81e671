// The motion between two events: every contact keeps its mode.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/nonsmooth/contact_terms.hpp"

namespace rigidlimit {

/// What a contact does, and what decides the direction of its forces.
struct ContactState {
  ContactMode mode = ContactMode::free;
  VectorXd direction{};  ///< unit vector of slipping; empty where it sticks, is free, or has no
                         ///< friction. In space where it went when the piece began
  double push = 1.0;     ///< sign of p: −1 possible where p is given or bilateral
  bool begins = false;   ///< it slips from rest, nonsmooth/slip_onset.hpp

  bool closed() const { return mode != ContactMode::free; }
};
using ContactStates = std::vector<ContactState>;

std::vector<ContactMode> modes_of(const ContactStates& states);

/// A contact that has friction at all.
bool has_friction(const ContactPoint& contact);

/// m/s: below it the direction of w is soon nothing but rounding.
inline constexpr double least_directed_speed = 1e-8;

/// The unit vector w/|w|, turned where w points away from `forward`, and `forward` where |w| is
/// below least_directed_speed: smooth along a motion that runs straight through w = 0, as all do in
/// the end that stop.
VectorXd slip_direction(const VectorXd& w, const VectorXd& forward);

/// Reactions r = (−λ, p), m + nc, for which the closed contacts have the rates `target` (m + nc,
/// read at w of sticking ones and at the normal of those not given) in rates A r + free:
///
///   stick  (A r + free)_w = target     slip  λ = μ p push · direction     closed  (…)_n = target
///
/// linear in (λ of sticking ones, p). `direction` of contacts that slip as in `states`. Redundant
/// contacts: the least rᵀC⁻¹r; `compliance` is C⁻¹ or empty. Friction laws are not looked at.
struct FixedModeReaction {
  VectorXd reaction;
  bool redundant = false;  ///< not the only one
};
FixedModeReaction reaction_of_modes(const FrictionalSystem& system, const MatrixXd& delassus,
                                    const VectorXd& free, const VectorXd& target,
                                    const VectorXd& given, const ContactStates& states,
                                    const VectorXd& compliance);

/// R of r = R x + r0: what the unknowns of the linear problem do, m + nc rows, at the rates (w,
/// g').
MatrixXd reaction_directions(const FrictionalSystem& system, const ContactStates& states,
                             const VectorXd& rate);

/// Everything at a state of a piece.
struct PieceRate {
  ContactTerms terms;
  VectorXd reaction{};      ///< r = (−λ, p)
  VectorXd acceleration{};  ///< v'
  VectorXd q_rate{};        ///< q'
  bool redundant = false;
};

/// q' and v' with fixed modes. What integration strays from the closed contacts decays at the rate
/// γ = exact_constraint_recovery: g'' = −γ g', w' = −γ w of sticking ones, and q' has besides T v
///
///   −γ T M⁻¹Nᵀ (N M⁻¹ Nᵀ)⁺ g − γ (∂e/∂q)⁺ e
///
/// of the closed contacts and the invariants. All of it vanishes along the exact motion.
PieceRate piece_rate(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
                     const VectorXd& v, double t, const VectorXd& compliance);

/// v after the impulses that stop g' of closed contacts and w of sticking ones, friction of
/// slipping ones included.
VectorXd velocity_within(const FrictionalSystem& system, const ContactStates& states,
                         const VectorXd& q, const VectorXd& v, const VectorXd& compliance);

/// q moved back, along M⁻¹Nᵀ, to g = 0 of the closed contacts: three Newton steps.
VectorXd configuration_within(const FrictionalSystem& system, const ContactStates& states,
                              VectorXd q);

}  // namespace rigidlimit
