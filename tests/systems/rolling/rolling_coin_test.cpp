// Tests the upright coin: its closed form, and the rolling disc with its tilt held.

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_residual.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector4d;
using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;

struct RollingCoin : test::BuiltIn {
  RollingCoin(const Values& values = {}) : BuiltIn("rolling_coin", values) {}
};

InitialState rolling(const RollingCoin& coin, double yaw, double speed, double yaw_rate) {
  return {Vector4d(0.3, -0.2, yaw, 0.7),
          Vector4d(speed * std::cos(yaw), speed * std::sin(yaw), yaw_rate, speed / coin("radius"))};
}

std::vector<RollingCoin> coins() {
  return {RollingCoin{}, RollingCoin{{{"slope", 0.0}}},
          RollingCoin{{{"mass", 2.5},
                       {"radius", 0.2},
                       {"axial_ratio", 1.0},
                       {"slope", -0.6},
                       {"gravity", 3.0}}}};
}

TEST(RollingCoinClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const RollingCoin& coin : coins()) {
    const System system = system_of(coin);
    EXPECT_LE(test::worst_residual(system, system, coin.start()), 1.0);
    EXPECT_LE(test::worst_residual(system, system, rolling(coin, 0.9, -0.6, 0.8)), 1.0);
    EXPECT_LE(test::worst_residual(system, system, rolling(coin, -2.1, 1.2, -1.7)), 1.0);
  }
}

TEST(RollingCoinClosedForm, OfAnotherCoinViolatesTheEquationsOfMotion) {
  const RollingCoin coin;
  const System system = system_of(coin);
  EXPECT_GT(test::worst_residual(system, system, coin.start(), -1.0), 1e3);
  for (const RollingCoin& other :
       {RollingCoin{{{"mass", 1.0001}}}, RollingCoin{{{"radius", 0.5001}}},
        RollingCoin{{{"axial_ratio", 0.5001}}}, RollingCoin{{{"slope", 0.3001}}}})
    EXPECT_GT(test::worst_residual(system, system_of(other), coin.start()), 1e3);
}

// rolling_disk_body_test checks the disc point by point in space; upright and with θ' = 0 it has
// the coin's kinetic energy and sliding velocities. A dozen operations on numbers below 5.
TEST(RollingCoin, IsTheRollingDiscHeldUpright) {
  RandomNumbers random(231);
  for (const RollingCoin& coin : coins())
    for (int i = 0; i < 20; ++i) {
      const Vector4d q = random.vector<4>(-3.0, 3.0), v = random.vector<4>();
      const RollingDisk disk{
          .mass = coin("mass"), .radius = coin("radius"), .axial_ratio = coin("axial_ratio")};
      Vector<double, 5> Q, V;
      Q << q(0), q(1), q(2), 0.0, q(3);
      V << v(0), v(1), v(2), 0.0, v(3);
      const double tolerance = 24.0 * 5.0 * unit_roundoff;
      const double energy = 0.5 * v.dot(coin.mass_matrix(q) * v);
      EXPECT_NEAR(energy, disk.kinetic_coenergy(Q, V), tolerance);
      const Eigen::Vector2d ours = coin.constraint(q) * v, theirs = disk.constraint(Q) * V;
      EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), tolerance);
      Q(3) = 0.3;  // negative control: a leaning disc
      EXPECT_GT(std::abs(disk.kinetic_coenergy(Q, V) - energy), 1e-9);
    }
}

// On the level plane: a circle of radius u/ω, no force along the heading, the centripetal force
// across.
TEST(RollingCoinClosedForm, RollsRoundACircleOnTheLevelPlane) {
  const RollingCoin coin{{{"slope", 0.0}}};
  const double yaw = 0.4, speed = 0.9, omega = 1.3, radius = speed / omega;
  const InitialState start = rolling(coin, yaw, speed, omega);
  const Eigen::Vector2d centre =
      start.q.head<2>() + radius * Eigen::Vector2d(-std::sin(yaw), std::cos(yaw));
  for (const double t : {0.5, 2.0, 9.0}) {
    const Motion motion = coin.closed_form(start, {t}).value();
    const double tolerance = 64.0 * unit_roundoff;
    EXPECT_NEAR((motion.q.col(0).head<2>() - centre).norm(), radius, tolerance);
    EXPECT_NEAR(motion.lambda(0, 0), 0.0, tolerance);
    EXPECT_NEAR(motion.lambda(1, 0), -coin("mass") * speed * omega, tolerance);
    EXPECT_NEAR(motion.q(3, 0), 0.7 + speed / coin("radius") * t, 4.0 * t * tolerance);
    // Negative control: on a slope it leaves the circle.
    const Motion sloping = RollingCoin{}.closed_form(start, {t}).value();
    EXPECT_GT(std::abs((sloping.q.col(0).head<2>() - centre).norm() - radius), 1e-2);
  }
}

// K* + P to the rounding of its terms, up to 20 J; the kinetic energy alone is not conserved.
TEST(RollingCoinClosedForm, ConservesTheEnergy) {
  const RollingCoin coin;
  const System system = system_of(coin);
  const InitialState start = coin.start();
  const double energy = mechanical_energy(system, start.q, start.v);
  const double kinetic = kinetic_energy(system, start.q, start.v);
  for (const double t : {0.6, 1.5, 2.0}) {
    const Motion motion = coin.closed_form(start, {t}).value();
    const VectorXd q = motion.q.col(0), v = motion.v.col(0);
    EXPECT_NEAR(mechanical_energy(system, q, v), energy, 32.0 * 20.0 * unit_roundoff);
    EXPECT_GT(std::abs(kinetic_energy(system, q, v) - kinetic), 0.1);
  }
}

TEST(RollingCoinClosedForm, IsAbsentWithoutTurning) {
  const RollingCoin coin;
  EXPECT_FALSE(coin.closed_form(rolling(coin, 0.2, 1.0, 0.0), {0.0, 1.0}).has_value());
  EXPECT_TRUE(coin.closed_form(rolling(coin, 0.2, 1.0, 0.1), {0.0, 1.0}).has_value());
}

}  // namespace
}  // namespace rigidlimit
