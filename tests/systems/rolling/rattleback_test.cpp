// Tests the rattleback: Newton and Euler, its energy, and the reversal of its spin.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "support/body_on_plane_check.hpp"
#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::RandomNumbers;
using test::unit_roundoff;

struct Rattleback : test::BuiltIn {
  Rattleback(const Values& values = {}) : BuiltIn("rattleback", values) {}

  Vector3d axes() const {
    return {(*this)("semi_axis_a"), (*this)("semi_axis_b"), (*this)("semi_axis_c")};
  }
  Vector3d to_centre() const { return (*this)("depth") * Vector3d::UnitZ(); }

  /// h(γ) = √(a²γ1² + b²γ2² + c²γ3²) − d γ3.
  template <class S>
  test::Support<S> support(const Matrix<S, 3, 3>& R) const {
    using std::sqrt;
    const Vector<S, 3> up = R.row(2);
    const Vector<S, 3> scaled = axes().cwiseAbs2().template cast<S>().cwiseProduct(up);
    const S root = sqrt(scaled.dot(up));
    const Vector<S, 3> down = to_centre().template cast<S>();
    return {root - down.dot(up), scaled / root - down};
  }
  /// I about the axes of the shape, with the principal axes turned by `skew`, kg m².
  Eigen::Matrix3d inertia(double skew) const {
    const Vector3d principal((*this)("inertia_1"), (*this)("inertia_2"), (*this)("inertia_3"));
    const Eigen::Matrix3d Rz = Eigen::AngleAxisd(skew, Vector3d::UnitZ()).toRotationMatrix();
    return Rz * principal.asDiagonal() * Rz.transpose();
  }
  /// Rolling with the spin `rate` about the vertical, from a roll of half a degree.
  InitialState spinning(double rate) const {
    const Eigen::Vector4d p(std::cos(M_PI / 720.0), std::sin(M_PI / 720.0), 0.0, 0.0);
    const Eigen::Matrix3d R = rotation(p);
    const Vector3d Omega = rate * R.row(2).transpose();
    const Vector3d centre = R * Omega.cross(support<double>(R).arm);  // the contact point rests
    InitialState start{VectorXd(6), VectorXd(5)};
    start.q << 0.0, 0.0, p;
    start.v << centre(0), centre(1), Omega;
    return start;
  }
};

TEST(Rattleback, StartsWithTheStatedSpin) {
  const Rattleback stone;
  const InitialState start = stone.start(), expected = stone.spinning(-5.0);
  EXPECT_LE((start.q - expected.q).norm(), 4.0 * unit_roundoff);
  EXPECT_LE((start.v - expected.v).norm(), 5.0 * 16.0 * unit_roundoff);
  EXPECT_GT((start.v - stone.spinning(-4.999).v).norm(), 1e-4);  // negative control
}

// Points of the ellipsoid lie on or above the plane; the contact point lies on both.
// Products of numbers below 1.
TEST(Rattleback, TouchesThePlaneWithItsLowestPoint) {
  const Rattleback stone;
  RandomNumbers random(231);
  const Vector3d axes = stone.axes(), to_centre = stone.to_centre();
  const double tolerance = 32.0 * unit_roundoff;
  for (int i = 0; i < 40; ++i) {
    const Vector<double, 6> q = test::random_attitude(random, Eigen::Quaterniond::Identity());
    for (int k = 0; k < 60; ++k) {
      const Vector3d point = axes.cwiseProduct(random.vector<3>().normalized());
      EXPECT_LE(test::depth_below_plane(stone, q, point + to_centre), tolerance);
    }
    const Vector3d contact = -stone.support<double>(rotation<double>(q.tail<4>())).arm;
    const Vector3d from_centre = contact - to_centre;
    EXPECT_NEAR(from_centre.cwiseQuotient(axes).norm(), 1.0, tolerance);
    EXPECT_NEAR(test::depth_below_plane(stone, q, contact), 0.0, tolerance);
    // Negative control: relative to the ellipsoid's centre instead of the centre of mass.
    EXPECT_GT(std::abs(test::depth_below_plane(stone, q, from_centre)), 1e-3);
  }
}

TEST(Rattleback, SlidingIsTheVelocityOfTheLowestPoint) {
  const Rattleback stone;
  RandomNumbers random(232);
  for (int i = 0; i < 50; ++i) {
    const Vector<double, 6> q = test::random_attitude(random, Eigen::Quaterniond::Identity());
    const Vector<double, 5> v = random.vector<5>(-3.0, 3.0);
    const Vector3d velocity = test::contact_velocity(stone, q, v);
    const Eigen::Vector2d sliding = stone.constraint(q) * v;
    const double tolerance = 32.0 * 5.0 * unit_roundoff;
    EXPECT_LE((sliding - velocity.head<2>()).norm(), tolerance);
    EXPECT_NEAR(velocity(2), 0.0, tolerance);
    const Eigen::Vector2d other = Rattleback{{{"depth", 0.0101}}}.constraint(q) * v;
    EXPECT_GT((other - velocity.head<2>()).norm(), 1e3 * tolerance);  // negative control
  }
}

// Condition of the KKT matrix: 1 kg against 1e-4 kg m², 1e4 to 1e5.
TEST(Rattleback, AccelerationsObeyNewtonAndEuler) {
  const Rattleback stone;
  const System system = test::system_of(stone);
  const ContactBasis basis = independent_contacts(2);
  RandomNumbers random(233);
  for (int i = 0; i < 50; ++i) {
    const Vector<double, 6> q = test::random_attitude(random, Eigen::Quaterniond::Identity());
    const VectorXd v = projected_velocity<double>(system, basis, q, random.vector<5>(-3.0, 3.0));
    const auto kkt = solve_kkt<double>(system, basis, q, v, 0.0);
    const Eigen::Vector2d friction = -kkt.multiplier;
    const auto residual = [&](const Eigen::Matrix3d& inertia) {
      return test::newton_euler_residual<Rattleback>(stone, inertia, q, v, kkt.acceleration,
                                                     friction);
    };
    const double tolerance = 1e5 * unit_roundoff * (1.0 + kkt.multiplier.norm());
    EXPECT_LE(residual(stone.inertia(stone("skew"))), tolerance);
    // Negative control: the axes of inertia skewed the other way.
    EXPECT_GT(residual(stone.inertia(-stone("skew"))), 1e2 * tolerance);
  }
}

// Kane and Levinson's products of inertia follow from the principal moments and the skew:
// A = 2e-4, B = 1.6e-3, C = 1.7e-3, |D| = 2e-5 kg m², to the three digits of the default skew.
TEST(Rattleback, HasTheMomentsOfKaneAndLevinson) {
  const Eigen::Matrix3d I = Rattleback().inertia(Rattleback()("skew"));
  EXPECT_NEAR(I(0, 0), 2.0e-4, 5e-7);
  EXPECT_NEAR(I(1, 1), 1.6e-3, 5e-7);
  EXPECT_NEAR(std::abs(I(0, 1)), 2.0e-5, 5e-8);
}

/// Spin about the vertical, rad/s.
double spin(const InitialState& at) {
  const Vector<double, 4> p = at.q.tail<4>();
  return rotation(p).row(2).dot(at.v.tail<3>());
}

struct Course {
  double first = 0.0, last = 0.0, energy_error = 0.0, time_of_reversal = -1.0, strongest = 0.0;
};
Course course(const Rattleback& stone, double rate, double end, double step) {
  const System system = test::system_of(stone);
  const InitialState start = stone.spinning(rate);
  const double energy = mechanical_energy(system, start.q, start.v);
  Course result{.first = spin(start)};
  const int steps = static_cast<int>(end / step);
  test::rigid_integration(system, start, end, steps, [&](double t, const InitialState& at) {
    result.last = spin(at);
    if (result.last * rate < 0.0 && result.time_of_reversal < 0.0) result.time_of_reversal = t;
    if (result.last * rate < 0.0)
      result.strongest = std::max(result.strongest, std::abs(result.last));
    const double now = mechanical_energy(system, at.q, at.v);
    result.energy_error = std::max(result.energy_error, std::abs(now - energy));
  });
  return result;
}

// Spun in its stable sense the stone goes on; in the other sense it rattles and reverses. With the
// axes of inertia skewed the other way the senses are exchanged; without skew it goes on.
//
// The energy is 0.12 J. In the hardest rattling the forces change within a step: the error of
// order-10 steps is 6.6e-5 J at 5 ms, and 1.7e-7 J at half of that.
TEST(Rattleback, ReversesFromOnlyOneSenseOfSpin) {
  const Rattleback stone;
  const Course back = course(stone, -5.0, 10.0, 0.0025), on = course(stone, 5.0, 10.0, 0.005);
  std::printf("spin -5: %.3f, reversal at %.2f s, up to %.2f, energy %.1e\n", back.last,
              back.time_of_reversal, back.strongest, back.energy_error);
  std::printf("spin +5: %.3f, energy %.1e\n", on.last, on.energy_error);
  EXPECT_NEAR(back.time_of_reversal, 5.8, 0.2);
  EXPECT_GT(back.strongest, 4.0);
  EXPECT_LT(on.time_of_reversal, 0.0);
  EXPECT_GT(on.last, 4.5);
  EXPECT_LE(back.energy_error, 1e-6);
  EXPECT_LE(on.energy_error, 1e-12);
}
TEST(Rattleback, ReversesFromTheOtherSenseWithOppositeSkew) {
  const Rattleback mirrored{{{"skew", -Rattleback()("skew")}}}, straight{{{"skew", 0.0}}};
  EXPECT_NEAR(course(mirrored, 5.0, 6.2, 0.005).time_of_reversal, 5.8, 0.2);
  EXPECT_LT(course(straight, -5.0, 6.2, 0.005).time_of_reversal, 0.0);
}

}  // namespace
}  // namespace rigidlimit
