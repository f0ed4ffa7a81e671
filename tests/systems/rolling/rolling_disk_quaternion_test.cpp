// Tests that the disc with a quaternion equals the disc with Euler angles.
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "support/body_on_plane_check.hpp"
#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::RandomNumbers;
using test::unit_roundoff;

struct RollingDiskQuaternion : test::BuiltIn {
  RollingDiskQuaternion(const Values& values = {}) : BuiltIn("rolling_disk_quaternion", values) {}

  /// h(γ) = r √(γ1² + γ3²).
  template <class S>
  test::Support<S> support(const Matrix<S, 3, 3>& R) const {
    using std::sqrt;
    const double radius = (*this)("radius");
    const S rho = sqrt(R(2, 0) * R(2, 0) + R(2, 2) * R(2, 2));
    return {radius * rho, radius / rho * Vector<S, 3>(R(2, 0), S(0), R(2, 2))};
  }
};

/// (x, y, p) of Euler angles: R_z(yaw) R_x(tilt) R_y(spin).
VectorXd as_quaternion(const VectorXd& q) {
  const Eigen::Quaterniond p = Eigen::AngleAxisd(q(2), Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(q(3), Vector3d::UnitX()) *
                               Eigen::AngleAxisd(q(4), Vector3d::UnitY());
  return (VectorXd(6) << q(0), q(1), p.w(), p.x(), p.y(), p.z()).finished();
}

/// (x', y', Ω) of Euler rates: R_y(spin)ᵀ (tilt', sin(tilt) yaw', cos(tilt) yaw') + (0, spin', 0).
template <class S>
Vector<S, 5> body_rates(const Vector<S, 5>& q, const Vector<S, 5>& v) {
  using std::cos, std::sin;
  const S c = cos(q(4)), s = sin(q(4));
  const S about_radius = cos(q(3)) * v(2);
  Vector<S, 5> rates;
  rates << v(0), v(1), c * v(3) - s * about_radius, sin(q(3)) * v(2) + v(4),
      s * v(3) + c * about_radius;
  return rates;
}

struct Pair {
  System euler = test::system_of(RollingDisk{});
  System quaternion = test::system_of(RollingDiskQuaternion());
};

// Sliding, under any contact force: G v is the same, and so are the accelerations M⁻¹(F − Gᵀλ)
// mapped by body_rates. Hence the compliant discs agree too. The condition of M is below
// 1e2/cos² tilt < 1e3.
TEST(RollingDiskQuaternion, SlidesAndAcceleratesAsWithEulerAngles) {
  const Pair discs;
  RandomNumbers random(221);
  for (int i = 0; i < 50; ++i) {
    const Vector<double, 5> q = random.vector<5>(-1.1, 1.1), v = random.vector<5>(-3.0, 3.0);
    const Eigen::Vector2d lambda = random.vector<2>(-5.0, 5.0);
    const auto acceleration = [&](const System& system, const VectorXd& at, const VectorXd& rates,
                                  const Eigen::Vector2d& force) -> VectorXd {
      MatrixXd M(5, 5), G(2, 5);
      VectorXd F(5);
      system.in<double>().mass_matrix(at, M);
      system.in<double>().constraints(at, G);
      system.in<double>().force(at, rates, 0.0, F);
      return symmetric_solve(M, VectorXd(F - G.transpose() * force));
    };
    const VectorXd p = as_quaternion(q), rates = body_rates<double>(q, v);
    const Vector<double, 5> a = acceleration(discs.euler, q, v, lambda);
    const VectorXd expected = derivatives(body_rates(along(q, v), along(v, a))).col(0);
    const double tolerance = 1e3 * 10.0 * unit_roundoff * (1.0 + expected.norm());
    EXPECT_LE((acceleration(discs.quaternion, p, rates, lambda) - expected).norm(), tolerance);
    EXPECT_GT((acceleration(discs.quaternion, p, rates, -lambda) - expected).norm(), 1e-3);
    const VectorXd w = sliding_velocity(discs.quaternion, {p, rates});
    EXPECT_LE((w - sliding_velocity(discs.euler, {q, v})).norm(), 64.0 * 6.0 * unit_roundoff);
  }
}

// Order-10 steps of 0.01 s at rates below 8 rad/s: (0.08)^11/(2·4·…·10)² is below round-off. 200
// steps times 30 evaluations at condition 1e3 leave below 1e-10.
TEST(RollingDiskQuaternion, RollsAsWithEulerAngles) {
  const Pair discs;
  const ContactBasis basis = independent_contacts(2);
  const SystemEntry entry = entry_of<RollingDisk>();
  const InitialState start = entry.start(entry.default_values());
  const InitialState other = RollingDiskQuaternion().start();
  EXPECT_LE((as_quaternion(start.q) - other.q).norm(), 4.0 * unit_roundoff);
  EXPECT_LE((body_rates<double>(start.v * 0.0 + start.q, start.v) - other.v).norm(),
            32.0 * unit_roundoff);
  const InitialState a = test::rigid_integration(discs.euler, start, 2.0, 200);
  const InitialState b = test::rigid_integration(discs.quaternion, other, 2.0, 200);
  const VectorXd p = as_quaternion(a.q);
  const VectorXd attitude = p.tail<4>() * (p.tail<4>().dot(b.q.tail<4>()) < 0.0 ? -1.0 : 1.0);
  const double distance =
      std::max({(p.head<2>() - b.q.head<2>()).norm(), (attitude - b.q.tail<4>()).norm(),
                (body_rates<double>(a.q, a.v) - b.v).norm()});
  const auto of_angles = solve_kkt<double>(discs.euler, basis, a.q, a.v, 0.0);
  const auto of_quaternion = solve_kkt<double>(discs.quaternion, basis, b.q, b.v, 0.0);
  const double forces = (of_angles.multiplier - of_quaternion.multiplier).norm();
  std::printf("discs after 2 s: %.1e, Lambda %.1e\n", distance, forces);
  EXPECT_LE(distance, 1e-10);
  EXPECT_LE(forces, 1e-9);
  EXPECT_NEAR(mechanical_energy(discs.quaternion, b.q, b.v),
              mechanical_energy(discs.quaternion, other.q, other.v), 1e-10);
  // Negative control: another disc ends elsewhere.
  const System hoop = test::system_of(RollingDiskQuaternion({{"axial_ratio", 0.501}}));
  EXPECT_GT((test::rigid_integration(hoop, other, 2.0, 200).q - b.q).norm(), 1e-5);
}

TEST(RollingDiskQuaternion, ContactIsOnTheRimAndForcesObeyNewtonAndEuler) {
  const RollingDiskQuaternion disc;
  const double axial = disc("axial_ratio") * disc("mass") * disc("radius") * disc("radius");
  const Eigen::Matrix3d inertia = Vector3d(0.5 * axial, axial, 0.5 * axial).asDiagonal();
  const System system = test::system_of(disc);
  const ContactBasis basis = independent_contacts(2);
  RandomNumbers random(222);
  for (int i = 0; i < 50; ++i) {
    const Vector<double, 6> q = test::random_attitude(random, Eigen::Quaterniond::Identity());
    for (int k = 0; k < 24; ++k) {
      const double angle = 0.2618 * k;
      const Vector3d rim(disc("radius") * std::cos(angle), 0.0, disc("radius") * std::sin(angle));
      EXPECT_LE(test::depth_below_plane(disc, q, rim), 12.0 * unit_roundoff);
    }
    const Vector3d v3 = test::contact_velocity(disc, q, random.vector<5>(-3.0, 3.0));
    EXPECT_NEAR(v3(2), 0.0, 24.0 * 5.0 * unit_roundoff);

    const VectorXd v = projected_velocity<double>(system, basis, q, random.vector<5>(-3.0, 3.0));
    const auto kkt = solve_kkt<double>(system, basis, q, v, 0.0);
    const Matrix<double, 2, 5> G = disc.constraint(q);
    const Eigen::Vector2d friction = -G.leftCols<2>().transpose() * kkt.multiplier;
    const double tolerance = 1e3 * 10.0 * unit_roundoff * (1.0 + kkt.acceleration.norm());
    const auto residual = [&](const Eigen::Vector2d& f) {
      return test::newton_euler_residual<RollingDiskQuaternion>(disc, inertia, q, v,
                                                                kkt.acceleration, f);
    };
    EXPECT_LE(residual(friction), tolerance);
    EXPECT_GT(residual(-friction), 1e3 * tolerance);  // negative control
  }
}

}  // namespace
}  // namespace rigidlimit
