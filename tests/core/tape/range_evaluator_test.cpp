// Tests that the ranges of a tape contain its values.
#include "rigidlimit/core/tape/range_evaluator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

/// A random formula of x, y and earlier results, with every operation of core/tape/operation.hpp.
Expression random_formula(test::RandomNumbers& random, const ExpressionVector& x) {
  std::vector<Expression> known(x.begin(), x.end());
  const auto any = [&] {
    return known[static_cast<std::size_t>(random.uniform(0.0, std::ssize(known)))];
  };
  for (int k = 0; k < 8; ++k) {
    const Expression a = any(), b = any();
    switch (static_cast<int>(random.uniform(0.0, 19.0))) {
      case 0: known.push_back(a + b); break;
      case 1: known.push_back(a - b); break;
      case 2: known.push_back(a * b); break;
      case 3: known.push_back(a / (1.5 + b * b)); break;
      case 4: known.push_back(sqrt(1.0 + a * a)); break;
      case 5: known.push_back(exp(-a * a)); break;
      case 6: known.push_back(log(1.0 + a * a)); break;
      case 7: known.push_back(sin(3.0 * a)); break;
      case 8: known.push_back(cos(a)); break;
      case 9: known.push_back(atan(a)); break;
      case 10: known.push_back(tanh(a)); break;
      case 11: known.push_back(abs(a)); break;
      case 12: known.push_back(atan2(a, b)); break;
      case 13: known.push_back(pow(1.0 + a * a, 0.7)); break;
      case 14: known.push_back(pow(a, 3.0)); break;
      case 15: known.push_back(select(a < b, a, b + 1.0)); break;
      case 16: known.push_back(tan(0.3 * sin(a))); break;
      case 17: known.push_back(asin(0.9 * sin(a)) + acos(0.9 * cos(b))); break;
      default: known.push_back(sinh(0.1 * a) + cosh(0.1 * b)); break;
    }
  }
  return known.back();
}

struct Sample {
  Ranges box, range;
  std::vector<double> values;  ///< at random points of the box
};

Sample sample_of(std::uint64_t seed) {
  test::RandomNumbers random(seed);
  const Tape tape = tape_of(
      [&](const ExpressionVector& x) {
        return ExpressionVector::Constant(1, random_formula(random, x));
      },
      2);
  const Evaluator<double> at(tape, Machine::interpreter);
  Sample sample;
  const VectorXd middle = random.vector<2>(-2.0, 2.0);
  const VectorXd radius = std::pow(10.0, random.uniform(-3.0, 0.3)) * VectorXd::Ones(2);
  sample.box = {middle - radius, middle + radius};
  sample.range = RangeEvaluator(tape)(sample.box);
  for (int k = 0; k < 20; ++k) {
    const VectorXd x = middle + radius.cwiseProduct(VectorXd(random.vector<2>()));
    double value = 0.0;
    at([&](std::size_t, double f) { value = f; }, x);
    sample.values.push_back(value);
  }
  return sample;
}

// The interval of each operation contains the value at each point of its operands' intervals, up to
// the rounding of nine operations.
TEST(RangeEvaluator, ContainsTheValuesOfRandomFormulas) {
  int sharp = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const Sample sample = sample_of(seed);
    const auto [least, most] = std::ranges::minmax(sample.values);
    const double low = sample.range.low(0), high = sample.range.high(0);
    const double rounding = 1e-13 * (1.0 + std::abs(least) + std::abs(most));
    ASSERT_LE(low, least + rounding) << seed;
    ASSERT_GE(high, most - rounding) << seed;
    // Negative control: a range shrunk to half of the values' spread misses one of them.
    if (high - low < 1.5 * (most - least)) ++sharp;
  }
  EXPECT_GT(sharp, 5'000);  // ranges are not all of the real line
}

}  // namespace
}  // namespace rigidlimit
