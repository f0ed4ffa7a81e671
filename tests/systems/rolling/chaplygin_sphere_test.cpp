// Tests the Chaplygin sphere: Newton and Euler by vectors, and the conserved quantities.

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "rigidlimit/systems/quaternion.hpp"
#include "support/built_in.hpp"
#include "support/derivative.hpp"
#include "support/catalogued_system.hpp"
#include "support/random_numbers.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::RandomNumbers;
using test::unit_roundoff;

struct ChaplyginSphere : test::BuiltIn {
  ChaplyginSphere(const Values& values = {}) : BuiltIn("chaplygin_sphere", values) {}
};

InitialState random_sliding(RandomNumbers& random) {
  InitialState state{VectorXd(6), VectorXd(5)};
  state.q << random.vector<2>(), random.vector<4>().normalized();
  state.v << random.vector<5>(-3.0, 3.0);
  return state;
}

Vector3d moments(const ChaplyginSphere& ball) {
  return {ball("inertia_1"), ball("inertia_2"), ball("inertia_3")};
}

// G v is compared with the velocity of the contact as a material point: (x, y, r) + R X at fixed
// X = Rᵀ(0, 0, −r), differentiated along the motion. Two dozen operations on numbers below 5.
TEST(ChaplyginSphere, SlidingIsTheVelocityOfTheLowestPoint) {
  const ChaplyginSphere ball;
  RandomNumbers random(211);
  for (int i = 0; i < 50; ++i) {
    const InitialState at = random_sliding(random);
    const Vector<double, 6> q = at.q;
    const Vector<double, 5> v = at.v;
    const Vector<double, 6> rate = ball.coordinate_rate(q, v);
    const Vector4d p = q.tail<4>(), p_rate = rate.tail<4>();
    const Vector3d body = rotation(p).transpose() * Vector3d(0.0, 0.0, -ball("radius"));
    const Matrix<Dual<double, 1>, 3, 3> R = rotation(along(p, p_rate));
    Vector3d velocity(v(0), v(1), 0.0);
    for (int k = 0; k < 9; ++k) velocity(k % 3) += R(k).derivative[0] * body(k / 3);
    const Eigen::Vector2d sliding = ball.constraint(q) * v;
    const double tolerance = 24.0 * 5.0 * unit_roundoff;
    EXPECT_LE((sliding - velocity.head<2>()).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_NEAR(velocity(2), 0.0, tolerance);
    const Eigen::Vector2d other = ChaplyginSphere{{{"radius", 0.301}}}.constraint(q) * v;
    EXPECT_GT((other - velocity.head<2>()).norm(), 1e3 * tolerance);  // negative control
  }
}

// m a = f and R (I Ω' + Ω × IΩ) = (−r e₃) × f, f = −Λ in the plane (the normal force passes through
// the centre). The KKT matrix's condition is below 1e3 (1 against 0.02), accelerations below 100.
TEST(ChaplyginSphere, AccelerationsObeyNewtonAndEuler) {
  RandomNumbers random(212);
  for (const ChaplyginSphere& ball :
       {ChaplyginSphere{},
        ChaplyginSphere{{{"mass", 2.0}, {"radius", 0.2}, {"inertia_1", 0.05}}}}) {
    const System system = test::system_of(ball);
    const ContactBasis basis = independent_contacts(2);
    for (int i = 0; i < 50; ++i) {
      InitialState at = random_sliding(random);
      at.v = projected_velocity<double>(system, basis, at.q, at.v);
      const auto kkt = solve_kkt<double>(system, basis, at.q, at.v, 0.0);
      const Vector3d Omega = at.v.tail<3>(), Omega_rate = kkt.acceleration.tail<3>();
      const Matrix3d R = rotation<double>(at.q.tail<4>());
      const Vector3d momentum = moments(ball).cwiseProduct(Omega);
      const auto unbalanced = [&](double sign) {
        const Vector3d f(-sign * kkt.multiplier(0), -sign * kkt.multiplier(1), 0.0);
        const Vector3d turned =
            R * (moments(ball).cwiseProduct(Omega_rate) + Omega.cross(momentum));
        const Vector3d acceleration(kkt.acceleration(0), kkt.acceleration(1), 0.0);
        return (ball("mass") * acceleration - f).norm() +
               (turned - Vector3d(0.0, 0.0, -ball("radius")).cross(f)).norm();
      };
      const double tolerance = 1e3 * 10.0 * unit_roundoff * (1.0 + kkt.acceleration.norm());
      EXPECT_LE(unbalanced(1.0), tolerance);
      EXPECT_GT(unbalanced(-1.0), 1e3 * tolerance);  // negative control
    }
  }
}

/// K*, R I Ω + m r² (ω_x, ω_y, 0), and R I Ω alone for the negative control.
Vector<double, 7> conserved(const ChaplyginSphere& ball, const InitialState& at) {
  const Matrix3d R = rotation<double>(at.q.tail<4>());
  const Vector3d Omega = at.v.tail<3>(), omega = R * Omega;
  const Vector3d spin = R * moments(ball).cwiseProduct(Omega);
  const double mr2 = ball("mass") * ball("radius") * ball("radius");
  Vector<double, 7> values;
  values << kinetic_energy(test::system_of(ball), at.q, at.v),
      spin + mr2 * Vector3d(omega(0), omega(1), 0.0), spin;
  return values;
}

// Order-10 steps of 0.02 s at rates below 6 rad/s: (0.12)^11/(2·4·…·10)² per step is far below
// round-off. 250 steps of 30 evaluations with condition 1e3 leave below 1e-11 of 0.6 J.
TEST(ChaplyginSphere, RollingConservesEnergyAndMomentumAboutTheContact) {
  const ChaplyginSphere ball;
  const InitialState start = ball.start();
  const Vector<double, 7> before = conserved(ball, start);
  double worst = 0.0, momentum_about_centre = 0.0, length = 0.0;
  const InitialState end = test::rigid_integration(
      test::system_of(ball), start, 5.0, 250, [&](double, const InitialState& at) {
        length = std::max(length, std::abs(at.q.tail<4>().norm() - 1.0));
      });
  const Vector<double, 7> after = conserved(ball, end);
  worst = (after - before).head<4>().cwiseAbs().maxCoeff();
  momentum_about_centre = (after - before).tail<3>().cwiseAbs().maxCoeff();
  std::printf("invariants after 5 s: %.1e, quaternion %.1e\n", worst, length);
  EXPECT_LE(worst, 1e-11);
  EXPECT_LE(length, 1e-11);
  EXPECT_GT(momentum_about_centre, 1e-3);  // negative control: not conserved
}

}  // namespace
}  // namespace rigidlimit
