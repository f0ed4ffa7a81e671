// Tests the derivatives of contact force laws against differences on both sides of their kinks.
#include "rigidlimit/formulations/frictional/frictional_forces.hpp"

#include <gtest/gtest.h>

#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double step = 1.0 / 4096.0;

/// λ and its derivatives in (p, pull), in this order.
struct Slopes {
  DiscSide side;
  MatrixXd ours;
  test::NumericalDerivative numerical;
};

Slopes slopes_at(const CompliantContact& c, const VectorXd& at) {
  const Index k = c.components;
  const bool projected = c.sliding_scale == 0.0;
  const VectorXd eta = VectorXd::Constant(projected ? k : 0, 0.1);
  DiscSide side = DiscSide::inside;
  // w from the pull, so that the pull is the variable.
  const auto sliding = [&](const VectorXd& x) -> VectorXd {
    if (!projected) return x.tail(k);
    return (x.tail(k) - c.stiffness * eta) / c.damping;
  };
  const auto force = [&](const VectorXd& x) {
    VectorXd lambda(k), eta_rate(eta.size());
    side = friction_force(c, x(0), eta, sliding(x), lambda, eta_rate);
    return lambda;
  };
  const auto numerical = test::central_jacobian(force, at, step);
  force(at);
  const FrictionSlope slope = friction_slope(c, at(0), eta, sliding(at));
  MatrixXd ours(k, 1 + k);
  ours << slope.by_force, slope.by_pull;
  return {side, ours, numerical};
}

// Pulls of 0.2 or of 2 with a disc, and δ, of 0.6: no difference crosses the rim.
TEST(FrictionSlope, IsThatOfTheForceInsideAndOnTheRim) {
  test::RandomNumbers random(3);
  int inside = 0, rim = 0;
  for (const double delta : {0.0, 0.6})
    for (const Index components : {1, 2})
      for (const double p : {2.0, -2.0})
        for (int k = 0; k < 8; ++k) {
          const CompliantContact c{.components = components,
                                   .friction = 0.3,
                                   .stiffness = 5.0,
                                   .damping = 0.7,
                                   .deflection_scale = 0.5,
                                   .sliding_scale = delta};
          VectorXd pull(components);
          for (double& x : pull) x = random.uniform();
          pull *= (k % 2 == 0 ? 0.2 : 2.0) / pull.norm();
          VectorXd at(1 + components);
          at << p, pull;
          const Slopes s = slopes_at(c, at);
          ++(s.side == DiscSide::rim ? rim : inside);
          EXPECT_LE((s.ours - s.numerical.value).cwiseAbs().maxCoeff(), s.numerical.bound);
          EXPECT_LT(s.numerical.bound, 1e-10);
          if (components < 2 || s.side == DiscSide::inside) continue;
          // Negative control: friction that does not turn with the pull.
          MatrixXd kept = s.ours;
          kept.rightCols(2).setZero();
          EXPECT_GT((kept - s.numerical.value).cwiseAbs().maxCoeff(), 1e-2);
        }
  EXPECT_EQ(inside, 32);
  EXPECT_EQ(rim, 32);
}

TEST(UnilateralSlope, IsThatOfThePressingForce) {
  const CompliantContact c{.normal_stiffness = 40.0, .normal_damping = 3.0};
  const auto force = [&](const VectorXd& x) {
    return VectorXd::Constant(1, unilateral_force(c, x(0), x(1), x(2)));
  };
  const auto ours = [&](const VectorXd& x) {
    const UnilateralSlope s = unilateral_slope(c, x(0), x(1), x(2));
    return Eigen::RowVector3d(s.gamma, s.h, s.effective_mass);
  };
  // pressed; pressed and closing; pressed but leaving fast, without force; out of reach
  for (const Eigen::Vector3d& at :
       {Eigen::Vector3d(-0.3, 0.5, 2.0), Eigen::Vector3d(-0.1, -0.7, 0.5),
        Eigen::Vector3d(-0.1, 5.0, 1.0), Eigen::Vector3d(0.2, 1.0, 1.0)}) {
    const auto numerical = test::central_jacobian(force, at, step);
    EXPECT_LE((ours(at) - numerical.value).cwiseAbs().maxCoeff(), numerical.bound + 1e-12);
    EXPECT_LT(numerical.bound, 1e-8);
  }
  // Negative control: a pressing force depends on all three.
  EXPECT_GT(ours(Eigen::Vector3d(-0.3, 0.5, 2.0)).cwiseAbs().minCoeff(), 0.1);
  EXPECT_EQ(ours(Eigen::Vector3d(0.2, 1.0, 1.0)).norm(), 0.0);
}

}  // namespace
}  // namespace rigidlimit
