// Tests that the inequality of friction holds on a motion of the wheel with slip, stick and impact,
// and detects a wrong force.
#include "rigidlimit/contact/variational_inequality.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "support/frictional_models.hpp"

namespace rigidlimit {
namespace {

/// A motion of 0.3 s: the wheel slips on the floor with a spin until it rolls.
NonsmoothMotion rolling_start(const FrictionalSystem& system) {
  std::vector<double> times;
  for (int k = 0; k <= 100; ++k) times.push_back(0.003 * k);
  const InitialState start{Eigen::Vector3d(0.3, 0.05, 0.0), Eigen::Vector3d(1.0, 0.0, 10.0)};
  return moreau_jean_motion(system, start, times, 1e-4);
}

// During slip the value is μ p (|v₁| ∓ v₁), zero up to round-off of 40 N · 4 m/s for one direction.
// During rolling λ = 0, and the value is positive. The step that ends the slip contains no sample.
TEST(VariationalInequality, HoldsOnAWheelThatSlipsAndRolls) {
  const FrictionalSystem system = test::system_of(test::WheelAtAnEdge{});
  const NonsmoothMotion motion = rolling_start(system);
  ASSERT_EQ(motion.outcome, Outcome::success);
  ASSERT_EQ(motion.events.size(), 1u);
  EXPECT_EQ(motion.events[0].kind, EventKind::stick);
  const InequalityCheck check = check_inequality(system, motion.motion);
  EXPECT_EQ(check.drawn, 101 * 2 * 100);
  EXPECT_EQ(check.contact, 1);
  EXPECT_NEAR(check.speed, 2.0, 1e-12);
  EXPECT_GE(check.relative, -1e-14);
  EXPECT_GE(check.least, -1e-12);

  // Negative controls: friction too small and too large by 1 %, and in the opposite direction.
  for (const double factor : {0.99, 1.01, -1.0}) {
    Motion wrong = motion.motion;
    wrong.lambda.topRows(2) *= factor;
    const InequalityCheck violated = check_inequality(system, wrong);
    EXPECT_LT(violated.relative, -1e-3) << factor;
    EXPECT_LT(violated.least, -0.1) << factor;
    EXPECT_LT(violated.t, motion.events[0].t + 1e-3);
  }
}

TEST(VariationalInequality, TheSameSeedGivesTheSameDraws) {
  const FrictionalSystem system = test::system_of(test::WheelAtAnEdge{});
  Motion motion = rolling_start(system).motion;
  motion.lambda.col(3).setConstant(std::nan(""));  // this sample is skipped
  const auto least = [&](std::uint64_t seed) {
    Motion wrong = motion;
    wrong.lambda.topRows(2) *= 0.9;
    return check_inequality(system, wrong, {.draws = 7, .seed = seed});
  };
  EXPECT_EQ(least(4).drawn, 100 * 2 * 7);
  EXPECT_EQ(least(4).least, least(4).least);
  EXPECT_NE(least(4).least, least(5).least);
}

// A question at every 4096th velocity and at the columns of the first pass. Negative control: fewer
// velocities end without a question.
TEST(VariationalInequality, AsksWhetherToStop) {
  const FrictionalSystem system = test::system_of(test::WheelAtAnEdge{});
  const Motion motion = rolling_start(system).motion;
  long asked = 0;
  const auto check = [&](int draws, long most) {
    asked = 0;
    return check_inequality(
        system, motion, {.draws = draws, .stop_requested = [&, most] { return ++asked > most; }});
  };
  const long all = check(1000, 1'000'000).drawn;
  EXPECT_EQ(all, 101 * 2 * 1000);
  EXPECT_EQ(asked, (all + 101 * 2) / 4096);
  EXPECT_THROW(check(1000, 3), Stopped);
  EXPECT_EQ(asked, 4) << "it does not go on";
  EXPECT_EQ(check(10, 0).drawn, 101 * 2 * 10);
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace rigidlimit
