// Tests Euler's disc: contact, energy, steady turning, and the singularity of the flat position.
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <cmath>

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/systems/quaternion.hpp"
#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::frictional_system_of;
using test::unit_roundoff;

using Q = Vector<double, 7>;
using V = Vector<double, 6>;

struct SpinningDisk : test::BuiltIn {
  SpinningDisk(const Values& values = {}) : BuiltIn("spinning_disk", values) {}

  /// ∂ψ'/∂Ω of ψ' = γ3 (γ1 Ω1 + γ2 Ω2)/ρ² − Ω3.
  static Vector3d contour_row(const Q& q) {
    const Vector3d up = rotation<double>(q.tail<4>()).row(2);
    const double steep = up(2) / up.head<2>().squaredNorm();
    return {steep * up(0), steep * up(1), -1.0};
  }
  /// Turning steadily about a centre at rest, tilted by `tilt` in (0, π/2) about y.
  InitialState steady_start(double tilt) const {
    const double sine = std::sin(tilt);
    const double rate =
        std::sqrt(2.0 * (*this)("gravity") / ((*this)("axial_ratio") * (*this)("radius") * sine));
    return {
        Q(0.0, 0.0, (*this)("radius") * sine, std::cos(0.5 * tilt), 0.0, std::sin(0.5 * tilt), 0.0),
        V(0.0, 0.0, 0.0, -rate * sine, 0.0, 0.0)};
  }
};

TEST(SpinningDisk, StartsInSteadyTurning) {
  const SpinningDisk disk;
  const InitialState start = disk.start(), expected = disk.steady_start(0.3);
  EXPECT_LE((start.q - expected.q).norm(), 4.0 * unit_roundoff);
  EXPECT_LE((start.v - expected.v).norm(), 32.0 * 8.0 * unit_roundoff);
  EXPECT_GT((start.v - disk.steady_start(0.3001).v).norm(), 1e-4);  // negative control
}

/// Tilted between 0.1 and 1.5 rad, turned and spun at random.
Q random_attitude(test::RandomNumbers& random) {
  using Eigen::AngleAxisd;
  const Eigen::Quaterniond p = AngleAxisd(random.uniform(-3.0, 3.0), Vector3d::UnitZ()) *
                               AngleAxisd(random.uniform(0.1, 1.5), Vector3d::UnitX()) *
                               AngleAxisd(random.uniform(-3.0, 3.0), Vector3d::UnitZ());
  return Q(random.uniform(), random.uniform(), random.uniform(), p.w(), p.x(), p.y(), p.z());
}

// The gap is the height of the lowest of many points of the rim, with an error of r (Δ/2)²/2 for
// points Δ apart; W v is the horizontal velocity of that point.
TEST(SpinningDisk, GapIsTheHeightOfTheLowestPoint) {
  const SpinningDisk disk;
  const FrictionalSystem system = frictional_system_of(disk);
  test::RandomNumbers random(831);
  const int points = 20000;
  const double apart = 2.0 * M_PI / points;
  for (int i = 0; i < 10; ++i) {
    const Q q = random_attitude(random);
    const V v = random.vector<6>(-2.0, 2.0);
    const Eigen::Matrix3d R = rotation<double>(q.tail<4>());
    Vector3d lowest(0, 0, 1e3);
    for (int k = 0; k < points; ++k) {
      const Vector3d body(disk("radius") * std::cos(k * apart),
                          disk("radius") * std::sin(k * apart), 0.0);
      if ((R * body)(2) < (R * lowest)(2) || k == 0) lowest = body;
    }
    EXPECT_NEAR(test::gap_at(system, q)(0), q(2) + (R * lowest)(2),
                disk("radius") * apart * apart / 8.0 + 16.0 * unit_roundoff);
    const Vector3d Omega = v.tail<3>();
    const Vector3d point = v.head<3>() + R * Omega.cross(lowest);
    // The lowest of the points is at most apart/2 from the lowest point of the rim.
    const double off = disk("radius") * apart * Omega.norm();
    EXPECT_LE((test::sliding_rows(system, q) * v - point.head<2>()).norm(), off);
    EXPECT_NEAR((test::normal_rows(system, q) * v)(0), point(2), off);
    EXPECT_GT((test::sliding_rows(system, q) * v - v.head<2>()).norm(), 1e-3 * off);  // not c'
  }
}

// ψ', the rate of the contact round the rim, from differences of its angle on the rim.
TEST(SpinningDisk, ContactMovesRoundTheRimAtTheStatedRate) {
  const SpinningDisk disk;
  const FrictionalSystem system = frictional_system_of(disk);
  test::RandomNumbers random(832);
  for (int i = 0; i < 20; ++i) {
    const Q q = random_attitude(random);
    const V v = random.vector<6>(-2.0, 2.0);
    const VectorXd q_rate = test::coordinate_rate_at(system, q, v);
    const Eigen::Matrix3d R0 = rotation<double>(q.tail<4>());
    const double angle0 = std::atan2(R0(2, 1), R0(2, 0));
    const auto angle = [&](double s) -> VectorXd {
      const Q moved = q + s * q_rate;
      const Eigen::Matrix3d R = rotation<double>(moved.tail<4>());
      const double off = std::atan2(R(2, 1), R(2, 0)) - angle0;
      return VectorXd::Constant(1, std::remainder(off, 2.0 * M_PI));
    };
    const auto rate = test::central_difference(angle, 0.0, 1e-3);
    EXPECT_NEAR(disk.contour_row(q).dot(v.tail<3>()), rate.value(0, 0),
                rate.bound + 1e3 * unit_roundoff);
  }
}

// Contour friction supplies all non-potential power.
TEST(SpinningDisk, LosesEnergyOnlyToContourFriction) {
  const SpinningDisk disk{{{"contour_friction", 1e-3}}};
  const FrictionalSystem system = frictional_system_of(disk);
  test::RandomNumbers random(833);
  for (int i = 0; i < 20; ++i) {
    const Q q = random_attitude(random);
    const V v = random.vector<6>(-2.0, 2.0);
    const double rate = disk.contour_row(q).dot(v.tail<3>());
    const double power = non_conservative_power(system.smooth, q, v, 0.0);
    const double scale = disk("mass") * disk("gravity") * v.norm();
    EXPECT_NEAR(power, -disk("contour_friction") * rate * rate,
                256.0 * unit_roundoff * (scale + disk("contour_friction") * rate * rate));
    EXPECT_LT(power, 0.0);
  }
}

// Without contour friction p = m g and λ = 0 maintain steady turning: the centre does not
// accelerate, and the contact stays closed and at rest.
TEST(SpinningDisk, SteadyTurningIsAnEquilibrium) {
  for (double tilt : {0.05, 0.3, 1.2})
    for (double ratio : {0.5, 1.0}) {
      const SpinningDisk disk{{{"axial_ratio", ratio}, {"contour_friction", 0.0}}};
      const FrictionalSystem system = frictional_system_of(disk);
      const InitialState at = disk.steady_start(tilt);
      MatrixXd M(6, 6);
      VectorXd F(6), drift(1);
      system.smooth.in<double>().mass_matrix(at.q, M);
      system.smooth.in<double>().force(at.q, at.v, 0.0, F);
      const MatrixXd N = test::normal_rows(system, at.q), W = test::sliding_rows(system, at.q);
      const double weight = disk("mass") * disk("gravity");
      const VectorXd a = symmetric_solve(M, VectorXd(F + N.transpose() * weight));
      const VectorXd q_rate = test::coordinate_rate_at(system, at.q, at.v);
      VectorXd sliding_drift(2);
      system.smooth.in<double>().constraint_drift(at.q, q_rate, at.v, sliding_drift);
      system.geometry->normal_drift(at.q, at.v, drift);
      // Accelerations of r ω² on the rim, up to 1e4 m/s² divided by sin α, with 64 roundings.
      const double tolerance = 1e-9;
      EXPECT_LE(a.head<3>().norm(), tolerance) << tilt;
      EXPECT_NEAR((N * a)(0) + drift(0), 0.0, tolerance) << tilt;
      EXPECT_LE((W * a + sliding_drift).norm(), tolerance) << tilt;
      EXPECT_LE((W * at.v).norm(), tolerance);
      EXPECT_NEAR(at.v.tail<3>().dot(a.tail<3>()), 0.0, tolerance);  // |ω| is constant
      // Negative control: another normal force does not maintain it.
      const VectorXd other = symmetric_solve(M, VectorXd(F + N.transpose() * (1.01 * weight)));
      EXPECT_GT(std::abs((N * other)(0) + drift(0)), 1e-3);
    }
}

// E = (3/2) m g r sin α there; the stated fall of α² is based on this.
TEST(SpinningDisk, SteadyEnergyIsThreeHalvesOfTheWeight) {
  const SpinningDisk disk;
  const FrictionalSystem system = frictional_system_of(disk);
  for (double tilt : {0.01, 0.3}) {
    const InitialState at = disk.steady_start(tilt);
    const double expected = 1.5 * disk("mass") * disk("gravity") * disk("radius") * std::sin(tilt);
    EXPECT_NEAR(mechanical_energy(system.smooth, at.q, at.v), expected,
                32.0 * unit_roundoff * expected);
  }
}

TEST(SpinningDisk, EquationsEndInTheFlatPosition) {
  const SpinningDisk disk;
  const FrictionalSystem system = frictional_system_of(disk);
  const Q flat(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0);
  VectorXd F(6);
  system.smooth.in<double>().force(flat, VectorXd::Ones(6), 0.0, F);
  EXPECT_FALSE(F.allFinite());
  EXPECT_FALSE(test::sliding_rows(system, flat).allFinite());
}

}  // namespace
}  // namespace rigidlimit
