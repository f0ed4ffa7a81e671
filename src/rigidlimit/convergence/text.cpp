#include "rigidlimit/convergence/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

std::string with_bar(double value, double bar) {
  if (!(bar > 0.0)) return fmt::format("{:.6g}", value);
  const std::string rounded = fmt::format("{:.0e}", bar);
  const std::size_t e = rounded.find('e');  // none: infinity
  const int decimals = e == std::string::npos ? 0 : -std::stoi(rounded.substr(e + 1));
  return fmt::format("{} ± {}", fixed_text(value, std::clamp(decimals, 2, 9)), rounded);
}

std::string fixed_text(double x, int digits) {
  const std::string text = fmt::format("{:.{}f}", x, digits);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string order_text(double order) {
  const std::string text = fmt::format("{:.3f}", order);
  return std::isnan(order) ? "-" : text == "-0.000" ? "0.000" : text;
}

}  // namespace rigidlimit
