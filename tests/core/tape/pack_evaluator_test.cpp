// Tests tapes in packs: eight evaluations at once, with equal bits for all vector instruction sets.
#include "rigidlimit/core/tape/pack_evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double eps = 0x1p-52;

/// Every operation, of two arguments.
Tape all_operations() {
  return tape_of(
      [](const ExpressionVector& z) {
        const Expression x = z(0), y = z(1);
        ExpressionVector all(25);
        all << x + y, x - y, x * y, x / y, -x, sqrt(x), exp(x), log(x), sin(x), cos(x), tan(x),
            asin(x), acos(x), atan(x), sinh(x), cosh(x), tanh(x), abs(y), atan2(x, y), pow(x, 2.5),
            select(x < y, x, y), select(x <= y, x, y), select(x == y, x, y), 1.0 / 3.0 * x,
            Expression(1) / 3 + y;
        return ExpressionMatrix(all);
      },
      2);
}

std::vector<Pack> evaluated(const PackEvaluator& evaluate, const std::vector<Pack>& arguments) {
  std::vector<Pack> results(evaluate.tape().outputs.size());
  evaluate(results.data(), arguments);
  return results;
}

std::vector<Pack> random_arguments(std::uint64_t seed) {
  test::RandomNumbers random(seed);
  std::vector<Pack> arguments;
  for (int i = 0; i < 2; ++i) {
    std::array<double, 8> lanes{};
    for (double& x : lanes) x = random.uniform(0.1, 0.9);
    arguments.push_back(Pack::load(lanes.data()));
  }
  return arguments;
}

// Vector functions are accurate to 1 to 2 ulp, std's to 1. With a margin: 4 ulp of values below 3.
TEST(PackEvaluator, GivesEightEvaluations) {
  const PackEvaluator packs(all_operations());
  const Evaluator<double> one(all_operations());
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto arguments = random_arguments(seed);
    const auto results = evaluated(packs, arguments);
    for (std::size_t lane = 0; lane < Pack::lanes; ++lane)
      one(
          [&](std::size_t i, double wanted) {
            EXPECT_NEAR(results[i][lane], wanted, 4.0 * eps * std::max(1.0, std::abs(wanted)))
                << "result " << i << ", lane " << lane;
          },
          std::vector<double>{arguments[0][lane], arguments[1][lane]});
  }
}

TEST(PackEvaluator, GivesTheSameBitsWithAllInstructionSets) {
  const PackEvaluator narrow(all_operations(), VectorInstructions::sse2);
  for (const auto wider : {VectorInstructions::avx2, VectorInstructions::avx512}) {
    const PackEvaluator wide(all_operations(), wider);  // if the processor supports them
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const auto arguments = random_arguments(seed);
      const auto a = evaluated(narrow, arguments), b = evaluated(wide, arguments);
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t lane = 0; lane < Pack::lanes; ++lane) EXPECT_EQ(a[i][lane], b[i][lane]);
    }
  }
}

// Evaluators share the memory of constants: each must find its own constants there.
TEST(PackEvaluator, KeepsItsConstantsBesideOtherEvaluators) {
  const auto multiple = [](double factor) {
    return PackEvaluator(
        tape_of([factor](const ExpressionVector& x) { return ExpressionMatrix(factor * x); }, 1));
  };
  const PackEvaluator twice = multiple(2.0), thrice = multiple(3.0);
  const std::vector<Pack> x{Pack(5.0)};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(evaluated(twice, x)[0][7], 10.0);
    EXPECT_EQ(evaluated(thrice, x)[0][7], 15.0);
  }
}

// Negative control of the lane comparison: the lanes of a pack differ.
TEST(PackEvaluator, KeepsLanesApart) {
  const PackEvaluator packs(all_operations());
  const auto results = evaluated(packs, random_arguments(3));
  EXPECT_NE(results[2][0], results[2][5]);
}

}  // namespace
}  // namespace rigidlimit
