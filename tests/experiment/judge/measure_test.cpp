// Tests the distance of two motions at their samples: norms, windows and missing values.
#include "rigidlimit/experiment/judge/measure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {
namespace {

constexpr std::array all_norms{Norm::sup, Norm::l1, Norm::l2};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// q = (t, −2t), v = (√t, 0), λ = (1 − t) on an irregular grid of [0, 1] that contains 0.5.
Motion polynomial_motion() {
  Motion motion{.times = {0.0, 0.1, 0.25, 0.5, 0.6, 1.0}, .q = {}, .v = {}, .lambda = {}};
  const auto count = static_cast<Index>(motion.times.size());
  motion.q.resize(2, count);
  motion.v.resize(2, count);
  motion.lambda.resize(1, count);
  for (Index k = 0; k < count; ++k) {
    const double t = motion.times[static_cast<std::size_t>(k)];
    motion.q.col(k) << t, -2.0 * t;
    motion.v.col(k) << std::sqrt(t), 0.0;
    motion.lambda(0, k) = 1.0 - t;
  }
  return motion;
}

/// A motion with the same times and sizes and every value `x`.
Motion constant_motion(double x) {
  Motion motion = polynomial_motion();
  motion.q.setConstant(x);
  motion.v.setConstant(x);
  motion.lambda.setConstant(x);
  return motion;
}

class Distance : public testing::Test {
 protected:
  double measured(Quantity quantity, Norm norm, Window window = Window::all, double cut = 0.5) {
    return magnitude(difference(a, b), {quantity, norm, window}, {.after = cut});
  }
  Motion a = polynomial_motion();
  Motion b = constant_motion(0.0);
};

TEST_F(Distance, SupIsTheLargestComponentAtAnyTime) {
  EXPECT_EQ(measured(Quantity::q, Norm::sup), 2.0);
  EXPECT_EQ(measured(Quantity::v, Norm::sup), 1.0);
  EXPECT_EQ(measured(Quantity::lambda, Norm::sup), 1.0);
  b = constant_motion(3.0);  // largest where a is smallest: |−2 − 3|, |0 − 3|, |0 − 3|
  EXPECT_EQ(measured(Quantity::q, Norm::sup), 5.0);
  EXPECT_EQ(measured(Quantity::v, Norm::sup), 3.0);
  EXPECT_EQ(measured(Quantity::lambda, Norm::sup), 3.0);
}

TEST_F(Distance, L2IsTheRootOfTheMeanSquare) {
  // Σ|v_i|² = t is linear, so the trapezoidal rule is exact on every grid: √(1/2).
  EXPECT_NEAR(measured(Quantity::v, Norm::l2), std::sqrt(0.5), 1e-15);
  // Σ|q_i|² = 5t²: the rule adds 5h³/6 for each interval h to the integral 5/3.
  double excess = 0.0;
  for (const double h : {0.1, 0.15, 0.25, 0.1, 0.4}) excess += 5.0 * h * h * h / 6.0;
  EXPECT_NEAR(measured(Quantity::q, Norm::l2), std::sqrt(5.0 / 3.0 + excess), 1e-15);
  // A constant difference equals its mean: |(c, c)| = c √2.
  a = constant_motion(0.0);
  b = constant_motion(3.0);
  EXPECT_NEAR(measured(Quantity::q, Norm::l2), 3.0 * std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(measured(Quantity::lambda, Norm::l2), 3.0, 1e-15);
}

TEST_F(Distance, L1IsTheMeanOfTheSumOfMagnitudes) {
  // Σ|q_i| = 3t and |λ| = 1 − t are linear: the rule is exact, 3/2 and 1/2.
  EXPECT_NEAR(measured(Quantity::q, Norm::l1), 1.5, 1e-15);
  EXPECT_NEAR(measured(Quantity::lambda, Norm::l1), 0.5, 1e-15);
  EXPECT_NEAR(measured(Quantity::lambda, Norm::l1, Window::after), 0.25, 1e-15) << "on [0.5, 1]";
}

TEST_F(Distance, WindowAfterACutIncludesTheCut) {
  // The window t ≥ 0.5: 1 − t ≤ 0.5, and the mean of t is 0.75.
  EXPECT_EQ(measured(Quantity::lambda, Norm::sup, Window::after), 0.5);
  EXPECT_NEAR(measured(Quantity::v, Norm::l2, Window::after), std::sqrt(0.75), 1e-15);
  EXPECT_DOUBLE_EQ(measured(Quantity::lambda, Norm::sup, Window::after, 0.51), 0.4);
  EXPECT_EQ(measured(Quantity::lambda, Norm::sup, Window::all), 1.0) << "a cut is nothing to `all`";
}

TEST_F(Distance, IsSymmetricHomogeneousAndZeroForEqualMotions) {
  b = constant_motion(0.7);
  const Windows windows{.after = 0.2, .events = {0.25}, .margin = 0.01};
  for (const Quantity quantity : common_quantities)
    for (const Norm norm : all_norms)
      for (const Window window : {Window::all, Window::after, Window::away}) {
        const Measure measure{quantity, norm, window};
        const double d = magnitude(difference(a, b), measure, windows);
        EXPECT_EQ(magnitude(difference(b, a), measure, windows), d);
        EXPECT_EQ(magnitude(difference(a, a), measure, windows), 0.0);
        EXPECT_GT(d, 0.0);
      }
}

TEST_F(Distance, IsNaNForAMissingValue) {
  a.v(1, 2) = nan;  // at t = 0.25
  for (const Norm norm : all_norms) {
    EXPECT_TRUE(std::isnan(measured(Quantity::v, norm)));
    EXPECT_FALSE(std::isnan(measured(Quantity::v, norm, Window::after))) << "it lies before";
    EXPECT_FALSE(std::isnan(measured(Quantity::q, norm))) << "another quantity";
  }
  b.q(0, 5) = std::numeric_limits<double>::infinity();
  for (const Norm norm : all_norms)
    EXPECT_TRUE(std::isnan(measured(Quantity::q, norm, Window::after)));
}

TEST_F(Distance, IsNaNOverAnEmptyWindow) {
  for (const Norm norm : all_norms)
    EXPECT_TRUE(std::isnan(measured(Quantity::q, norm, Window::after, 1.1)));
}

TEST_F(Distance, OverASingleSampleIsItsValue) {
  // t ≥ 0.7 holds at t = 1 only: there is no interval to average over, but a value.
  EXPECT_EQ(measured(Quantity::q, Norm::sup, Window::after, 0.7), 2.0);
  EXPECT_DOUBLE_EQ(measured(Quantity::q, Norm::l2, Window::after, 0.7), std::sqrt(5.0));
}

TEST(Restricted, TakesTheColumnsInOrder) {
  const Motion motion = polynomial_motion();
  const Motion part = restricted(motion, {0, 3, 5});
  EXPECT_EQ(part.times, (std::vector<double>{0.0, 0.5, 1.0}));
  for (const Quantity quantity : common_quantities) {
    const MatrixXd& of_part = values_of(part, quantity);
    const MatrixXd& of_all = values_of(motion, quantity);
    EXPECT_EQ(of_part.col(1), of_all.col(3));
    EXPECT_EQ(of_part.col(2), of_all.col(5));
  }
}

// The difference of 1/3 + 1e-20 and 1/3 in 113 bits is accurate to 106 bits of 1/3, 1e-32/3.
// Negative control: rounded to double the two numbers are equal.
TEST(PreciseMotion, KeepsADifferenceFarBelowTheResolutionOfADouble) {
  using Values = MotionOf<Quad>::Values;
  const auto motion_of = [](const Quad& x) {
    return MotionOf<Quad>{.times = {0.0},
                          .q = Values::Constant(1, 1, x),
                          .v = Values::Constant(1, 1, -x),
                          .lambda = Values::Constant(1, 1, 2 * x)};
  };
  const Quad third = Quad(1) / 3;
  const PreciseMotion a(motion_of(third + Quad(1e-20)));
  const PreciseMotion b(motion_of(third));
  const Motion d = difference(a, b);
  EXPECT_NEAR(d.q(0, 0), 1e-20, 1e-32);
  EXPECT_NEAR(d.v(0, 0), -1e-20, 1e-32);
  EXPECT_NEAR(d.lambda(0, 0), 2e-20, 2e-32);
  EXPECT_EQ(difference(a.rounded, b.rounded).q(0, 0), 0.0);
  const Interpolation same({0.0}, {0.0});
  const std::vector<double> times{0.0};
  EXPECT_NEAR(difference(interpolated(a, same, times), interpolated(b, same, times)).q(0, 0), 1e-20,
              1e-32);
}

TEST(QuantityNames, MatchTheTables) {
  EXPECT_STREQ(name_of(Quantity::lambda), "lambda");
  EXPECT_STREQ(name_of(Norm::l2), "l2");
  EXPECT_STREQ(name_of(Window::after), "after");
  EXPECT_EQ(text_of(Measure{Quantity::v, Norm::l1, Window::away}), "v l1 away");
  EXPECT_EQ(text_of(Measure{.quantity = Quantity::event_time, .events = "impact"}),
            "event_time (impact)");
}

}  // namespace
}  // namespace rigidlimit
