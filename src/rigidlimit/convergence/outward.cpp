#include "rigidlimit/convergence/outward.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

namespace rigidlimit {
namespace {

constexpr int most_digits = 17;

/// All digits of a finite number: digit k counts 10^(exponent − k).
class ExactDecimal {
 public:
  explicit ExactDecimal(double x) : negative_(std::signbit(x)) {
    constexpr int most = 767;  // significant digits of a double
    const std::string text = fmt::format("{:.{}e}", std::abs(x), most - 1);
    const std::size_t e = text.find('e');
    digits_ = text.substr(0, 1) + text.substr(2, e - 2);
    exponent_ = std::stoi(text.substr(e + 1));
  }

  int exponent() const { return exponent_; }

  /// The largest integer ≤ x/10^unit, of at most 18 digits.
  std::int64_t floor(int unit) const { return negative_ ? -cut(unit, true) : cut(unit, false); }
  /// The least integer ≥ x/10^unit.
  std::int64_t ceiling(int unit) const { return negative_ ? -cut(unit, false) : cut(unit, true); }

 private:
  /// |x|/10^unit without its fraction, plus 1 for a fraction if `up`.
  std::int64_t cut(int unit, bool up) const {
    const auto whole = static_cast<std::size_t>(std::max(exponent_ - unit + 1, 0));
    const bool has_fraction = digits_.find_first_not_of('0', whole) != std::string::npos;
    return (whole > 0 ? std::stoll(digits_.substr(0, whole)) : 0) + (up && has_fraction ? 1 : 0);
  }

  bool negative_;
  std::string digits_;
  int exponent_ = 0;
};

/// count · 10^unit, with all its digits.
struct Decimal {
  std::int64_t count = 0;
  int unit = 0;

  /// Without zeros at the end; in plain notation those left of the point stay.
  Decimal shortened(Notation notation) const {
    Decimal result = *this;
    while (result.count != 0 && result.count % 10 == 0 &&
           (notation == Notation::scientific || result.unit < 0)) {
      result.count /= 10;
      ++result.unit;
    }
    return result;
  }

  std::string text(Notation notation) const {
    if (count == 0) return "0";
    const std::string sign = count < 0 ? "-" : "", digits = fmt::format("{}", std::abs(count));
    const int size = static_cast<int>(digits.size()), exponent = unit + size - 1;
    constexpr int least_plain = -4;
    if (notation == Notation::scientific || exponent < least_plain || unit > 0)
      return fmt::format("{}{}{}{}e{:+03d}", sign, digits[0], size > 1 ? "." : "", digits.substr(1),
                         exponent);
    if (unit == 0) return sign + digits;
    const std::string all =
        std::string(static_cast<std::size_t>(std::max(-exponent, 0)), '0') + digits;
    const std::size_t point = all.size() - static_cast<std::size_t>(-unit);
    return fmt::format("{}{}.{}", sign, all.substr(0, point), all.substr(point));
  }
};

/// The exponent of the unit with so many digits up to the first one of x.
int unit_of(const ExactDecimal& x, int digits) {
  return x.exponent() - (digits - 1);
}

template <class Round>
std::string rounded(double x, int digits, Notation notation, const Round& round) {
  if (std::isnan(x)) return "-";
  if (std::isinf(x)) return fmt::format("{}", x);
  if (digits < 1 || digits > most_digits)
    throw std::invalid_argument(
        fmt::format("{} digits: 1 to {} are possible", digits, most_digits));
  const ExactDecimal exact(x);
  const int unit = unit_of(exact, digits);
  return Decimal{round(exact, unit), unit}.shortened(notation).text(notation);
}

}  // namespace

std::string outward_text(const ProvedInterval& proved, Notation notation) {
  const auto& [lower, upper] = proved;
  if (!std::isfinite(lower) || !std::isfinite(upper)) return "-";
  if (lower > upper)
    throw std::invalid_argument(fmt::format("no interval: [{}, {}]", lower, upper));
  const ExactDecimal low(lower), high(upper);
  int unit = unit_of(std::abs(lower) > std::abs(upper) ? low : high, most_digits);
  const auto radius_in = [&](int one) { return (high.ceiling(one) - low.floor(one) + 1) / 2; };
  while (radius_in(unit) > 9) ++unit;
  const Decimal radius{radius_in(unit), unit}, middle{high.ceiling(unit) - radius.count, unit};
  const Decimal shown = radius.count == 0 ? middle.shortened(notation) : middle;
  return fmt::format("{} ± {}", shown.text(notation), radius.text(notation));
}

std::string rounded_up(double x, int digits, Notation notation) {
  return rounded(x, digits, notation,
                 [](const ExactDecimal& exact, int unit) { return exact.ceiling(unit); });
}

std::string rounded_down(double x, int digits, Notation notation) {
  return rounded(x, digits, notation,
                 [](const ExactDecimal& exact, int unit) { return exact.floor(unit); });
}

}  // namespace rigidlimit
