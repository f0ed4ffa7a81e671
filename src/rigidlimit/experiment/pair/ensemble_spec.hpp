// [ensemble]: many motions of one rolling study, from other starts and with other parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// [[ensemble.vary]]: a number of the file that differs between members, and its distribution.
struct VariedNumber {
  enum class Of { coordinate, velocity, parameter, damping_ratio };
  enum class Spread { uniform, log_uniform, normal, values };

  std::string key;  ///< "initial.v.u", "system.mass"
  Of of = Of::velocity;
  std::size_t index = 0;    ///< of the coordinate, velocity or parameter
  std::string unit = "1";   ///< in which the file gives it
  double unit_value = 1.0;  ///< SI value of 1
  Spread spread = Spread::uniform;
  /// In the unit: both ends; mean and standard deviation; or a value for each member.
  std::vector<double> numbers{};

  /// The value of member number k = 1, 2, … in the unit. It depends on seed, key and k alone, so
  /// that a member stays the same if there are more members or more varied numbers.
  double drawn(long seed, std::size_t member) const;
};

const char* name_of(VariedNumber::Spread spread);  ///< "uniform", "log_uniform", …

struct EnsembleSpec {
  long members = 0;  ///< without member 0, the study itself
  long seed = 1;
  std::vector<VariedNumber> vary{};

  /// The system with the varied parameters as last coordinates, in the order of `parameters`.
  System model{};
  std::vector<std::size_t> parameters{};

  /// Number of members, the study itself included.
  std::size_t count() const { return static_cast<std::size_t>(members) + 1; }
};

}  // namespace rigidlimit
