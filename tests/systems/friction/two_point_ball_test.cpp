// Tests the ball on both walls of a groove: its rows, the internal force, the rolling threshold.
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>

#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::frictional_system_of;
using test::unit_roundoff;

struct TwoPointBall : test::BuiltIn {
  TwoPointBall(const Values& values = {}) : BuiltIn("two_point_ball", values) {}
};
struct TwoPointBallUnilateral : test::BuiltIn {
  TwoPointBallUnilateral(const Values& values = {})
      : BuiltIn("two_point_ball_unilateral", values) {}
};
struct VGrooveBall : test::BuiltIn {
  VGrooveBall(const Values& values = {}) : BuiltIn("v_groove_ball", values) {}
};

// The point of the ball at ρ moves with q' + ω × ρ; its components are along e_x and across.
TEST(TwoPointBall, SlidingVelocitiesAreThoseOfMaterialPoints) {
  test::RandomNumbers random(821);
  for (double gamma : {0.2, 0.7, 1.3}) {
    const TwoPointBall ball{{{"half_angle", gamma}}};
    const FrictionalSystem system = frictional_system_of(ball);
    const double c = std::cos(gamma), s = std::sin(gamma);
    for (int i = 0; i < 20; ++i) {
      const Vector<double, 6> v = random.vector<6>();
      const VectorXd w = test::sliding_rows(system, VectorXd::Zero(3)) * v;
      const VectorXd rate = test::normal_rows(system, VectorXd::Zero(3)) * v;
      for (int side : {0, 1}) {
        const double sign = side == 0 ? 1.0 : -1.0;  // the left contact is at y > 0
        const Vector3d arm = ball("radius") * Vector3d(0.0, sign * s, -c);
        const Vector3d across(0.0, c, sign * s), inwards(0.0, -sign * s, c);
        const Vector3d omega = v.tail<3>(), point = v.head<3>() + omega.cross(arm);
        const double tolerance = 16.0 * unit_roundoff;
        EXPECT_NEAR(w(2 * side), point(0), tolerance);
        EXPECT_NEAR(w(2 * side + 1), across.dot(point), tolerance);
        EXPECT_NEAR(rate(side), inwards.dot(point), tolerance);
      }
    }
  }
}

// With y' = z' = 0 the rows are those of systems/rolling/v_groove_ball.hpp.
TEST(TwoPointBall, HasTheRowsOfTheRollingBallWhenHeldInTheGroove) {
  const MatrixXd W = test::sliding_rows(frictional_system_of(TwoPointBall{}), VectorXd::Zero(3));
  MatrixXd held(4, 4);
  held << W.col(0), W.rightCols(3);
  EXPECT_EQ(held, MatrixXd(VGrooveBall{}.constraint(Eigen::Vector4d(0, 0, 0, 0))));
}

// Five of the six rows are independent: normal forces balance friction up one wall and down the
// other. −Wᵀλ + Nᵀp = 0 for λ = (0, cos γ, 0, −cos γ), p = sin γ (1, 1), γ from the rows.
TEST(TwoPointBall, HasOneInternalForce) {
  for (double gamma : {0.2, 0.7, 1.3}) {
    const FrictionalSystem system = frictional_system_of(TwoPointBall{{{"half_angle", gamma}}});
    const MatrixXd W = test::sliding_rows(system, VectorXd::Zero(3));
    const MatrixXd N = test::normal_rows(system, VectorXd::Zero(3));
    MatrixXd rows(6, 6);
    rows << W, N;
    EXPECT_EQ(independent_columns(rows, 1e-12).size(), 5);
    const double c = std::cos(gamma), s = std::sin(gamma);
    const Eigen::Vector4d lambda(0.0, c, 0.0, -c);
    const Eigen::Vector2d p(s, s);
    EXPECT_LE((N.transpose() * p - W.transpose() * lambda).norm(), 8.0 * unit_roundoff);
  }
}

// Rolling down without internal force: λ and p of the header's comment balance the ball with both
// points at rest, and lie inside the friction discs for μ above the stated threshold.
TEST(TwoPointBall, RollingForcesBalance) {
  for (double gamma : {0.3, 0.7, 1.2})
    for (double alpha : {0.1, 0.5}) {
      const TwoPointBall ball{{{"half_angle", gamma}, {"slope", alpha}}};
      const FrictionalSystem system = frictional_system_of(ball);
      const double c = std::cos(gamma), g = ball("gravity");
      const double x2 = g * std::sin(alpha) / (1.0 + 0.4 / (c * c));
      const double along = 0.5 * (g * std::sin(alpha) - x2), p = g * std::cos(alpha) / (2.0 * c);
      const VectorXd q = VectorXd::Zero(3), v = VectorXd::Zero(6);
      VectorXd F(6), a(6);
      MatrixXd M(6, 6);
      system.smooth.in<double>().force(q, v, 0.0, F);
      system.smooth.in<double>().mass_matrix(q, M);
      a << x2, 0, 0, 0, x2 / (ball("radius") * c), 0;
      const MatrixXd W = test::sliding_rows(system, q), N = test::normal_rows(system, q);
      const VectorXd left = M * a - F - N.transpose() * Eigen::Vector2d(p, p) +
                            W.transpose() * Eigen::Vector4d(along, 0, along, 0);
      EXPECT_LE(left.norm(), 64.0 * unit_roundoff * g);
      EXPECT_LE((W * a).norm(), 64.0 * unit_roundoff * g);
      const double threshold = c * std::tan(alpha) * (1.0 - 1.0 / (1.0 + 0.4 / (c * c)));
      EXPECT_NEAR(along / p, threshold, 16.0 * unit_roundoff);
    }
}

TEST(TwoPointBall, CoupleGrowsWithTime) {
  const FrictionalSystem system =
      frictional_system_of(TwoPointBallUnilateral{{{"couple", 0.5}, {"couple_rate", 2.0}}});
  EXPECT_TRUE(system.smooth.explicit_time);
  VectorXd F(6);
  system.smooth.in<double>().force(VectorXd::Zero(3), VectorXd::Zero(6), 1.5, F);
  EXPECT_EQ(F(3), 3.5);
  EXPECT_EQ(system.contacts[0].normal, Normal::unilateral);
}

}  // namespace
}  // namespace rigidlimit
