// The end of sliding in space, where the direction of sliding turns.
#pragma once

#include <optional>

#include "rigidlimit/contact/event_driven/smooth_piece.hpp"

namespace rigidlimit {

/// m/s: below it sliding_stop() follows the motion.
inline constexpr double stopping_speed = 1e-7;

/// The instant when contact i, which slides at |w| = ρ near zero, stops; empty if ρ does not fall
/// to zero, or if another contact slides as slowly.
///
/// Near w = 0 the rate r of w depends on the direction d of w alone. In the time τ with dt = ρ dτ
///
///   ρ' = ρ r·d,   d' = r − (r·d) d,   t' = ρ,   v' = ρ a(d),
///
/// which is regular where w vanishes: d tends to its limit and ρ decays as an exponential. In t
/// this end is a singular point, where the angle of d to its limit falls as a power of ρ
/// (docs/published.md, the tippe top). All rates are those at w = 0: the time errs by O(ρ²/|r|²),
/// 1e-15 s at ρ = stopping_speed and |r| = 3 m/s².
std::optional<Instant> sliding_stop(const FrictionalSystem& system, const ContactStates& states,
                                    const Instant& at, Index i, const VectorXd& compliance);

}  // namespace rigidlimit
