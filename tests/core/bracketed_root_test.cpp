// Tests the contract of the search for a change of sign by random functions and brackets.
#include "rigidlimit/core/bracketed_root.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace rigidlimit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double denormal = std::numeric_limits<double>::denorm_min();

/// A function with a change of sign at `root`; `kind` selects its shape, `factor` its size and
/// sign.
struct Function {
  int kind;
  double root, factor;

  static constexpr int kinds = 10;
  double operator()(double t) const {
    const double x = t - root;
    switch (kind) {
      case 0: return factor * x;                  // linear
      case 1: return factor * t - factor * root;  // linear, rounded otherwise
      case 2: return factor * x * x * x;          // flat at the root
      case 3: return factor * std::copysign(std::pow(std::abs(x), 1e-3), x);  // steep at the root
      case 4: return std::copysign(denormal, factor * x);  // a step of denormal height
      case 5: return std::copysign(infinity, factor * x);  // a step, infinite values
      case 6: return factor * std::expm1(200.0 * x);       // flat on the left
      case 7: return std::abs(x) < 1e-3 * std::abs(root) ? 0.0 : factor * x;  // 0 on an interval
      case 8:
        return factor * (x < 0.0 ? x : std::max(x, 1e-9 * std::abs(root)));  // flat, then linear
      default: return denormal * std::round(8.0 * x / root) * std::copysign(1.0, factor);
    }
  }
};

/// A random number of random magnitude and sign; denormal or zero now and then.
template <class Generator>
double random_number(Generator& generator) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::uniform_int_distribution<int> choice(0, 9);
  switch (choice(generator)) {
    case 0: return 0.0;
    case 1: return denormal * std::round(100.0 * unit(generator));
    case 2: return std::round(10.0 * unit(generator));
    case 3: return unit(generator) * std::pow(10.0, 300.0 * unit(generator));
    default: return unit(generator);
  }
}

bool contract_holds(const Function& f, double low, double high, const RootBracket& found,
                    const NarrowEnough& narrow) {
  if (!std::isfinite(found.low) || !std::isfinite(found.high)) return false;
  if (!(low <= found.low && found.low <= found.high && found.high <= high)) return false;
  if (found.low == found.high) return f(found.low) == 0.0;
  const double a = f(found.low), b = f(found.high);
  const bool opposite = (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
  return opposite && std::signbit(a) == std::signbit(f(low)) &&
         (narrow(found.low, found.high) || std::nextafter(found.low, infinity) == found.high);
}

// The contract is exact: no tolerance.
TEST(BracketedRoot, ContractHoldsForRandomFunctionsAndBrackets) {
  std::mt19937_64 generator(74);
  std::uniform_int_distribution<int> kind(0, Function::kinds - 1), width(0, 2);
  const NarrowEnough widths[] = {are_equal_to_last_digits, [](double, double) { return false; },
                                 [](double a, double b) { return b - a <= 1e-9; }};
  int brackets = 0, most = 0;
  while (brackets < 100'000) {
    double low = random_number(generator), high = random_number(generator);
    if (low > high) std::swap(low, high);
    std::uniform_real_distribution<double> place(0.0, 1.0);
    const Function f{kind(generator), low + place(generator) * (high - low),
                     random_number(generator)};
    const double f_low = f(low), f_high = f(high);
    if (!((f_low <= 0.0 && f_high >= 0.0) || (f_low >= 0.0 && f_high <= 0.0))) continue;
    if (low == high && f_low != 0.0) continue;  // [-0, 0] and a step between them
    ++brackets;
    int evaluations = 0;
    const auto counted = [&](double t) {
      ++evaluations;
      return f(t);
    };
    const NarrowEnough& narrow = widths[width(generator)];
    const RootBracket found = bracketed_root(counted, low, high, f_low, f_high, narrow);
    most = std::max(most, evaluations);
    ASSERT_TRUE(contract_holds(f, low, high, found, narrow))
        << "kind " << f.kind << ", root " << f.root << ", factor " << f.factor << ", [" << low
        << ", " << high << "] gives [" << found.low << ", " << found.high << "]";
  }
  EXPECT_LE(most, most_root_evaluations);
}

// Control: a bracket beside the change of sign, a wide one, one outside, and NaN are noticed.
TEST(BracketedRoot, CheckOfTheContractNoticesWrongBrackets) {
  const Function f{0, 1.0 / 3.0, 2.0};
  const RootBracket good = bracketed_root(f, 0.0, 1.0);
  const NarrowEnough narrow = are_equal_to_last_digits;
  EXPECT_TRUE(contract_holds(f, 0.0, 1.0, good, narrow));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const RootBracket& wrong :
       {RootBracket{good.high, good.high + 1e-16}, RootBracket{0.0, good.high},
        RootBracket{good.low, 2.0}, RootBracket{nan, nan}, RootBracket{0.5, 0.5}})
    EXPECT_FALSE(contract_holds(f, 0.0, 1.0, wrong, narrow)) << wrong.low << " " << wrong.high;
}

// A linear f has its root after two evaluations, up to a few of its last digits: a search that
// falls back to bisection needs some 50.
TEST(BracketedRoot, LinearFunctionsNeedFewEvaluations) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> unit(0.1, 1.0);
  constexpr int cases = 10'000;
  long all = 0;
  for (int k = 0; k < cases; ++k) {
    const double root = unit(generator), slope = unit(generator);
    const auto f = [&](double t) {
      ++all;
      return slope * (t - root);
    };
    const RootBracket found = bracketed_root(f, 0.0, 1.5);
    EXPECT_NEAR(found.high, root, 1e-15);  // 4 ε of a root below 1 is 9e-16
  }
  EXPECT_LT(all, 10L * cases);
}

TEST(BracketedRoot, ZeroAtAnEndIsExactAndNeedsNoEvaluation) {
  const auto refused = [](double) -> double { throw std::logic_error("evaluated"); };
  for (const double other : {-1.0, 0.0, 1.0, infinity}) {
    const RootBracket at_low = bracketed_root(refused, 2.0, 3.0, 0.0, other);
    EXPECT_TRUE(at_low.low == 2.0 && at_low.high == 2.0);
    if (other == 0.0) continue;
    const RootBracket at_high = bracketed_root(refused, 2.0, 3.0, other, -0.0);
    EXPECT_TRUE(at_high.low == 3.0 && at_high.high == 3.0);
  }
}

TEST(BracketedRoot, NanInsideEndsTheSearchWithAFiniteBracket) {
  const auto f = [](double t) {
    return t > 0.4 && t < 0.6 ? std::numeric_limits<double>::quiet_NaN() : t - 0.5;
  };
  const RootBracket found = bracketed_root(f, 0.0, 1.0);
  EXPECT_TRUE(found.low >= 0.0 && found.high <= 1.0 && f(found.low) < 0.0 && f(found.high) > 0.0);
}

TEST(BracketedRoot, RefusesEndsWithoutAChangeOfSign) {
  const auto f = [](double t) { return t; };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(bracketed_root(f, 1.0, 2.0), std::invalid_argument);
  EXPECT_THROW(bracketed_root(f, 1.0, 1.0, -1.0, 1.0), std::invalid_argument);
  EXPECT_THROW(bracketed_root(f, 1.0, -1.0), std::invalid_argument);
  EXPECT_THROW(bracketed_root(f, -infinity, 1.0), std::invalid_argument);
  EXPECT_THROW(bracketed_root(f, -1.0, 1.0, nan, 1.0), std::invalid_argument);
  EXPECT_THROW(bracketed_root(f, nan, 1.0, -1.0, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace rigidlimit
