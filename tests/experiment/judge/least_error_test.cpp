// Tests where the error over a parameter is least.
#include "rigidlimit/experiment/judge/least_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rigidlimit {
namespace {

using Place = LeastError::Place;

// e(x) = |x − 3| + 1 at 5, 1, 3, 2 with bars of 0.1: least at 3, between 2 and 5.
TEST(LeastError, LiesBetweenItsNeighboursInAnyOrder) {
  const auto least = least_error({{5, 3, 0.1}, {1, 3, 0.1}, {3, 1, 0.1}, {2, 2, 0.1}});
  ASSERT_TRUE(least);
  EXPECT_EQ(least->place, Place::inside);
  EXPECT_EQ(least->value, 3);
  EXPECT_EQ(least->low, 2);
  EXPECT_EQ(least->high, 5);
  EXPECT_EQ(least->error, 1);
  EXPECT_EQ(least->error_bar, 0.1);
}

TEST(LeastError, AtAnEndIsOnlyABound) {
  EXPECT_EQ(least_error({{1, 1, 0}, {2, 2, 0}})->place, Place::lower_end);
  EXPECT_EQ(least_error({{1, 2, 0}, {2, 1, 0}})->place, Place::upper_end);
  EXPECT_EQ(least_error({{1, 2, 0}, {2, 1, 0}})->high, 2);
}

TEST(LeastError, IsFlatIfNoErrorExceedsItByMoreThanTheBars) {
  EXPECT_EQ(least_error({{1, 1.2, 0.1}, {2, 1, 0.1}, {3, 1.1, 0.1}})->place, Place::flat);
  // Negative control: one error beyond the sum of the bars.
  EXPECT_EQ(least_error({{1, 1.3, 0.1}, {2, 1, 0.1}, {3, 1.1, 0.1}})->place, Place::inside);
}

TEST(LeastError, IgnoresUnknownErrors) {
  const double nan = std::nan("");
  EXPECT_FALSE(least_error({}));
  EXPECT_FALSE(least_error({{1, nan, 0}}));
  const auto least = least_error({{1, 5, 0}, {2, nan, 0}, {3, 4, 0}, {4, 6, 0}});
  EXPECT_EQ(least->value, 3);
  EXPECT_EQ(least->low, 1);
}

}  // namespace
}  // namespace rigidlimit
