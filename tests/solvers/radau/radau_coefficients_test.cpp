// Tests Radau IIA coefficients against closed forms and the conditions that determine them.
#include "rigidlimit/solvers/radau/radau_coefficients.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

// Hairer & Wanner II, tables IV.5.5 and 5.6. The coefficients are rounded once from 50 digits:
// within one unit in the last place of numbers ≤ 1. The closed forms have a few roundings.
TEST(RadauCoefficients, AreTheClosedFormsForOneTwoAndThreeStages) {
  const double u = 1e-15;
  const auto& one = radau_tableau<double>(1);
  EXPECT_EQ(one.A(0, 0), 1.0);
  EXPECT_EQ(one.c(0), 1.0);

  Eigen::Matrix2d two;
  two << 5.0 / 12.0, -1.0 / 12.0, 3.0 / 4.0, 1.0 / 4.0;
  EXPECT_LE((radau_tableau<double>(2).A - two).cwiseAbs().maxCoeff(), u);

  const double r = std::sqrt(6.0);
  Eigen::Matrix3d three;
  three << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
      (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,       //
      (16 - r) / 36, (16 + r) / 36, 1.0 / 9.0;
  EXPECT_LE((radau_tableau<double>(3).A - three).cwiseAbs().maxCoeff(), u);
  EXPECT_NEAR(radau_tableau<double>(3).c(0), (4 - r) / 10, u);
}

// For s = 3 the real eigenvalue of A is (6 + 81^(1/3) − 9^(1/3)) / 30 (Hairer & Wanner II,
// (IV.8.15)).
TEST(RadauCoefficients, TransformDiagonalisesTheInverseMatrix) {
  const double gamma = 30.0 / (6.0 + std::cbrt(81.0) - std::cbrt(9.0));
  EXPECT_NEAR(radau_tableau<double>(3).transform.gamma, gamma, 1e-14);
  for (const int s : {1, 2, 3, 4, 5, 7, 9, 13}) {
    const auto& tableau = radau_tableau<double>(s);
    const auto& transform = tableau.transform;
    MatrixXd modes = MatrixXd::Zero(s, s);
    if (transform.has_real) modes(0, 0) = transform.gamma;
    Index k = transform.has_real ? 1 : 0;
    for (const auto& value : transform.lambda) {
      modes.block<2, 2>(k, k) << value.real(), -value.imag(), value.imag(), value.real();
      EXPECT_GT(value.real(), 0.0);  // L-stability: poles of R in the right half plane
      k += 2;
    }
    // The real forms of w are paired: from_modes · modes · to_modes = A⁻¹ with modes acting on
    // (Re w, Im w). The product has the round-off ‖from‖ ‖modes‖ ‖to‖ u, that with A a little more.
    const MatrixXd inverse = transform.from_modes * modes * transform.to_modes;
    const double size = transform.from_modes.norm() * transform.to_modes.norm() * modes.norm();
    EXPECT_LE((tableau.A * inverse - MatrixXd::Identity(s, s)).cwiseAbs().maxCoeff(),
              1e-15 * size * tableau.A.norm() + 1e-14)
        << s;
  }
}

// Both matrices are rounded once: their product is I up to u ‖from‖ ‖to‖. Eigenvectors in long
// double exceeded that by a factor of 200 at s = 20, with condition number 1e10. Negative control:
// one perturbed entry.
TEST(RadauCoefficients, TransformAndItsInverseMultiplyToTheIdentity) {
  for (int s = 1; s <= max_radau_stages; ++s) {
    const auto& transform = radau_tableau<double>(s).transform;
    const auto defect = [&](const MatrixXd& from) {
      return (from * transform.to_modes - MatrixXd::Identity(s, s)).cwiseAbs().maxCoeff();
    };
    const double bound = 2.3e-16 * transform.from_modes.norm() * transform.to_modes.norm();
    EXPECT_LE(defect(transform.from_modes), bound) << s;
    MatrixXd wrong = transform.from_modes;
    wrong(s - 1, 0) += 10.0 * bound / transform.to_modes.row(0).cwiseAbs().maxCoeff();
    EXPECT_GT(defect(wrong), bound) << s;
  }
}

template <class T>
class RadauConditions : public testing::Test {};
using Reals = testing::Types<double, Quad>;
TYPED_TEST_SUITE(RadauConditions, Reals);

// B(2s−1), C(s), c_s = 1 and stiff accuracy in T: the check throws if one of them fails.
TYPED_TEST(RadauConditions, HoldUpToTwentyStages) {
  for (int s = 1; s <= max_radau_stages; ++s) {
    const auto& tableau = radau_tableau<TypeParam>(s);
    EXPECT_EQ(tableau.stages, s);
    EXPECT_NO_THROW(check_radau_tableau(tableau)) << s;
    for (Index i = 1; i < s; ++i) EXPECT_GT(tableau.c(i), tableau.c(i - 1));
    EXPECT_GT(tableau.c(0), TypeParam(0));
  }
}

// Negative control: an error of 1000 ε in any coefficient is detected.
TYPED_TEST(RadauConditions, FailForOnePerturbedCoefficient) {
  using std::abs;
  for (const int s : {1, 2, 3, 7, 13}) {
    const auto& good = radau_tableau<TypeParam>(s);
    const TypeParam wrong = TypeParam(1000) * std::numeric_limits<TypeParam>::epsilon();
    for (Index i = 0; i < s; ++i) {
      auto bad = good;
      bad.A(i, s / 2) += wrong;
      EXPECT_THROW(check_radau_tableau(bad), std::logic_error) << s << ", A row " << i;
      bad = good;
      bad.b(i) += wrong;
      EXPECT_THROW(check_radau_tableau(bad), std::logic_error) << s << ", b " << i;
      bad = good;
      bad.c(i) += wrong;
      EXPECT_THROW(check_radau_tableau(bad), std::logic_error) << s << ", c " << i;
    }
  }
}

// For p(x) = x^k on the nodes 0, c: slope_at_start gives p'(0) = 0 for 2 ≤ k ≤ s and 1 for k = 1,
// slope_at_end gives p'(1) = k. Entries grow as s²; their sum has the rounding s · max · u.
TEST(RadauCoefficients, SlopeAtTheStartIsExactForPolynomials) {
  for (const int s : {1, 2, 3, 5, 7}) {
    const auto& tableau = radau_tableau<double>(s);
    const double bound = 4.0 * s * tableau.slope_at_start.cwiseAbs().maxCoeff() * 1.2e-16;
    for (int k = 1; k <= s; ++k) {
      const VectorXd values = tableau.c.array().pow(k);
      EXPECT_NEAR(tableau.slope_at_start.dot(values), k == 1 ? 1.0 : 0.0, bound) << s << ' ' << k;
      EXPECT_NEAR(tableau.slope_at_end.dot(values), k, bound) << s << ' ' << k;
    }
    // Negative control: x^(s+1) is not reproduced, its slope is (−1)^s Π c_i ≠ 0.
    EXPECT_GT(std::abs(tableau.slope_at_start.dot(tableau.c.array().pow(s + 1).matrix())),
              0.9 * tableau.c.prod());
  }
}

TEST(RadauCoefficients, OtherNumbersOfStagesAreRefused) {
  EXPECT_THROW(radau_tableau<double>(0), std::invalid_argument);
  EXPECT_THROW(radau_tableau<double>(max_radau_stages + 1), std::invalid_argument);
}

}  // namespace
}  // namespace rigidlimit
