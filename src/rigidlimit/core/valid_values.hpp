// Named values with units and valid ranges: parameters and coordinates.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/range.hpp"

namespace rigidlimit {

/// A generalised coordinate, velocity or contact component.
struct Component {
  std::string name;
  std::string unit;             ///< of values in memory and in results: of SI
  Range range = any_finite;     ///< along the motion; that of a clock: at the start
  std::string given_unit = {};  ///< of numbers in files and options; empty: `unit`
  /// The time as a coordinate of a system with surfaces that move, its rate, or a derivative of
  /// them. Users do not see it (core/visible_components.hpp).
  bool is_clock = false;
};

/// A physical parameter. Its values, default and range are in `unit`, as they were given; formulas
/// take them in SI (systems/text/system_formulas.hpp).
struct ParameterInfo {
  std::string name;
  std::string unit;
  std::string text;
  double default_value = 0.0;
  Range range = any_finite;
};

/// The largest magnitude of a physical value in SI units; 1/largest_magnitude is the smallest. Its
/// fifth power and the product of a few such values stay in the range of a double, as required by
/// mass matrices, their inverses and the coefficients of the expansion. The sun has 2e30 kg, an
/// electron 9e-31 kg.
inline constexpr double largest_magnitude = 1e40;

/// The longest motion, s, thirty years. For a contact of 1 kg and 1 N/m this is about 1e9
/// oscillations, which is also the maximum of steps of a solve.
inline constexpr double longest_time = 1e9;

/// Range of a duration in a study, s.
inline constexpr Range valid_time{.low = 0.0, .high = longest_time, .low_open = true};

/// Range of ε: beyond it, ε² or ε^(−β) leaves the range of a double.
inline constexpr Range valid_epsilon{.low = 1e-50, .high = 1e6};

/// Ranges of a stiffness, a damping or another physical value: without 0, and with 0.
inline constexpr Range positive_magnitude{.low = 1.0 / largest_magnitude,
                                          .high = largest_magnitude};
inline constexpr Range magnitude_or_zero{.low = 0.0, .high = largest_magnitude};
inline constexpr Range signed_magnitude{.low = -largest_magnitude, .high = largest_magnitude};

/// `declared` restricted to magnitudes that a computation can handle: |x| ≤ 1e40, and x ≥ 1e-40 if
/// x > 0 is required.
Range valid_range(const Range& declared);

/// Numbers of files and options, in the given units of the components, as values in SI, and back.
/// Both have one number for each of `components`.
VectorXd si_values(const std::vector<Component>& components, VectorXd given);
VectorXd given_values(const std::vector<Component>& components, VectorXd si);

/// The unit of a component's numbers in files and options.
const std::string& given_unit_of(const Component& component);

/// "> -90 and < 90 deg": the range of a component in its given unit, restricted as by
/// valid_range(); without the unit if that is `unit`.
std::string range_text(const Component& component);

/// "tilt must be > -1.57 and < 1.57", for the first value that is not a number in the range of its
/// component; empty if all are valid. `values` has one for each.
std::string fault_in(const std::vector<Component>& components, const VectorXd& values);

/// The parameter furthest from its default, by more than a factor of a million: the first suspect
/// if a system cannot be computed. nullptr if there is none. `values` has one for each of
/// `parameters`.
const ParameterInfo* unusual_parameter(const std::vector<ParameterInfo>& parameters,
                                       const std::vector<double>& values);

}  // namespace rigidlimit
