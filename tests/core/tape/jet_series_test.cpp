// Tests power series in two variables through a tape.
#include "rigidlimit/core/tape/jet_series.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;
constexpr int order = 3, degree = 5;

/// All coefficients of the results for x = 0.4 + 0.3 t + 0.2 ε + 0.1 ε t + 0.05 t².
JetSeries<double> series_of(const Tape& tape) {
  JetSeries<double> series(std::make_shared<const SeriesForm>(series_form(tape)), order, degree);
  series.input(0, 0, 0) = 0.4;
  series.input(0, 0, 1) = 0.3;
  series.input(0, 0, 2) = 0.05;
  series.input(0, 1, 0) = 0.2;
  series.input(0, 1, 1) = 0.1;
  for (int k = 0; k <= order; ++k)
    for (int i = 0; i <= degree; ++i) series.advance(k, i);
  return series;
}

/// The largest coefficient of a difference that is identically 0.
double defect(Expression (*function)(const Expression& x)) {
  const JetSeries<double> series =
      series_of(tape_of([&](V x) { return ExpressionMatrix::Constant(1, 1, function(x(0))); }, 1));
  double largest = 0.0;
  for (int k = 0; k <= order; ++k)
    for (int i = 0; i <= degree; ++i) largest = std::max(largest, std::abs(series.output(0, k, i)));
  return largest;
}

// Each recurrence sums some twenty products of numbers up to 10.
constexpr double tolerance = 1e-13;
using E = const Expression&;

TEST(JetSeries, KeepsIdentitiesBetweenFunctions) {
  EXPECT_LT(defect([](E x) { return sin(x) * sin(x) + cos(x) * cos(x) - 1.0; }), tolerance);
  EXPECT_LT(defect([](E x) { return tan(x) - sin(x) / cos(x); }), tolerance);
  EXPECT_LT(defect([](E x) { return log(exp(x)) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return exp(log(x)) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return asin(sin(x)) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return acos(cos(x)) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return atan(tan(x)) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return atan2(3.0 * sin(x), 3.0 * cos(x)) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return cosh(x) * cosh(x) - sinh(x) * sinh(x) - 1.0; }), tolerance);
  EXPECT_LT(defect([](E x) { return tanh(x) - sinh(x) / cosh(x); }), tolerance);
  EXPECT_LT(defect([](E x) { return sqrt(x) * sqrt(x) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return pow(x, 2.5) - x * x * sqrt(x); }), tolerance);
  EXPECT_LT(defect([](E x) { return pow(x, -3.0) * x * x * x - 1.0; }), 1e2 * tolerance);
  EXPECT_LT(defect([](E x) { return abs(-x) - x; }), tolerance);
  EXPECT_LT(defect([](E x) { return select(x < 1.0, x, exp(x)) - x; }), tolerance);
  EXPECT_GT(defect([](E x) { return sin(x) - x; }), 1e-3) << "negative control";
}

// x' = x from 1 + ε: x = (1 + ε) e^t, solved coefficient by coefficient.
// sin(0.3) x with a constant that the tape computes: in 113 bits it has 34 digits, not 16.
TEST(JetSeries, ComputesDerivedConstantsInItsOwnNumbers) {
  const Tape tape =
      tape_of([](V x) { return ExpressionMatrix::Constant(1, 1, sin(Expression(0.3)) * x(0)); }, 1);
  JetSeries<Quad> series(std::make_shared<const SeriesForm>(series_form(tape)), 0, 0);
  series.input(0, 0, 0) = Quad(1);
  series.advance(0, 0);
  EXPECT_EQ(series.output(0, 0, 0), sin(Quad(0.3)));
  EXPECT_NE(series.output(0, 0, 0), Quad(std::sin(0.3))) << "negative control";
}

TEST(JetSeries, SolvesADifferentialEquationInStep) {
  const auto rate = [](V x) { return ExpressionMatrix::Constant(1, 1, exp(log(x(0)))); };
  JetSeries<double> series(std::make_shared<const SeriesForm>(series_form(tape_of(rate, 1))), 1, 8);
  for (int k = 0; k <= 1; ++k) {
    series.input(0, k, 0) = 1.0;
    double factorial = 1.0;
    for (int i = 0; i < 8; ++i) {
      series.advance(k, i);
      series.input(0, k, i + 1) = series.output(0, k, i) / (i + 1);
      factorial *= i + 1;
      EXPECT_NEAR(series.input(0, k, i + 1), 1.0 / factorial, tolerance);
    }
    series.advance(k, 8);
  }
}

TEST(JetSeries, PowersOfZeroAreProducts) {
  const JetSeries<double> series = [] {
    JetSeries<double> cube(
        std::make_shared<const SeriesForm>(series_form(
            tape_of([](V x) { return ExpressionMatrix::Constant(1, 1, pow(x(0), 3.0)); }, 1))),
        0, 3);
    cube.input(0, 0, 1) = 2.0;  // x = 2 t
    for (int i = 0; i <= 3; ++i) cube.advance(0, i);
    return cube;
  }();
  EXPECT_EQ(series.output(0, 0, 2), 0.0);
  EXPECT_EQ(series.output(0, 0, 3), 8.0);
}

}  // namespace
}  // namespace rigidlimit
