// Tests that a pack of eight numbers has the arithmetic of eight single numbers.
#include "rigidlimit/core/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/dual.hpp"

namespace rigidlimit {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

std::array<double, 8> numbers(double first, double ratio) {
  std::array<double, 8> x{};
  for (double& value : x) {
    value = first;
    first *= ratio;
  }
  return x;
}

// The four operations and the root follow IEEE 754, lane by lane: equal to the last bit.
TEST(Pack, ArithmeticIsThatOfTheLanes) {
  const auto a = numbers(0.3, -1.7), b = numbers(5.0, 0.8);
  const Pack x = Pack::load(a.data()), y = Pack::load(b.data());
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ((x + y)[i], a[i] + b[i]);
    EXPECT_EQ((x - y)[i], a[i] - b[i]);
    EXPECT_EQ((x * y)[i], a[i] * b[i]);
    EXPECT_EQ((x / y)[i], a[i] / b[i]);
    EXPECT_EQ((-x)[i], -a[i]);
    EXPECT_EQ(sqrt(y)[i], std::sqrt(b[i]));
    EXPECT_EQ(Pack(2.5)[i], 2.5);
  }
}

TEST(Pack, SumAddsAllLanes) {
  const auto a = numbers(1.0, 2.0);
  EXPECT_EQ(sum(Pack::load(a.data())), 255.0);  // exact in binary
}

// 4 ulp: the accuracy of the vector functions (xsimd: 1 to 2) and of std (1), with a margin.
TEST(Pack, FunctionsAreThoseOfTheLanes) {
  const auto a = numbers(0.02, 1.9);
  const Pack x = Pack::load(a.data());
  const auto near = [](double found, double wanted) {
    EXPECT_NEAR(found, wanted, 4.0 * eps * std::max(std::abs(wanted), 0.5)) << wanted;
  };
  for (std::size_t i = 0; i < 8; ++i) {
    near(sin(x)[i], std::sin(a[i]));
    near(cos(x)[i], std::cos(a[i]));
    near(atan(x)[i], std::atan(a[i]));
    near(atan2(x, Pack(-0.7))[i], std::atan2(a[i], -0.7));
    near(exp(x)[i], std::exp(a[i]));
    near(log(x)[i], std::log(a[i]));
  }
}

// Here log2(e) x exceeds every whole number: the sanitizer of undefined behaviour tests that, and
// all builds test the value.
TEST(Pack, ExponentialOutsideTheRangeOfIntegersIsZeroInfiniteOrNan) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::array<double, 8> a{1e300, -1e300, inf, -inf, 1001.0, -1001.0, 709.0, 0.0};
  const Pack y = exp(Pack::load(a.data()));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(y[i], std::exp(a[i])) << a[i];
  EXPECT_NEAR(y[6] / std::exp(709.0), 1.0, 4.0 * eps) << "the negative control: finite still";
  EXPECT_EQ(y[7], 1.0);
  EXPECT_TRUE(std::isnan(exp(Pack(std::nan("")))[3]));
}

// Six arguments in turn evict each other from the four cache entries; only one lane distinguishes
// two arguments.
TEST(Pack, CachedSinesBelongToTheirArgument) {
  for (int round = 0; round < 3; ++round)
    for (int k = 0; k < 6; ++k) {
      auto a = numbers(0.1, 1.3);
      a[7] = k;
      const Pack x = Pack::load(a.data());
      EXPECT_NEAR(sin(x)[7], std::sin(k), 4.0 * eps);
      EXPECT_NEAR(cos(x)[7], std::cos(k), 4.0 * eps);
      EXPECT_NEAR(cos(x)[0], std::cos(0.1), 4.0 * eps);
    }
}

// xsimd reduces the lanes of a register together. Each argument is paired with every other one.
// Beside NaN or 1e9 its sines of 18.848026057238844 and 53.403667983959785 have other bits (the
// negative control); the last arguments are next to the limits of its formulas.
TEST(Pack, SinesOfALaneDoNotDependOnTheOthers) {
  std::vector<double> all{std::nan(""),       INFINITY,           0.0,   0.3, -1.2, 3.0,
                          18.848026057238844, 53.403667983959785, 100.0, 5e5, 1e9,  -1e15};
  for (const double limit : {M_PI_4, M_PI_2, 20.0 * M_PI, 823549.6645826426})
    for (const double x : {std::nextafter(limit, 0.0), limit, std::nextafter(limit, 1e9)})
      all.insert(all.end(), {x, -x});
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (const double x : all)
    for (const double y : all) {
      const std::array<double, 8> lanes{x, y, y, x, y, y, x, x};
      const Pack mixed = Pack::load(lanes.data());
      for (const std::size_t i : {0, 3, 6}) {
        EXPECT_TRUE(same(sin(mixed)[i], sin(Pack(x))[0])) << x << " beside " << y;
        EXPECT_TRUE(same(cos(mixed)[i], cos(Pack(x))[0])) << x << " beside " << y;
      }
    }
}

// d/dx (x sin x) = sin x + x cos x in every lane.
TEST(Pack, CarriesDerivatives) {
  const auto a = numbers(0.4, 1.1);
  const auto x = Dual<Pack, 1>::variable(Pack::load(a.data()), 0);
  const Pack slope = (x * sin(x)).derivative[0];
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(slope[i], std::sin(a[i]) + a[i] * std::cos(a[i]), 8.0 * eps);
}

}  // namespace
}  // namespace rigidlimit
