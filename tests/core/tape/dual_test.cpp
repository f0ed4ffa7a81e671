// Tests the Dual numbers of the test support: first and second derivatives, and the difference
// quotients used beside them.
#include "support/dual.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <unsupported/Eigen/AutoDiff>

#include "support/central_difference.hpp"
#include "support/derivative.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

/// Nearly every elementary function, on 0.2 < x, y < 1.2.
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
TEST(Dual, AgreesWithEigensAutoDiffScalar) {
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

template <class S>
S three_variables(const Vector<S, 3>& p) {
  using std::exp, std::sin;
  const S x = p(0), y = p(1), z = p(2);
  return x * x * y * y * y + sin(x * y) * exp(z);
}

Eigen::Matrix3d hessian_by_hand(const Eigen::Vector3d& p) {
  const double x = p(0), y = p(1), e = std::exp(p(2)), s = std::sin(x * y), c = std::cos(x * y);
  Eigen::Matrix3d H;
  H << 2.0 * y * y * y - y * y * s * e, 6.0 * x * y * y + (c - x * y * s) * e, y * c * e,  //
      H(0, 1), 6.0 * x * x * y - x * x * s * e, x * c * e,                                 //
      H(0, 2), H(1, 2), s * e;
  H(1, 0) = H(0, 1);
  H(2, 0) = H(0, 2);
  H(2, 1) = H(1, 2);
  return H;
}

// A dozen operations on numbers below 20.
TEST(Dual, NestedGivesTheHessian) {
  using Inner = Dual<double, 3>;
  using Outer = Dual<Inner, 3>;
  test::RandomNumbers random(2);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector3d p = random.vector<3>(-1.5, 1.5);
    const Vector<Inner, 3> inner = as_variables<Inner>(p);
    const Vector<Inner, 3> slope = gradient(three_variables(as_variables<Outer>(inner)));
    const Eigen::Matrix3d H = derivatives(slope);
    EXPECT_LE((H - hessian_by_hand(p)).cwiseAbs().maxCoeff(), 12.0 * 20.0 * unit_roundoff);
    EXPECT_GT((H - hessian_by_hand(-p)).cwiseAbs().maxCoeff(), 1e-3);  // negative control
  }
}

// Whole powers are polynomials: all their derivatives exist at 0 (0 · 0^(−1) must not appear).
TEST(Dual, WholePowersAreSmoothAtZero) {
  using A = Dual<double, 1>;
  using B = Dual<A, 1>;
  const auto second_order = [](double p) { return pow(B::variable(A::variable(0.0, 0), 0), p); };
  for (const double p : {0.0, 1.0, 2.0, 3.0}) {
    const B y = second_order(p);
    EXPECT_EQ(y.value.value, p == 0.0 ? 1.0 : 0.0) << p;
    EXPECT_EQ(y.derivative[0].value, p == 1.0 ? 1.0 : 0.0) << p;
    EXPECT_EQ(y.derivative[0].derivative[0], p == 2.0 ? 2.0 : 0.0) << p;
  }
}

// Negative control: outside the domain of a function, value and derivative are NaN.
TEST(Dual, NotANumberPropagates) {
  using D = Dual<double, 1>;
  const D after = sin(sqrt(D::variable(-1.0, 0))) * 0.0 + D::variable(1.0, 0);
  EXPECT_TRUE(std::isnan(after.value) && std::isnan(after.derivative[0]));
  EXPECT_FALSE(isfinite(after));
  EXPECT_FALSE(after < 1.0 || after > 1.0 || after == after);  // as for doubles
}

// The bound holds for a known derivative, is small, and breaks for another derivative.
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
