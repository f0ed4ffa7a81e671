// Tests the bouncing disc: laws in flight and on the floor, impacts, and the end of the bouncing.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/history_check.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector3d;
using test::frictional_system_of;
using test::unit_roundoff;

struct BouncingBall : test::BuiltIn {
  BouncingBall(const Values& values = {}) : BuiltIn("bouncing_ball", values) {}
};

InitialState thrown(double height, double along, double up, double spin) {
  return {Vector3d(0.2, 0.1 + height, 0.0), Vector3d(along, up, spin)};
}

TEST(BouncingBall, HistoriesObeyTheLaws) {
  for (double restitution : {0.0, 0.5, 0.8})
    for (const InitialState& start : {thrown(0.5, 0.0, 0.0, 0.0), thrown(0.2, 1.5, 1.0, 4.0),
                                      thrown(0.0, -2.0, -1.0, 30.0), thrown(0.0, 1.0, 0.0, 0.0)}) {
      const FrictionalSystem system =
          frictional_system_of(BouncingBall{{{"restitution", restitution}}});
      EXPECT_LE(test::worst_defect(system, system, start, 4.0), 1.0);
      EXPECT_LE(test::worst_jump(system, start, 4.0), 1.0);
    }
}

TEST(BouncingBall, HistoryOfAnotherBallViolatesTheLaws) {
  const FrictionalSystem system = frictional_system_of(BouncingBall{});
  const InitialState start = thrown(0.2, 9.0, 0.0, 0.0);  // slides after the last impact
  for (const BouncingBall& other :
       {BouncingBall{{{"radius", 0.1001}}}, BouncingBall{{{"gravity", 9.811}}},
        BouncingBall{{{"friction", 0.2001}}}})
    EXPECT_GT(test::worst_defect(frictional_system_of(other), system, start, 4.0), 1e3);
}

// t∞ = sqrt(2 h/g) (1 + e)/(1 − e): a geometric series. The history sums it with an error of a few
// roundings of t∞ per impact, and there are fewer than 100 impacts.
TEST(BouncingBall, BouncingEndsAtTheLimitOfTheSeries) {
  for (double e : {0.0, 0.3, 0.5, 0.7}) {
    const BouncingBall ball{{{"restitution", e}}};
    const double end = std::sqrt(2.0 * 0.5 / 9.81) * (1.0 + e) / (1.0 - e);
    const auto history = ball.closed_history(ball.start(), {0.0, 0.999 * end, 1.001 * end}).value();
    EXPECT_NEAR(history.event_times.back(), end, 400.0 * unit_roundoff * end) << e;
    EXPECT_EQ(history.motion.lambda(1, 2), 9.81);
    EXPECT_EQ(history.motion.v(1, 2), 0.0);
    EXPECT_EQ(history.motion.lambda(1, 1), 0.0);  // still in flight
  }
}

// Newton's restitution; Routh's friction, at most μ (1 + e) m u, or the impulse that ends sliding.
TEST(BouncingBall, ImpactsObeyNewtonAndRouth) {
  for (double spin : {0.0, 3.0, -60.0})
    for (double e : {0.0, 0.6, 1.0}) {
      const BouncingBall ball{{{"restitution", e}}};
      const InitialState start = thrown(0.3, 1.0, -0.5, spin);
      const double first = ball.closed_history(start, {10.0})->event_times.front();
      const double eps = 1e-9;
      const Motion motion =
          ball.closed_history(start, {first * (1.0 - eps), first * (1.0 + eps)})->motion;
      const Vector3d before = motion.v.col(0), after = motion.v.col(1);
      const double slack = 1e-7;  // g times the difference of the two times, and more
      EXPECT_NEAR(after(1), -e * before(1), slack);
      const double w0 = before(0) + ball("radius") * before(2),
                   w = after(0) + ball("radius") * after(2);
      const double impulse = ball("mass") * (before(0) - after(0));
      const double most = ball("friction") * (1.0 + e) * ball("mass") * -before(1);
      EXPECT_LE(std::abs(impulse), most + slack);
      if (std::abs(w) > slack) {
        EXPECT_NEAR(impulse, std::copysign(most, w), slack);
        EXPECT_GT(w * w0, 0.0);  // friction does not reverse the sliding
      }
    }
}

TEST(BouncingBall, ElasticBallNeverStopsBouncing) {
  const BouncingBall ball{{{"friction", 0.0}, {"restitution", 1.0}}};
  const auto history = ball.closed_history(ball.start(), {100.0}).value();
  const double flight = 2.0 * std::sqrt(2.0 * 0.5 / 9.81);
  EXPECT_EQ(history.event_times.size(), static_cast<std::size_t>(100.0 / flight + 0.5));
  // m (v²/2 + g h): two roundings of speeds of 3 m/s per impact, 157 impacts.
  const double energy =
      0.5 * std::pow(history.motion.v(1, 0), 2) + 9.81 * (history.motion.q(1, 0) - 0.1);
  EXPECT_NEAR(energy, 9.81 * 0.5, 157.0 * 32.0 * unit_roundoff * 9.81);
}

TEST(BouncingBall, HasNoHistoryInsideTheFloor) {
  EXPECT_FALSE((BouncingBall{}.closed_history(thrown(-0.01, 0, 0, 0), {1.0})));
  EXPECT_FALSE((BouncingBall{{{"gravity", 0.0}}}.closed_history(thrown(0.1, 0, 0, 0), {1.0})));
}

}  // namespace
}  // namespace rigidlimit
