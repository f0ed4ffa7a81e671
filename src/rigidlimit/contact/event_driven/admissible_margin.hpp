// Load margin of redundant contacts.
#pragma once

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

namespace rigidlimit {

/// The largest, over all reactions that give the same motion, of the smallest of p of unilateral
/// contacts and μ |p| − |λ| of sticking ones, newton. Exact with one redundancy; with several, the
/// value of the least reaction.
double admissible_margin(const FrictionalSystem& system, const ContactStates& states,
                         const PieceRate& rate);

}  // namespace rigidlimit
