// Tests the end of sliding in space against the closed form of a block on a slope.
#include "rigidlimit/contact/event_driven/sliding_stop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

/// A block of 1 kg on a plane, pulled along x with a newton, with friction of b newton.
struct Slope {
  SystemEntry entry;

  Slope(double a, double b)
      : entry(entry_of(system_text_in(
            "name = \"slope\"\n"
            "coordinates = [{name = \"x\", unit = \"m\", start = 0, start_rate = 0}, {name = "
            "\"y\", unit = \"m\", "
            "start = 0, start_rate = 0}]\n"
            "kinetic_coenergy = \"(x'^2 + y'^2)/2\"\npotential = 0\n"
            "applied_force = [\"" +
                std::to_string(a) +
                "\", \"0\"]\n"
                "[[contacts]]\nname = \"plane\"\nnormal = \"given\"\nsliding = [\"x'\", \"y'\"]\n"
                "friction = 1\nnormal_force = \"" +
                std::to_string(b) + "\"\n",
            "slope.toml"))) {}

  FrictionalSystem system() const { return entry.make_frictional({}); }

  InitialState start(double speed, double angle) const {
    InitialState start = entry.frictional_start({});
    start.v << speed * std::cos(angle), speed * std::sin(angle);
    return start;
  }
};

/// |w|' = a cos φ − b and w_x' = a − b cos φ, so that (b |w| + a w_x)' = a² − b².
double time_to_stop(double a, double b, double speed, double angle) {
  return speed * (b + a * std::cos(angle)) / (b * b - a * a);
}

/// The closed form errs by two roundings of the time of 0.1 to 1 s; the program's steps by 1e-12.
TEST(SlidingStop, HasTheTimeOfABlockOnASlope) {
  for (const auto& [a, b] : {std::pair{0.5, 6.0}, {3.0, 6.0}, {5.4, 6.0}}) {
    const Slope slope(a, b);
    const FrictionalSystem system = slope.system();
    for (const double angle : {0.3, 1.5, 2.9}) {
      const NonsmoothMotion motion =
          event_driven_motion(system, slope.start(1.0, angle), test::uniform_grid(0.0, 3.0, 30));
      ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
      ASSERT_EQ(motion.events.size(), 1U);
      EXPECT_EQ(motion.events[0].kind, EventKind::stick);
      EXPECT_NEAR(motion.events[0].t, time_to_stop(a, b, 1.0, angle), 2e-12) << a << " " << angle;
    }
  }
}

/// From |w| = 1e-7 the time is exact to a part of 1e-7, as the method integrates with an error of
/// 0.5⁸/8! in each of 32 steps. Negative control: with the direction of the start, the block stops
/// at |w|/(b − a cos φ).
TEST(SlidingStop, FollowsTheTurningDirection) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  int straight_is_wrong = 0;
  for (int k = 0; k < 100; ++k) {
    const double b = 6.0, a = b * 0.9 * share(random), angle = std::numbers::pi * share(random);
    const Slope slope(a, b);
    const FrictionalSystem system = slope.system();
    const InitialState start = slope.start(stopping_speed, angle);
    ContactStates states(1);
    states[0] = {.mode = ContactMode::slip, .direction = start.v.normalized()};
    const auto stop = sliding_stop(system, states, {.t = 0.25, .q = start.q, .v = start.v}, 0, {});
    ASSERT_TRUE(stop.has_value());
    const double pull = std::stod(std::to_string(a)), exact = time_to_stop(pull, b, 1e-7, angle);
    EXPECT_NEAR(stop->t - 0.25, exact, 1e-6 * exact + 1e-16) << a << " " << angle;
    EXPECT_LT(stop->v.norm(), 1e-12);
    if (std::abs(1e-7 / (b - a * std::cos(angle)) - exact) > 1e-3 * exact) ++straight_is_wrong;
  }
  EXPECT_GT(straight_is_wrong, 50);
}

TEST(SlidingStop, IsNotFoundWhereThePullIsStrongerThanFriction) {
  const Slope slope(6.5, 6.0);
  const FrictionalSystem system = slope.system();
  const InitialState start = slope.start(stopping_speed, 3.0);
  ContactStates states(1);
  states[0] = {.mode = ContactMode::slip, .direction = start.v.normalized()};
  EXPECT_FALSE(
      sliding_stop(system, states, {.t = 0.0, .q = start.q, .v = start.v}, 0, {}).has_value());
}

}  // namespace
}  // namespace rigidlimit
