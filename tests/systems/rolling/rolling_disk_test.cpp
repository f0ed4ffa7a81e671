// Tests that the rolling disc's accelerations obey Newton and Euler in vector form.
#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/catalogued_system.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;
using Vector5 = Vector<double, 5>;

/// The frame of the disc: heading, axle, from contact to centre.
struct Frame {
  Vector3d heading, left, axle, up;
  Vector3d turning;  ///< angular velocity of the frame, ψ' e₃ + θ' e₁

  Frame(const Vector5& q, const Vector5& v)
      : heading(std::cos(q(2)), std::sin(q(2)), 0.0),
        left(-std::sin(q(2)), std::cos(q(2)), 0.0),
        axle(std::cos(q(3)) * left + std::sin(q(3)) * Vector3d::UnitZ()),
        up(-std::sin(q(3)) * left + std::cos(q(3)) * Vector3d::UnitZ()),
        turning(v(2) * Vector3d::UnitZ() + v(3) * heading) {}
};

/// Residuals of Newton's and Euler's laws: m a − f − weight (f with the normal force of the plane)
/// and L' − (−r up) × f, with f the contact force of the multipliers.
struct Missing {
  Vector3d force, torque;
};
Missing missing(const RollingDisk& disk, const Vector5& q, const Vector5& v, const Vector5& a,
                const Eigen::Vector2d& lambda) {
  const Frame frame(q, v);
  const double r = disk.radius, axial = disk.axial_ratio * disk.mass * r * r;
  const double st = std::sin(q(3)), ct = std::cos(q(3));

  const double fall = -r * (ct * v(3) * v(3) + st * a(3));  // z'' of the centre, z = r cos θ
  const double normal = disk.mass * (disk.gravity + fall);
  // −Gᵀλ: −λ₁ along the heading, −λ₂ to the left.
  const Vector3d contact =
      -lambda(0) * frame.heading - lambda(1) * frame.left + normal * Vector3d::UnitZ();
  const Vector3d acceleration(a(0), a(1), fall);
  const Vector3d weight(0.0, 0.0, -disk.mass * disk.gravity);

  // L = I (φ' + ψ' sin θ) axle + I/2 (θ' heading + ψ' cos θ up); L' = components' rates + turning ×
  // L
  const Vector3d L = axial * ((v(4) + st * v(2)) * frame.axle +
                              0.5 * (v(3) * frame.heading + ct * v(2) * frame.up));
  const Vector3d rates =
      axial * ((a(4) + st * a(2) + ct * v(3) * v(2)) * frame.axle +
               0.5 * (a(3) * frame.heading + (ct * a(2) - st * v(3) * v(2)) * frame.up));
  const Vector3d torque = (-r * frame.up).cross(contact);
  return {disk.mass * acceleration - contact - weight, rates + frame.turning.cross(L) - torque};
}

Vector5 rolling_velocity(const RollingDisk& disk, const Vector5& q, const Vector5& v) {
  return test::rolling_at(system_of(disk), q, v);
}

// The KKT matrix's condition is below 1e3 for |θ| ≤ 1.2 (cos²θ I/2 against m), forces below 100 N.
TEST(RollingDisk, AccelerationsObeyNewtonAndEuler) {
  RandomNumbers random(71);
  for (const RollingDisk& disk :
       {RollingDisk{}, RollingDisk{.mass = 2.0, .radius = 0.3, .axial_ratio = 1.0, .gravity = 3.0}})
    for (int i = 0; i < 100; ++i) {
      const Vector5 q = random.vector<5>(-1.2, 1.2);
      const Vector5 v = rolling_velocity(disk, q, random.vector<5>(-3.0, 3.0));
      const auto kkt = test::kkt_at(system_of(disk), q, v);
      const Missing left = missing(disk, q, v, kkt.acceleration, kkt.multiplier);
      const double scale = 1.0 + kkt.acceleration.norm() + kkt.multiplier.norm();
      const double tolerance = 1e3 * unit_roundoff * 10.0 * scale;
      EXPECT_LE(left.force.norm(), tolerance);
      EXPECT_LE(left.torque.norm(), tolerance);
      const Missing wrong = missing(disk, q, v, kkt.acceleration, -kkt.multiplier);
      EXPECT_GT(wrong.force.norm(), 1e3 * tolerance);  // negative control
    }
}

// Sliding too: M and F are those of the free disc on a frictionless plane plus −Gᵀλ for any λ. The
// compliant contact relies on this.
TEST(RollingDisk, EquationsHoldForAnyContactForceAndAnySliding) {
  const RollingDisk disk;
  RandomNumbers random(72);
  for (int i = 0; i < 100; ++i) {
    const Vector5 q = random.vector<5>(-1.2, 1.2), v = random.vector<5>(-3.0, 3.0);
    const Eigen::Vector2d lambda = random.vector<2>(-5.0, 5.0);
    const Vector5 right = force(disk, q, v, 0.0) - constraint(disk, q).transpose() * lambda;
    const Vector5 a = symmetric_solve(mass_matrix(disk, q), VectorXd(right));
    const Missing left = missing(disk, q, v, a, lambda);
    const double tolerance = 1e3 * unit_roundoff * 10.0 * (1.0 + a.norm());
    EXPECT_LE(left.force.norm(), tolerance);
    EXPECT_LE(left.torque.norm(), tolerance);
  }
}

// Upright straight rolling is an equilibrium at every speed: no acceleration, no contact force.
TEST(RollingDisk, UprightStraightRollingIsAnEquilibrium) {
  const RollingDisk disk;
  for (const double speed : {0.0, 1.0, -7.0}) {
    Vector5 q, v;
    q << 0.4, -0.2, 0.8, 0.0, 2.0;
    v << speed * std::cos(0.8), speed * std::sin(0.8), 0.0, 0.0, speed / disk.radius;
    const auto kkt = test::kkt_at(system_of(disk), q, v);
    EXPECT_LE(kkt.acceleration.norm() + kkt.multiplier.norm(), 64.0 * 10.0 * unit_roundoff);
    q(3) = 1e-3;  // negative control: a leaning disc starts to fall
    EXPECT_GT(test::kkt_at(system_of(disk), q, v).acceleration(3), 1e-3);
  }
}

/// Steady rolling round a circle at tilt θ and yaw rate ψ'. The torque
/// r (m g sin θ + m r Ω ψ' cos θ) about the heading turns L; with Ω = φ' + ψ' sin θ about the axle,
///   (1 + κ) Ω ψ' cos θ = (κ/2) ψ'² sin θ cos θ − (g/r) sin θ.
double steady_rate_about_axle(const RollingDisk& disk, double tilt, double yaw_rate) {
  const double s = std::sin(tilt), c = std::cos(tilt), kappa = disk.axial_ratio;
  return (0.5 * kappa * yaw_rate * yaw_rate * s * c - disk.gravity / disk.radius * s) /
         ((1.0 + kappa) * yaw_rate * c);
}

TEST(RollingDisk, CircularRateMatchesTheDerivationByHand) {
  const RollingDisk disk;
  for (const double tilt : {0.2, -0.5, 0.9})
    for (const double yaw_rate : {0.8, -1.5, 3.0}) {
      const double about_axle = steady_rate_about_axle(disk, tilt, yaw_rate);
      const double speed = disk.radius * about_axle;
      Vector5 q, v;
      q << 0.0, 0.0, 0.6, tilt, 0.0;
      v << speed * std::cos(0.6), speed * std::sin(0.6), yaw_rate, 0.0,
          about_axle - yaw_rate * std::sin(tilt);
      const auto kkt = test::kkt_at(system_of(disk), q, v);
      Vector5 expected = Vector5::Zero();  // centripetal: speed · ψ' to the left
      expected(0) = -speed * yaw_rate * std::sin(0.6);
      expected(1) = speed * yaw_rate * std::cos(0.6);
      const double scale = 1.0 + std::abs(speed * yaw_rate) + disk.gravity / disk.radius;
      EXPECT_LE((kkt.acceleration - expected).norm(), 1e3 * unit_roundoff * scale);
      EXPECT_NEAR(kkt.multiplier(0), 0.0, 1e3 * unit_roundoff * scale);
      EXPECT_NEAR(kkt.multiplier(1), -disk.mass * speed * yaw_rate, 1e3 * unit_roundoff * scale);

      const double faster = 1.01;  // negative control: at another rate it rises or falls
      const Vector5 other = rolling_velocity(disk, q,
                                             (Vector5() << faster * v.head<2>(), yaw_rate, 0.0,
                                              faster * about_axle - yaw_rate * std::sin(tilt))
                                                 .finished());
      EXPECT_GT(std::abs(test::kkt_at(system_of(disk), q, other).acceleration(3)), 1e-3);
    }
}

// d/dt (K* + P) = 0 along the flow when G v = 0; terms up to |p||a| ≈ 100.
TEST(RollingDisk, RollingConservesTheEnergy) {
  const RollingDisk disk;
  RandomNumbers random(73);
  for (int i = 0; i < 100; ++i) {
    const Vector5 q = random.vector<5>(-1.2, 1.2);
    const Vector5 free = random.vector<5>(-3.0, 3.0), v = rolling_velocity(disk, q, free);
    const auto rate = [&](const Vector5& velocity) {
      const Vector5 a = test::kkt_at(system_of(disk), q, velocity).acceleration;
      const auto moving = along(q, velocity);
      const auto energy =
          disk.kinetic_coenergy(moving, along(velocity, a)) + disk.potential(moving);
      return energy.derivative[0] / (1.0 + a.norm() * velocity.norm());
    };
    EXPECT_NEAR(rate(v), 0.0, 1e3 * unit_roundoff);
    EXPECT_GT(std::abs(rate(free)), 1e-9);  // negative control: the contact of a sliding disc works
  }
}

}  // namespace
}  // namespace rigidlimit
