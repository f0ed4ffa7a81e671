// A torque that changes with time, and its integrals: the drive of the gears and bearings.
#pragma once

#include <cmath>

namespace rigidlimit {

/// τ(t) = mean + ripple sin(ν t), in N m, ν > 0 in rad/s.
struct RippledTorque {
  double mean, ripple, frequency;

  template <class S>
  S at(const S& t) const {
    using std::sin;
    return mean + ripple * sin(frequency * t);
  }
  double impulse(double t) const {  ///< ∫τ from 0 to t
    const double half = std::sin(0.5 * frequency * t);
    return mean * t + ripple * 2.0 * half * half / frequency;
  }
  double twice_integrated(double t) const {
    return 0.5 * mean * t * t + ripple * (t - std::sin(frequency * t) / frequency) / frequency;
  }
};

}  // namespace rigidlimit
