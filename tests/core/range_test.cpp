// Tests the valid interval of a number.
#include "rigidlimit/core/range.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rigidlimit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Range, ContainsClosedEndsButNotOpenEnds) {
  const double below_one = std::nextafter(1.0, 0.0), above_zero = std::nextafter(0.0, 1.0);
  for (const bool low_open : {false, true})
    for (const bool high_open : {false, true}) {
      const Range r{.low = 0.0, .high = 1.0, .low_open = low_open, .high_open = high_open};
      EXPECT_EQ(r.contains(0.0), !low_open);
      EXPECT_EQ(r.contains(1.0), !high_open);
      EXPECT_TRUE(r.contains(above_zero) && r.contains(0.5) && r.contains(below_one));
      EXPECT_FALSE(r.contains(-above_zero) || r.contains(std::nextafter(1.0, 2.0)));
    }
}

TEST(Range, ContainsNeitherInfinityNorNan) {
  for (const Range& r : {any_finite, positive, non_negative, Range{.high = 3.0}})
    for (const double x : {infinity, -infinity, nan}) EXPECT_FALSE(r.contains(x)) << x;
  EXPECT_TRUE(any_finite.contains(std::numeric_limits<double>::max()));
  EXPECT_TRUE(any_finite.contains(std::numeric_limits<double>::lowest()));
}

TEST(Range, ZeroIsNonNegativeButNotPositive) {
  EXPECT_FALSE(positive.contains(0.0));
  EXPECT_TRUE(non_negative.contains(0.0) && non_negative.contains(-0.0));
  EXPECT_FALSE(non_negative.contains(-1e-300));
}

TEST(Range, TextNamesBothEnds) {
  EXPECT_EQ(any_finite.text(), "any finite number");
  EXPECT_EQ(positive.text(), "> 0");
  EXPECT_EQ(non_negative.text(), ">= 0");
  EXPECT_EQ((Range{.high = 2.5, .high_open = true}.text()), "< 2.5");
  EXPECT_EQ((Range{.low = 0.0, .high = 1.0, .low_open = true}.text()), "> 0 and <= 1");
}

}  // namespace
}  // namespace rigidlimit
