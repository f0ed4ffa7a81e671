// Where a contact slips to that has just begun to.
#pragma once

#include "rigidlimit/nonsmooth/fixed_modes.hpp"

namespace rigidlimit {

/// Directions d of slip at a state. |w| ≥ least_directed_speed: slip_direction(). Below, that of
/// `states`, but of contacts that begin (ContactState::begins), all together, the zero next to it
/// of
///
///   d × u_t(d) = 0,   u = A r(d) + free.
///
/// Coulomb's law at the onset: w = ∫u_t grows along d, and where the force that would hold the
/// contact turns at the rate ω, w/|w| turns with it, up to |w| ω/(μ p A) rad. A direction kept from
/// the start would let w grow across, faster than along: |u_t| itself begins at zero.
ContactStates directions_at(const FrictionalSystem& system, ContactStates states,
                            const ContactTerms& terms, const VectorXd& compliance);

}  // namespace rigidlimit
