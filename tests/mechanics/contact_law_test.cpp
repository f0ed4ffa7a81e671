// Tests that critical damping makes every contact mode exactly critically damped.
#include "rigidlimit/mechanics/contact_law.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

MatrixXd scalar(double x) {
  return MatrixXd::Constant(1, 1, x);
}

/// Roots s of det(s² I + s A D + A C): eigenvalues of [[0, I], [−A C, −A D]].
Eigen::VectorXcd contact_roots(const MatrixXd& A, const MatrixXd& C, const MatrixXd& D) {
  const Index m = A.rows();
  MatrixXd companion = MatrixXd::Zero(2 * m, 2 * m);
  companion.topRightCorner(m, m).setIdentity();
  companion.bottomLeftCorner(m, m) = -A * C;
  companion.bottomRightCorner(m, m) = -A * D;
  return eigenvalues_of(companion).value();
}

/// σ: square roots of the eigenvalues of A C, those of Lᵀ C L with A = L Lᵀ. With D = ζ D_crit the
/// similarity A^(1/2) turns the polynomial into s² I + 2 ζ s S + S², S = (A^(1/2) C A^(1/2))^(1/2),
/// whose roots are −σ (ζ ± sqrt(ζ² − 1)).
VectorXd contact_frequencies(const MatrixXd& A, const MatrixXd& C) {
  const MatrixXd L = cholesky_factor(A);
  return symmetric_eigenvalues(L.transpose() * C * L).cwiseSqrt();
}

/// Largest distance from an expected root to the nearest computed one, over the largest σ.
double root_distance(const Eigen::VectorXcd& roots, const VectorXd& sigma, double ratio) {
  using Complex = std::complex<double>;
  double worst = 0.0;
  for (const double s : sigma)
    for (const double side : {1.0, -1.0}) {
      const Complex expected = -s * (ratio + side * std::sqrt(Complex(ratio * ratio - 1.0)));
      worst = std::max(worst, (roots.array() - expected).abs().minCoeff());
    }
  return worst / sigma.maxCoeff();
}

struct Contact {
  MatrixXd A, C;
};
std::vector<Contact> contacts() {
  RandomNumbers random(21);
  std::vector<Contact> all = {{scalar(1.0), scalar(1.0)}, {scalar(0.3), scalar(17.0)}};
  for (int i = 0; i < 20; ++i)
    all.push_back({random.positive_definite(2), random.positive_definite(2)});
  return all;
}

// m = 1: D = 2 sqrt(C/A), by hand; three roundings.
TEST(CriticalDamping, IsTwiceTheRootOfStiffnessOverDelassusForOneContact) {
  EXPECT_NEAR(critical_damping(scalar(1.0), scalar(1.0))(0, 0), 2.0, 8.0 * unit_roundoff);
  EXPECT_NEAR(critical_damping(scalar(4.0), scalar(9.0))(0, 0), 3.0, 16.0 * unit_roundoff);
}

// A D A D = 4 A C: the definition squared, to round-off (matrix functions of 2 × 2 matrices with
// eigenvalues in [1/4, 4.25]: condition ≤ 17 each for A^(1/2)… , three in a chain).
TEST(CriticalDamping, SquaresToFourTimesTheStiffness) {
  for (const auto& [A, C] : contacts()) {
    const MatrixXd D = critical_damping(A, C);
    EXPECT_EQ(D, D.transpose());
    EXPECT_GT(symmetric_eigenvalues(D)(0), 0.0);
    const MatrixXd error = A * D * A * D - 4.0 * A * C;
    EXPECT_LE(error.norm(), 16.0 * 17.0 * unit_roundoff * 4.0 * (A * C).norm());
  }
}

// A double root whose matrix is known to δ = k u (relative) splits by sqrt(δ). The two vectors of
// its chain enter with the condition of A^(1/2) and of (1, σ), together below 17². k = 16 for D,
// the products and QR. sqrt(16 · 289 u) = 7e-7. On average pairs are real: sums are exact to δ.
TEST(CriticalDamping, AllContactRootsAreDoubleAndReal) {
  const double tolerance = std::sqrt(16.0 * 289.0 * unit_roundoff);
  for (const auto& [A, C] : contacts()) {
    const VectorXd sigma = contact_frequencies(A, C);
    const auto roots = contact_roots(A, C, critical_damping(A, C));
    EXPECT_LE(root_distance(roots, sigma, 1.0), tolerance);
    EXPECT_LE(roots.imag().cwiseAbs().maxCoeff(), tolerance * sigma.maxCoeff());
    EXPECT_NEAR(roots.real().sum(), -2.0 * sigma.sum(), 16.0 * 289.0 * unit_roundoff * sigma.sum());
  }
}

// m = 2, to round-off, without the square root's loss. Let the companion matrix have the polynomial
// s⁴ + c₃s³ + c₂s² + c₁s + c₀. It is the square of s² + (c₃/2) s + √c₀ iff c₁ = c₃√c₀ and
// c₂ − c₃²/4 − 2√c₀ = 0. With D = ζ D_crit this is (1 − ζ²)(σ₁ − σ₂)². The discriminant of the
// square's root is ζ²(σ₁ + σ₂)² − 4σ₁σ₂: (σ₁ − σ₂)² at ζ = 1, so the roots are real.
// Some 32 operations, the determinants with the condition 17² of the products.
TEST(CriticalDamping, CharacteristicPolynomialIsASquareOnlyAtRatioOne) {
  RandomNumbers random(22);
  for (int i = 0; i < 20; ++i) {
    const MatrixXd A = random.positive_definite(2), C = random.positive_definite(2);
    const VectorXd sigma = contact_frequencies(A, C);
    const double spread = std::pow(sigma(1) - sigma(0), 2), sum = sigma.sum();
    const double tolerance = 32.0 * 17.0 * 17.0 * unit_roundoff * sum * sum;
    for (const double ratio : {0.5, 1.0, 1.5}) {
      const Eigen::Matrix2d B = A * (ratio * critical_damping(A, C)), K = A * C;
      const double c3 = B.trace(), c2 = B.determinant() + K.trace();
      const double c1 = B.trace() * K.trace() - (B * K).trace(), root = std::sqrt(K.determinant());
      EXPECT_NEAR(c1, c3 * root, tolerance * sum);
      EXPECT_NEAR(c2 - 0.25 * c3 * c3 - 2.0 * root, (1.0 - ratio * ratio) * spread, tolerance);
      EXPECT_NEAR(0.25 * c3 * c3 - 4.0 * root, ratio * ratio * sum * sum - 4.0 * root, tolerance);
    }
    EXPECT_GT(spread, 1e6 * tolerance);  // negative control: ζ ≠ 1 leaves a difference
  }
}

// Both sides: 10 % less damping gives the complex pairs −σ(0.9 ± 0.436i), 10 % more the real pairs
// −σ(1.1 ± 0.458). The roots are now simple unless two σ are close. The distance is δ times the
// condition 17² over the separation 0.4, or its root where two pairs meet (then the bound above).
TEST(CriticalDamping, LessDampingOscillatesAndMoreDampingIsReal) {
  const double tolerance = std::sqrt(16.0 * 289.0 * unit_roundoff);
  for (const auto& [A, C] : contacts()) {
    const VectorXd sigma = contact_frequencies(A, C);
    const MatrixXd D = critical_damping(A, C);
    const auto under = contact_roots(A, C, 0.9 * D);
    EXPECT_LE(root_distance(under, sigma, 0.9), tolerance);
    EXPECT_GT((under.imag().cwiseAbs().array() / under.real().cwiseAbs().array()).minCoeff(), 0.48);
    const auto over = contact_roots(A, C, 1.1 * D);
    EXPECT_LE(root_distance(over, sigma, 1.1), tolerance);
    EXPECT_LE(over.imag().cwiseAbs().maxCoeff(), tolerance * sigma.maxCoeff());
    EXPECT_NEAR(over.real().minCoeff(), -(1.1 + std::sqrt(0.21)) * sigma.maxCoeff(),
                tolerance * sigma.maxCoeff());  // not −σ, the root of critical damping
  }
}

// Negative control: critical damping of each single contact is not critical when A couples them.
TEST(CriticalDamping, DiffersFromDiagonalDamping) {
  MatrixXd A(2, 2), C(2, 2);
  A << 1.0, 0.6, 0.6, 1.0;
  C << 1.0, 0.0, 0.0, 4.0;
  MatrixXd D = MatrixXd::Zero(2, 2);
  for (int i = 0; i < 2; ++i) D(i, i) = 2.0 * std::sqrt(C(i, i) / A(i, i));
  EXPECT_GT(root_distance(contact_roots(A, C, D), contact_frequencies(A, C), 1.0), 0.05);
}

std::string message_of(const MatrixXd& X, bool strictly) {
  try {
    require_positive(X, "stiffness", strictly);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(RequirePositive, AcceptsPositiveMatrices) {
  MatrixXd half(2, 2);
  half << 1.0, 1.0, 1.0, 1.0;  // eigenvalues 0 and 2
  EXPECT_EQ(message_of(MatrixXd::Identity(3, 3), true), "");
  EXPECT_EQ(message_of(half, false), "");
  EXPECT_EQ(message_of(MatrixXd::Zero(2, 2), false), "");
}

TEST(RequirePositive, ReportsTheProblemAndTheSmallestEigenvalue) {
  using testing::HasSubstr;
  EXPECT_EQ(message_of(MatrixXd::Ones(2, 3), true), "stiffness must be square, not 2 x 3");
  MatrixXd skew(2, 2);
  skew << 1.0, 0.5, 0.0, 1.0;
  EXPECT_EQ(message_of(skew, true), "stiffness must be symmetric; |X - X^T| is 0.5");
  MatrixXd indefinite(2, 2);
  indefinite << 1.0, 2.0, 2.0, 1.0;  // eigenvalues −1 and 3
  EXPECT_THAT(message_of(indefinite, true),
              HasSubstr("positive definite; its smallest eigenvalue is -1"));
  EXPECT_THAT(message_of(indefinite, false), HasSubstr("positive semidefinite; its smallest"));
  EXPECT_EQ(message_of(scalar(0.0), true),
            "stiffness must be positive definite; its smallest eigenvalue is 0");
  EXPECT_EQ(message_of(scalar(-2.5), false),
            "stiffness must be positive semidefinite; its smallest eigenvalue is -2.5");
}

TEST(RequirePositive, RefusesNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity})
    for (const bool strictly : {true, false}) {
      EXPECT_THAT(message_of(scalar(bad), strictly), testing::HasSubstr("must be finite"));
      MatrixXd X = MatrixXd::Identity(2, 2);
      X(1, 1) = bad;
      EXPECT_THAT(message_of(X, strictly), testing::HasSubstr("must be finite"));
    }
}

}  // namespace
}  // namespace rigidlimit
