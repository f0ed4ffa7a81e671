// The energy balance of a rigid motion with friction and impacts.
#pragma once

#include "rigidlimit/contact/nonsmooth_motion.hpp"

namespace rigidlimit {

/// The energy balance of the rigid motion, J.
struct EnergyHistory {
  bool known = false;     ///< the system has a potential
  double at_start = 0.0;  ///< K + P
  double at_end = 0.0;
  double work = 0.0;  ///< of the forces without potential and of surfaces that move, integrated
  double lost_at_impacts = 0.0;
  double lost_in_slipping = 0.0;  ///< integrated with the motion
  double largest_growth = 0.0;    ///< of K + P − work above its smallest earlier value
  double largest_change = 0.0;    ///< of |K + P − work − at_start|
  /// at_start + work − lost_at_impacts − lost_in_slipping − at_end: zero up to errors
  double unaccounted = 0.0;
  /// largest kinetic energy, range of K + P, and largest work and loss in slipping up to a time
  double scale = 0.0;
  /// The error that the rounding of K + P and the absolute tolerance of the solve explain, of a
  /// body at rest as well: 64 ulp of the largest |K| + |P|, and tolerance times forces and momenta.
  double floor = 0.0;
};

/// Evaluated at the samples of the motion and on both sides of every event, with its
/// EnergyAccounts. `atol`: absolute tolerance of the motion.
EnergyHistory energy_of(const FrictionalSystem& contacts, const NonsmoothMotion& motion,
                        double atol);

}  // namespace rigidlimit
