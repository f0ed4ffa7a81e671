// Units of measurement, read by UDUNITS-2: "N s/m", "kg m^2", "mm", "deg".
#pragma once

#include <memory>
#include <optional>
#include <string>

union ut_unit;  // NOLINT(readability-identifier-naming): of UDUNITS

namespace rigidlimit {

/// A product of powers of units, with a factor. Plane angles have no dimension: rad/s and 1/s are
/// alike.
class Unit {
 public:
  /// "1".
  Unit();
  /// Throws InputError for an unknown unit, with a suggestion: "kg m^2" for "kgm2"; for a unit
  /// whose value 0 is not the value 0 of SI, or that is logarithmic ("degC", "dB"); for a factor
  /// beyond 1e±40; for more than 80 characters, and for control characters.
  explicit Unit(const std::string& text);

  friend Unit operator*(const Unit& a, const Unit& b);
  friend Unit operator/(const Unit& a, const Unit& b);
  /// The power p; empty: its exponents would not be whole numbers.
  std::optional<Unit> power(double p) const;

  /// Whether a value in one unit can be expressed in the other.
  bool is_convertible_to(const Unit& other) const;
  /// The number of `other` in one of this unit. Throws InputError if it is not convertible.
  double in(const Unit& other) const;
  /// The value in SI of the number 1 in this unit: 1e-3 for "mm".
  double si_factor() const;
  /// Its dimension as mechanics names it: "J", "N m", "kg m^2", "1/s"; "rad" is kept.
  std::string text() const;

 private:
  explicit Unit(ut_unit* owned);
  std::shared_ptr<ut_unit> unit_;
};

/// The message about an unknown unit; empty: the unit is known.
std::string fault_in_unit(const std::string& text);

}  // namespace rigidlimit
