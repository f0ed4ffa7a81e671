// Tests numbers as the sentences and tables on a series print them.
#include "rigidlimit/convergence/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace rigidlimit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(WithBar, ShowsTheFirstDigitOfTheBarInBothNumbers) {
  EXPECT_EQ(with_bar(1.02361, 0.004), "1.024 ± 4e-03");
  EXPECT_EQ(with_bar(2.99812, 0.0004), "2.9981 ± 4e-04");
  EXPECT_EQ(with_bar(1.0, 9.7e-5), "1.0000 ± 1e-04") << "rounded up, the bar has a digit less";
  EXPECT_EQ(with_bar(1.0, 1e-9), "1.000000000 ± 1e-09");
  EXPECT_EQ(with_bar(12.0, 30.0), "12.00 ± 3e+01");
  EXPECT_EQ(with_bar(1.0, infinity), "1.00 ± inf");
}

TEST(WithBar, IsAPlainZeroIfTheValueRoundsToNothingAtItsBar) {
  for (const double sign : {-1.0, 1.0})
    for (int power = -18; power <= 2; ++power) {
      const double bar = 4.0 * std::pow(10.0, power);
      const std::string end = fmt::format(" ± {:.0e}", bar);
      for (const double size : {0.0, 1e-3, 0.1})
        EXPECT_EQ(with_bar(sign * size * bar, bar), "0" + end);
      // Negative control: a value of the size of its bar has a digit.
      const std::string text = with_bar(sign * 1.5 * bar, bar);
      EXPECT_NE(text.substr(0, text.find(" ±")).find_first_of("123456789"), text.npos) << text;
    }
}

TEST(WithBar, HasAnExponentIfItsDecimalsWouldAllBeZero) {
  EXPECT_EQ(with_bar(3.2e-12, 1e-16), "3.2000e-12 ± 1e-16");
  EXPECT_EQ(with_bar(-4e-11, 2e-11), "-4e-11 ± 2e-11");
  EXPECT_EQ(with_bar(3.2e-9, 1e-16), "0.000000003 ± 1e-16") << "negative control";
}

TEST(WithBar, HasNoBarThatIsZeroOrUnknown) {  // negative control
  EXPECT_EQ(with_bar(1.02345678, 0.0), "1.02346");
  EXPECT_EQ(with_bar(1.0, nan), "1");
  EXPECT_EQ(with_bar(-0.0, 0.0), "0");
}

TEST(OrderText, HasThreeDecimalsAndNoNegativeZero) {
  EXPECT_EQ(order_text(1.9996), "2.000");
  EXPECT_EQ(order_text(-1e-9), "0.000");
  EXPECT_EQ(order_text(nan), "-");
}

}  // namespace
}  // namespace rigidlimit
