// Tests the refinement of solutions by LU where contact rows are nearly dependent.
#include "rigidlimit/mechanics/small_factors.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

/// [M Gᵀ; G 0] with M 4 × 4 and two rows G, the second of which has a part of `d` that is
/// independent of the first.
MatrixXd nearly_singular_kkt(test::RandomNumbers& random, double d) {
  MatrixXd K = MatrixXd::Zero(6, 6);
  K.topLeftCorner(4, 4) = random.positive_definite(4);
  const Vector<double, 4> first = random.vector<4>(), other = random.vector<4>();
  K.row(4).head(4) = first;
  K.row(5).head(4) = first + d * other;
  K.topRightCorner(4, 2) = K.bottomLeftCorner(2, 4).transpose();
  return K;
}

/// The largest |G a − b| over Σ |G_ij a_j| + |b| of the two rows G.
double residual(const MatrixXd& K, const VectorXd& x, const VectorXd& right) {
  double largest = 0.0;
  for (const Index i : {4, 5}) {
    double sum = -right(i), size = std::abs(right(i));
    for (Index j = 0; j < 4; ++j) {
      sum += K(i, j) * x(j);
      size += std::abs(K(i, j) * x(j));
    }
    largest = std::max(largest, std::abs(sum) / size);
  }
  return largest;
}

// A sum of five terms, computed here and in the refinement, errs by at most 5 roundings of its
// terms each, and the correction by a rounding: 11. Negative control: without refinement the
// residual is a rounding of the multipliers, of the size 1/d.
TEST(SmallLu, HasTheResidualOfARoundingInNearlyDependentRows) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  test::RandomNumbers random(5);
  int outside = 0, rows_of_unrefined = 0;
  for (int k = 0; k < 10'000; ++k) {
    const double d = std::pow(10.0, random.uniform(-6.0, -3.0));
    const MatrixXd K = nearly_singular_kkt(random, d);
    const VectorXd right = random.vector<6>();
    SmallLu<double> factors;
    factors.compute(K);
    VectorXd x = right;
    factors.solve_in_place(x);
    if (!(residual(K, x, right) <= 11.0 * rounding)) ++outside;
    if (residual(K, K.partialPivLu().solve(right), right) > 11.0 * rounding) ++rows_of_unrefined;
  }
  EXPECT_EQ(outside, 0);
  EXPECT_GT(rows_of_unrefined, 1'000);
}

}  // namespace
}  // namespace rigidlimit
