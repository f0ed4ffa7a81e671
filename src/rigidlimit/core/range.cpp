#include "rigidlimit/core/range.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rigidlimit {

bool Range::contains(double x) const {
  if (!std::isfinite(x)) return false;
  const bool above = low_open ? x > low : x >= low;
  const bool below = high_open ? x < high : x <= high;
  return above && below;
}

std::string Range::text() const {
  const bool bounded_below = std::isfinite(low);
  const bool bounded_above = std::isfinite(high);
  std::string from = fmt::format("{} {}", low_open ? ">" : ">=", low);
  std::string to = fmt::format("{} {}", high_open ? "<" : "<=", high);
  if (low == high) return fmt::format("{}", low);
  if (bounded_below && bounded_above) return from + " and " + to;
  if (bounded_below) return from;
  if (bounded_above) return to;
  return "any finite number";
}

}  // namespace rigidlimit
