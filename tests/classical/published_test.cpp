// Tests printed reference values: their digits, their rounding, and the number of agreeing digits.
#include "rigidlimit/classical/problem.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

TEST(PrintedNumber, IsReadToAllItsDigits) {
  // 21 digits exceed a double. Integers below 2^113 and 1e22 are exact; two roundings.
  const PrintedNumber x{"0.493455784275402809122e-1"};
  const Quad exact = (Quad(493455784275LL) * Quad(1e9) + Quad(402809122)) / Quad(1e22);
  EXPECT_LT(abs(x.value() - exact), Quad(2.0 * 0.05 * 0x1p-113));
  EXPECT_GT(abs(x.value() - Quad(0.0493455784275402809122)), Quad(1e-19));  // as a double
  EXPECT_EQ(static_cast<double>(PrintedNumber{"-2.5e3"}.value()), -2500.0);
  EXPECT_EQ(static_cast<double>(PrintedNumber{"150"}.value()), 150.0);
}

// Half a unit of the last digit: the point moves it, the exponent shifts it, zeros count. Exact
// powers of ten up to two roundings of 2^−113.
TEST(PrintedNumber, RoundingIsHalfAUnitOfTheLastDigit) {
  const auto half_unit = [](const char* text) {
    return static_cast<double>(PrintedNumber{text}.half_unit());
  };
  EXPECT_DOUBLE_EQ(half_unit("0.125"), 0.5e-3);
  EXPECT_DOUBLE_EQ(half_unit("0.1250"), 0.5e-4);
  EXPECT_DOUBLE_EQ(half_unit("-1.5e-7"), 0.5e-8);
  EXPECT_DOUBLE_EQ(half_unit("15"), 0.5);
  EXPECT_DOUBLE_EQ(half_unit("0.1152903278711829e-290"), 0.5e-306);
}

TEST(PrintedNumber, ExplainsADistanceByItsRoundingAndAnErrorBar) {
  const PrintedNumber x{"0.125"};
  EXPECT_TRUE(x.explains(Quad(0.4e-3)));
  EXPECT_FALSE(x.explains(Quad(0.6e-3)));
  EXPECT_TRUE(x.explains(Quad(0.6e-3), 0.2e-3));
  EXPECT_FALSE(x.explains(std::numeric_limits<Quad>::quiet_NaN(), 1.0));
}

TEST(PrintedNumber, RefusesInvalidNumbers) {
  for (const char* text : {"", "-", "1.2.3", "1e", "1e5x", "0x10", "nan", "1,5", "."})
    EXPECT_THROW(PrintedNumber{text}.value(), InputError) << text;
}

TEST(AgreeingDigits, FollowTheRelativeDistanceUpToThePrintedDigits) {
  const PrintedNumber x{"0.1250e-3"};
  EXPECT_EQ(agreeing_digits(Quad(1.25e-4), x), 4.0);
  EXPECT_EQ(agreeing_digits(Quad(1.2504e-4), x), 4.0);  // within the rounding
  EXPECT_NEAR(agreeing_digits(Quad(1.2625e-4), x), 2.0, 1e-12);
  EXPECT_NEAR(agreeing_digits(Quad(-1.25e-4), x), -std::log10(2.0), 1e-12);
  EXPECT_EQ(agreeing_digits(Quad(150.0), {"1.500000000000000e2"}), 16.0);
  EXPECT_THROW(agreeing_digits(Quad(0.0), {"0.0"}), InputError);
}

}  // namespace
}  // namespace rigidlimit
