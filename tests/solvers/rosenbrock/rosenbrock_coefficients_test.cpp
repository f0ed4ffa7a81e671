// Tests Rosenbrock coefficients against their order and stability conditions.
#include "rigidlimit/solvers/rosenbrock/rosenbrock_coefficients.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

class Rosenbrock : public testing::TestWithParam<const RosenbrockTableau& (*)()> {
 protected:
  const RosenbrockTableau& tableau() const { return GetParam()(); }

  /// The largest residual of the conditions of order p.
  double residual(const VectorXd& b, int p) const {
    double largest = 0.0;
    for (const RootedTree& tree : rooted_trees(p))
      largest = std::max(largest, std::abs(order_condition(tableau(), b, tree).value));
    return largest;
  }
};

INSTANTIATE_TEST_SUITE_P(Family, Rosenbrock,
                         testing::Values(rodas4_tableau, rodasp_tableau, rodas5p_tableau,
                                         ros34pw2_tableau),
                         [](const auto& tested) { return std::string(tested.param().name); });

// Cayley: 1, 1, 2, 4, 9, 20, 48 rooted trees with 1 … 7 vertices.
TEST(RootedTrees, HaveCayleysNumbers) {
  const std::size_t counts[] = {1, 1, 2, 4, 9, 20, 48};
  for (int n = 1; n <= 7; ++n) EXPECT_EQ(rooted_trees(n).size(), counts[n - 1]) << n;
}

// 1e-13: the coefficients have sixteen published digits, are up to 300, and their sums cancel to 1.
// Two-sided: the next order must fail by far more, otherwise the stated order is too low.
TEST_P(Rosenbrock, HasItsTwoOrdersAndNoHigherOnes) {
  for (int p = 1; p <= tableau().order; ++p) EXPECT_LE(residual(tableau().b, p), 1e-13) << p;
  EXPECT_GT(residual(tableau().b, tableau().order + 1), 1e-4);
  for (int p = 1; p <= tableau().embedded_order; ++p)
    EXPECT_LE(residual(tableau().b_embedded, p), 1e-13) << p;
  EXPECT_GT(residual(tableau().b_embedded, tableau().embedded_order + 1), 1e-3);
}

// R(∞) = 0 up to the rounding of a product with the inverse of B. For large −z, |z R(z)| is
// bounded: it tends to bᵀ B⁻² 1 of size ≤ 30.
TEST_P(Rosenbrock, IsLStable) {
  EXPECT_LE(std::abs(stability_at_infinity(tableau(), tableau().b)), 1e-13);
  EXPECT_LE(std::abs(stability_function(tableau(), tableau().b, -1e8)), 30.0 / 1e8);
  for (double z = -1e-3; z > -1e8; z *= 1.5)
    EXPECT_LE(std::abs(stability_function(tableau(), tableau().b, z)), 1.0) << z;
}

// Two-sided: the next derivative of g must enter the solution.
TEST_P(Rosenbrock, KeepsItsOrderOnProtheroAndRobinsonsProblem) {
  const int claimed = tableau().prothero_robinson_order;
  for (const double z : {-0.5, -3.0, -40.0, -1e6}) {
    for (int q = 2; q <= claimed; ++q)
      EXPECT_LE(std::abs(prothero_robinson_defect(tableau(), q, z)), 1e-13) << q;
    EXPECT_GT(std::abs(z * prothero_robinson_defect(tableau(), claimed + 1, z)), 1e-7);
  }
}

// Negative control: an error in the tenth digit of any coefficient of a condition is detected.
TEST_P(Rosenbrock, FailsForOnePerturbedCoefficient) {
  EXPECT_NO_THROW(check_rosenbrock_tableau(tableau(), 1e-13));
  const double wrong = 1e-9;
  const Index s = tableau().stages();
  for (Index i = 0; i < s; ++i) {
    auto bad = tableau();
    bad.b(i) += wrong;
    EXPECT_THROW(check_rosenbrock_tableau(bad, 1e-13), std::logic_error) << "b " << i;
    bad = tableau();
    bad.gamma_sum(i) = -bad.gamma_sum(i) + wrong;
    EXPECT_THROW(check_rosenbrock_tableau(bad, 1e-13), std::logic_error) << "gamma " << i;
    for (Index j = 0; j < i; ++j) {
      bad = tableau();
      bad.alpha(i, j) += wrong;
      EXPECT_THROW(check_rosenbrock_tableau(bad, 1e-13), std::logic_error) << i << j;
      bad = tableau();
      bad.c(i, j) += wrong;
      EXPECT_THROW(check_rosenbrock_tableau(bad, 1e-13), std::logic_error) << i << j;
    }
  }
}

// Odeint ships RODAS with d4 = +0.0362, but the row sum of Γ is −0.0362.
TEST(RosenbrockCoefficients, ExposeTheWrongSignInOdeint) {
  auto shipped = rodas4_tableau();
  shipped.gamma_sum(3) = 0.0362;
  EXPECT_THROW(check_rosenbrock_tableau(shipped, 1e-13), std::logic_error);
  EXPECT_NEAR(rodas4_tableau().Gamma.row(3).sum(), -0.0362, 1e-14);
}

}  // namespace
}  // namespace rigidlimit
