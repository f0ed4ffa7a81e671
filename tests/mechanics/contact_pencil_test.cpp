// Tests the eigenvalues of linear contacts against theorems and closed forms.
#include "rigidlimit/mechanics/contact_pencil.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

/// σ of s² + 2 ζ σ s + σ²: square roots of the eigenvalues of Lᵀ C L, A = L Lᵀ; increasing.
VectorXd frequencies(const MatrixXd& A, const MatrixXd& C) {
  return symmetric_eigenvalues(congruent(C, cholesky_factor(A))).cwiseSqrt();
}

/// Re μ of the slower root at the damping ratio ζ, for σ = 1.
double slow_root(double zeta) {
  return zeta <= 1.0 ? -zeta : -1.0 / (zeta + std::sqrt(zeta * zeta - 1.0));
}

// With D = ζ D_crit the slowest rate is that of the smallest σ. A and C have conditions below 65 (m
// = 4), so that σ² and ζ² σ² have relative errors below 10 · 65² u = 5e-12, and the root of their
// difference at ζ = 1 has one below 4e-6; 1e-8 from ζ = 1 on, it has 5e-12/sqrt(2e-8) = 4e-8.
TEST(ContactPencil, DampingRatiosGiveTheirRates) {
  RandomNumbers random(5);
  for (int k = 0; k < 100'000; ++k) {
    const Index m = 1 + k % 4;
    const MatrixXd A = random.positive_definite(m), C = random.positive_definite(m);
    constexpr double ratios[] = {1.0, 1.0 - 1e-15, 1.0 + 1e-15, 1.0 - 1e-8, 1.0 + 1e-8, 0.3, 2.0};
    const double zeta = ratios[k % 7];
    const Eigen::VectorXcd rates = contact_pencil_rates(A, C, zeta * critical_damping(A, C));
    const VectorXd sigma = frequencies(A, C);
    ASSERT_NEAR(rates.real().maxCoeff() / sigma(0), slow_root(zeta), 4e-6) << k << " " << zeta;
    ASSERT_LE(rates.cwiseAbs().maxCoeff(),
              sigma(m - 1) * (std::max(zeta, 1.0) + std::sqrt(std::max(zeta * zeta - 1.0, 0.0))) *
                  (1.0 + 4e-6));
  }
}

// D > 0 decays (a theorem), whatever the other modes are. The sum of the μ is −tr A D, to 2m u of
// the size of the matrix, times 10.
TEST(ContactPencil, AnyDampingDecaysAndHasItsTrace) {
  RandomNumbers random(6);
  for (int k = 0; k < 100'000; ++k) {
    const Index m = 1 + k % 4;
    const MatrixXd A = random.positive_definite(m), C = random.positive_definite(m),
                   other = random.positive_definite(m);
    // Near the critical one, or another one.
    const double share = k % 3 == 0 ? 1.0 : std::pow(10.0, random.uniform(-16.0, -1.0));
    const MatrixXd D = critical_damping(A, C) + share * other;
    const Eigen::VectorXcd rates = contact_pencil_rates(A, C, D);
    ASSERT_LT(rates.real().maxCoeff(), 0.0) << k;
    const double size = (A * D).norm() + std::sqrt((A * C).norm());
    ASSERT_NEAR(rates.sum().real(), -(A * D).trace(), 1e-14 * static_cast<double>(m) * size) << k;
    ASSERT_NEAR(rates.sum().imag(), 0.0, 1e-14 * static_cast<double>(m) * size) << k;
  }
}

// Frequencies 10⁶ apart: the slow mode keeps its rate, which a companion matrix loses in the
// rounding of the fast one.
TEST(ContactPencil, SlowModesBesideFastOnesKeepTheirRates) {
  for (const double ratio : {1e2, 1e4, 1e6}) {
    const MatrixXd A = MatrixXd{{1.0, 0.5}, {0.5, 1.0}};
    const MatrixXd C = MatrixXd{{ratio * ratio, 0.0}, {0.0, 1.0}};
    const double slow = frequencies(A, C)(0);
    const Eigen::VectorXcd rates = contact_pencil_rates(A, C, 0.5 * critical_damping(A, C));
    // κ(C) u = 1e-4 at the ratio 1e6, of σ² and of D.
    EXPECT_NEAR(rates.real().maxCoeff() / slow, -0.5, 1e-3) << ratio;
  }
}

TEST(ContactPencil, UndampedAndRedundantContactsDoNotDecay) {
  RandomNumbers random(7);
  const MatrixXd A = random.positive_definite(2), C = random.positive_definite(2);
  EXPECT_EQ(contact_pencil_rates(A, C, MatrixXd::Zero(2, 2)).real().cwiseAbs().maxCoeff(), 0.0);
  const MatrixXd twice = MatrixXd::Ones(2, 2);
  const Eigen::VectorXcd rates = contact_pencil_rates(twice, C, C);
  EXPECT_EQ((rates.array() == 0.0).count(), 2);
  EXPECT_EQ((damper_rates(twice, C).array() == 0.0).count(), 1);
  EXPECT_EQ(contact_pencil_rates(MatrixXd(0, 0), MatrixXd(0, 0), MatrixXd(0, 0)).size(), 0);
}

TEST(ContactPencil, DampersAloneHaveTheEigenvaluesOfTheirProduct) {
  RandomNumbers random(8);
  for (int k = 0; k < 100; ++k) {
    const MatrixXd A = random.positive_definite(3), D = random.positive_definite(3);
    const VectorXd rates = damper_rates(A, D);
    EXPECT_NEAR(rates.sum(), -(A * D).trace(), 1e-13 * (A * D).norm());
    EXPECT_NEAR(rates.prod(), -(A.determinant() * D.determinant()), 1e-11 * (A * D).norm());
    EXPECT_TRUE(std::ranges::is_sorted(rates) && rates(2) < 0.0);
  }
}

TEST(ContactPencil, HasRatesOfNaNForEntriesThatAreNotFinite) {
  const MatrixXd one = MatrixXd::Ones(1, 1), nan = MatrixXd::Constant(1, 1, std::nan(""));
  EXPECT_TRUE(contact_pencil_rates(nan, one, one).real().array().isNaN().all());
  EXPECT_TRUE(contact_pencil_rates(one, nan, one).real().array().isNaN().all());
  EXPECT_TRUE(contact_pencil_rates(one, one, nan).real().array().isNaN().all());
  EXPECT_TRUE(damper_rates(one, nan).array().isNaN().all());
}

}  // namespace
}  // namespace rigidlimit
