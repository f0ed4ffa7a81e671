// Tests the initial layer against closed forms of the damped oscillator.
#include "rigidlimit/asymptotics/layer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

constexpr double roundoff = std::numeric_limits<double>::epsilon();

MatrixXd one_by_one(double x) {
  return MatrixXd::Constant(1, 1, x);
}

/// x'' + 2 ζ σ x' + σ² x = 0, x(0) = 1, x'(0) = 0: (x, x').
Eigen::Vector2d oscillator(double sigma, double zeta, double tau) {
  if (zeta == 1.0)
    return std::exp(-sigma * tau) * Eigen::Vector2d(1.0 + sigma * tau, -sigma * sigma * tau);
  if (zeta < 1.0) {
    const double s = std::sqrt(1.0 - zeta * zeta), decay = std::exp(-zeta * sigma * tau);
    const double phase = s * sigma * tau;
    return decay * Eigen::Vector2d(std::cos(phase) + zeta / s * std::sin(phase),
                                   -sigma / s * std::sin(phase));
  }
  // Roots −σ(ζ ± s), with the product σ²: the slow root without cancellation.
  const double fast = sigma * (zeta + std::sqrt(zeta * zeta - 1.0)), slow = sigma * sigma / fast;
  const double x_slow = std::exp(-slow * tau), x_fast = std::exp(-fast * tau);
  return Eigen::Vector2d(fast * x_slow - slow * x_fast, fast * slow * (x_fast - x_slow)) /
         (fast - slow);
}

// A = 1.6, C = 2.5: σ = 2. Squaring the exponential s = log₂(τ |matrix|) times doubles its
// round-off each time: 20 (1 + τ |matrix|) roundings, while the state is of order 1.
TEST(Layer, EqualsTheDampedOscillatorForOneContact) {
  const double sigma = 2.0;
  for (const double zeta : {0.0, 0.1, 0.8, 1.0, 1.5, 20.0}) {
    const double damping = 2.0 * zeta * std::sqrt(2.5 / 1.6);
    const Layer layer(one_by_one(1.6), one_by_one(2.5), one_by_one(damping),
                      Eigen::Vector2d(1.0, 0.0));
    const double norm = 1.0 + 4.0 + 1.6 * damping;
    for (double tau = 1e-8; tau < 2e8; tau *= std::sqrt(10.0)) {
      const Eigen::Vector2d wanted = oscillator(sigma, zeta, tau);
      const double error = (layer.state(tau) - wanted).norm();
      EXPECT_LE(error, 20.0 * roundoff * (1.0 + tau * norm)) << "ζ = " << zeta << ", τ = " << tau;
      // Positive damping: exactly zero after 800 time constants of the slow root.
      if (zeta > 0.0 && tau * sigma > 800.0 * (zeta + 10.0) + 8000.0) {
        EXPECT_EQ(layer.state(tau).norm(), 0.0);
      }
    }
  }
}

// Critical damping, start (−e₀, 0): ω = σ² e₀ τ exp(−σ τ), greatest at τ = 1/σ: σ e₀/e.
TEST(Layer, HasTheCriticalPeakOfTheTheory) {
  const double e0 = -0.91;
  const Layer layer(one_by_one(1.0), one_by_one(1.0), one_by_one(2.0), Eigen::Vector2d(-e0, 0.0));
  for (const double tau : {0.25, 1.0, 3.0})
    EXPECT_NEAR(layer.state(tau)(1), e0 * tau * std::exp(-tau), 50.0 * roundoff);
  EXPECT_NEAR(std::abs(layer.state(1.0)(1)), 0.91 / std::numbers::e, 50.0 * roundoff);
  EXPECT_NEAR(std::abs(layer.state(1.0)(1)), 0.3348, 5e-5);
  // Negative control: at another damping the peak is elsewhere.
  const Layer other(one_by_one(1.0), one_by_one(1.0), one_by_one(1.8), Eigen::Vector2d(-e0, 0.0));
  EXPECT_GT(std::abs(std::abs(other.state(1.0)(1)) - 0.91 / std::numbers::e), 1e-2);
}

// D = 0 conserves ½ ωᵀ A⁻¹ ω + ½ η̃ᵀ C η̃. The phase error is τ |matrix| roundings, 1e-7 at τ =
// 1e8; the energy drifts by no more than that.
TEST(Layer, OscillatesPermanentlyWithoutDamping) {
  RandomNumbers random(301);
  const MatrixXd A = random.positive_definite(2), C = random.positive_definite(2);
  const VectorXd x0 = random.vector<4>();
  const Layer layer(A, C, MatrixXd::Zero(2, 2), x0);
  const auto energy = [&](const VectorXd& x) {
    return 0.5 * x.tail(2).dot(symmetric_solve(A, VectorXd(x.tail(2)))) +
           0.5 * x.head(2).dot(C * x.head(2));
  };
  for (const double tau : {1.0, 1e2, 1e4, 1e6, 1e8}) {
    const double lost = 100.0 * roundoff * (1.0 + tau * (1.0 + (A * C).norm()));
    EXPECT_NEAR(energy(layer.state(tau)), energy(x0), lost * energy(x0)) << tau;
  }
}

// Two contacts, D critical: with R = A^(1/2), S = (R C R)^(1/2) and η̃ = R z the layer is
// z'' + 2 S z' + S² z = 0, so z = exp(−τS) (z₀ + τ (z₀' + S z₀)), diagonal in the eigenvectors of
// S.
TEST(Layer, EqualsTheCriticalMatrixLayerForTwoContacts) {
  RandomNumbers random(302);
  for (int i = 0; i < 5; ++i) {
    const MatrixXd A = random.positive_definite(2), C = random.positive_definite(2);
    const VectorXd x0 = random.vector<4>();
    const Layer layer(A, C, critical_damping(A, C), x0);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> of_A(A);
    const MatrixXd R = of_A.operatorSqrt(), R_inverse = of_A.operatorInverseSqrt();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> of_inner(R * C * R);
    const VectorXd s = of_inner.eigenvalues().cwiseSqrt();
    const MatrixXd U = of_inner.eigenvectors(), S = U * s.asDiagonal() * U.transpose();
    const VectorXd z0 = R_inverse * x0.head(2), dz0 = R_inverse * x0.tail(2);
    for (double tau = 1e-4; tau < 1e3; tau *= 2.0) {
      const VectorXd decay = (-tau * s).array().exp();
      const VectorXd z = U * decay.asDiagonal() * U.transpose() * (z0 + tau * (dz0 + S * z0));
      // Condition of A (up to 17) and τ |matrix| roundings.
      const double tolerance = 400.0 * roundoff * (1.0 + tau * (A * C).norm());
      EXPECT_LE((layer.state(tau).head(2) - R * z).norm(), tolerance) << tau;
    }
  }
}

TEST(Layer, ColumnsAreStatesAndTheForceIsThatOfTheLaw) {
  const Layer layer(one_by_one(1.6), one_by_one(2.5), one_by_one(0.7), Eigen::Vector2d(0.3, -0.4));
  const std::vector<double> taus{0.0, 0.5, 2.0};
  const MatrixXd x = layer.states(taus);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(x.col(k), layer.state(taus[std::size_t(k)]));
  EXPECT_EQ(x.col(0), Eigen::Vector2d(0.3, -0.4));
  EXPECT_EQ(layer.deflection(x), x.row(0));
  EXPECT_EQ(layer.sliding(x), x.row(1));
  EXPECT_NEAR(layer.force(x)(0, 0), 2.5 * 0.3 - 0.7 * 0.4, 4.0 * roundoff);
}

TEST(Layer, RefusesInvalidInputs) {
  const MatrixXd one = one_by_one(1.0);
  const Eigen::Vector2d x0(1.0, 0.0);
  EXPECT_THROW(Layer(MatrixXd::Identity(2, 2), one, one, x0), InputError);
  EXPECT_THROW(Layer(one, one, one_by_one(NAN), x0), InputError);
  EXPECT_THROW(Layer(one, one, one, Eigen::Vector3d(1.0, 0.0, 0.0)), InputError);
  EXPECT_THROW(Layer(one, one, one, Eigen::Vector2d(1.0, NAN)), InputError);
  const Layer layer(one, one, one, x0);
  for (const double tau : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THROW(layer.state(tau), InputError);
}

}  // namespace
}  // namespace rigidlimit
