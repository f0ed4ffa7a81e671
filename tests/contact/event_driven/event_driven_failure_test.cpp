// Tests the outcomes of event_driven_motion() without a consistent motion or with too many events.
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/error.hpp"
#include "support/frictional_start.hpp"

namespace rigidlimit {
namespace {

using test::frictional_case;
using test::FrictionalCase;
using testing::HasSubstr;

const std::vector<double> times = {0.0, 0.5, 1.0};

TEST(EventDrivenFailure, StartInsideTheFloorNamesTimeContactAndState) {
  FrictionalCase ball = frictional_case("bouncing_ball");
  ball.start.q(1) = 0.05;
  const NonsmoothMotion motion = event_driven_motion(ball.system, ball.start, times);
  EXPECT_EQ(motion.outcome, Outcome::inadmissible_state);
  EXPECT_THAT(motion.message, HasSubstr("t = 0"));
  EXPECT_THAT(motion.message, HasSubstr("floor"));
  EXPECT_THAT(motion.message, HasSubstr("0.05"));
  EXPECT_TRUE(std::isnan(motion.motion.q(0, 0)));
}

/// A start on the floor with a velocity into it is valid and begins with an impact.
TEST(EventDrivenFailure, SpeedIntoAContactAtTheStartIsAnImpact) {
  FrictionalCase ball = frictional_case("bouncing_ball");
  ball.start.q(1) = 0.1;
  ball.start.v(1) = -2.0;
  const NonsmoothMotion motion = event_driven_motion(ball.system, ball.start, {0.0, 0.1});
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  ASSERT_FALSE(motion.events.empty());
  EXPECT_EQ(motion.events[0].t, 0.0);
  EXPECT_EQ(motion.events[0].kind, EventKind::impact);
  EXPECT_NEAR(motion.motion.v(1, 0), 1.0, 1e-14);  // right-continuous, e = ½
}

TEST(EventDrivenFailure, ExceedingMaxEventsIsAnOutcome) {
  const FrictionalCase ball = frictional_case("bouncing_ball", {{"restitution", 1.0}});
  const NonsmoothMotion motion =
      event_driven_motion(ball.system, ball.start, {0.0, 100.0}, {.max_events = 20});
  EXPECT_EQ(motion.outcome, Outcome::event_accumulation);
  EXPECT_THAT(motion.message, HasSubstr("floor"));
  EXPECT_THAT(motion.message, HasSubstr("t = "));
  EXPECT_GT(motion.t_reached, 10.0);
  EXPECT_TRUE(std::isnan(motion.motion.q(0, 1)));
}

/// Painlevé's rod, q = (x, z, θ): the tip stays on the floor and slides to the left at 1 m/s, with
/// the given θ'.
InitialState sliding_rod(const FrictionalSystem& rod, double angle, double angle_rate) {
  const double l = 0.5;
  InitialState start{Eigen::Vector3d(0.0, l * std::sin(angle), angle), Eigen::Vector3d::Zero()};
  start.v << -1.0 - l * std::sin(angle) * angle_rate, l * std::cos(angle) * angle_rate, angle_rate;
  VectorXd gap(1);
  rod.geometry->gap(start.q, gap);
  EXPECT_NEAR(gap(0), 0.0, 1e-15);
  return start;
}

/// tan θ = 2, μ = 1.8 > 4/3 and σ = −1: A < 0 (systems/friction/painleve_rod.hpp). With θ' = 0,
/// B = −g < 0: no acceleration satisfies the laws. With large θ', B > 0: open and closed both do.
TEST(EventDrivenFailure, PainleveHasNoMotionOrTwo) {
  const FrictionalCase rod = frictional_case("painleve_rod");
  const double angle = std::atan(2.0);
  const NonsmoothMotion none =
      event_driven_motion(rod.system, sliding_rod(rod.system, angle, 0.0), times);
  EXPECT_EQ(none.outcome, Outcome::no_consistent_mode);
  EXPECT_THAT(none.message, HasSubstr("tip"));
  EXPECT_THAT(none.message, HasSubstr("t = 0"));
  EXPECT_THAT(none.message, HasSubstr("q = ("));

  const NonsmoothMotion two =
      event_driven_motion(rod.system, sliding_rod(rod.system, angle, 8.0), {0.0, 1e-3});
  ASSERT_FALSE(two.notes.empty());
  EXPECT_THAT(two.notes[0], HasSubstr("2 motions"));

  // Less friction: one motion.
  const FrictionalCase smooth = frictional_case("painleve_rod", {{"friction", 1.0}});
  const NonsmoothMotion one =
      event_driven_motion(smooth.system, sliding_rod(smooth.system, angle, 0.0), {0.0, 1e-3});
  EXPECT_EQ(one.outcome, Outcome::success) << one.message;
  EXPECT_TRUE(one.notes.empty());
}

TEST(EventDrivenFailure, WrongInputThrows) {
  const FrictionalCase ball = frictional_case("bouncing_ball");
  InitialState short_of{VectorXd::Zero(2), VectorXd::Zero(3)};
  EXPECT_THROW(event_driven_motion(ball.system, short_of, times), InputError);
  EXPECT_THROW(event_driven_motion(ball.system, ball.start, {1.0, 0.5}), InputError);
  EXPECT_THROW(event_driven_motion(ball.system, ball.start, times, {.gap_tolerance = 0.0}),
               InputError);
  EXPECT_THROW(event_driven_motion(ball.system, ball.start, times, {.max_events = 0}), InputError);
  EXPECT_THROW(
      event_driven_motion(ball.system, ball.start, times, {.compliance = VectorXd::Ones(5)}),
      InputError);
}

TEST(EventDrivenFailure, CallerCanStopTheMotion) {
  const FrictionalCase ball = frictional_case("bouncing_ball");
  const NonsmoothMotion motion =
      event_driven_motion(ball.system, ball.start, times, {.stop_requested = [] { return true; }});
  EXPECT_EQ(motion.outcome, Outcome::interrupted);
}

}  // namespace
}  // namespace rigidlimit
