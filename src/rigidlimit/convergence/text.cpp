#include "rigidlimit/convergence/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

std::string with_bar(double value, double bar) {
  if (!(bar > 0.0)) return fmt::format("{:.6g}", value);
  const int digits =
      std::isfinite(bar) ? std::clamp(1 - static_cast<int>(std::floor(std::log10(bar))), 1, 6) : 1;
  return fmt::format("{:.{}f} ± {:.1g}", value, digits, bar);
}

std::string order_text(double order) {
  const std::string text = fmt::format("{:.3f}", order);
  return std::isnan(order) ? "-" : text == "-0.000" ? "0.000" : text;
}

}  // namespace rigidlimit
