#include "rigidlimit/core/valid_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

Range valid_range(const Range& declared) {
  Range range = declared;
  if (declared.low == 0.0 && declared.low_open) {
    range.low = 1.0 / largest_magnitude;
    range.low_open = false;
  }
  range.low = std::max(range.low, -largest_magnitude);
  range.high = std::min(range.high, largest_magnitude);
  return range;
}

std::string fault_in(const std::vector<Component>& components, const VectorXd& values) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Range range = valid_range(components[i].range);
    if (!range.contains(values(static_cast<Index>(i))))
      return fmt::format("{} must be {}", components[i].name, range.text());
  }
  return {};
}

VectorXd completed(const std::vector<Component>& components, std::vector<double> given) {
  while (given.size() < components.size()) {
    const Range& range = components[given.size()].range;
    if (range.low != range.high) break;
    given.push_back(range.low);
  }
  return Eigen::Map<const VectorXd>(given.data(), static_cast<Index>(given.size()));
}

const ParameterInfo* unusual_parameter(const std::vector<ParameterInfo>& parameters,
                                       const std::vector<double>& values) {
  const ParameterInfo* found = nullptr;
  double farthest = 1e6;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double usual = std::abs(parameters[i].default_value), value = std::abs(values[i]);
    // For a default of 0 the scale is 1; the value 0 is infinitely far from another default.
    const double factor = value == usual ? 1.0
                          : usual == 0.0 ? value
                                         : std::max(value / usual, usual / value);
    if (!(factor > farthest)) continue;
    farthest = factor;
    found = &parameters[i];
  }
  return found;
}

}  // namespace rigidlimit
