// Tests enclosures of solutions of differential equations against closed forms.
#include "rigidlimit/certify/enclosed_step.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <stdexcept>

#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;
constexpr Index order = 20;
/// Of arithmetic with 192 bits, in sums of numbers of the size 1.
constexpr double rounding = 1e-50;

bool overlap(const Ball& a, const Ball& b) {
  return (a - b).contains(Ball(0));
}

ModelFunction scalar(Expression (*rate)(const Expression& x)) {
  return function_of(
      tape_of([rate](V y) { return ExpressionMatrix::Constant(1, 1, rate(y(0))); }, 1));
}

BallVector vector_of(std::initializer_list<Ball> values) {
  BallVector x(std::ssize(values));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

/// q' = v, v' = −q.
ModelFunction oscillator() {
  return function_of(tape_of(
      [](V y) {
        return ExpressionMatrix(ExpressionVector{{y(1), -y(0)}});
      },
      2));
}

// The coefficient 20 is 1/20! = 4e-19: the longest step 1 has a remainder of less than 1e-18.
TEST(EnclosedStep, EnclosesAnOscillation) {
  constexpr double tolerance = 1e-18;
  const EnclosedStep step =
      enclosed_step(oscillator(), vector_of({1, 0}), Ball(1), order, tolerance);
  EXPECT_TRUE(step.length == 1);
  EXPECT_EQ(step.values[0].domain().order(), order);
  ASSERT_EQ(step.values.size(), 2U);
  for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const BallVector y = step.at(Ball(s));
    EXPECT_TRUE(overlap(y(0), cos(Ball(s)))) << s;
    EXPECT_TRUE(overlap(y(1), -sin(Ball(s)))) << s;
    EXPECT_LE(y(0).radius(), tolerance);
    EXPECT_LE(y(1).radius(), tolerance);
  }
  EXPECT_FALSE(overlap(step.at(Ball(1))(0), cos(Ball(1)) + 1e-17)) << "negative control";
  EnclosedStep spoilt = step;
  spoilt.values[0].set_remainder(0);
  EXPECT_FALSE(overlap(spoilt.at(Ball(1))(0), cos(Ball(1)))) << "negative control: no remainder";
}

TEST(EnclosedStep, IsShorterForASmallerTolerance) {
  const auto length = [](double tolerance) {
    return enclosed_step(oscillator(), vector_of({1, 0}), Ball(1), order, tolerance)
        .length.middle();
  };
  // h^20/20! = tolerance; the rest of the series makes it a little shorter.
  const double expected = std::pow(1e-30 * std::tgamma(21.0), 1.0 / 20.0);
  EXPECT_LE(length(1e-30), expected);
  EXPECT_GE(length(1e-30), 0.8 * expected);
  EXPECT_LT(length(1e-35), length(1e-30));
}

// The flow is linear: a start at a corner of the box ends at a corner of its image.
TEST(EnclosedStep, CarriesAllStartsOfABox) {
  const BallVector start = vector_of({Ball(1) + Ball::around_zero(0.1), Ball::around_zero(0.1)});
  const EnclosedStep step = enclosed_step(oscillator(), start, Ball(1), order, 1e-15);
  const BallVector end = step.at(step.length);
  const Ball c = cos(step.length), s = sin(step.length);
  for (const double q : {0.9, 1.0, 1.1})
    for (const double v : {-0.1, 0.0, 0.1}) {
      EXPECT_TRUE(overlap(end(0), q * c + v * s)) << q << " " << v;
      EXPECT_TRUE(overlap(end(1), v * c - q * s)) << q << " " << v;
    }
  // The coefficients of s^k have the radius 0.1/k!: together 0.1 e.
  EXPECT_LE(end(0).radius(), 0.1 * std::numbers::e * (1.0 + 1e-7));
  EXPECT_FALSE(end(0).contains(1.6 * c)) << "negative control";
}

// x' = x², x(0) = 1: x = 1/(1 − t). All coefficients are 1, so that h^20 is 1e-15 at most.
TEST(EnclosedStep, EnclosesASolutionWithAPole) {
  constexpr double tolerance = 1e-15;
  const ModelFunction square = scalar([](const Expression& x) { return x * x; });
  const EnclosedStep step = enclosed_step(square, vector_of({1}), Ball(2), order, tolerance);
  const double h = step.length.middle(), longest = std::pow(tolerance, 1.0 / 20.0);
  EXPECT_LE(h, longest);
  EXPECT_GE(h, 0.7 * longest);
  for (const double part : {0.0, 0.3, 1.0}) {
    const Ball s = part * h, x = step.at(s)(0);
    EXPECT_TRUE(overlap(x, 1 / (1 - s)));
    EXPECT_LE(x.radius(), tolerance);
  }
  EXPECT_FALSE(overlap(step.at(step.length)(0), 1 / (1 - step.length) + 3 * tolerance))
      << "negative control";
}

// With this tolerance the first length tried, 2, is behind the pole: no ball is mapped into itself.
TEST(EnclosedStep, EndsBeforeAPole) {
  const ModelFunction square = scalar([](const Expression& x) { return x * x; });
  for (const Index p : {2, 4, 10}) {
    const EnclosedStep step = enclosed_step(square, vector_of({1}), Ball(2), p, 1e6);
    EXPECT_LT(step.length.upper(), 1.0) << p;
    EXPECT_GT(step.length.lower(), 0.05) << p;
    EXPECT_TRUE(overlap(step.at(step.length)(0), 1 / (1 - step.length))) << p;
  }
}

// x' = 1/(1 − x), x(0) = 0: x = 1 − √(1 − 2 t), whose slope has a pole at t = 1/2.
TEST(EnclosedStep, EndsBeforeAPoleOfTheRate) {
  const ModelFunction rate = scalar([](const Expression& x) { return 1.0 / (1.0 - x); });
  const EnclosedStep step = enclosed_step(rate, vector_of({0}), Ball(1), order, 1e-12);
  EXPECT_LT(step.length.upper(), 0.5);
  EXPECT_TRUE(overlap(step.at(step.length)(0), 1 - sqrt(1 - 2 * step.length)));
  EXPECT_THROW(enclosed_step(rate, vector_of({1}), Ball(1), order, 1e-12), std::domain_error)
      << "starts in the pole";
}

// x' = |x| − 1 from 1/2: x = 1 − e^t/2 vanishes at ln 2.
TEST(EnclosedStep, EndsBeforeAKink) {
  const ModelFunction rate = scalar([](const Expression& x) { return abs(x) - 1.0; });
  const EnclosedStep step = enclosed_step(rate, vector_of({0.5}), Ball(1), order, 1.0);
  EXPECT_LT(step.length.upper(), std::numbers::ln2);
  EXPECT_TRUE(overlap(step.at(step.length)(0), 1 - exp(step.length) / 2));
  EXPECT_THROW(enclosed_step(rate, vector_of({Ball::around_zero(0.1)}), Ball(0.5), order, 1.0),
               UndecidedComparison)
      << "starts in the kink";
}

// The results g(y) behind the rates are enclosed on the whole step: q² + v² = 1, and e^q.
TEST(EnclosedStep, ReturnsTheResultsBehindTheRates) {
  constexpr double tolerance = 1e-18;
  const Tape tape = tape_of(
      [](V y) {
        return ExpressionMatrix(
            ExpressionVector{{y(1), -y(0), y(0) * y(0) + y(1) * y(1), exp(y(0))}});
      },
      2);
  const EnclosedStep step =
      enclosed_step(function_of(tape), vector_of({1, 0}), Ball(0.5), order, tolerance);
  ASSERT_EQ(step.values.size(), 4U);
  for (const double s : {0.0, 0.25, 0.5}) {
    const BallVector y = step.at(Ball(s));
    EXPECT_TRUE(y(2).contains(1)) << s;
    EXPECT_TRUE(overlap(y(3), exp(cos(Ball(s))))) << s;
  }
  // |e^(cos s)| ≤ e^(cosh 2) in the circle of radius 2 about each time: its coefficient 20 is at
  // most e^(cosh 2)/2^20 (Cauchy).
  EXPECT_LE(step.at(Ball(0.5))(3).radius(), std::exp(std::cosh(2.0)) * std::pow(0.25, 20));
  EXPECT_FALSE(step.at(Ball(0.5))(2).contains(1.0 + 1e-6)) << "negative control";
}

// The tolerance is relative for components above 1, absolute below.
TEST(EnclosedStep, ToleranceIsRelativeToLargeComponents) {
  constexpr double tolerance = 1e-20;
  const ModelFunction growth = scalar([](const Expression& x) { return x; });
  const auto length = [&](double start) {
    const EnclosedStep step =
        enclosed_step(growth, vector_of({start}), Ball(100), order, tolerance);
    EXPECT_LE(step.at(step.length)(0).radius(), tolerance * std::max(1.0, start) + rounding);
    EXPECT_TRUE(overlap(step.at(step.length)(0), start * exp(step.length)));
    return step.length.middle();
  };
  EXPECT_NEAR(length(1.0), length(1e6), 1e-9);
  EXPECT_GT(length(1e-6), 1.5 * length(1.0));  // 10^(6/20) = 2
}

// t' = 1, x' = 22 t^21: the coefficient 20 of x = t^22 vanishes at the start and says nothing about
// the step. The remainder t² s^20 must shorten it.
TEST(EnclosedStep, ToleranceHoldsWhereTheNextCoefficientVanishes) {
  constexpr double tolerance = 1e-12;
  const Tape tape = tape_of(
      [](V y) {
        return ExpressionMatrix(ExpressionVector{{1.0, 22.0 * pow(y(0), 21.0)}});
      },
      2);
  const EnclosedStep step =
      enclosed_step(function_of(tape), vector_of({0, 0}), Ball(1), order, tolerance);
  const BallVector end = step.at(step.length);
  EXPECT_TRUE(overlap(end(1), pow(step.length, Ball(22))));
  EXPECT_LE(end(1).radius(), tolerance);
  EXPECT_LT(step.length.upper(), 1.0) << "negative control: the whole interval is too long";
  EXPECT_GT(step.length.lower(), 0.2);  // 1e-12^(1/22) = 0.28
}

TEST(EnclosedStep, ConstantsStayConstant) {
  const ModelFunction rest = scalar([](const Expression& x) { return 0.0 * x; });
  const EnclosedStep step = enclosed_step(rest, vector_of({3}), Ball(5), order, 1e-12);
  EXPECT_TRUE(step.length == 5);
  EXPECT_TRUE(step.at(Ball(5))(0).contains(3));
  EXPECT_LE(step.at(Ball(5))(0).radius(), rounding);
}

}  // namespace
}  // namespace rigidlimit
