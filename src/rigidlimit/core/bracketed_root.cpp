#include "rigidlimit/core/bracketed_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace rigidlimit {
namespace {

/// Consecutive doubles have consecutive numbers; both zeros have the number 0.
std::int64_t number_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double with_number(std::int64_t number) {
  return std::bit_cast<double>(number >= 0 ? number
                                           : std::numeric_limits<std::int64_t>::min() - number);
}

/// The bracket that follows from all evaluations so far.
class Search {
 public:
  Search(const std::function<double(double)>& f, const NarrowEnough& narrow, RootBracket bracket,
         double f_low, double f_high)
      : f_(f), narrow_(narrow), bracket_(bracket), f_low_(f_low), f_high_(f_high) {
    if (f_low == 0.0)
      bracket_.high = bracket.low;
    else if (f_high == 0.0)
      bracket_.low = bracket.high;
  }

  /// Algorithm 748. The value 0 ends it: where the bracket is narrow enough, and where the next
  /// point is not inside the bracket, for example NaN.
  void interpolate() {
    const auto watched = [this](double t) {
      const bool inside = t > bracket_.low && t < bracket_.high;
      if (!inside || ended()) return 0.0;
      return evaluate(t);
    };
    if (ended()) return;
    std::uintmax_t most = most_root_evaluations - 64;
    boost::math::tools::toms748_solve(
        watched, bracket_.low, bracket_.high, f_low_, f_high_,
        [this](double, double) { return ended(); }, most);
  }

  void bisect() {
    while (!ended()) {
      const double middle =
          with_number(std::midpoint(number_of(bracket_.low), number_of(bracket_.high)));
      if (!(middle > bracket_.low && middle < bracket_.high)) return;  // neighbours
      evaluate(middle);
    }
  }

  RootBracket bracket() const { return bracket_; }

 private:
  bool ended() const {
    return undefined_ || bracket_.low == bracket_.high || narrow_(bracket_.low, bracket_.high);
  }

  /// f(t), of a t inside the bracket, which becomes narrower.
  double evaluate(double t) {
    const double value = f_(t);
    undefined_ = std::isnan(value);
    if (undefined_) return 0.0;
    if (value == 0.0)
      bracket_ = {t, t};
    else
      (std::signbit(value) == std::signbit(f_low_) ? bracket_.low : bracket_.high) = t;
    return value;
  }

  const std::function<double(double)>& f_;
  const NarrowEnough& narrow_;
  RootBracket bracket_;
  double f_low_, f_high_;  ///< at the given ends: signs alone count later
  bool undefined_ = false;
};

}  // namespace

bool are_equal_to_last_digits(double low, double high) {
  return high - low <=
         4.0 * std::numeric_limits<double>::epsilon() * std::min(std::abs(low), std::abs(high));
}

RootBracket bracketed_root(const std::function<double(double)>& f, double low, double high,
                           double f_low, double f_high, const NarrowEnough& narrow) {
  const bool opposite = (f_low <= 0.0 && f_high >= 0.0) || (f_low >= 0.0 && f_high <= 0.0);
  if (!(std::isfinite(low) && std::isfinite(high) && low <= high && opposite) ||
      (low == high && f_low != 0.0 && f_high != 0.0))
    throw std::invalid_argument(fmt::format("no change of sign between f({}) = {} and f({}) = {}",
                                            low, f_low, high, f_high));
  Search search(f, narrow, {low, high}, f_low, f_high);
  search.interpolate();
  search.bisect();
  return search.bracket();
}

RootBracket bracketed_root(const std::function<double(double)>& f, double low, double high,
                           const NarrowEnough& narrow) {
  return bracketed_root(f, low, high, f(low), f(high), narrow);
}

}  // namespace rigidlimit
