// Tests Moreau and Jean's time stepping: closed forms, order, and invalid input.
#include <gmock/gmock.h>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/frictional_models.hpp"

namespace rigidlimit {
namespace {

using test::BallAboveFloor;
using test::WheelAtAnEdge;
using testing::HasSubstr;

std::vector<double> grid(double end, int count) {
  std::vector<double> times;
  for (int k = 0; k <= count; ++k) times.push_back(end * k / count);
  return times;
}

/// Height at time t of a ball that falls from `height`, with restitution e.
double bouncing(double t, double height, double e) {
  const double g = 9.81, fall = std::sqrt(2.0 * height / g);
  if (t < fall) return height - 0.5 * g * t * t;
  double begin = fall;
  for (double v = e * g * fall; v > 1e-14; begin += 2.0 * v / g, v *= e)
    if (t < begin + 2.0 * v / g) return v * (t - begin) - 0.5 * g * (t - begin) * (t - begin);
  return 0.0;
}

/// Mean of |y − exact| over time and eight heights, with steps h. The bounces end before 1.6 s.
double bouncing_error(double h) {
  const FrictionalSystem system = test::system_of(BallAboveFloor{});
  const auto times = grid(1.6, 160);
  double sum = 0.0;
  for (int i = 0; i < 8; ++i) {
    const double height = 0.8 + 0.03 * i;
    const auto motion = moreau_jean_motion(
        system, {Eigen::Vector2d(0.0, height), Eigen::Vector2d::Zero()}, times, h);
    EXPECT_EQ(motion.outcome, Outcome::success);
    for (std::size_t k = 0; k < times.size(); ++k)
      sum += std::abs(motion.motion.q(1, static_cast<Index>(k)) - bouncing(times[k], height, 0.5));
  }
  return sum / 8.0 / static_cast<double>(times.size());
}

// The time of an impact has an error up to h/2 of random sign: the mean over heights has order 1.
TEST(MoreauJean, ABouncingBallConvergesWithOrderOneThroughItsAccumulation) {
  const double coarse = bouncing_error(4e-3), fine = bouncing_error(1.25e-4);
  const double order = std::log(coarse / fine) / std::log(32.0);
  EXPECT_GT(order, 0.8);
  EXPECT_LT(order, 1.2);
}

TEST(MoreauJean, ABouncingBallComesToRestAtTheEndOfTheSeries) {
  const double fall = std::sqrt(2.0 / 9.81), h = 1e-4;
  const auto motion =
      moreau_jean_motion(test::system_of(BallAboveFloor{}),
                         {Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d::Zero()}, grid(1.6, 16), h);
  EXPECT_EQ(motion.initial_modes, "free");
  EXPECT_EQ(motion.events.front().kind, EventKind::impact);
  EXPECT_NEAR(motion.events.front().t, fall, h);
  EXPECT_NEAR(motion.events.front().impulse(1), 1.5 * 2.0 * 9.81 * fall, 0.01);  // (1 + e) m v
  // fall (1 + 2e/(1 − e)); flights shorter than a few steps are not resolved.
  EXPECT_NEAR(motion.events.back().t, 3.0 * fall, 50.0 * h);
  EXPECT_EQ(motion.events.back().modes, "stick");
  EXPECT_NEAR(motion.motion.lambda(1, 16), 2.0 * 9.81, 1e-9);
}

// v decreases by μ g h each step until it is zero: the error of x is at most μ g h².
TEST(MoreauJean, ABlockSlidesToRest) {
  const double deceleration = 0.3 * 9.81, stop = 1.0 / deceleration, h = 1e-3;
  const FrictionalSystem system = test::system_of(BallAboveFloor{});
  const auto motion = moreau_jean_motion(
      system, {Eigen::Vector2d::Zero(), Eigen::Vector2d(1.0, 0.0)}, grid(0.5, 10), h);
  ASSERT_EQ(motion.outcome, Outcome::success);
  EXPECT_EQ(motion.initial_modes, "slip");
  EXPECT_NEAR(motion.motion.q(0, 10), 0.5 * stop, deceleration * h * h);
  EXPECT_EQ(motion.motion.v(0, 10), 0.0);
  ASSERT_EQ(motion.events.size(), 1u);
  EXPECT_EQ(motion.events[0].kind, EventKind::stick);
  EXPECT_NEAR(motion.events[0].t, stop, h);
  EXPECT_NEAR(motion.motion.lambda(0, 0), 0.3 * 2.0 * 9.81, 1e-12);  // resists w > 0
  EXPECT_NEAR(motion.motion.lambda(0, 10), 0.0, 1e-12);
  // Negative control: without friction the block does not stop.
  const auto smooth =
      moreau_jean_motion(test::system_of(BallAboveFloor{.friction = 0.0}),
                         {Eigen::Vector2d::Zero(), Eigen::Vector2d(1.0, 0.0)}, grid(0.5, 10), h);
  EXPECT_NEAR(smooth.motion.q(0, 10), 0.5, 1e-12);
  EXPECT_EQ(smooth.events.size(), 0u);
}

// 0.4 s with impacts on floor and edge, bouncing to rest, slip and stick. The error of an impact
// time, ±h/2, grows randomly from impact to impact: order 1, measured over a factor 100 of h.
TEST(MoreauJean, AWheelAtAnEdgeConvergesToTheEventDrivenMotionAndGainsNoEnergy) {
  const FrictionalSystem system = test::system_of(WheelAtAnEdge{.restitution = 0.3});
  const InitialState start{Eigen::Vector3d(0.3, 0.15, 0.0), Eigen::Vector3d(-2.0, -1.0, 0.0)};
  const auto times = grid(0.4, 40);
  const auto at = [&](double h) { return moreau_jean_motion(system, start, times, h); };
  const auto exact = event_driven_motion(system, start, times);
  ASSERT_EQ(exact.outcome, Outcome::success);
  const auto error = [&](const NonsmoothMotion& motion) {
    return (motion.motion.q - exact.motion.q).cwiseAbs().maxCoeff();
  };
  const auto finest = at(1e-5);
  const double order = std::log(error(at(1e-3)) / error(finest)) / std::log(100.0);
  EXPECT_GT(order, 0.7);
  EXPECT_LT(order, 1.3);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(finest.events[k].kind, EventKind::impact);
    EXPECT_NEAR(finest.events[k].t, exact.events[k].t, 1e-4);
  }
  double energy = mechanical_energy(system.smooth, start.q, start.v);
  for (Index k = 0; k < 41; ++k) {
    // The error of gravity's work in a step is O(h) of m g v.
    const double now =
        mechanical_energy(system.smooth, finest.motion.q.col(k), finest.motion.v.col(k));
    EXPECT_LE(now, energy + 1e-5 * 98.1 * 3.0);
    energy = now;
  }
  EXPECT_LT(energy, 0.5 * mechanical_energy(system.smooth, start.q, start.v));
}

/// The motion over 0.3 s of a wheel that spins in the corner of edge and floor.
NonsmoothMotion spinning(const WheelAtAnEdge& wheel, double spin) {
  const InitialState start{test::corner_of(wheel), Eigen::Vector3d(0.0, 0.0, spin)};
  return moreau_jean_motion(test::system_of(wheel), start, grid(0.3, 3), 1e-4);
}

// Grzesikiewicz & Zbiciak 2020, equations 94b, 94c and 93. With both contacts closed,
// J φ'' = −μ r (N₁ + N₂), N₁ (√3/2 − μ/2) = μ N₂, N₁ (1/2 + μ √3/2) + N₂ = m g. φ' is linear in t
// and exact, except for a penetration in the corner of O(h²) a step.
TEST(MoreauJean, ASpinningWheelStaysInTheCornerOrClimbsOrLeaves) {
  const double mu = 0.4, root = std::sqrt(0.75), ratio = (root - 0.5 * mu) / mu;
  const double first = 98.1 / (ratio + 0.5 + root * mu);
  const auto stays = spinning({}, 50.0);
  EXPECT_EQ(stays.initial_modes, "slip,slip");
  EXPECT_LT((stays.motion.q.col(3) - stays.motion.q.col(0)).head(2).norm(), 1e-9);
  EXPECT_NEAR(stays.motion.v(2, 3), 50.0 - 0.3 * mu * 0.1 * first * (1.0 + ratio) / 0.05, 1e-8);
  EXPECT_NEAR(stays.motion.lambda(2, 0), first, 1e-8);

  const auto climbs = spinning({.friction = 1.8}, 50.0);
  EXPECT_EQ(climbs.initial_modes, "slip,free");
  EXPECT_GT(climbs.motion.q(1, 1), climbs.motion.q(1, 0) + 1e-3);

  const auto leaves = spinning({}, -50.0);
  EXPECT_EQ(leaves.initial_modes, "free,slip");
  EXPECT_NEAR(leaves.motion.q(0, 3) - leaves.motion.q(0, 0), 0.5 * 0.4 * 9.81 * 0.09, 1e-9);
}

// At 60° and for μ > 1.347 a rod that slips towards its lower end has no consistent acceleration
// (contact/planar_contact_test.cpp). Its velocity jumps instead: the floor stops the end at once.
TEST(MoreauJean, PainlevesRodIsStoppedByAnImpulseWithoutCollision) {
  const double angle = std::acos(0.5);
  const InitialState start{Eigen::Vector3d(0.0, std::sin(angle), angle),
                           Eigen::Vector3d(-3.0, 0.0, 0.0)};
  const auto events_of = [&](double friction) {
    return moreau_jean_motion(test::system_of(test::RodOnFloor{.friction = friction}), start,
                              grid(0.01, 2), 1e-4)
        .events;
  };
  const auto jammed = events_of(1.4);
  ASSERT_FALSE(jammed.empty());
  EXPECT_EQ(jammed[0].kind, EventKind::impact);
  EXPECT_NEAR(jammed[0].t, 0.0, 1e-4);
  EXPECT_GT(jammed[0].impulse(1), 0.5);
  const double sliding = jammed[0].v_after(0) + std::sin(angle) * jammed[0].v_after(2);
  EXPECT_NEAR(sliding, 0.0, 1e-9);
  // Negative control: with less friction the rod continues to slide.
  EXPECT_EQ(events_of(0.8).size(), 0u);
}

TEST(MoreauJean, RefusesInvalidStartsAndSteps) {
  const FrictionalSystem system = test::system_of(BallAboveFloor{});
  const InitialState inside{Eigen::Vector2d(0.0, -0.1), Eigen::Vector2d::Zero()};
  const auto refused = moreau_jean_motion(system, inside, grid(1.0, 2), 1e-2);
  EXPECT_EQ(refused.outcome, Outcome::inadmissible_state);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("floor"), HasSubstr("gap -0.1")));
  EXPECT_THAT(refused.message, HasSubstr("q = (0, -0.1)"));
  EXPECT_EQ(refused.motion.q.cols(), 3);
  EXPECT_TRUE(refused.motion.q.array().isNaN().all());
  const InitialState above{Eigen::Vector2d(0.0, 0.1), Eigen::Vector2d::Zero()};
  EXPECT_THROW(moreau_jean_motion(system, above, grid(1.0, 2), -1.0), InputError);
  EXPECT_THROW(moreau_jean_motion(system, above, {0.0, 1.0, 0.5}, 1e-2), InputError);
  EXPECT_THROW(
      moreau_jean_motion(system, {VectorXd::Zero(3), VectorXd::Zero(2)}, grid(1.0, 2), 1e-2),
      InputError);
}

TEST(MoreauJean, AnInterruptionKeepsTheReachedSamples) {
  int asked = 0;
  NonsmoothOptions options;
  options.stop_requested = [&asked] { return ++asked > 60; };
  const auto motion = moreau_jean_motion(test::system_of(BallAboveFloor{}),
                                         {Eigen::Vector2d(0.0, 5.0), Eigen::Vector2d::Zero()},
                                         grid(1.0, 10), 1e-2, options);
  EXPECT_EQ(motion.outcome, Outcome::interrupted);
  EXPECT_NEAR(motion.t_reached, 0.6, 1e-12);
  EXPECT_TRUE(std::isfinite(motion.motion.q(1, 6)));
  EXPECT_TRUE(std::isnan(motion.motion.q(1, 7)));
}

}  // namespace
}  // namespace rigidlimit
