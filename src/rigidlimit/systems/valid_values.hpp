// What may be put in for a parameter and a coordinate, beyond what a system itself declares.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/mechanics/description.hpp"

namespace rigidlimit {

/// The largest magnitude of a physical value in SI units; 1/largest_magnitude is the smallest. Its
/// fifth power and the product of a few such values stay in the range of a double, which is what
/// mass matrices, their inverses and the coefficients of the expansion are made of. The sun has
/// 2e30 kg, an electron 9e-31 kg.
inline constexpr double largest_magnitude = 1e40;

/// The longest motion, s, thirty years; of a contact of a kilogram and a newton a metre some 1e9
/// oscillations, which is also the most steps that a solve may take.
inline constexpr double longest_time = 1e9;

/// Of a length of time that a study gives, s.
inline constexpr Range valid_time{.low = 0.0, .high = longest_time, .low_open = true};

/// Of ε: beyond, ε² or ε^(−β) leaves the range of a double.
inline constexpr Range valid_epsilon{.low = 1e-50, .high = 1e6};

/// Of a stiffness, a damping or another physical value that must not be 0, or may be.
inline constexpr Range positive_magnitude{.low = 1.0 / largest_magnitude,
                                          .high = largest_magnitude};
inline constexpr Range magnitude_or_zero{.low = 0.0, .high = largest_magnitude};
inline constexpr Range signed_magnitude{.low = -largest_magnitude, .high = largest_magnitude};

/// `declared` without the magnitudes that no computation survives: |x| ≤ 1e40, and x ≥ 1e-40 where
/// x > 0 is asked for.
Range valid_range(const Range& declared);

/// "tilt must be > -1.57 and < 1.57", of the first value that is not a number in the range of its
/// component; empty where all are. `values` has one for each.
std::string fault_in(const std::vector<Component>& components, const VectorXd& values);

/// The parameter that lies farthest from its default, by more than a factor of a million: whoever
/// must say that a system cannot be computed with begins there. nullptr if there is none. `values`
/// has one for each of `parameters`.
const ParameterInfo* unusual_parameter(const std::vector<ParameterInfo>& parameters,
                                       const std::vector<double>& values);

}  // namespace rigidlimit
