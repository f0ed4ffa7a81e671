// Tests the elementary functions of dual numbers against the derivative's formula and two other
// methods of differentiation.
#include "support/dual.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <unsupported/Eigen/AutoDiff>
#include <vector>

#include "support/central_difference.hpp"
#include "support/derivative.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using D1 = Dual<double, 1>;
using Complex = std::complex<double>;
using test::unit_roundoff;

struct Elementary {
  const char* name;
  std::function<D1(const D1&)> dual;
  std::function<Complex(const Complex&)> complex;
  std::function<long double(long double)> slope;  ///< by formula, with 64 bits
  std::vector<double> points;
};

template <class F>
Elementary elementary(const char* name, F f, std::function<long double(long double)> slope,
                      std::vector<double> points) {
  return {name, f, f, std::move(slope), std::move(points)};
}

#define RIGIDLIMIT_CALL(function) \
  [](const auto& x) {             \
    using std::function;          \
    return function(x);           \
  }

const std::vector<Elementary>& functions() {
  using R = long double;
  static const std::vector<Elementary> all = {
      elementary("sqrt", RIGIDLIMIT_CALL(sqrt), [](R x) { return 0.5L / std::sqrt(x); },
                 {0.01, 0.7, 2.0, 1e6}),
      elementary("exp", RIGIDLIMIT_CALL(exp), [](R x) { return std::exp(x); },
                 {-3.0, 0.0, 0.5, 4.0}),
      elementary("log", RIGIDLIMIT_CALL(log), [](R x) { return 1.0L / x; }, {0.02, 1.0, 37.0}),
      elementary("sin", RIGIDLIMIT_CALL(sin), [](R x) { return std::cos(x); },
                 {-2.0, 0.0, 0.8, 3.0}),
      elementary("cos", RIGIDLIMIT_CALL(cos), [](R x) { return -std::sin(x); },
                 {-2.0, 0.0, 0.8, 3.0}),
      elementary("tan", RIGIDLIMIT_CALL(tan), [](R x) { return std::pow(std::cos(x), -2.0L); },
                 {-1.2, 0.0, 0.9, 2.5}),
      elementary("asin", RIGIDLIMIT_CALL(asin),
                 [](R x) { return 1.0L / std::sqrt((1.0L - x) * (1.0L + x)); },
                 {-0.9, 0.0, 0.3, 0.95}),
      elementary("acos", RIGIDLIMIT_CALL(acos),
                 [](R x) { return -1.0L / std::sqrt((1.0L - x) * (1.0L + x)); },
                 {-0.9, 0.0, 0.3, 0.95}),
      elementary("atan", RIGIDLIMIT_CALL(atan), [](R x) { return 1.0L / (1.0L + x * x); },
                 {-8.0, 0.0, 0.4, 1.5}),
      elementary("sinh", RIGIDLIMIT_CALL(sinh), [](R x) { return std::cosh(x); },
                 {-2.0, 0.0, 0.7, 3.0}),
      elementary("cosh", RIGIDLIMIT_CALL(cosh), [](R x) { return std::sinh(x); },
                 {-2.0, 0.0, 0.7, 3.0}),
      elementary("tanh", RIGIDLIMIT_CALL(tanh), [](R x) { return std::pow(std::cosh(x), -2.0L); },
                 {-2.0, 0.0, 0.7, 3.0}),
      elementary(
          "pow 2.5",
          [](const auto& x) {
            using std::pow;
            return pow(x, 2.5);
          },
          [](R x) { return 2.5L * std::pow(x, 1.5L); }, {0.1, 1.0, 3.7}),
      elementary(
          "pow -1.5",
          [](const auto& x) {
            using std::pow;
            return pow(x, -1.5);
          },
          [](R x) { return -1.5L * std::pow(x, -2.5L); }, {0.1, 1.0, 3.7}),
      elementary(
          "pow 3",
          [](const auto& x) {
            using std::pow;
            if constexpr (is_dual<std::decay_t<decltype(x)>>)
              return pow(x, 3.0);
            else
              return x * x * x;  // complex pow uses log: no complex step where x < 0
          },
          [](R x) { return 3.0L * x * x; }, {-1.3, 0.4, 2.0})};
  return all;
}

#undef RIGIDLIMIT_CALL

// At most eight roundings, each relative to 1 or to the slope (1 − tanh², 1 − x²: relative to 1;
// the square root's argument 1 − x² ≥ 0.0975 enlarges its rounding by at most 1/0.0975/2 ≈ 5).
TEST(DualFunctions, HaveTheDerivativeOfTheFormula) {
  for (const Elementary& f : functions())
    for (const double x : f.points) {
      const double slope = f.dual(D1::variable(x, 0)).derivative[0];
      const double expected = static_cast<double>(f.slope(x));
      EXPECT_NEAR(slope, expected, 16.0 * unit_roundoff * std::max(1.0, std::abs(expected)))
          << f.name << " at " << x;
    }
}

// Complex step (Squire and Trapp 1998): f'(x) = Im f(x + ih)/h + O(h²) without cancellation. With
// h = 1e-30 the truncation is below round-off. libm's complex functions are accurate to about 8u,
// with the same two scales as above.
TEST(DualFunctions, AgreeWithTheComplexStep) {
  const double h = 1e-30;
  for (const Elementary& f : functions())
    for (const double x : f.points) {
      const D1 y = f.dual(D1::variable(x, 0));
      const Complex z = f.complex(Complex(x, h));
      EXPECT_NEAR(y.value, z.real(), 16.0 * unit_roundoff * std::max(1.0, std::abs(y.value)))
          << f.name << " at " << x;
      EXPECT_NEAR(y.derivative[0], z.imag() / h,
                  32.0 * unit_roundoff * std::max(1.0, std::abs(y.derivative[0])))
          << f.name << " at " << x;
    }
}

// Negative control: no function passes with the derivative of the next function in the list.
TEST(DualFunctions, NoneHasTheDerivativeOfAnother) {
  for (std::size_t i = 0; i < functions().size(); ++i) {
    const Elementary& f = functions()[i];
    const Elementary& g = functions()[(i + 1) % functions().size()];
    const double slope = f.dual(D1::variable(0.3, 0)).derivative[0];
    EXPECT_GT(std::abs(slope - static_cast<double>(g.slope(0.3L))), 1e-3) << f.name << g.name;
  }
}

// d atan2 = (x dy − y dx)/(x² + y²) in all four quadrants, and on the axes.
TEST(DualFunctions, AngleOfAPointChangesByTheLateralStepOverTheDistance) {
  using D = Dual<double, 2>;
  for (const double x : {-1.5, 0.0, 0.4})
    for (const double y : {-0.7, 2.0}) {
      const D angle = atan2(D::variable(y, 1), D::variable(x, 0));
      EXPECT_EQ(angle.value, std::atan2(y, x));
      const double r2 = x * x + y * y;
      // four roundings
      EXPECT_NEAR(angle.derivative[0], -y / r2, 4.0 * unit_roundoff / std::sqrt(r2));
      EXPECT_NEAR(angle.derivative[1], x / r2, 4.0 * unit_roundoff / std::sqrt(r2));
    }
}

/// A mixture of operations, on 0.2 < x, y < 1.2.
template <class T>
T composite(const T& x, const T& y) {
  using std::acos, std::asin, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow,
      std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const T growth = sqrt(x) * exp(sin(y)) - log(x * y) / (cos(y) + 2.0);
  const T angles = atan2(y, x) + asin(0.3 * x) * acos(0.5 * y) - tan(0.4 * x);
  const T powers = pow(x, 1.5) * tanh(y) - sinh(x) / cosh(y);
  const T quotient = growth / (1.0 + powers * powers);
  return quotient * angles - 2.0 * powers + (-x) / y;
}

// About 40 operations with intermediate values and slopes below 10: 40 · 10 u each way.
TEST(DualArithmetic, AgreesWithEigensAutoDiffScalar) {
  using Peer = Eigen::AutoDiffScalar<Eigen::Vector2d>;
  using D = Dual<double, 2>;
  test::RandomNumbers random(1);
  for (int i = 0; i < 50; ++i) {
    const double x = random.uniform(0.2, 1.2), y = random.uniform(0.2, 1.2);
    const D ours = composite(D::variable(x, 0), D::variable(y, 1));
    const Peer theirs = composite(Peer(x, 2, 0), Peer(y, 2, 1));
    EXPECT_NEAR(ours.value, theirs.value(), 400.0 * unit_roundoff);
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(ours.derivative[static_cast<std::size_t>(k)], theirs.derivatives()(k),
                  800.0 * unit_roundoff);
  }
}

// The tests of later modules rely on this check. Its bound holds for a function with a known
// derivative, is small enough to be useful, and fails for another derivative.
TEST(CentralDifference, StaysWithinItsBoundAndTheBoundIsSmall) {
  const auto f = [](double x) -> VectorXd {
    return Eigen::Vector2d(std::sin(3.0 * x), std::exp(x));
  };
  for (const double x : {-1.0, 0.0, 0.3, 1.7}) {
    const auto numerical = test::central_difference(f, x, 1.0 / 64.0);
    const Eigen::Vector2d exact(3.0 * std::cos(3.0 * x), std::exp(x));
    const double error = (numerical.value - exact).cwiseAbs().maxCoeff();
    EXPECT_LE(error, numerical.bound);
    EXPECT_LT(numerical.bound, 1e-9);
    const Eigen::Vector2d wrong(3.0 * std::cos(3.0 * x + 1e-6), std::exp(x) + 1e-7);
    EXPECT_GT((numerical.value - wrong).cwiseAbs().maxCoeff(), numerical.bound);
  }
}

}  // namespace
}  // namespace rigidlimit
