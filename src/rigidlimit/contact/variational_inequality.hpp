// The inequality of Duvaut and Lions, tested on a motion with random virtual velocities.
#pragma once

#include <cstdint>
#include <functional>

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

struct VirtualVelocities {
  int draws = 100;     ///< for each contact at each time
  double speed = 1.0;  ///< m/s: velocities are up to twice this, or twice the largest |w| if larger
  std::uint64_t seed = 1;                     ///< same seed, same velocities, on every platform
  std::function<bool()> stop_requested = {};  ///< asked at every 4096th velocity; empty: never stop
};

/// The least value, and its place.
struct InequalityCheck {
  double least = 0.0;     ///< W
  double relative = 0.0;  ///< least of the value over `speed` times the largest |λ| + μ|p| of the
                          ///< contacts at that time
  double t = 0.0;         ///< of `relative`, s
  Index contact = -1;     ///< of `relative`; −1: no draws, or all forces vanish
  long drawn = 0;         ///< total number of virtual velocities
  double speed = 0.0;     ///< m/s: the virtual velocities were up to twice this
};

/// Coulomb's law with friction k = μ as one inequality (docs/theory.md, section 10; Souchet). For
/// every contact with sliding velocity u₁ = w, force T = −λ and every virtual sliding velocity v₁
///
///   T · (v₁ − u₁) + μ |p| (|v₁| − |u₁|) ≥ 0,
///
/// It holds for all v₁ only if the law holds. v₁ has a random direction and a random length.
/// `motion` has lambda as in FrictionalSystem::forces, (λ, p); columns that are not finite are
/// omitted. A value below zero beyond round-off is a violation; for a time stepping scheme, whose
/// forces are constant over a step, beyond O(h). Throws Stopped.
InequalityCheck check_inequality(const FrictionalSystem& system, const Motion& motion,
                                 const VirtualVelocities& virtual_velocities = {});

}  // namespace rigidlimit
