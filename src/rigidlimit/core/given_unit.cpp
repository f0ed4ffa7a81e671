#include "rigidlimit/core/given_unit.hpp"

#include <fmt/format.h>

#include <charconv>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/letters.hpp"
#include "rigidlimit/core/units.hpp"

namespace rigidlimit {

namespace {

bool is_unit_letter(char c) {
  // Bytes of UTF-8, as in "µm" and "°", belong to names.
  return is_letter(c) || c == '_' || (c & 0x80) != 0;
}

/// The text with the unit of SI in place of each name: "m/s" for "km/h".
std::string renamed(const std::string& unit) {
  std::string all;
  for (std::size_t at = 0; at < unit.size();) {
    std::size_t end = at;
    while (end < unit.size() && is_unit_letter(unit[end])) ++end;
    if (end == at) {
      all += unit[at++];
      continue;
    }
    const Unit name(unit.substr(at, end - at));
    all += name.si_factor() == 1.0 ? unit.substr(at, end - at) : name.text();
    at = end;
  }
  return all;
}

bool is_si_text_of(const std::string& text, const Unit& unit) {
  const Unit read(text);
  return read.si_factor() == 1.0 && read.text() == unit.text();
}

}  // namespace

double value_in_si(double given, const std::string& unit) {
  return given * Unit(unit).si_factor();
}

double given_value(double si, const std::string& unit) {
  const double factor = Unit(unit).si_factor();
  if (factor == 1.0) return si;
  const double exact = si / factor;
  for (int digits = 1; digits <= 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", exact, digits);
    double rounded = exact;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    if (rounded * factor == si) return rounded;
  }
  return exact;
}

double quantity_in_si(const std::string& text, const std::string& unit) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, bad] = std::from_chars(text.data(), end, number);
  if (bad != std::errc())
    throw InputError(fmt::format("must be a number with or without a unit, as 2 or 2 {}", unit));
  const std::string own(rest, end);
  if (own.find_first_not_of(' ') == std::string::npos) return number;
  const Unit given(own), wanted(unit);
  if (!given.is_convertible_to(wanted))
    throw InputError(fmt::format("'{}' is not a unit of a size in {}", own, unit));
  return number * given.in(wanted);
}

Range si_range(Range given, const std::string& unit) {
  given.low = value_in_si(given.low, unit);
  given.high = value_in_si(given.high, unit);
  return given;
}

std::string si_unit(const std::string& unit) {
  const Unit given(unit);
  if (given.si_factor() == 1.0) return unit;
  try {
    const std::string text = renamed(unit);
    if (is_si_text_of(text, given)) return text;
  } catch (const InputError&) {
    // A name alone, or its word, need not be a unit: "lbf-ft" has a name with a hyphen.
  }
  return given.text();
}

std::string rate_unit(const std::string& unit) {
  const bool blank = unit.find_first_not_of(' ') == std::string::npos;
  return blank || unit == "1" ? "1/s" : unit + "/s";
}

}  // namespace rigidlimit
