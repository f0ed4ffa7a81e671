#include "rigidlimit/core/departure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/given_unit.hpp"

namespace rigidlimit {

std::string departure(const std::vector<Component>& components, const std::vector<double>& times,
                      const MatrixXd& x) {
  for (Index k = 0; k < x.cols() && k < std::ssize(times); ++k)
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Range& range = components[i].range;
      const double value = x(static_cast<Index>(i), k);
      if (components[i].is_clock || !std::isfinite(value) || range.contains(value)) continue;
      const bool converted = !components[i].given_unit.empty();
      return fmt::format("{} = {:.6g}{} at t = {:.6g} s, and must be {}", components[i].name,
                         converted ? given_value(value, components[i].given_unit) : value,
                         converted ? " " + components[i].given_unit : "",
                         times[static_cast<std::size_t>(k)],
                         converted ? range_text(components[i]) : range.text());
    }
  return {};
}

}  // namespace rigidlimit
