// Tests φ-functions of matrices: identities, closed forms, and accuracy for stiff matrices.
#include "rigidlimit/solvers/rosenbrock/phi_functions.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/quad.hpp"

namespace rigidlimit {
namespace {

/// φ_1 … φ_most of z ≠ 0 by their recursion in 33 digits, with an error of 1e-33/|z|^4.
std::vector<double> scalar_phi(double z, int most) {
  std::vector<double> values;
  Quad phi = exp(Quad(z)), factorial = 1;
  for (int k = 1; k <= most; ++k) {
    phi = (phi - 1 / factorial) / Quad(z);
    factorial *= k;
    values.push_back(static_cast<double>(phi));
  }
  return values;
}

// Each of at most 35 doublings adds a few roundings, 10, of terms with one sign.
TEST(PhiFunctions, EqualTheScalarFunctionsFromTheOriginToMinusInfinity) {
  for (const double z : {-1e10, -1e5, -300.0, -7.0, -0.6, -1e-3, 1e-2, 0.3, 2.0, 20.0}) {
    PhiFunctions functions;
    ASSERT_TRUE(phi_functions(MatrixXd::Constant(1, 1, z), 4, functions));
    const std::vector<double> exact = scalar_phi(z, 4);
    for (int k = 1; k <= 4; ++k) {
      const double value = exact[static_cast<std::size_t>(k - 1)];
      EXPECT_NEAR(functions(k)(0, 0), value, 4e-14 * std::abs(value)) << z << ' ' << k;
    }
    EXPECT_NEAR(functions.exponential_minus_one(0, 0), std::expm1(z),
                4e-14 * std::abs(std::expm1(z)));
  }
}

// φ_k(0) = 1/k!, and the series of a nilpotent matrix ends: φ_k(N) = I/k! + N/(k + 1)!.
TEST(PhiFunctions, OfANilpotentMatrixHaveTwoTerms) {
  MatrixXd N = MatrixXd::Zero(3, 3);
  N(0, 2) = 7e8;
  PhiFunctions functions;
  ASSERT_TRUE(phi_functions(N, 4, functions));
  for (int k = 1; k <= 4; ++k) {
    const MatrixXd exact =
        MatrixXd::Identity(3, 3) / std::tgamma(k + 1.0) + N / std::tgamma(k + 2.0);
    EXPECT_LE((functions(k) - exact).cwiseAbs().maxCoeff(), 1e-14 * exact(0, 2)) << k;
    EXPECT_NEAR(functions(k)(1, 1), 1.0 / std::tgamma(k + 1.0), 1e-15) << k;
  }
}

/// h times the Jacobian of a contact with one slow oscillator: (x, u, w, η) as in docs/theory.md,
/// section 11, critically damped.
MatrixXd contact(double eps, double h) {
  MatrixXd J(4, 4);
  J << 0.0, 1.0, 1.0, 0.0, -1.0, 0.0, 0.3, 0.0, 0.2, -1.0, -2.0 / eps, -1.0, 0.0, 0.0,
      1.0 / (eps * eps), 0.0;
  return h * J;
}

/// φ_1 as a block of e^[[A, I], [0, 0]] in Quad, after 70 halvings.
MatrixXd phi_1_in_quad(const MatrixXd& A) {
  using Wide = Matrix<Quad, Eigen::Dynamic, Eigen::Dynamic>;
  const Index n = A.rows();
  Wide Z = Wide::Zero(2 * n, 2 * n);
  const double scale = std::exp2(-70);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) Z(i, j) = Quad(A(i, j)) * scale;
    Z(i, n + i) = Quad(scale);
  }
  Wide X = Z + Z * Z / Quad(2) + Z * Z * Z / Quad(6);
  for (int k = 0; k < 70; ++k) X = (X * X + X * Quad(2)).eval();
  MatrixXd phi(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) phi(i, j) = static_cast<double>(X(i, n + j));
  return phi;
}

// ‖hJ‖ = 1e6 … 3e11: the slow 2 × 2 block keeps its digits (35 doublings of a few roundings).
// Negative control: the exponential of the augmented matrix has the error u ‖hJ‖.
TEST(PhiFunctions, KeepTheSlowDigitsBesideAStiffContact) {
  for (const double eps : {1e-4, 1e-6})
    for (const double h : {0.01, 0.3}) {
      const MatrixXd A = contact(eps, h), exact = phi_1_in_quad(A);
      PhiFunctions functions;
      ASSERT_TRUE(phi_functions(A, 4, functions));
      const auto slow_error = [&](const MatrixXd& phi) {
        return (phi - exact).topLeftCorner(2, 2).cwiseAbs().maxCoeff();
      };
      EXPECT_LE(slow_error(functions(1)), 35 * 1.2e-16) << eps << ' ' << h;
      MatrixXd augmented = MatrixXd::Zero(8, 8);
      augmented.topLeftCorner(4, 4) = A;
      augmented.topRightCorner(4, 4).setIdentity();
      EXPECT_GT(slow_error(exponential_of(augmented).topRightCorner(4, 4)), 1e-12)
          << eps << ' ' << h;
    }
}

// The recursion φ_k(A) = (φ_(k−1)(A) − I/(k−1)!)/A as a product, with the rounding of ‖A‖ ‖φ_k‖.
TEST(PhiFunctions, SatisfyTheirRecursion) {
  const MatrixXd A = contact(1e-2, 0.1);
  PhiFunctions functions;
  ASSERT_TRUE(phi_functions(A, 4, functions));
  MatrixXd before = functions.exponential_minus_one;
  for (int k = 1; k <= 4; ++k) {
    const MatrixXd rest = A * functions(k) - before;
    EXPECT_LE(rest.cwiseAbs().maxCoeff(), 1e-14 * A.norm() * functions(k).norm()) << k;
    before = functions(k) - MatrixXd::Identity(4, 4) / std::tgamma(k + 1.0);
  }
}

TEST(PhiFunctions, OfANonFiniteMatrixAreRefused) {
  PhiFunctions functions;
  EXPECT_FALSE(phi_functions(MatrixXd::Constant(2, 2, std::nan("")), 4, functions));
}

TEST(PhiFunctions, AMatrixIsBalancedByPowersOfTwo) {
  const MatrixXd A = contact(1e-6, 0.1);
  const VectorXd d = balancing_scales(A);
  const MatrixXd B = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  // Balancing makes both off-diagonal entries (1e5 times the diagonal 2h/ε) h/ε, up to a factor 2.
  EXPECT_LE(B.cwiseAbs().maxCoeff(), 2.0 * 0.1 * 2e6);
  EXPECT_GT(A.cwiseAbs().maxCoeff(), 1e10);
  for (Index i = 0; i < 4; ++i) EXPECT_EQ(std::exp2(std::round(std::log2(d(i)))), d(i));
}

}  // namespace
}  // namespace rigidlimit
