// Tests the rolling disc against a sum over its mass points and the motion of its lowest point.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "support/catalogued_system.hpp"
#include "support/disk_in_space.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;
using Vector5 = Vector<double, 5>;

Vector5 random_position(RandomNumbers& random) {
  return random.vector<5>(-1.4, 1.4);
}

struct Energy {
  double kinetic = 0.0, potential = 0.0;
};

/// Sum over mass points. In s = (ρ/r)² the mass is uniform between s = hole² and 1. The integrand
/// is of degree 1 in s and at most 2 in cos, sin of the angle: 2-point Gauss in s and 8 equal
/// angles are exact. The axial ratio of such a ring is (1 + hole²)/2.
Energy sum_over_mass_points(const RollingDisk& disk, double hole, const Vector5& q,
                            const Vector5& v) {
  Energy sum;
  const double low = hole * hole, middle = 0.5 * (1.0 + low);
  const double offset = 0.5 * (1.0 - low) / std::numbers::sqrt3;
  const double share = disk.mass / 16.0;
  for (const double s : {middle - offset, middle + offset})
    for (int k = 0; k < 8; ++k) {
      const double angle = 0.3 + 0.25 * std::numbers::pi * k, rho = disk.radius * std::sqrt(s);
      const Eigen::Vector3d body(rho * std::cos(angle), 0.0, rho * std::sin(angle));
      sum.kinetic += 0.5 * share * test::material_velocity(q, v, disk.radius, body).squaredNorm();
      sum.potential += share * disk.gravity * test::material_point(q, disk.radius, body)(2);
    }
  return sum;
}

// Sixteen points, a dozen operations each, energies below 50 J.
TEST(RollingDiskBody, EnergiesAreTheSumOverTheMassPoints) {
  RandomNumbers random(61);
  for (const double hole : {0.0, 0.6, 1.0}) {
    const RollingDisk disk{.mass = 1.3, .radius = 0.45, .axial_ratio = 0.5 * (1.0 + hole * hole)};
    RollingDisk wrong = disk;
    wrong.axial_ratio *= 1.001;
    for (int i = 0; i < 40; ++i) {
      const Vector5 q = random_position(random), v = random.vector<5>(-4.0, 4.0);
      const Energy sum = sum_over_mass_points(disk, hole, q, v);
      const double tolerance = 16.0 * 12.0 * 4.0 * unit_roundoff * (1.0 + sum.kinetic);
      EXPECT_NEAR(disk.kinetic_coenergy(q, v), sum.kinetic, tolerance);
      EXPECT_NEAR(disk.potential(q), sum.potential, tolerance);
      EXPECT_NEAR(mechanical_energy(test::system_of(disk), q, v), sum.kinetic + sum.potential,
                  2.0 * tolerance);
      EXPECT_GT(std::abs(wrong.kinetic_coenergy(q, v) - sum.kinetic), tolerance);
    }
  }
}

// G v is the horizontal velocity of the material point at the contact, along the heading and to its
// left; the vertical velocity of that point is zero for every v.
TEST(RollingDiskBody, SlidingIsTheVelocityOfTheLowestPoint) {
  const RollingDisk disk;
  RandomNumbers random(62);
  for (int i = 0; i < 100; ++i) {
    const Vector5 q = random_position(random), v = random.vector<5>(-4.0, 4.0);
    const Eigen::Vector3d body = test::contact_in_body(q, disk.radius);
    const double tolerance = 12.0 * 8.0 * unit_roundoff;
    EXPECT_NEAR(test::material_point(q, disk.radius, body)(2), 0.0, tolerance);
    const Eigen::Vector3d velocity = test::material_velocity(q, v, disk.radius, body);
    const double c = std::cos(q(2)), s = std::sin(q(2));
    const Eigen::Vector2d sliding = disk.constraint(q) * v;
    EXPECT_NEAR(sliding(0), c * velocity(0) + s * velocity(1), tolerance);
    EXPECT_NEAR(sliding(1), -s * velocity(0) + c * velocity(1), tolerance);
    EXPECT_NEAR(velocity(2), 0.0, tolerance);
    // Negative control: the opposite point of the rim does move.
    EXPECT_GT((test::material_velocity(q, v, disk.radius, -body) - velocity).norm(), 1e-3);
  }
}

// No other point of the rim is below the contact point, and the disc never crosses the plane.
TEST(RollingDiskBody, NoPointOfTheRimIsBelowThePlane) {
  const RollingDisk disk;
  RandomNumbers random(63);
  for (int i = 0; i < 20; ++i) {
    const Vector5 q = random_position(random);
    for (int k = 0; k < 60; ++k) {
      const double angle = std::numbers::pi * k / 30.0;
      const Eigen::Vector3d body(disk.radius * std::cos(angle), 0.0, disk.radius * std::sin(angle));
      EXPECT_GE(test::material_point(q, disk.radius, body)(2), -12.0 * unit_roundoff);
    }
  }
}

}  // namespace
}  // namespace rigidlimit
