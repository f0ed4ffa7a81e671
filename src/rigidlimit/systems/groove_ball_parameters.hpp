// The parameters of a ball in a V-groove, with either kind of contacts.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

/// Parameters of the ball, the groove and gravity, as members of Sys.
template <class Sys>
std::array<Parameter<Sys>, 6> groove_ball_parameters() {
  constexpr Range sphere{.low = 0.0, .high = 2.0 / 3.0, .low_open = true};
  constexpr Range acute{.low = 0.0, .high = M_PI_2, .low_open = true, .high_open = true};
  constexpr Range any_slope{.low = -M_PI_2, .high = M_PI_2};
  return {{{"mass", &Sys::mass, "kg", "mass of the ball", positive},
           {"radius", &Sys::radius, "m", "radius of the ball", positive},
           {"inertia_ratio", &Sys::inertia_ratio, "1",
            "moment of inertia over m r^2 (2/5 homogeneous ball, 2/3 hollow sphere)", sphere},
           {"half_angle", &Sys::half_angle, "rad",
            "angle of the contact normals from the plane of symmetry of the groove", acute},
           {"slope", &Sys::slope, "rad", "inclination of the groove", any_slope},
           {"gravity", &Sys::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

}  // namespace rigidlimit
