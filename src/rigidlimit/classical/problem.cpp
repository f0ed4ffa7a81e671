#include "rigidlimit/classical/problem.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// Mantissa without sign and point, digits behind the point, exponent.
struct Decimal {
  std::string digits;
  int behind_point = 0;
  int exponent = 0;
};

Decimal decimal_of(const std::string& text) {
  const auto wrong = [&] { return InputError("\"" + text + "\" is not a printed number"); };
  Decimal decimal;
  std::size_t i = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  bool behind = false;
  for (; i < text.size() && text[i] != 'e'; ++i) {
    if (text[i] == '.' && !behind) {
      behind = true;
    } else if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
      decimal.digits += text[i];
      decimal.behind_point += behind ? 1 : 0;
    } else {
      throw wrong();
    }
  }
  if (decimal.digits.empty()) throw wrong();
  if (i == text.size()) return decimal;
  std::size_t used = 0;
  const std::string exponent = text.substr(i + 1);
  try {
    decimal.exponent = std::stoi(exponent, &used);
  } catch (const std::logic_error&) {
    throw wrong();
  }
  if (used != exponent.size()) throw wrong();
  return decimal;
}

}  // namespace

Quad PrintedNumber::value() const {
  decimal_of(text);
  return Quad(text);
}

Quad PrintedNumber::half_unit() const {
  const Decimal decimal = decimal_of(text);
  return Quad(0.5) * pow(Quad(10), decimal.exponent - decimal.behind_point);
}

bool PrintedNumber::explains(const Quad& distance, double bar) const {
  return distance <= half_unit() + bar;
}

double agreeing_digits(const Quad& ours, const PrintedNumber& printed) {
  const Quad value = printed.value();
  if (value == 0) throw InputError("a printed 0 has no significant digits");
  // The last of m digits is accurate to half a unit: −log10 would be m − 1 to m, depending on the
  // first digit.
  const Decimal decimal = decimal_of(printed.text);
  const std::size_t first = decimal.digits.find_first_not_of('0');
  const auto most = static_cast<double>(decimal.digits.size() - first);
  const Quad distance = abs(ours - value);
  if (printed.explains(distance)) return most;
  const double digits = -static_cast<double>(log10(distance / abs(value)));
  return digits < most ? digits : most;
}

template <>
double as_printed(double coefficient) {
  return coefficient;
}
template <>
Quad as_printed(double coefficient) {
  return Quad(fmt::format("{}", coefficient));  // fmt prints the shortest text that reads back
}

}  // namespace rigidlimit
