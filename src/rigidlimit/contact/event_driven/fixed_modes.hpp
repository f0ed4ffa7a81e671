// The motion between two events, with fixed modes of the contacts.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Mode of a contact, and data for the direction of its forces.
struct ContactState {
  ContactMode mode = ContactMode::free;
  VectorXd direction{};  ///< unit vector of slipping; empty if it sticks, is free, or has no
                         ///< friction. In space: the direction at the start of the piece
  double push = 1.0;     ///< sign of p: −1 is possible for a given or bilateral p
  bool begins = false;   ///< it starts to slip from rest, contact/event_driven/slip_onset.hpp

  bool closed() const { return mode != ContactMode::free; }
};
using ContactStates = std::vector<ContactState>;

std::vector<ContactMode> modes_of(const ContactStates& states);

/// Whether a contact has friction.
bool has_friction(const ContactPoint& contact);

/// m/s: below it the direction of w is dominated by rounding.
inline constexpr double least_directed_speed = 1e-8;

/// The unit vector w/|w|, reversed if w points away from `forward`, and `forward` if |w| is below
/// least_directed_speed. It is smooth along a motion straight through w = 0, as every stopping
/// motion finally is.
VectorXd slip_direction(const VectorXd& w, const VectorXd& forward);

/// Reactions r = (−λ, p), m + nc, for which the closed contacts have the rates `target` in the
/// rates A r + free. `target` (m + nc) is read at w of sticking contacts and at the normal of those
/// without a given force:
///
///   stick  (A r + free)_w = target     slip  λ = μ p push · direction     closed  (…)_n = target
///
/// These are linear in (λ of sticking ones, p). Slipping contacts have the `direction` in `states`.
/// Redundant contacts: the least rᵀC⁻¹r; `compliance` is C⁻¹ or empty. Friction laws are not
/// checked.
struct FixedModeReaction {
  VectorXd reaction;
  bool redundant = false;  ///< not unique
};
FixedModeReaction reaction_of_modes(const FrictionalSystem& system, const MatrixXd& delassus,
                                    const VectorXd& free, const VectorXd& target,
                                    const VectorXd& given, const ContactStates& states,
                                    const VectorXd& compliance);

/// R of r = R x + r0, the effect of the unknowns of the linear problem, m + nc rows, at the rates
/// (w, g').
MatrixXd reaction_directions(const FrictionalSystem& system, const ContactStates& states,
                             const VectorXd& rate);

/// Rates and reactions at a state of a piece.
struct PieceRate {
  ContactTerms terms;
  VectorXd reaction{};      ///< r = (−λ, p)
  VectorXd acceleration{};  ///< v'
  VectorXd q_rate{};        ///< q'
  bool redundant = false;
};

/// q' and v' with fixed modes. The drift of the integration from the closed contacts decays at the
/// rate γ = exact_constraint_recovery: g'' = −γ g', w' = −γ w of sticking ones. Beside T v, q'
/// contains
///
///   −γ T M⁻¹Nᵀ (N M⁻¹ Nᵀ)⁺ g − γ (∂e/∂q)⁺ e
///
/// of the closed contacts and the invariants. All these terms vanish along the exact motion.
PieceRate piece_rate(const FrictionalSystem& system, const ContactStates& states, const VectorXd& q,
                     const VectorXd& v, double t, const VectorXd& compliance);

/// v after the impulses that stop g' of closed contacts and w of sticking ones, including the
/// friction of slipping ones.
VectorXd velocity_within(const FrictionalSystem& system, const ContactStates& states,
                         const VectorXd& q, const VectorXd& v, const VectorXd& compliance);

/// q projected along M⁻¹Nᵀ to g = 0 of the closed contacts: three Newton steps.
VectorXd configuration_within(const FrictionalSystem& system, const ContactStates& states,
                              VectorXd q);

}  // namespace rigidlimit
