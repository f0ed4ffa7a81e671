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

  /// The largest residual of the conditions of order p for the weights b of y(t₀ + θh).
  double residual(const VectorXd& b, int p, double theta = 1.0) const {
    double largest = 0.0;
    for (const RootedTree& tree : rooted_trees(p))
      largest = std::max(largest, std::abs(order_condition(tableau(), b, tree, theta).value));
    return largest;
  }
};

INSTANTIATE_TEST_SUITE_P(Family, Rosenbrock,
                         testing::Values(rodas4_tableau, rodasp_tableau, rodas5p_tableau,
                                         rodas6p_tableau, ros34pw2_tableau),
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

// With the conditions below order p the error between the steps is O(h^p). Two-sided: one of order
// p or p + 1 must fail (p + 1 for ROS34PW2, where p is the order of the steps).
TEST_P(Rosenbrock, HasItsOrderBetweenTheSteps) {
  const int p = tableau().continuous_order;
  for (const double theta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const VectorXd b = weights_between(tableau(), theta);
    for (int q = 1; q < p; ++q) EXPECT_LE(residual(b, q, theta), 1e-13) << q << ' ' << theta;
    EXPECT_GT(std::max(residual(b, p, theta), residual(b, p + 1, theta)), 1e-6) << theta;
  }
}

// R(∞) = 0 up to the rounding of a product with the inverse of B. For large −z, |z R(z)| is
// bounded: it tends to bᵀ B⁻² 1 of size ≤ 30.
TEST_P(Rosenbrock, IsLStable) {
  EXPECT_LE(std::abs(stability_at_infinity(tableau(), tableau().b)), 1e-13);
  EXPECT_LE(std::abs(stability_function(tableau(), tableau().b, -1e8)), 30.0 / 1e8);
  for (double z = -1e-3; z > -1e8; z *= 1.5)
    EXPECT_LE(std::abs(stability_function(tableau(), tableau().b, z)), 1.0) << z;
}

// Two-sided: the next derivative of g must enter the solution, and the bound of the residual must
// not be twice as large as the residual.
TEST_P(Rosenbrock, KeepsItsOrderOnProtheroAndRobinsonsProblem) {
  const int claimed = tableau().prothero_robinson_order;
  const double bound = tableau().prothero_robinson_residual;
  double largest = 0.0, next = 0.0;
  for (double z = -0.5; z > -1e6; z *= 1.5) {
    for (int q = 2; q <= claimed; ++q)
      largest = std::max(largest, std::abs(prothero_robinson_defect(tableau(), q, z)));
    next = std::max(next, std::abs(z * prothero_robinson_defect(tableau(), claimed + 1, z)));
  }
  EXPECT_GT(next, 1e-4);
  EXPECT_LE(largest, bound + 1e-13);
  EXPECT_GE(largest, bound / 2.0);
}

// Negative control: an error in the tenth digit of any coefficient of a condition is detected. The
// stages of Rodas6P that only serve the output have coefficients up to 1000, in sums with as much
// round-off: there one in the eighth digit is.
TEST_P(Rosenbrock, FailsForOnePerturbedCoefficient) {
  EXPECT_NO_THROW(check_rosenbrock_tableau(tableau(), 1e-13));
  const Index s = tableau().stages();
  for (Index i = 0; i < s; ++i) {
    const double wrong = i < tableau().step_stages ? 1e-9 : 1e-7;
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
