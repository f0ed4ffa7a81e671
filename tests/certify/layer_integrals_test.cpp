// Tests the range and the integrals of layers with constant coefficients.
#include "rigidlimit/certify/layer_integrals.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

/// Of arithmetic with 192 bits, with numbers of the size 1 to 10.
constexpr double rounding = 1e-50;

bool overlap(const Ball& a, const Ball& b) {
  return (a - b).contains(Ball(0));
}

BallMatrix number(const Ball& x) {
  return BallMatrix::Constant(1, 1, x);
}

// With A = C = 1 and D = 2: g₂ = −(1 + τ) e^−τ and g₁ = g₂' = τ e^−τ from (0, −1).
const MatrixXd critical{{-2.0, -1.0}, {1.0, 0.0}};

BallVector critical_layer(const Ball& tau) {
  BallVector g(2);
  g(0) = tau * exp(-tau);
  g(1) = -(1 + tau) * exp(-tau);
  return g;
}

DecayingNorm norm_of_layer(const MatrixXd& J) {
  return {J, MatrixXd::Identity(J.rows(), J.rows())};
}

TEST(RangeOfLayer, CriticallyDampedLayerReturnsWithoutOvershoot) {
  const BallVector range =
      range_of_layer(balls(critical), critical_layer(0), norm_of_layer(critical));
  ASSERT_EQ(range.size(), 1);
  for (int k = 0; k <= 100; ++k)
    EXPECT_TRUE(range(0).contains(critical_layer(Ball(0.1 * k))(1))) << k;
  EXPECT_TRUE(range(0).contains(0)) << "it ends at rest";
  EXPECT_GE(range(0).lower(), -1.05);
  EXPECT_LE(range(0).upper(), 0.05);
}

// g₂'' + 0.4 g₂' + g₂ = 0 from 1 at rest: its first overshoot is −e^(−0.2 π/ω), ω² = 0.96, at π/ω.
TEST(RangeOfLayer, ContainsTheOvershootOfAWeaklyDampedLayer) {
  const MatrixXd J{{-0.4, -1.0}, {1.0, 0.0}};
  const BallVector range = range_of_layer(balls(J), balls(VectorXd{{0.0, 1.0}}), norm_of_layer(J));
  const double pi = std::acos(-1.0), overshoot = -std::exp(-0.2 * pi / std::sqrt(0.96));
  EXPECT_TRUE(range(0).contains(overshoot));
  EXPECT_TRUE(range(0).contains(1));
  EXPECT_GE(range(0).lower(), overshoot - 0.05);
  EXPECT_LE(range(0).upper(), 1.05);
}

TEST(RangeOfLayer, ContainsTheLayersOfAllMatricesAndStarts) {
  BallMatrix J = balls(critical);
  J(0, 0) += Ball::around_zero(1e-6);
  BallVector start = critical_layer(0);
  start(1) += Ball::around_zero(1e-6);
  const BallVector range = range_of_layer(J, start, norm_of_layer(critical));
  for (const double damping : {-1e-6, 0.0, 1e-6})
    for (const double shift : {-1e-6, 0.0, 1e-6})
      for (const double tau : {0.0, 0.2, 1.0, 4.0}) {
        BallMatrix one = balls(critical);
        one(0, 0) += Ball(damping);
        BallVector g = critical_layer(0);
        g(1) += Ball(shift);
        const BallVector x = exponential(BallMatrix(one * Ball(tau))) * g;
        EXPECT_TRUE(overlap(range(0), x(1)));
      }
  EXPECT_FALSE(range(0).contains(-1.1)) << "negative control";
}

// In the norm of the critical layer a contact of the stiffness 100 swings beyond its start: from
// (0, 1) its rate reaches −10 e^(−…), and the errors of the steps would not stay below their
// bounds.
TEST(RangeOfLayer, RefusesANormThatMayGrow) {
  const MatrixXd J{{-2.0, -100.0}, {1.0, 0.0}};
  const BallVector start = balls(VectorXd{{0.0, 1.0}});
  const DecayingNorm norm = norm_of_layer(critical);
  const BallVector later = exponential(BallMatrix(balls(J) * Ball(0.1))) * start;
  EXPECT_GT(norm.size(later).lower(), norm.size(start).upper()) << "it grows";
  EXPECT_THROW(range_of_layer(balls(J), start, norm), std::domain_error);
  EXPECT_NO_THROW(range_of_layer(balls(J), start, norm_of_layer(J)));
}

TEST(LayerMatrix, HasTheBlocksOfTheLayer) {
  const MatrixXd A{{2.0, 1.0}, {1.0, 3.0}}, C{{1.0, 0.0}, {0.0, 4.0}}, D{{0.5, 0.0}, {0.0, 1.5}};
  const BallMatrix J = layer_matrix(balls(A), balls(C), balls(D));
  MatrixXd expected(4, 4);
  expected << -A * D, -A * C, MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) EXPECT_TRUE(J(i, j) == expected(i, j)) << i << " " << j;
}

TEST(Contracted, IsTheBilinearFormOfEachComponent) {
  // Row i + N j, column k, with N = 2 and m = 2.
  const BallMatrix tensor = balls(MatrixXd{{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}, {7.0, 8.0}});
  const BallVector g = balls(VectorXd{{1.0, 10.0}}), h = balls(VectorXd{{1.0, 100.0}});
  const BallVector result = contracted(tensor, g, h);
  ASSERT_EQ(result.size(), 2);
  EXPECT_TRUE(result(0) == 1 + 2 * 100 + 5 * 10 + 6 * 1000);
  EXPECT_TRUE(result(1) == 3 + 4 * 100 + 7 * 10 + 8 * 1000);
}

/// One contact with A = 1, and two components.
PairTapes::Terms critical_terms() {
  PairTapes::Terms at;
  at.bracket = balls(VectorXd{{3.0, -1.0}});
  at.sliding_squared = balls(VectorXd{{4.0, -2.0}});
  at.delassus = number(1);
  at.sliding_load = number(0.5);
  return at;
}

LayerIntegrals critical_integrals(const Ball& epsilon) {
  return {critical_terms(), number(1), number(2), epsilon};
}

// ∫₀^T g₂ = (2 + T) e^−T − 2.
TEST(LayerIntegrals, LinearPartIsTheIntegralOfTheDisplacement) {
  const LayerIntegrals integrals = critical_integrals(0);
  for (const double T : {0.5, 1.5, 20.0}) {
    const Ball tau = T, expected = (2 + tau) * exp(-tau) - 2;
    const BallVector difference =
        integrals.linear * BallVector(critical_layer(tau) - critical_layer(0));
    EXPECT_TRUE(overlap(difference(0), 3 * expected)) << T;
    EXPECT_TRUE(overlap(difference(1), -expected)) << T;
    EXPECT_LT(difference(0).radius(), rounding);
    EXPECT_FALSE(overlap(difference(1), expected)) << "negative control";
  }
}

// ∫₀^T g₁² = 1/4 − e^−2T (T²/2 + T/2 + 1/4).
TEST(LayerIntegrals, QuadraticPartIsTheIntegralOfTheSquaredRate) {
  const LayerIntegrals integrals = critical_integrals(0);
  ASSERT_EQ(integrals.quadratics.size(), 2U);
  for (const double T : {0.5, 1.5, 20.0}) {
    const Ball tau = T,
               expected = Ball(0.25) - exp(-2 * tau) * (tau * tau / 2 + tau / 2 + Ball(0.25));
    const BallVector end = critical_layer(tau), start = critical_layer(0),
                     difference = integrals.quadratic(end, end) - integrals.quadratic(start, start);
    EXPECT_TRUE(overlap(difference(0), expected * 4 / 2)) << T;
    EXPECT_TRUE(overlap(difference(1), -expected * 2 / 2)) << T;
    EXPECT_LT(difference(0).radius(), rounding);
    EXPECT_FALSE(overlap(difference(0), expected * 4)) << "negative control: without 1/2";
  }
}

// Two coupled contacts with the coupling of order ε, against Simpson's rule with the step h. Its
// error is T h⁴/180 × the fourth derivative, at most (2 |J|)⁴ × the integrand, |J| ≤ 7 and T = 1.
TEST(LayerIntegrals, CoupledContactsAgreeWithQuadrature) {
  const MatrixXd A{{2.0, 0.5}, {0.5, 1.0}}, C{{1.0, 0.0}, {0.0, 2.0}}, D{{1.5, 0.0}, {0.0, 1.0}};
  PairTapes::Terms at;
  at.bracket = balls(MatrixXd{{1.0, -2.0}, {0.5, 3.0}, {0.0, 1.0}});
  // ∂²R/∂w² is symmetric in its last two indices: rows (i, j), N = 3.
  at.sliding_squared =
      balls(MatrixXd{{1.0, 2.0}, {0.0, -1.0}, {4.0, 0.5}, {2.0, 3.0}, {-1.0, 1.0}, {0.5, -2.0}});
  at.delassus = balls(A);
  at.sliding_load = balls(MatrixXd{{0.3, -0.2}, {0.1, 0.4}});
  const Ball epsilon = 0.1;
  const LayerIntegrals integrals(at, balls(C), balls(D), epsilon);
  BallMatrix J = layer_matrix(balls(A), balls(C), balls(D));
  J.topLeftCorner(2, 2) += at.sliding_load * epsilon;

  constexpr int steps = 400;
  constexpr double h = 1.0 / steps;
  const BallMatrix flow = exponential(BallMatrix(J * (Ball(1) / steps)));
  const BallVector start = balls(VectorXd{{0.2, -0.3, 1.0, -0.5}});
  BallVector g = start, linear = BallVector::Zero(3), quadratic = BallVector::Zero(3);
  for (int k = 0; k <= steps; ++k) {
    const Ball weight = Ball(k == 0 || k == steps ? 1 : (k % 2 == 1 ? 4 : 2)) / (3 * steps);
    const BallVector rate = g.head(2);
    linear += BallVector(at.bracket * g.tail(2)) * weight;
    quadratic += contracted(at.sliding_squared, rate, rate) * Ball(weight / 2);
    if (k < steps) g = flow * g;
  }
  constexpr double J_bound = 7.0, integrand = 20.0;
  EXPECT_LE(norm_bound(J).upper(), J_bound);
  const double tolerance = h * h * h * h / 180.0 * std::pow(2.0 * J_bound, 4) * integrand;
  EXPECT_LT(tolerance, 1e-6);
  const BallVector by_linear = integrals.linear * BallVector(g - start),
                   by_quadratic = integrals.quadratic(g, g) - integrals.quadratic(start, start);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(by_linear(i).middle(), linear(i).middle(), tolerance) << i;
    EXPECT_NEAR(by_quadratic(i).middle(), quadratic(i).middle(), tolerance) << i;
    EXPECT_GT(std::abs(quadratic(i).middle()), 1e3 * tolerance) << "negative control";
  }
  // Without the coupling of order ε the integrals are others.
  const LayerIntegrals uncoupled(at, balls(C), balls(D), 0);
  EXPECT_GT(std::abs(BallVector(uncoupled.linear * BallVector(g - start))(0).middle() -
                     linear(0).middle()),
            1e3 * tolerance)
      << "negative control";
}

// J⁻¹ has the second row (−1, −2 + ε/2).
TEST(LayerIntegrals, HoldForAllCouplingsOfABall) {
  const BallMatrix linear = critical_integrals(hull(Ball(0), Ball(0.1))).linear;
  for (const double epsilon : {0.0, 0.03, 0.1}) {
    const BallMatrix one = critical_integrals(epsilon).linear;
    EXPECT_TRUE(overlap(one(0, 1), 3 * (Ball(epsilon) / 2 - 2)));
    EXPECT_TRUE(overlap(linear(0, 0), one(0, 0)));
    EXPECT_TRUE(overlap(linear(0, 1), one(0, 1)));
  }
  EXPECT_FALSE(overlap(linear(0, 1), critical_integrals(0.4).linear(0, 1))) << "negative control";
}

TEST(LayerIntegrals, MagnitudesBoundTheIntegrals) {
  const LayerIntegrals integrals = critical_integrals(0), sizes = integrals.magnitudes();
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j) {
      EXPECT_GE(sizes.linear(i, j).lower(), std::abs(integrals.linear(i, j).middle()));
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(sizes.quadratics[k](i, j).radius(), 0.0);
        EXPECT_GE(sizes.quadratics[k](i, j).lower(),
                  std::abs(integrals.quadratics[k](i, j).middle()));
      }
    }
  EXPECT_TRUE(sizes.linear(0, 1) != integrals.linear(0, 1)) << "negative control: −6 and 6";
}

}  // namespace
}  // namespace rigidlimit
