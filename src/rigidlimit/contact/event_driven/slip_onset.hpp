// Slip direction of a contact that has just begun to slip.
#pragma once

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

namespace rigidlimit {

/// Directions d of slip at a state. For |w| ≥ least_directed_speed: slip_direction(). Below it: the
/// direction in `states`, except for contacts that begin to slip (ContactState::begins). For all
/// these together: the nearest zero of
///
///   d × u_t(d) = 0,   u = A r(d) + free.
///
/// This is Coulomb's law at the onset: w = ∫u_t grows along d. If the force that would hold the
/// contact turns at the rate ω, w/|w| turns with it, up to |w| ω/(μ p A) rad. With the direction of
/// the start, w would grow faster across than along, because |u_t| itself begins at zero.
ContactStates directions_at(const FrictionalSystem& system, ContactStates states,
                            const ContactTerms& terms, const VectorXd& compliance);

}  // namespace rigidlimit
