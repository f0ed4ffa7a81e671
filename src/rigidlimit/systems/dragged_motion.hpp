// Straight motion under a constant force and a drag that grows with the speed.
#pragma once

#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// x'' = a − k x' with x'' = a0, x' = v0 and x = x0 at t = 0, exact to round-off for every k t ≥ 0,
/// k = 0 (constant acceleration) included:
///
///   x'' = a0 e^(−kt),   x' = v0 + a0 t φ₁(kt),   x = x0 + v0 t + a0 t² φ₂(kt)
///
/// with φ₁(z) = (1 − e^(−z))/z and φ₂(z) = (z − 1 + e^(−z))/z².
struct DraggedMotion {
  double position0 = 0.0;      ///< x0, m
  double speed0 = 0.0;         ///< v0, m/s
  double acceleration0 = 0.0;  ///< a0, m/s²
  double rate = 0.0;           ///< k ≥ 0, 1/s

  /// inertia x'' = force − drag x' from the first coordinate and velocity of `start`.
  static DraggedMotion from(const InitialState& start, double force, double drag, double inertia);

  double acceleration(double t) const;  ///< m/s²
  double speed(double t) const;         ///< m/s
  double position(double t) const;      ///< m
};

}  // namespace rigidlimit
