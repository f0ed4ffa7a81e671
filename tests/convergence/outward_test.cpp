// Tests the digits of proved numbers: examples by hand. tests/report/printed_intervals_test.cpp has
// random ones, compared exactly.
#include "rigidlimit/convergence/outward.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace rigidlimit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string plain(double lower, double upper) {
  return outward_text({lower, upper}, Notation::plain);
}

std::string scientific(double lower, double upper) {
  return outward_text({lower, upper}, Notation::scientific);
}

// In units of 1e-8 the ends are 432793398.5 and 432793401.5.
TEST(OutwardText, KeepsTheZerosOfTheMiddle) {
  EXPECT_EQ(plain(4.327933985, 4.327934015), "4.32793400 ± 2e-08");
  EXPECT_EQ(scientific(4.327933985, 4.327934015), "4.32793400e+00 ± 2e-08");
}

TEST(OutwardText, HasTheDigitsOfTheRadius) {
  EXPECT_EQ(plain(0.0123, 0.0127), "0.0125 ± 0.0002");
  EXPECT_EQ(plain(2.77294771640641e-05, 2.77294771640664e-05), "2.7729477164065e-05 ± 2e-18");
  EXPECT_EQ(scientific(1.0, 9.0), "5e+00 ± 4e+00");
  EXPECT_EQ(plain(123.0, 1234.0), "7e+02 ± 6e+02") << "no digits that are not significant";
}

TEST(OutwardText, ShowsANumberOfFewDigitsExactly) {
  EXPECT_EQ(plain(5.0, 5.0), "5 ± 0");
  EXPECT_EQ(plain(-120.0, -120.0), "-120 ± 0");
  EXPECT_EQ(scientific(0.03125, 0.03125), "3.125e-02 ± 0");
  EXPECT_EQ(plain(0.0, 0.0), "0 ± 0");
  // 0.1 as a double is 0.1000000000000000055…
  EXPECT_EQ(plain(0.1, 0.1), "0.10000000000000000 ± 1e-17");
}

TEST(OutwardText, MayHaveAMiddleBelowZeroOrZero) {
  EXPECT_EQ(plain(-0.375, -0.25), "-0.32 ± 0.07");
  EXPECT_EQ(plain(-1.0, 1.0), "0 ± 1");
  EXPECT_EQ(plain(0.0, 1.0), "0.5 ± 0.5");
}

TEST(OutwardText, OfAnEndThatIsNotFiniteIsNoNumber) {
  EXPECT_EQ(plain(nan, nan), "-");
  EXPECT_EQ(plain(1.0, infinity), "-");
  EXPECT_THROW(plain(2.0, 1.0), std::invalid_argument);
}

TEST(Rounded, GoesUpOrDown) {
  EXPECT_EQ(rounded_up(43.1343, 4), "43.14");
  EXPECT_EQ(rounded_down(43.1343, 4), "43.13");
  EXPECT_EQ(rounded_up(-43.1343, 4), "-43.13");
  EXPECT_EQ(rounded_up(99.999, 4), "100");
  EXPECT_EQ(rounded_up(607123.0, 3), "6.08e+05");
  EXPECT_EQ(rounded_up(1.5e-17, 1, Notation::scientific), "2e-17");
  EXPECT_EQ(rounded_up(178.0, 4), "178");
}

// 0.01 as a double is above 0.01, and 0.3 below 0.3.
TEST(Rounded, LooksAtAllDigitsOfADouble) {
  EXPECT_EQ(rounded_down(0.01, 6), "0.01");
  EXPECT_EQ(rounded_up(0.01, 6), "0.0100001");
  EXPECT_EQ(rounded_down(0.3, 6), "0.299999");
  EXPECT_EQ(rounded_up(0.3, 6), "0.3");
}

TEST(Rounded, HasNoDigitsWithoutANumber) {
  EXPECT_EQ(rounded_up(nan, 4), "-");
  EXPECT_EQ(rounded_up(infinity, 4), "inf");
  EXPECT_EQ(rounded_down(0.0, 4), "0");
  EXPECT_THROW(rounded_up(1.0, 0), std::invalid_argument);
  EXPECT_THROW(rounded_up(1.0, 18), std::invalid_argument);
}

}  // namespace
}  // namespace rigidlimit
