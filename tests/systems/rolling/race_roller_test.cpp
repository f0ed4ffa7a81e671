// Tests the roller between two races: closed form, kinematics, and the contact points.

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "support/built_in.hpp"
#include "support/derivative.hpp"
#include "support/catalogued_system.hpp"
#include "support/motion_balance.hpp"
#include "support/random_numbers.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector4d;
using test::RandomNumbers;
using test::unit_roundoff;

struct RaceRoller : test::BuiltIn {
  RaceRoller(const Values& values = {}) : BuiltIn("race_roller", values) {}
  double orbit_radius() const { return (*this)("inner_radius") + (*this)("roller_radius"); }
  double outer_radius() const { return orbit_radius() + (*this)("roller_radius"); }
};

TEST(RaceRoller, ClosedFormSatisfiesTheEquations) {
  const RaceRoller heavy{{{"roller_mass", 2.0}, {"drive_torque", -0.3}, {"load_torque", -0.1}}};
  for (const RaceRoller& sys : {RaceRoller{}, heavy}) {
    const System system = test::system_of(sys);
    for (double t = 0.2; t < 3.0; t += 0.31)
      EXPECT_LE(test::imbalance(system, system, sys.start(), t), 1.0) << t;
  }
  // Negative controls: the other sign of Λ, another ripple, another radius.
  const RaceRoller sys;
  const System system = test::system_of(sys);
  EXPECT_GT(test::imbalance(system, system, sys.start(), 1.0, -1.0), 10.0);
  EXPECT_GT(test::imbalance(test::system_of(RaceRoller{{{"drive_ripple", 0.3001}}}), system,
                            sys.start(), 1.0),
            10.0);
  EXPECT_GT(test::imbalance(system, test::system_of(RaceRoller{{{"inner_radius", 0.2001}}}),
                            sys.start(), 1.0),
            10.0);
  EXPECT_FALSE(test::system_of(RaceRoller{{{"gravity", 9.81}}}).closed_form(sys.start(), {1.0}));
}

/// Position of the material point at angle `at` of a wheel of radius ρ, turned by `angle` about
/// `centre`. The arguments are functions of the moving q.
template <class S>
Vector<S, 2> material_point(const Vector<S, 2>& centre, double rho, const S& angle, double at) {
  using std::cos, std::sin;
  return centre + Vector<S, 2>(rho * cos(angle + at), rho * sin(angle + at));
}

// G v is the tangential velocity, counter-clockwise, of the roller's point at the contact relative
// to the point of the race.
TEST(RaceRoller, SlidingIsTheDifferenceOfTheContactPoints) {
  const RaceRoller sys;
  RandomNumbers random(251);
  for (int i = 0; i < 30; ++i) {
    const Vector4d q = random.vector<4>(-3.0, 3.0), v = random.vector<4>(-3.0, 3.0);
    const auto moving = along(q, v);
    using D = Dual<double, 1>;
    const Vector<D, 2> axis(D(0.0), D(0.0));
    const Vector<D, 2> centre = material_point(axis, sys.orbit_radius(), moving(1), 0.0);
    const Eigen::Vector2d tangent(-std::sin(q(1)), std::cos(q(1)));
    const auto speed = [&](const Vector<D, 2>& point) {
      return tangent.dot(Eigen::Vector2d(derivatives(point).col(0)));
    };
    const double inner =
        speed(material_point(centre, sys("roller_radius"), moving(2), q(1) + M_PI - q(2))) -
        speed(material_point(axis, sys("inner_radius"), moving(0), q(1) - q(0)));
    const double outer =
        speed(material_point(centre, sys("roller_radius"), moving(2), q(1) - q(2))) -
        speed(material_point(axis, sys.outer_radius(), moving(3), q(1) - q(3)));
    const Eigen::Vector2d w = sys.constraint(q) * v;
    const double tolerance = 64.0 * 6.0 * unit_roundoff;  // angles up to 10, rounded
    EXPECT_NEAR(w(0), inner, tolerance);
    EXPECT_NEAR(w(1), outer, tolerance);
    EXPECT_GT(std::abs(w(0) - outer) + std::abs(w(1) - inner), 1e-6);  // negative control
  }
}

// Willis: relative to the cage, the races turn in the ratio −(R + 2r)/R; with the outer race held
// the cage turns at R/(2 (R + r)) of the inner race.
TEST(RaceRoller, RollsWithEpicyclicKinematics) {
  const RaceRoller sys;
  const Motion motion = *sys.closed_form(sys.start(), {0.0, 0.7, 1.9});
  for (Index k = 0; k < 3; ++k) {
    const Vector4d v = motion.v.col(k);
    EXPECT_NEAR((v(0) - v(1)) * sys("inner_radius"), -(v(3) - v(1)) * sys.outer_radius(),
                64.0 * unit_roundoff);
    EXPECT_GT(std::abs((v(0) - v(1)) * sys("inner_radius") - (v(3) - v(1)) * sys.outer_radius()),
              1e-2);
  }
  const RaceRoller held{{{"outer_inertia", 1e9}}};
  const Vector4d gained = held.closed_form({VectorXd::Zero(4), VectorXd::Zero(4)}, {2.0})->v.col(0);
  // The ring still gains a share 1e-9.
  EXPECT_NEAR(gained(1) / gained(0), held("inner_radius") / (2.0 * held.orbit_radius()), 1e-8);
}

// Gravity leaves no closed form. The energy less the work of the torques, here zero, is constant.
// Order-10 steps of 0.01 s at rates below 20 rad/s; condition 1e3.
TEST(RaceRoller, WithoutTorquesGravityConservesTheEnergy) {
  const RaceRoller sys{
      {{"drive_torque", 0.0}, {"drive_ripple", 0.0}, {"load_torque", 0.0}, {"gravity", 9.81}}};
  const System system = test::system_of(sys);
  const InitialState start = sys.start();
  const InitialState end = test::rigid_integration(system, start, 2.0, 200);
  const double before = mechanical_energy(system, start.q, start.v);
  const double error = std::abs(mechanical_energy(system, end.q, end.v) - before);
  std::printf("energy with gravity after 2 s: %.1e\n", error);
  EXPECT_LE(error, 1e-11);
  EXPECT_GT(std::abs(kinetic_energy(system, end.q, end.v) - before), 1e-3);  // negative control
}

}  // namespace
}  // namespace rigidlimit
