// Tests the cone program against closed-form projections.
#include "rigidlimit/contact/least_in_cones.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

/// y(n − 1) ≥ |others|/grip in the first two or three entries of y.
Cone friction_cone(Index n, double grip) {
  Cone cone{.slope = grip * Eigen::RowVectorXd::Unit(n, n - 1),
            .offset = 0.0,
            .T = MatrixXd::Identity(n - 1, n),
            .t0 = VectorXd::Zero(n - 1)};
  return cone;
}

/// The point of the cone |t| ≤ μ p nearest to (t, p): that point, the tip, or on the surface.
VectorXd nearest(const VectorXd& z, double mu) {
  const Index n = z.size();
  const double p = z(n - 1), t = z.head(n - 1).norm();
  if (t <= mu * p) return z;
  if (mu * t <= -p) return VectorXd::Zero(n);
  VectorXd projected(n);
  projected(n - 1) = (p + mu * t) / (1.0 + mu * mu);
  projected.head(n - 1) = z.head(n - 1) / t * mu * projected(n - 1);
  return projected;
}

// The projection minimises ½|y − z|² = ½ yᵀy − zᵀy + const. In the interior of a face the minimum
// is flat: a gap of 1e-13 in the objective is at worst 1e-6.5 of y. Here it is quadratic and
// strict.
TEST(LeastInCones, TheNearestPointOfAFrictionConeIsTheProjection) {
  test::RandomNumbers random(12);
  int outside = 0;
  for (int i = 0; i < 60; ++i) {
    const Index n = 2 + i % 2;
    VectorXd z(n);
    for (Index k = 0; k < n; ++k) z(k) = random.uniform();
    const double mu = random.uniform(0.1, 1.5);
    const auto y = least_in_cones(MatrixXd::Identity(n, n), -z, {friction_cone(n, mu)});
    ASSERT_TRUE(y.has_value());
    EXPECT_LT((*y - nearest(z, mu)).norm(), 1e-6) << i;
    outside += (nearest(z, mu) - z).norm() > 0.1 ? 1 : 0;
  }
  EXPECT_GT(outside, 20);
}

TEST(LeastInCones, OneUnknownIsClampedToTheFeasibleInterval) {
  // On the line t = (y, 1), p = 2: |t| ≤ p where y² ≤ 3.
  Cone disc{.slope = Eigen::RowVectorXd::Zero(1),
            .offset = 2.0,
            .T = Eigen::Vector2d(1.0, 0.0),
            .t0 = Eigen::Vector2d(0.0, 1.0)};
  const MatrixXd one = MatrixXd::Identity(1, 1);
  const auto from = [&](double z, const std::vector<Cone>& cones) {
    return least_in_cones(one, VectorXd::Constant(1, -z), cones);
  };
  EXPECT_NEAR((*from(5.0, {disc}))(0), std::sqrt(3.0), 1e-15);
  EXPECT_NEAR((*from(-5.0, {disc}))(0), -std::sqrt(3.0), 1e-15);
  EXPECT_EQ((*from(0.5, {disc}))(0), 0.5);
  // p = 2 y − 3: |t| ≤ p for y ≥ (6 + sqrt(36 − 24))/3. The two cones have no common point.
  Cone rising = disc;
  rising.slope(0) = 2.0;
  rising.offset = -3.0;
  EXPECT_NEAR((*from(0.0, {rising}))(0), (12.0 + std::sqrt(144.0 - 96.0)) / 6.0, 1e-14);
  EXPECT_FALSE(from(0.0, {disc, rising}).has_value());
  // Only the tip is feasible: p = y − 0.3, t = 2 (y − 0.3, 0).
  Cone tip{.slope = Eigen::RowVectorXd::Ones(1),
           .offset = -0.3,
           .T = Eigen::Vector2d(2.0, 0.0),
           .t0 = Eigen::Vector2d(-0.6, 0.0)};
  EXPECT_NEAR((*from(1.0, {tip}))(0), 0.3, 1e-15);
}

TEST(LeastInCones, ConesWithoutACommonPointHaveNoSolution) {
  const auto half_plane = [](double slope, double offset) {
    return Cone{.slope = Eigen::RowVector2d(slope, 0.0), .offset = offset};
  };
  const MatrixXd P = MatrixXd::Identity(2, 2);
  EXPECT_FALSE(
      least_in_cones(P, Eigen::Vector2d(1.0, 1.0), {half_plane(1.0, -1.0), half_plane(-1.0, 0.5)})
          .has_value());
  const auto met =
      least_in_cones(P, Eigen::Vector2d(1.0, 1.0), {half_plane(1.0, -1.0), half_plane(-1.0, 1.5)});
  ASSERT_TRUE(met.has_value());
  EXPECT_LT((*met - Eigen::Vector2d(1.0, -1.0)).norm(), 1e-6);
}

}  // namespace
}  // namespace rigidlimit
