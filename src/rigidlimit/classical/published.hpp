// Reference values as they are printed: text, so that neither their digits nor their number is
// lost.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"

namespace rigidlimit {

/// A printed decimal number, "-0.4736886750784630e-2".
struct PrintedNumber {
  std::string text;

  Quad value() const;      ///< rounded to 113 bits; throws InputError if the text is no number
  Quad half_unit() const;  ///< half a unit of the last printed digit: what rounding may hide
};

/// The decimal number that a double rounds: the shortest one that it is nearest to, in R = double
/// or Quad. A coefficient as its source prints it.
template <class R>
R as_printed(double coefficient);

/// The values of a solution at the end of the interval, as one source prints them.
struct PublishedSolution {
  std::string source;                 ///< publication, and how it computed them
  std::vector<PrintedNumber> values;  ///< of each unknown; an empty text: not given

  /// Digits that agree with our certified reference, of each unknown, rounded down: a measured
  /// fact about the source, in terms of agreeing_digits(). Where it is less than the number of
  /// printed digits, the rest of them is not right.
  std::vector<int> confirmed;
};

/// Significant digits to which `ours` and the printed value agree: −log10 |ours − printed| /
/// |printed|, at most the number of printed digits (full agreement: to within half a unit of the
/// last).
double agreeing_digits(const Quad& ours, const PrintedNumber& printed);

}  // namespace rigidlimit
