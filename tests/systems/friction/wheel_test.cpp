// Tests the wheel on an incline: its closed form and the published numbers.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_residual.hpp"

namespace rigidlimit {
namespace {

using test::system_of;
using test::unit_roundoff;

struct Wheel : test::BuiltIn {
  Wheel(const Values& values = {}) : BuiltIn("wheel", values) {}
};

InitialState rolling(const Wheel& sys, double x, double phi, double speed) {
  return {Eigen::Vector2d(x, phi), Eigen::Vector2d(speed, speed / sys("radius"))};
}

std::vector<Wheel> wheels() {
  return {Wheel{}, Wheel{{{"drag", 0.0}}},
          Wheel{{{"mass", 2.5},
                 {"radius", 0.2},
                 {"axial_ratio", 1.0},
                 {"slope", -0.5},
                 {"gravity", 1.6}}},
          Wheel{{{"slope", 0.0}, {"drag", 4.0}}}};
}

TEST(WheelClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const Wheel& sys : wheels())
    for (const double speed : {0.3, -1.1, 0.0}) {
      const System system = system_of(sys);
      EXPECT_LE(test::worst_residual(system, system, rolling(sys, 0.4, -1.0, speed)), 1.0);
    }
}

TEST(WheelClosedForm, OfAnotherWheelViolatesTheEquationsOfMotion) {
  const Wheel sys;
  const System system = system_of(sys);
  const InitialState start = sys.start();
  EXPECT_GT(test::worst_residual(system, system, start, -1.0), 1e3);
  for (const Wheel& other :
       {Wheel{{{"mass", 1.0001}}}, Wheel{{{"radius", 0.2501}}}, Wheel{{{"slope", 0.3001}}},
        Wheel{{{"axial_ratio", 0.5001}}}, Wheel{{{"drag", 2.0001}}}})
    EXPECT_GT(test::worst_residual(system, system_of(other), start), 1e3);
}

// docs/theory.md, section 8: |x''| = (2/3) g sin α, friction (1/3) m g sin α, rolling for
// k ≥ (1/3) tan α. The tolerance is a handful of products.
TEST(WheelClosedForm, OfTheDiscWithoutDragHasThePublishedAccelerationAndFriction) {
  const Wheel disc{{{"mass", 1.7}, {"slope", 0.4}, {"drag", 0.0}}};
  const double weight = disc("mass") * disc("gravity") * std::sin(disc("slope"));
  const Motion motion = disc.closed_form(rolling(disc, 0.0, 0.0, 0.0), {2.0}).value();
  EXPECT_NEAR(motion.v(0, 0) / 2.0, 2.0 / 3.0 * weight / disc("mass"),
              16.0 * unit_roundoff * weight);
  EXPECT_NEAR(motion.lambda(0, 0), weight / 3.0, 8.0 * unit_roundoff * weight);
  const double pressing = disc("mass") * disc("gravity") * std::cos(disc("slope"));
  EXPECT_NEAR(motion.lambda(0, 0) / pressing, std::tan(disc("slope")) / 3.0, 8.0 * unit_roundoff);
  // Negative control: a hoop needs more friction.
  const Wheel hoop{{{"mass", 1.7}, {"axial_ratio", 1.0}, {"slope", 0.4}, {"drag", 0.0}}};
  const Motion other = hoop.closed_form(rolling(hoop, 0.0, 0.0, 0.0), {2.0}).value();
  EXPECT_GT(other.lambda(0, 0), 1.4 * motion.lambda(0, 0));
}

// d(K* + P)/dt = −b x'², the work of the drag, equals non_conservative_power.
TEST(Wheel, LosesEnergyOnlyToTheDrag) {
  const Wheel sys;
  const System system = system_of(sys);
  const Eigen::Vector2d q(0.3, -1.0), v(1.4, 2.8);
  const double power = non_conservative_power(system, q, v, 0.0);
  EXPECT_NEAR(power, -sys("drag") * 1.4 * 1.4, 32.0 * unit_roundoff * 4.0);
  EXPECT_NEAR(non_conservative_power(system_of(Wheel{{{"drag", 0.0}}}), q, v, 0.0), 0.0,
              32.0 * unit_roundoff * 4.0);
}

// The point of the rim at the angle a from the top, clockwise like φ, is at
// (x + r sin a, r + r cos a) and turns with φ'; it touches the plane for a = π.
TEST(Wheel, SlidingVelocityIsThatOfTheLowestPoint) {
  const Wheel sys;
  const double x_rate = 0.8, phi_rate = -1.9, phi = 0.6;
  const auto point = [&](double t) -> VectorXd {
    const double angle = M_PI + phi_rate * t;
    return Eigen::Vector2d(x_rate * t + sys("radius") * std::sin(angle),
                           sys("radius") * (1.0 + std::cos(angle)));
  };
  const auto velocity = test::central_difference(point, 0.0, 1.0 / 64.0);
  const double w = x_rate - sys("radius") * phi_rate;
  EXPECT_NEAR(velocity.value(0), w, velocity.bound);
  EXPECT_NEAR(velocity.value(1), 0.0, velocity.bound);
  const Eigen::Vector2d v(x_rate, phi_rate);
  EXPECT_NEAR((sys.constraint(Eigen::Vector2d(0.0, phi)) * v)(0), w, 4.0 * unit_roundoff);
  const double other = x_rate + sys("radius") * phi_rate;  // the other sense of rolling
  EXPECT_GT(std::abs(velocity.value(0) - other), 0.1);
}

}  // namespace
}  // namespace rigidlimit
