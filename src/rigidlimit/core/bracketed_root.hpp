// The change of sign of a function of one variable, for every caller.
#pragma once

#include <functional>

namespace rigidlimit {

/// Two points between which a function changes its sign; low == high where a zero is exact.
struct RootBracket {
  double low, high;
};

/// Whether a bracket is narrow enough to end a search.
using NarrowEnough = std::function<bool(double low, double high)>;

/// high − low <= 4 units of round-off of the smaller modulus.
bool are_equal_to_last_digits(double low, double high);

/// A bracket of a change of sign of f within [low, high]: f(low) and f(high) are finite or
/// infinite, and have different signs or one of them is 0. No continuity is needed.
///
/// * Both ends of the result are finite and lie in [low, high]. f has different strict signs at
///   them, in the order of the given ends, or f is 0 at the one point of the result.
/// * The result is narrow enough, or its ends are neighbouring doubles. It is wider in one case:
///   f(t) was NaN at some t inside, which ends the search.
/// * f is evaluated at most most_root_evaluations times for any f, and strictly inside the bracket
///   alone.
///
/// Throws std::invalid_argument unless −∞ < low <= high < ∞, the signs are as above, and one value
/// is 0 if low = high.
///
/// By algorithm 748 of ACM (Alefeld, Potra and Shi, ACM TOMS 21, 1995, pp. 327-344). Boost's form of
/// it divides 0 by 0 where f has equal values near an end, as a rounded linear f has, and bisects
/// slowly towards 0. From there on, the representable numbers between the ends are bisected, of
/// which there are fewer than 2⁶⁴.
RootBracket bracketed_root(const std::function<double(double)>& f, double low, double high,
                           double f_low, double f_high,
                           const NarrowEnough& narrow = are_equal_to_last_digits);
/// The same; f is evaluated at both ends as well.
RootBracket bracketed_root(const std::function<double(double)>& f, double low, double high,
                           const NarrowEnough& narrow = are_equal_to_last_digits);

/// 60 of algorithm 748 and 64 bisections.
inline constexpr int most_root_evaluations = 124;

}  // namespace rigidlimit
