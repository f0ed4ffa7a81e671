// Published reference values as text, which keeps their digits and the number of digits.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"

namespace rigidlimit {

/// A printed decimal number, "-0.4736886750784630e-2".
struct PrintedNumber {
  std::string text;

  Quad value() const;      ///< rounded to 113 bits; throws InputError if the text is not a number
  Quad half_unit() const;  ///< half a unit of the last printed digit: the rounding error
};

/// The decimal number behind a double: the shortest one that rounds to it, in R = double or Quad.
/// Gives a coefficient as its source prints it.
template <class R>
R as_printed(double coefficient);

/// The values of a solution at the end of the interval, as one source prints them.
struct PublishedSolution {
  std::string source;                 ///< publication, and how it computed them
  std::vector<PrintedNumber> values;  ///< one per unknown; empty text: not given

  /// Digits of each unknown that agree with the certified reference, rounded down, by
  /// agreeing_digits(): a measured property of the source. If it is less than the number of printed
  /// digits, the remaining digits are wrong.
  std::vector<int> confirmed;
};

/// Significant digits to which `ours` and the printed value agree: −log10 |ours − printed| /
/// |printed|, at most the number of printed digits (full agreement: to within half a unit of the
/// last).
double agreeing_digits(const Quad& ours, const PrintedNumber& printed);

}  // namespace rigidlimit
