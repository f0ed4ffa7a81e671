#include "rigidlimit/convergence/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

constexpr int fewest_decimals = 2, most_decimals = 9;

/// `value` to the decimal in which its error bar has its first digit.
std::string rounded_at(int decimals, double value) {
  if (std::abs(value) < 0.5 * std::pow(10.0, -decimals)) return "0";
  std::string text = fixed_text(value, std::clamp(decimals, fewest_decimals, most_decimals));
  if (text.find_first_of("123456789") != std::string::npos) return text;
  // Smaller than the last decimal, and known: as many digits as the bar allows.
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}e}", value, std::clamp(decimals + exponent, 0, most_decimals));
}

}  // namespace

std::string with_bar(double value, double bar) {
  if (!(bar > 0.0)) return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value);
  const std::string rounded = fmt::format("{:.0e}", bar);
  const std::size_t e = rounded.find('e');
  const std::string text = e == std::string::npos  // infinity
                               ? fixed_text(value, fewest_decimals)
                               : rounded_at(-std::stoi(rounded.substr(e + 1)), value);
  return fmt::format("{} ± {}", text, rounded);
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
