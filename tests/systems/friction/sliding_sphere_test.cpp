// Tests the ball on a table: a parabola while it slides, then a straight line.

#include <gmock/gmock.h>

#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/history_check.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::frictional_system_of;
using test::unit_roundoff;

struct SlidingSphere : test::BuiltIn {
  SlidingSphere(const Values& values = {}) : BuiltIn("sliding_sphere", values) {}
};

TEST(SlidingSphere, HistoriesObeyTheLaws) {
  test::RandomNumbers random(701);
  for (double ratio : {0.4, 2.0 / 3.0, 1.0}) {
    const FrictionalSystem system = frictional_system_of(SlidingSphere{{{"inertia_ratio", ratio}}});
    for (int i = 0; i < 4; ++i) {
      Vector<double, 5> v = random.vector<5>(-2.0, 2.0);
      v.tail<3>() *= 10.0;  // as fast on the rim
      const InitialState start{random.vector<2>(), v};
      EXPECT_LE(test::worst_defect(system, system, start, 3.0), 1.0);
      EXPECT_LE(test::worst_jump(system, start, 3.0), 1.0);
    }
  }
}

TEST(SlidingSphere, HistoryOfAnotherBallViolatesTheLaws) {
  const FrictionalSystem system = frictional_system_of(SlidingSphere{});
  for (const SlidingSphere& other :
       {SlidingSphere{{{"inertia_ratio", 0.4001}}}, SlidingSphere{{{"friction", 0.2001}}}})
    EXPECT_GT(test::worst_defect(frictional_system_of(other), system, SlidingSphere{}.start(), 3.0),
              1e3);
}

// Coriolis: t* = 2 |w0|/(7 μ g); then it rolls with (5 v0 + 2 r ω0 × e_z)/7, for every μ.
TEST(SlidingSphere, RollsOnLikeABilliardBall) {
  for (double friction : {0.05, 0.2}) {
    const SlidingSphere ball{{{"friction", friction}}};
    const InitialState start = ball.start();
    const Eigen::Vector2d v0 = start.v.head<2>(), rim(start.v(3) * 0.1, -start.v(2) * 0.1);
    const auto history = ball.closed_history(start, {10.0}).value();
    const double sliding = (v0 - rim).norm();
    ASSERT_EQ(history.event_times.size(), 1u);
    EXPECT_NEAR(history.event_times[0], 2.0 * sliding / (7.0 * friction * 9.81),
                32.0 * unit_roundoff * history.event_times[0]);
    const Eigen::Vector2d rolling = (5.0 * v0 + 2.0 * rim) / 7.0;
    EXPECT_LE((history.motion.v.col(0).head<2>() - rolling).norm(), 64.0 * unit_roundoff * 2.0);
    EXPECT_EQ(history.motion.v(4, 0), start.v(4));  // the spin about the vertical is constant
  }
}

TEST(SlidingSphere, RollsFromTheStartOrNeverStopsSliding) {
  const SlidingSphere ball;
  const InitialState rolling{Eigen::Vector2d::Zero(), Vector<double, 5>(1.0, 0.5, -5.0, 10.0, 2.0)};
  EXPECT_TRUE(ball.closed_history(rolling, {1.0})->event_times.empty());
  EXPECT_EQ(ball.closed_history(rolling, {1.0})->motion.lambda(0, 0), 0.0);
  const SlidingSphere smooth{{{"friction", 0.0}}};
  EXPECT_TRUE(smooth.closed_history(smooth.start(), {1.0})->event_times.empty());
}

}  // namespace
}  // namespace rigidlimit
