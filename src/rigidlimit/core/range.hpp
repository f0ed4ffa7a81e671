// Valid interval of a number.
#pragma once

#include <limits>
#include <string>

namespace rigidlimit {

/// low ≤ x ≤ high; an open end is excluded. NaN and ±∞ are outside every range.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  bool contains(double x) const;
  /// "> 0", "> 0 and <= 1", "any finite number".
  std::string text() const;
};

inline constexpr Range any_finite{};
inline constexpr Range positive{.low = 0.0, .low_open = true};
inline constexpr Range non_negative{.low = 0.0};

}  // namespace rigidlimit
