// Proved numbers as decimals that are rounded outward: the printed text claims no more than the
// proof.
#pragma once

#include <string>

namespace rigidlimit {

/// A proof says that a number lies in [lower, upper].
struct ProvedInterval {
  double lower = 0.0, upper = 0.0;
};

/// plain: 0.0123, with a power of ten only below 1e-4 or if the last digit is left of the point;
/// scientific: 1.23e-02.
enum class Notation { plain, scientific };

/// "4.32793400 ± 2e-08": the numbers within the radius of the middle, read as exact decimals,
/// contain the interval. The radius has one digit, and the middle ends at the same place, after at
/// most 17 digits. A single number of at most 17 digits is printed as "5 ± 0". An end that is not
/// finite gives "-". Throws std::invalid_argument if lower > upper.
std::string outward_text(const ProvedInterval& proved, Notation notation);

/// The least decimal ≥ x, or the largest one ≤ x, with at most so many digits (1 to 17), without
/// zeros at the end. NaN gives "-".
std::string rounded_up(double x, int digits, Notation notation = Notation::plain);
std::string rounded_down(double x, int digits, Notation notation = Notation::plain);

}  // namespace rigidlimit
