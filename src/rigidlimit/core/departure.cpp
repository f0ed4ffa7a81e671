#include "rigidlimit/core/departure.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rigidlimit {

std::string departure(const std::vector<Component>& components, const std::vector<double>& times,
                      const MatrixXd& x) {
  for (Index k = 0; k < x.cols() && k < std::ssize(times); ++k)
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Range& range = components[i].range;
      const double value = x(static_cast<Index>(i), k);
      if (range.low == range.high || !std::isfinite(value) || range.contains(value)) continue;
      return fmt::format("{} = {:.6g} at t = {:.6g} s, and must be {}", components[i].name, value,
                         times[static_cast<std::size_t>(k)], range.text());
    }
  return {};
}

}  // namespace rigidlimit
