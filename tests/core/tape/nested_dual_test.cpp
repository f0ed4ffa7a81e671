// Tests nested dual numbers, in Eigen's matrices, at branches and at the edge of the domain.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "support/central_difference.hpp"
#include "support/derivative.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

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
TEST(NestedDual, GivesTheHessian) {
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

// d³/dx³ x⁴ = 24 x: three layers.
TEST(NestedDual, SupportsThreeLevels) {
  using A = Dual<double, 1>;
  using B = Dual<A, 1>;
  using C = Dual<B, 1>;
  const C x = C::variable(B::variable(A::variable(0.5, 0), 0), 0);
  const C y = x * x * x * x;
  EXPECT_EQ(y.derivative[0].derivative[0].derivative[0], 12.0);  // exact in binary
  EXPECT_EQ(plain_value(y), 0.0625);
}

// Whole powers are polynomials: all their derivatives exist at 0 (0 · 0^(−1) must not appear).
TEST(NestedDual, WholePowersAreSmoothAtZero) {
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

TEST(Directions, AsVariablesIsTheIdentityAndAsConstantsIsZero) {
  using D = Dual<double, 5>;
  const Eigen::Vector3d p(0.1, 0.2, 0.3);
  const Vector<D, 3> x = as_variables<D, 1>(p);
  Matrix<double, 3, 5> shifted = Matrix<double, 3, 5>::Zero();
  shifted.block<3, 3>(0, 1).setIdentity();
  EXPECT_EQ((derivatives(x)), shifted);
  EXPECT_EQ((derivatives(as_constants<D>(p))), (Matrix<double, 3, 5>::Zero()));
  EXPECT_EQ(plain_value(x(2)), 0.3);
}

// d/dτ f(x + τ dx) = ∇f · dx, both by hand.
TEST(Directions, AlongIsTheDirectionalDerivative) {
  const Eigen::Vector2d x(0.7, -0.4), dx(2.0, 3.0);
  const auto moved = along(x, dx);
  const auto y = moved(0) * moved(0) * moved(1);
  EXPECT_NEAR(y.derivative[0], 2.0 * 0.7 * -0.4 * 2.0 + 0.7 * 0.7 * 3.0, 8.0 * unit_roundoff);
}

// ∂(A x)/∂x = A and ∂(½ xᵀ A x)/∂x = A x for symmetric A, A a matrix of doubles.
TEST(DualInEigen, ProductsWithMatricesOfDoublesAreDifferentiated) {
  using D = Dual<double, 3>;
  test::RandomNumbers random(3);
  const Eigen::Matrix3d A = random.positive_definite(3);
  const Eigen::Vector3d p = random.vector<3>();
  const Vector<D, 3> x = as_variables<D>(p);
  const Vector<D, 3> Ax = A * x;
  EXPECT_EQ(derivatives(Ax), A);  // products with 1 and 0 are exact
  const Vector<D, 3> scaled = (2.0 * x - x / 2.0 + A.row(0).transpose()) * 2.0;
  EXPECT_EQ(derivatives(scaled), Eigen::Matrix3d(3.0 * Eigen::Matrix3d::Identity()));
  const D energy = 0.5 * x.dot(Ax);
  // six products and sums of numbers below 4
  EXPECT_LE((gradient(energy) - A * p).cwiseAbs().maxCoeff(), 24.0 * unit_roundoff);
}

// d(B⁻¹ b) = −B⁻¹ dB B⁻¹ b through a pivoted LU: 3 × 3, condition below 100, solutions below 10.
TEST(DualInEigen, LuOfDualsDifferentiatesTheInverse) {
  using D = Dual<double, 1>;
  Eigen::Matrix3d B, dB;
  B << 0.0, 2.0, 1.0, 3.0, 1.0, -1.0, 1.0, 1.0, 2.0;  // the first pivot is 0: rows are exchanged
  dB << 1.0, -1.0, 0.5, 0.25, 2.0, 0.0, 1.0, 0.0, -2.0;
  const Eigen::Vector3d b(1.0, -2.0, 0.5);
  Matrix<D, 3, 3> moving;
  for (int i = 0; i < 9; ++i) {
    moving(i) = D(B(i));
    moving(i).derivative[0] = dB(i);
  }
  const Vector<D, 3> x = moving.partialPivLu().solve(as_constants<D>(b));
  const Eigen::Vector3d solution = B.inverse() * b;
  const Eigen::Vector3d expected = -B.inverse() * (dB * solution);
  EXPECT_LE((derivatives(x).col(0) - expected).cwiseAbs().maxCoeff(), 100.0 * 10.0 * unit_roundoff);
}

TEST(DualBranches, ComparisonsUseTheValueOnly) {
  using D = Dual<double, 1>;
  const D x = D::variable(0.5, 0);
  EXPECT_TRUE(x == D(0.5));  // equal value, other derivative
  EXPECT_TRUE(x != 0.25 && x > 0.25 && 0.25 < x && x <= 0.5 && x >= 0.5);
  const auto ramp = [](const D& z) { return z > 0.0 ? z * z : D(0.0); };
  EXPECT_EQ(ramp(x).derivative[0], 1.0);
  EXPECT_EQ(ramp(-x).derivative[0], 0.0);
}

// |x|' = ±1; at 0 the right branch, as documented.
TEST(DualBranches, AbsoluteValueTakesTheRightBranchAtZero) {
  using D = Dual<double, 1>;
  EXPECT_EQ(abs(D::variable(-2.0, 0)).derivative[0], -1.0);
  EXPECT_EQ(abs(D::variable(2.0, 0)).derivative[0], 1.0);
  EXPECT_EQ(abs(D::variable(0.0, 0)).derivative[0], 1.0);
}

TEST(DualOutsideTheDomain, NanPropagates) {
  using D = Dual<double, 1>;
  const D nan = sqrt(D::variable(-1.0, 0));
  EXPECT_TRUE(std::isnan(nan.value) && std::isnan(nan.derivative[0]));
  const D after = sin(nan) * 0.0 + D::variable(1.0, 0);
  EXPECT_TRUE(std::isnan(after.value) && std::isnan(after.derivative[0]));
  EXPECT_FALSE(isfinite(after));
  EXPECT_FALSE(nan < 1.0 || nan > 1.0 || nan == nan);  // as for doubles
  EXPECT_FALSE(isfinite(D::variable(1.0, 0) / 0.0));
  EXPECT_TRUE(isfinite(D::variable(1.0, 0)));
}

}  // namespace
}  // namespace rigidlimit
