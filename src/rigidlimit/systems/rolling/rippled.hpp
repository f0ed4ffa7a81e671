// A mean with a harmonic ripple, and its integrals: drives of gears, bearings and belts.
#pragma once

#include <cmath>

namespace rigidlimit {

/// x(t) = mean + ripple sin(ν t), ν > 0 in rad/s: a torque, or the speed of a surface.
struct Rippled {
  double mean, ripple, frequency;

  double at(double t) const { return mean + ripple * std::sin(frequency * t); }
  double rate(double t) const { return ripple * frequency * std::cos(frequency * t); }
  double integrated(double t) const {  ///< ∫x from 0 to t
    const double half = std::sin(0.5 * frequency * t);
    return mean * t + ripple * 2.0 * half * half / frequency;
  }
  double twice_integrated(double t) const {
    return 0.5 * mean * t * t + ripple * (t - std::sin(frequency * t) / frequency) / frequency;
  }
};

}  // namespace rigidlimit
