#include "rigidlimit/core/valid_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/given_unit.hpp"

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

VectorXd si_values(const std::vector<Component>& components, VectorXd given) {
  for (Index k = 0; k < given.size(); ++k) {
    const Component& one = components.at(static_cast<std::size_t>(k));
    if (!one.given_unit.empty()) given(k) = value_in_si(given(k), one.given_unit);
  }
  return given;
}

VectorXd given_values(const std::vector<Component>& components, VectorXd si) {
  for (Index k = 0; k < si.size(); ++k) {
    const Component& one = components.at(static_cast<std::size_t>(k));
    if (!one.given_unit.empty()) si(k) = given_value(si(k), one.given_unit);
  }
  return si;
}

const std::string& given_unit_of(const Component& component) {
  return component.given_unit.empty() ? component.unit : component.given_unit;
}

std::string range_text(const Component& component) {
  Range range = valid_range(component.range);
  if (component.given_unit.empty()) return range.text();
  for (double* const end : {&range.low, &range.high})
    *end = given_value(*end, component.given_unit);
  return fmt::format("{} {}", range.text(), component.given_unit);
}

std::string fault_in(const std::vector<Component>& components, const VectorXd& values) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (!valid_range(components[i].range).contains(values(static_cast<Index>(i))))
      return fmt::format("{} must be {}", components[i].name, range_text(components[i]));
  }
  return {};
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
