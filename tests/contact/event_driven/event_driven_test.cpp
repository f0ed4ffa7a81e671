// Tests event_driven_motion() on bodies with known events: slip, stick, reversal, detachment,
// impact, and rolling on two points.
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/frictional_models.hpp"
#include "support/frictional_start.hpp"

namespace rigidlimit {
namespace {

using test::frictional_case;
using test::FrictionalCase;
using test::undragged;
using testing::ElementsAre;

std::vector<double> grid(double end, int intervals = 20) {
  std::vector<double> times;
  for (int k = 0; k <= intervals; ++k) times.push_back(end * k / intervals);
  return times;
}

std::vector<EventKind> kinds(const NonsmoothMotion& motion) {
  std::vector<EventKind> some;
  for (const ContactEvent& event : motion.events) some.push_back(event.kind);
  return some;
}

/// A block on a floor, q = (x, y), with forces along x and y that grow with t.
struct PulledBlock {
  static constexpr int nq = 2, n = 2, m = 1;
  double mass = 2.0, gravity = 9.81, friction = 0.3, pull = 4.0, lift = 15.0;  // N/s

  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Matrix<S, 2, 2>::Identity() * S(mass);
  }
  template <class S>
  Vector<S, 2> force(const Vector<S, 2>&, const Vector<S, 2>&, const S& t) const {
    return {S(pull) * t, S(lift) * t - S(mass * gravity)};
  }
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 2>&) const {
    return Matrix<S, 1, 2>(S(1), S(0));
  }
  std::vector<ContactPoint> contacts() const { return {{.name = "floor", .friction = friction}}; }
  template <class S>
  Vector<S, 1> gap(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q(1));
  }
};

/// The block slips from a t = μ (m g − b t), with m x'' = a t − μ (m g − b t). It takes off at
/// b t = m g; then m y'' = b t − m g.
TEST(EventDriven, BlockSlipsAndTakesOffAtTheBoundsOfItsForces) {
  const PulledBlock block;
  const double m = block.mass, weight = m * block.gravity, a = block.pull, b = block.lift,
               mu = block.friction;
  const double t_slip = mu * weight / (a + mu * b), t_off = weight / b, end = 1.8;
  const InitialState rest{Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero()};
  const NonsmoothMotion motion =
      event_driven_motion(make_frictional_system(block), rest, grid(end));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  EXPECT_EQ(motion.initial_modes, "stick");
  ASSERT_THAT(kinds(motion), ElementsAre(EventKind::slip, EventKind::detachment));
  EXPECT_NEAR(motion.events[0].t, t_slip, 1e-12);
  EXPECT_NEAR(motion.events[1].t, t_off, 1e-12);
  EXPECT_EQ(motion.events[1].modes, "free");
  const double sliding = (a + mu * b) * (t_off - t_slip) * (t_off - t_slip) / (2.0 * m);
  const double flying = a * (end * end - t_off * t_off) / (2.0 * m);
  const double rising = b * (end - t_off) * (end - t_off) / (2.0 * m);
  // 1e-12: some ten times the tolerance of a piece, for speeds of order 1.
  EXPECT_NEAR(motion.motion.v(0, 20), sliding + flying, 1e-12);
  EXPECT_NEAR(motion.motion.v(1, 20), rising, 1e-12);
  EXPECT_EQ(motion.motion.lambda(1, 20), 0.0);
}

/// The body slides against a push F. If F exceeds the friction bound, w' changes from
/// −(F + μ m g)/m to −(F − μ m g)/m without rest. With a smaller push the body stays at rest.
TEST(EventDriven, SlidingEndsInReversalOrRestDependingOnThePush) {
  const test::BallAboveFloor strong{.push = -10.0}, weak{.push = -5.0};
  const double bound = strong.friction * strong.mass * strong.gravity;  // 5.886 N
  const InitialState start{Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(2.0, 0.0)};
  const double stops = 2.0 * strong.mass / (10.0 + bound);
  const NonsmoothMotion back = event_driven_motion(test::system_of(strong), start, grid(1.0));
  ASSERT_EQ(back.outcome, Outcome::success) << back.message;
  ASSERT_THAT(kinds(back), ElementsAre(EventKind::reversal));
  EXPECT_NEAR(back.events[0].t, stops, 1e-12);
  EXPECT_NEAR(back.motion.v(0, 20), -(10.0 - bound) / strong.mass * (1.0 - stops), 1e-12);
  EXPECT_NEAR(back.motion.lambda(0, 20), -bound, 1e-11);

  const NonsmoothMotion rest = event_driven_motion(test::system_of(weak), start, grid(1.0));
  ASSERT_THAT(kinds(rest), ElementsAre(EventKind::stick));
  EXPECT_NEAR(rest.events[0].t, 2.0 * weak.mass / (5.0 + bound), 1e-12);
  EXPECT_NEAR(rest.motion.v(0, 20), 0.0, 1e-14);
  EXPECT_NEAR(rest.motion.lambda(0, 20), -5.0, 1e-11);
}

struct KnownCase {
  const char* label;
  const char* system;
  std::map<std::string, double> parameters;
  double speed_change;  ///< added to the first velocity of the start
};

class KnownHistories : public testing::TestWithParam<KnownCase> {};

INSTANTIATE_TEST_SUITE_P(
    Catalogue, KnownHistories,
    testing::Values(KnownCase{"slips_then_rolls", "wheel", undragged("wheel"), 0.0},
                    KnownCase{"slips_for_ever", "wheel", undragged("wheel", {{"friction", 0.05}}),
                              0.0},
                    KnownCase{"uphill_and_back", "wheel", undragged("wheel"), -3.0},
                    KnownCase{"in_euler_parameters", "wheel_euler", undragged("wheel_euler"), 0.0},
                    KnownCase{"sphere", "sliding_sphere", {}, 0.0},
                    KnownCase{"sphere_on_ice", "sliding_sphere", {{"friction", 0.01}}, 0.5}),
    [](const auto& tested) { return std::string(tested.param.label); });

/// rtol 1e-12 over about 10² steps: at most 1e-10 for states of order 1 to 10. At the events the
/// continuous w crosses zero at a rate of order 1, so that the times are accurate to 1e-12.
TEST_P(KnownHistories, AreReproduced) {
  FrictionalCase known = frictional_case(GetParam().system, GetParam().parameters);
  known.start.v(0) += GetParam().speed_change;
  const std::vector<double> times = grid(1.5);
  const auto history = known.system.closed_history(known.start, times);
  ASSERT_TRUE(history);
  const NonsmoothMotion motion = event_driven_motion(known.system, known.start, times);
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  ASSERT_EQ(motion.events.size(), history->event_times.size());
  for (std::size_t k = 0; k < motion.events.size(); ++k)
    EXPECT_NEAR(motion.events[k].t, history->event_times[k], 1e-12);
  EXPECT_LT((motion.motion.q - history->motion.q).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((motion.motion.v - history->motion.v).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((motion.motion.lambda - history->motion.lambda).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_TRUE(motion.notes.empty());
}

TEST(SlidingSphere, RollsAfterTwoSeventhsOfItsSlip) {
  const FrictionalCase known = frictional_case("sliding_sphere");
  const double slip = sliding_velocity(known.system.smooth, known.start).norm();
  const NonsmoothMotion motion = event_driven_motion(known.system, known.start, grid(1.0));
  ASSERT_THAT(kinds(motion), ElementsAre(EventKind::stick));
  EXPECT_NEAR(motion.events[0].t, 2.0 * slip / (7.0 * 0.2 * 9.81), 1e-12);
}

/// With L = ½ m (g sin α − x'') along the groove, p0 = m g cos α/(2 cos γ), μ0 = L/p0:
///
///   μ > μ0               only rolling, without internal force
///   μ0 > μ > μ1          rolling, wedged by friction ν across the groove, p = p0 + ν tan γ, and
///                        slipping along the groove: both satisfy all laws
///   μ1 = μ0/√(1 + μ0² tan²γ) > μ   only slipping: μ p − √(L² + ν²) is negative for every ν
///
/// x'' = g sin α/(1 + κ/cos²γ) for rolling, and g sin α − μ g cos α/cos γ for slipping.
TEST(BallInAGroove, RollsOrSlipsAccordingToTheThresholdsOfFriction) {
  const double gamma = 0.7, slope = 0.3, kappa = 0.4, g = 9.81;
  const double rolling = g * std::sin(slope) / (1.0 + kappa / std::pow(std::cos(gamma), 2));
  const double mu0 = (g * std::sin(slope) - rolling) * std::cos(gamma) / (g * std::cos(slope));
  const double mu1 = mu0 / std::sqrt(1.0 + std::pow(mu0 * std::tan(gamma), 2));
  const auto with_friction = [&](double mu) {
    const FrictionalCase ball = frictional_case(
        "two_point_ball_unilateral",
        {{"half_angle", gamma}, {"slope", slope}, {"friction_left", mu}, {"friction_right", mu}});
    return event_driven_motion(ball.system, ball.start, grid(0.5));
  };
  // A margin of 1e-6 in friction is far above the tolerance of the contact problem, 1e-11.
  const NonsmoothMotion rolls = with_friction(mu0 * (1.0 + 1e-6));
  ASSERT_EQ(rolls.outcome, Outcome::success) << rolls.message;
  EXPECT_EQ(rolls.initial_modes, "stick,stick");
  EXPECT_TRUE(rolls.events.empty());
  EXPECT_TRUE(rolls.notes.empty());
  EXPECT_NEAR(rolls.motion.v(0, 20), 0.5 * rolling, 1e-11);

  for (const double mu : {mu0 * (1.0 - 1e-6), mu1 * (1.0 + 1e-6)}) {
    const NonsmoothMotion either = with_friction(mu);
    ASSERT_FALSE(either.notes.empty());
    EXPECT_THAT(either.notes[0], testing::HasSubstr("2 motions"));
  }

  const double mu = mu1 * (1.0 - 1e-6);
  const NonsmoothMotion slips = with_friction(mu);
  ASSERT_EQ(slips.outcome, Outcome::success) << slips.message;
  EXPECT_EQ(slips.initial_modes, "slip,slip");
  EXPECT_TRUE(slips.notes.empty());
  const double slipping = g * (std::sin(slope) - mu * std::cos(slope) / std::cos(gamma));
  EXPECT_NEAR(slips.motion.v(0, 20), 0.5 * slipping, 1e-11);
  EXPECT_GT(slipping, rolling);
}

}  // namespace
}  // namespace rigidlimit
