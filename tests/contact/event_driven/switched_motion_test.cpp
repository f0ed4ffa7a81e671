// Tests rigid motions with friction whose forces and loads jump in t, q and v, and thin contacts,
// against closed forms.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "support/random_numbers.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// One block on a floor; `load` in units of m g, `force` in newton, and its start.
SystemEntry block_with(const std::string& load, const std::string& force, double speed) {
  return entry_of(
      system_text_in("name = \"block\"\n"
                     "coordinates = [{name = \"x\", unit = \"m\", start = 0, start_rate = " +
                         std::to_string(speed) +
                         "}]\n"
                         "kinetic_coenergy = \"x'^2\"\n"  // 2 kg
                         "potential = 0\n"
                         "applied_force = [\"" +
                         force +
                         "\"]\n"
                         "[[contacts]]\nname = \"floor\"\nnormal = \"given\"\nsliding = "
                         "[\"x'\"]\nfriction = \"1\"\n"
                         "normal_force = \"20*(" +
                         load +
                         ")\"\n"
                         "[parameters]\n"
                         "edge = {default = 1}\nrough = {default = 0.6}\nslick = {default = 0.1}\n",
                     "block.toml"));
}

struct Floor {
  double edge, slick, rough;
};

NonsmoothMotion motion_of(const SystemEntry& entry, const Floor& floor, double end, int intervals) {
  std::vector<double> values;
  for (const ParameterInfo& p : entry.frictional_parameters())
    values.push_back(p.name == "edge" ? floor.edge : p.name == "slick" ? floor.slick : floor.rough);
  const FrictionalSystem system = entry.make_frictional(values);
  return event_driven_motion(system, entry.frictional_start(values),
                             test::uniform_grid(0.0, end, intervals));
}

double time_of(const NonsmoothMotion& motion, EventKind kind) {
  for (const ContactEvent& event : motion.events)
    if (event.kind == kind) return event.t;
  return std::nan("");
}

// With g = 10 m/s²: v² falls by 2 μ g per metre. It passes the edge with v₁² = v² − 20 μ₁ edge,
// after (v − v₁)/(10 μ₁), and stops v₁/(10 μ₂) later. Times are resolved to 1e-12 s; a unit error
// of q or v changes them by less than 1/(μ g) = 10.
TEST(SwitchedMotion, StopsAtTheTimeOfTheClosedFormForAnyNumberOfSamples) {
  const SystemEntry entry = block_with("if(x < edge, slick, rough)", "0", 3.0);
  test::RandomNumbers random(1);
  for (int k = 0; k < 40; ++k) {
    const double edge = random.uniform(0.2, 2.0), slick = random.uniform(0.02, 0.2),
                 rough = random.uniform(0.3, 0.9);
    const double at_edge = std::sqrt(9.0 - 20.0 * slick * edge);
    const double passes = (3.0 - at_edge) / (10.0 * slick),
                 stops = passes + at_edge / (10.0 * rough);
    for (const int intervals : {1, 10, 1000}) {
      const NonsmoothMotion motion = motion_of(entry, {edge, slick, rough}, stops + 0.3, intervals);
      ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
      EXPECT_NEAR(time_of(motion, EventKind::kink), passes, 1e-11);
      EXPECT_NEAR(time_of(motion, EventKind::stick), stops, 1e-11) << intervals;
      EXPECT_EQ(motion.events.size(), 2U);
    }
    // Negative control: another edge is another time.
    EXPECT_GT(std::abs(time_of(motion_of(entry, {edge + 1e-6, slick, rough}, stops + 0.3, 10),
                               EventKind::stick) -
                       stops),
              1e-8);
  }
}

// A push of 40 N from t₁ to t₂ against friction of 12 N: v = 14 (t₂ − t₁) at its end, and it stops
// v/6 later. The instants are no events of the motion.
TEST(SwitchedMotion, APushBeginsAndEndsAtItsInstants) {
  const SystemEntry entry =
      block_with("rough", "if(t < edge, 0, if(t < edge + 0.013, 40, 0))", 0.0);
  for (const int intervals : {1, 7, 500}) {
    const double t1 = 0.4307, t2 = t1 + 0.013, v = 14.0 * 0.013, stops = t2 + v / 6.0;
    const NonsmoothMotion motion = motion_of(entry, {t1, 0.1, 0.6}, 1.0, intervals);
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    EXPECT_NEAR(time_of(motion, EventKind::slip), t1, 1e-12);
    EXPECT_NEAR(time_of(motion, EventKind::stick), stops, 1e-11);
    const double x = motion.motion.q(0, motion.motion.q.cols() - 1);
    EXPECT_NEAR(x, 0.5 * v * 0.013 + v * v / 12.0, 1e-12);
  }
}

// A brake acts above 2 m/s: with 10 N it falls from 3 to 2 m/s at 1 + 5 m/s², then at 1 m/s².
TEST(SwitchedMotion, ABrakeEndsAtItsSpeed) {
  const SystemEntry entry = block_with("slick", "if(x' > 2, -10, 0)", 3.0);
  for (const int intervals : {1, 50}) {
    const NonsmoothMotion motion = motion_of(entry, {1.0, 0.1, 0.6}, 3.0, intervals);
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    EXPECT_NEAR(time_of(motion, EventKind::kink), 1.0 / 6.0, 1e-11);
    EXPECT_NEAR(time_of(motion, EventKind::stick), 1.0 / 6.0 + 2.0, 1e-11);
  }
}

// Both sides of x' = 0 drive the block back to it: dry friction that is stated as a force.
TEST(SwitchedMotion, EndsOnASwitchThatItCannotLeave) {
  const NonsmoothMotion motion =
      motion_of(block_with("0", "-10*sign(x')", 1.0), {1.0, 0.1, 0.6}, 1.0, 10);
  EXPECT_EQ(motion.outcome, Outcome::no_consistent_mode);
  EXPECT_NEAR(motion.t_reached, 0.2, 1e-11);
  EXPECT_THAT(motion.message, HasSubstr(stays_on_a_switch));
}

// |x'| has a switch at rest, which a resting block never passes.
TEST(SwitchedMotion, ARestingBlockPassesNoSwitch) {
  const NonsmoothMotion motion =
      motion_of(block_with("rough*(1 + abs(x'))", "3 - 6*t", 0.0), {1.0, 0.1, 0.6}, 2.0, 100);
  EXPECT_EQ(motion.outcome, Outcome::success) << motion.message;
  EXPECT_TRUE(motion.events.empty());
}

/// A puck with gravity 10 above a ridge of width `width` at x = 1, which it meets once.
FrictionalSystem puck(double width, const SystemEntry& entry) {
  return entry.make_frictional({width});
}

// The gap is y − 0.6 exp(−((x − 1)/width)²) with x = 5 t and y = 0.5 − 5 t²: its first zero by
// bisection from the left, to the last bit.
TEST(ThinContact, IsMetByEveryMotion) {
  const SystemEntry entry = entry_of(system_text_in(R"toml(name = "puck"
coordinates = [{name = "x", unit = "m", start = 0, start_rate = 5},
               {name = "y", unit = "m", start = 0.5, start_rate = 0}]
kinetic_coenergy = "0.5*(x'^2 + y'^2)"
potential = "10*y"
[[contacts]]
name = "floor"
normal = "unilateral"
gap = "y - 0.6*exp(-((x - 1)/width)^2)"
gap_scale = 1
friction = "0"
restitution = "0.5"
sliding = ["x'"]
[parameters]
width = {default = 0.02}
)toml",
                                                    "puck.toml"));
  test::RandomNumbers random(2);
  for (int k = 0; k < 20; ++k) {
    const double width = std::pow(10.0, random.uniform(-3.3, -1.0));
    const auto gap = [&](double t) {
      return 0.5 - 5.0 * t * t - 0.6 * std::exp(-std::pow((5.0 * t - 1.0) / width, 2));
    };
    double low = 0.0, high = 0.2;  // the gap falls where it is zero for the first time
    for (int i = 0; i < 60; ++i) (gap(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
    const FrictionalSystem system = puck(width, entry);
    const NonsmoothMotion motion = event_driven_motion(system, entry.frictional_start({width}),
                                                       test::uniform_grid(0.0, 0.21, 3));
    ASSERT_FALSE(motion.events.empty()) << width;
    EXPECT_EQ(motion.events[0].kind, EventKind::impact);
    EXPECT_NEAR(motion.events[0].t, low, 1e-12) << width;
  }
}

}  // namespace
}  // namespace rigidlimit
