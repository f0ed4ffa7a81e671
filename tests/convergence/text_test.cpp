// Tests numbers as the sentences and tables on a series print them.
#include "rigidlimit/convergence/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace rigidlimit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(WithBar, ShowsTheFirstDigitOfTheBarInBothNumbers) {
  EXPECT_EQ(with_bar(1.02361, 0.004), "1.024 ± 4e-03");
  EXPECT_EQ(with_bar(2.99812, 0.0004), "2.9981 ± 4e-04");
  EXPECT_EQ(with_bar(1.0, 9.7e-5), "1.0000 ± 1e-04") << "rounded up, the bar has a digit less";
  EXPECT_EQ(with_bar(1.0, 1e-9), "1.000000000 ± 1e-09");
  EXPECT_EQ(with_bar(-1e-20, 4e-18), "0.000000000 ± 4e-18");
  EXPECT_EQ(with_bar(12.0, 30.0), "12.00 ± 3e+01");
  EXPECT_EQ(with_bar(1.0, infinity), "1.00 ± inf");
}

TEST(WithBar, HasNoBarThatIsZeroOrUnknown) {  // negative control
  EXPECT_EQ(with_bar(1.02345678, 0.0), "1.02346");
  EXPECT_EQ(with_bar(1.0, nan), "1");
}

TEST(OrderText, HasThreeDecimalsAndNoNegativeZero) {
  EXPECT_EQ(order_text(1.9996), "2.000");
  EXPECT_EQ(order_text(-1e-9), "0.000");
  EXPECT_EQ(order_text(nan), "-");
}

}  // namespace
}  // namespace rigidlimit
