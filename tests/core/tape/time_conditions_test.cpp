// Tests tapes with conditions of one argument: the places of their changes, and the smooth tapes
// between them.
#include "rigidlimit/core/tape/time_conditions.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rigidlimit/core/sign_changes.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

double value_of(const Tape& tape, double t, double x) {
  const Evaluator<double> evaluator(tape, Machine::interpreter);
  double value = 0.0;
  const std::array arguments{t, x};
  evaluator([&](std::size_t, double y) { value = y; }, arguments);
  return value;
}

/// Jumps at `jump`, kinks where sin t = 0, and a comparison of x.
Tape sample(double jump) {
  return tape_of(
      [&](const ExpressionVector& in) {
        const Expression t = in(0), x = in(1);
        const Expression force = select(t < Expression(jump), 3 * t, 1.5 - x * t);
        return ExpressionVector::Constant(
            1, force + abs(sin(t)) * x + select(x < Expression(0.5), x, x * x));
      },
      2);
}

// With the conditions of a time in the middle of a piece, the tape has the same bits inside the
// piece, and is another function outside.
TEST(TimeConditions, PiecesHaveTheValuesOfTheTape) {
  test::RandomNumbers random(11);
  for (int k = 0; k < 20; ++k) {
    const double jump = 5.0 + random.vector<1>()(0);
    const Tape whole = sample(jump);
    ASSERT_TRUE(has_time_conditions(whole, 0));
    std::vector<double> borders = time_condition_changes(whole, 0, 0.0, 8.0);
    std::vector<double> expected{M_PI, jump, 2.0 * M_PI};
    std::ranges::sort(expected);
    ASSERT_EQ(borders.size(), 3U);
    // The function sin t has the rounding of its argument, half a unit of the last place of t.
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(borders[i], expected[i], 1e-15 * 8.0);
    EXPECT_EQ(std::ranges::count(borders, jump), 1) << "t < jump is exact";
    borders.insert(borders.begin(), 0.0);
    borders.push_back(8.0);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      const auto at = [&](double share) {
        return borders[i] + share * (borders[i + 1] - borders[i]);
      };
      const Tape piece = with_time_conditions_at(whole, 0, at(0.5));
      EXPECT_FALSE(has_time_conditions(piece, 0));
      for (const double x : {-1.0, 0.7})
        for (const double share : {0.01, 0.3, 0.99})
          EXPECT_EQ(value_of(piece, at(share), x), value_of(whole, at(share), x));
      if (borders[i + 1] == jump) {
        EXPECT_GT(std::abs(value_of(piece, jump, 2.0) - value_of(whole, jump, 2.0)), 1.0)
            << "negative control";
      }
    }
  }
}

TEST(TimeConditions, OfOtherArgumentsStay) {
  const Tape whole = sample(2.0);
  const Tape piece = with_time_conditions_at(whole, 0, 1.0);
  EXPECT_EQ(value_of(piece, 1.0, 0.25), value_of(whole, 1.0, 0.25));
  EXPECT_EQ(value_of(piece, 1.0, 0.75), value_of(whole, 1.0, 0.75));
  const Tape of_both = tape_of(
      [](const ExpressionVector& in) { return ExpressionVector::Constant(1, abs(in(0) - in(1))); },
      2);
  EXPECT_FALSE(has_time_conditions(of_both, 0));
  EXPECT_TRUE(time_condition_changes(of_both, 0, 0.0, 1.0).empty());
}

TEST(SignChanges, AreThoseInsideTheInterval) {
  const auto values = [](double t) -> VectorXd { return VectorXd{{t - 1.0, 2.0 - t, t * t}}; };
  const auto found = sign_changes(3, values, 0.0, 3.0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].t, 1.0);
  EXPECT_EQ(found[0].which, (std::vector<Index>{0}));
  EXPECT_NEAR(found[1].t, 2.0, 4.5e-16) << "the next double after 2, where 2 - t is negative";
  EXPECT_EQ(found[1].which, (std::vector<Index>{1}));
  EXPECT_TRUE(sign_changes(3, values, 1.0, 2.0).empty());
}

}  // namespace
}  // namespace rigidlimit
