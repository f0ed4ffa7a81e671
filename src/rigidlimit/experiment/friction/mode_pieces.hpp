// The rigid motion of a friction study as pieces of constant modes.
#pragma once

#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// The motion with constant modes on [begin, end].
struct ModePiece {
  double begin = 0.0, end = 0.0;           ///< s
  VectorXd q{}, v{};                       ///< at `begin`, after the event
  ContactStates states{};                  ///< one for each contact
  std::vector<bool> from_rest{};           ///< contact i slips from rest at t = 0
  std::vector<Index> stopped{};            ///< contacts that stop slipping at `begin`
  std::vector<Index> released{};           ///< contacts that begin to slip at `begin` > 0
  std::vector<std::size_t> events{};       ///< at `begin`: indices into NonsmoothMotion::events
  VectorXd force_before{}, force_after{};  ///< (λ, p) at `begin`; before: zero at the start
};

/// The pieces of side.judged up to side.end. Throws InputError with the reason if a contact has a
/// unilateral normal, or if an event is neither an end of slipping nor a planar beginning of it.
std::vector<ModePiece> mode_pieces(const FrictionStudy& study, const RigidSide& side);

}  // namespace rigidlimit
