// Tests event_driven_motion() with impacts: a bouncing ball against its closed form, and the
// contact laws and energy of a wheel on a curb (Grzesikiewicz & Zbiciak 2020).
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/frictional_models.hpp"
#include "support/frictional_start.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::frictional_case;
using test::FrictionalCase;

std::vector<double> grid(double end, int intervals) {
  std::vector<double> times;
  for (int k = 0; k <= intervals; ++k) times.push_back(end * k / intervals);
  return times;
}

/// Impacts are located to 1e-12 s, and to the rounding of the height: 1.4e-17 m/u at the speed u.
/// The following flights multiply it by 1/(1 − e). The bound allows twenty roundings.
TEST(BouncingBall, MatchesTheTimesOfItsClosedForm) {
  for (const double e : {0.0, 0.3, 0.5, 0.8}) {
    FrictionalCase ball = frictional_case("bouncing_ball", {{"restitution", e}});
    ball.start.v(0) = 1.0;
    const std::vector<double> times = grid(4.0, 40);
    const auto history = ball.system.closed_history(ball.start, times);
    ASSERT_TRUE(history);
    const NonsmoothMotion motion = event_driven_motion(ball.system, ball.start, times);
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    const auto allowed = [&](double u) { return 1e-12 + 3e-16 / (u * (1.0 - e)); };
    std::size_t k = 0;
    double speed = std::sqrt(2.0 * 9.81 * 0.5);
    for (const ContactEvent& event : motion.events) {
      if (event.kind == EventKind::impact) {
        EXPECT_NEAR(event.t, history->event_times[k++], allowed(speed)) << e << " " << k;
        if (e > 0.0) speed = event.v_after(1);
      } else if (event.kind == EventKind::accumulation) {
        EXPECT_NEAR(event.t, std::sqrt(2.0 * 0.5 / 9.81) * (1.0 + e) / (1.0 - e), allowed(speed));
        EXPECT_GT(e, 0.0);
      }
    }
    EXPECT_GE(k, e > 0.0 ? 10U : 1U);
    EXPECT_LT((motion.motion.q - history->motion.q).cwiseAbs().maxCoeff(), 1e-10) << e;
    EXPECT_LT((motion.motion.v - history->motion.v).cwiseAbs().maxCoeff(), 1e-10) << e;
    EXPECT_LT((motion.motion.lambda - history->motion.lambda).cwiseAbs().maxCoeff(), 1e-9) << e;
  }
}

/// Without loss the ball bounces for ever: 1 + floor((T − t1)/(2 t1)) impacts up to T, without an
/// accumulation and with constant energy.
TEST(BouncingBall, KeepsItsEnergyWithoutLoss) {
  const FrictionalCase ball = frictional_case("bouncing_ball", {{"restitution", 1.0}});
  const double first = std::sqrt(2.0 * 0.5 / 9.81), end = 10.0;
  const NonsmoothMotion motion = event_driven_motion(ball.system, ball.start, grid(end, 10));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  EXPECT_EQ(motion.events.size(),
            1U + static_cast<std::size_t>(std::floor((end - first) / (2.0 * first))));
  const double before = mechanical_energy(ball.system.smooth, ball.start.q, ball.start.v);
  const double after =
      mechanical_energy(ball.system.smooth, motion.motion.q.col(10), motion.motion.v.col(10));
  EXPECT_NEAR(after, before, 1e-11 * before);
}

struct CurbCase {
  double restitution, upward;
};

class WheelOnTheCurb : public testing::TestWithParam<CurbCase> {
 protected:
  static FrictionalCase wheel() {
    FrictionalCase wheel =
        frictional_case("wheel_and_curb", {{"restitution", GetParam().restitution}});
    wheel.start.v(1) = GetParam().upward;
    return wheel;
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, WheelOnTheCurb,
                         testing::Values(CurbCase{0.0, -3.0}, CurbCase{0.0, 3.0},
                                         CurbCase{0.3, -3.0}, CurbCase{0.3, 3.0}),
                         [](const auto& tested) {
                           return std::string(tested.param.restitution > 0.0 ? "e03" : "e0") +
                                  (tested.param.upward > 0.0 ? "_up" : "_down");
                         });

/// Gravity has a potential and contacts only dissipate, so that the energy falls between outputs
/// and at every event. 1e-9 J of 190 J: the tolerance of the pieces.
TEST_P(WheelOnTheCurb, NeverGainsEnergy) {
  const FrictionalCase wheel = WheelOnTheCurb::wheel();
  const NonsmoothMotion motion = event_driven_motion(wheel.system, wheel.start, grid(1.0, 200));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  const System& smooth = wheel.system.smooth;
  for (const ContactEvent& event : motion.events)
    EXPECT_LE(mechanical_energy(smooth, event.q, event.v_after),
              mechanical_energy(smooth, event.q, event.v_before) + 1e-12)
        << event.t << " " << name_of(event.kind);
  double energy = mechanical_energy(smooth, wheel.start.q, wheel.start.v);
  for (Index k = 0; k < motion.motion.q.cols(); ++k) {
    const double now = mechanical_energy(smooth, motion.motion.q.col(k), motion.motion.v.col(k));
    EXPECT_LE(now, energy + 1e-9) << motion.motion.times[static_cast<std::size_t>(k)];
    energy = now;
  }
}

/// g ≥ 0, p ≥ 0, |λ| ≤ μ p and, at every impact of one contact, Poisson's ratio of the normal
/// impulse to that of a plastic impact.
TEST_P(WheelOnTheCurb, ObeysTheLawsOfItsContacts) {
  const FrictionalCase wheel = WheelOnTheCurb::wheel();
  const NonsmoothMotion motion = event_driven_motion(wheel.system, wheel.start, grid(1.0, 200));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  VectorXd gap(3);
  for (Index k = 0; k < motion.motion.q.cols(); ++k) {
    wheel.system.geometry->gap(motion.motion.q.col(k), gap);
    EXPECT_GE(gap.minCoeff(), -1e-10);
    for (Index i = 0; i < 3; ++i) {
      const double p = motion.motion.lambda(3 + i, k);
      EXPECT_GE(p, -1e-9);
      EXPECT_LE(std::abs(motion.motion.lambda(i, k)), 0.4 * p + 1e-9);
    }
  }
  for (const ContactEvent& event : motion.events) {
    if (event.kind != EventKind::impact || event.contacts.size() != 1) continue;
    const Index row = 3 + event.contacts[0];
    const ContactRows rows = contact_rows(wheel.system, event.q);
    // The normals pass through the wheel's centre: p = (1 + e) m |g'|.
    const double speed = -(rows.rows * event.v_before)(row);
    EXPECT_NEAR(event.impulse(row), (1.0 + GetParam().restitution) * 10.0 * speed, 1e-9);
    EXPECT_NEAR((rows.rows * event.v_after)(row), GetParam().restitution * speed, 1e-9);
  }
}

/// The first events of the plastic, downward case by hand. The wheel reaches the floor at
/// 3 t + g t²/2 = 0.1, with x' = −5 + μ (3 + g t) after the impact. It slides, x'' = μ g, until the
/// rim touches the edge of the step at x = l1 + sqrt(r² − (r − h)²), unless it rolls before.
TEST(WheelOnTheCurbByHand, MeetsFloorAndEdge) {
  const FrictionalCase wheel = frictional_case("wheel_and_curb");
  const NonsmoothMotion motion = event_driven_motion(wheel.system, wheel.start, grid(0.2, 2));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  ASSERT_GE(motion.events.size(), 2U);
  const double g = 9.81, mu = 0.4;
  const double t1 = (-3.0 + std::sqrt(9.0 + 2.0 * g * 0.1)) / g;
  EXPECT_NEAR(motion.events[0].t, t1, 1e-12);
  const double down = 3.0 + g * t1, speed = -5.0 + mu * down;
  EXPECT_NEAR(motion.events[0].v_after(0), speed, 1e-11);
  EXPECT_NEAR(motion.events[0].v_after(2), 10.0 * 0.1 * mu * down / 0.05, 1e-10);
  const double edge = 0.4 + std::sqrt(0.1 * 0.1 - 0.05 * 0.05);
  const double way = edge - (0.8 - 5.0 * t1);
  const double slide = (-speed - std::sqrt(speed * speed + 2.0 * mu * g * way)) / (mu * g);
  EXPECT_NEAR(motion.events[1].t, t1 + slide, 1e-11);
  EXPECT_EQ(wheel.system.contacts[static_cast<std::size_t>(motion.events[1].contacts[0])].name,
            "curb");
}

/// Without friction the wheel slides on the step to the edge in one smooth piece. The curvature
/// jumps at the edge and must have no effect before it.
TEST(WheelOnTheCurbByHand, IsUnaffectedByTheEdgeBeforeIt) {
  FrictionalCase wheel =
      frictional_case("wheel_and_curb", {{"friction", 0.0}, {"restitution", 0.9}});
  wheel.start.q << 0.11, 0.15, 0.0;
  wheel.start.v << 2.93, 0.0, -28.1;
  const NonsmoothMotion motion = event_driven_motion(wheel.system, wheel.start, grid(0.2, 1));
  ASSERT_FALSE(motion.events.empty());
  EXPECT_EQ(motion.events[0].kind, EventKind::kink);
  EXPECT_NEAR(motion.events[0].t, (0.4 - 0.11) / 2.93, 1e-12);
  EXPECT_NEAR(motion.events[0].v_before(1), 0.0, 1e-11);
  EXPECT_EQ(motion.events[0].modes, "free,free,free");  // v² > g r: detachment
}

/// The time stepping shares only the system with this solver; its states differ by O(h).
TEST(WheelOnTheCurbByHand, AgreesWithTimeStepping) {
  const FrictionalCase wheel = frictional_case("wheel_and_curb");
  const std::vector<double> times = {0.0, 0.3};
  const VectorXd exact = event_driven_motion(wheel.system, wheel.start, times).motion.q.col(1);
  const auto distance = [&](double step) {
    const NonsmoothMotion stepped = moreau_jean_motion(wheel.system, wheel.start, times, step);
    EXPECT_EQ(stepped.outcome, Outcome::success) << stepped.message;
    return (stepped.motion.q.col(1).head(2) - exact.head(2)).norm();
  };
  // 5 m/s times a step, twice for each of the two impacts.
  EXPECT_LT(distance(1e-3), 2e-2);
  EXPECT_LT(distance(1e-4), 2e-3);
}

/// A ball falls 1 m under 8 m/s² and reaches the floor at exactly 0.5 s. In both solvers v there is
/// the value after the impact, e times 4 m/s. The time step, 1/64 s, divides 0.5 s, and free fall
/// is exact in it. Negative control: an output 1e-6 s earlier has the velocity of the fall.
TEST(OutputOnAnImpact, IsTheStateAfterTheImpactInBothSolvers) {
  const FrictionalSystem ball = test::system_of(test::BallAboveFloor{.gravity = 8.0});
  const InitialState start{Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d::Zero()};
  const std::vector<double> times = {0.0, 0.5 - 1e-6, 0.5, 0.75};
  const NonsmoothMotion driven = event_driven_motion(ball, start, times);
  const NonsmoothMotion stepped = moreau_jean_motion(ball, start, {0.0, 0.5, 0.75}, 0.015625);
  ASSERT_EQ(driven.outcome, Outcome::success) << driven.message;
  ASSERT_EQ(stepped.outcome, Outcome::success) << stepped.message;
  EXPECT_NEAR(driven.motion.v(1, 1), -4.0, 1e-5);
  EXPECT_NEAR(driven.motion.v(1, 2), 2.0, 1e-11);
  // Gravity acts during the whole step of the impact.
  EXPECT_NEAR(stepped.motion.v(1, 1), 2.0, 8.0 * 0.015625);
}

/// Random starts around the curb, with spin, random restitution and friction. Every motion ends
/// with success and without penetration. One of them rattles in the corner of wall and step, where
/// closing one contact decides whether the other has another impact.
TEST(WheelOnTheCurbAtRandom, EndsWithoutPenetration) {
  int refused = 0;
  for (std::uint64_t seed = 1100; seed < 1220; ++seed) {
    test::RandomNumbers random(seed);
    FrictionalCase wheel = frictional_case(
        "wheel_and_curb",
        {{"restitution", random.uniform(0.0, 0.95)}, {"friction", random.uniform(0.0, 1.2)}});
    wheel.start.q << random.uniform(0.1, 0.8), random.uniform(0.1, 0.4), 0.0;
    wheel.start.v << random.uniform(-6.0, 3.0), random.uniform(-5.0, 3.0),
        random.uniform(-80.0, 80.0);
    const NonsmoothMotion motion =
        event_driven_motion(wheel.system, wheel.start, {0.0, 0.25, 0.5, 1.0});
    VectorXd gap(3);
    wheel.system.geometry->gap(wheel.start.q, gap);
    if (gap.minCoeff() < -1e-10) {
      EXPECT_EQ(motion.outcome, Outcome::inadmissible_state);
      ++refused;
      continue;
    }
    ASSERT_EQ(motion.outcome, Outcome::success) << seed << " " << motion.message;
    for (Index k = 0; k < 4; ++k) {
      wheel.system.geometry->gap(motion.motion.q.col(k), gap);
      EXPECT_GE(gap.minCoeff(), -1e-9) << seed;
    }
  }
  EXPECT_GT(refused, 0);  // negative control: starts inside the step are rejected
  EXPECT_LT(refused, 30);
}

/// For rolling on two points, p and the friction across the groove are redundant, and the measure
/// C⁻¹ selects them. Zero compliance is the limit of small ones, as in the contact problem.
TEST(Compliance, OfZeroIsTheLimitOfSmallOnes) {
  const FrictionalCase ball =
      frictional_case("two_point_ball", {{"friction_left", 1.0}, {"friction_right", 1.0}});
  const auto forces = [&](double small) {
    VectorXd compliance = VectorXd::Ones(ball.system.forces());
    compliance.head(ball.system.smooth.m / 2).setConstant(small);
    const NonsmoothMotion motion =
        event_driven_motion(ball.system, ball.start, {0.0, 0.1}, {.compliance = compliance});
    EXPECT_EQ(motion.outcome, Outcome::success) << motion.message;
    return VectorXd(motion.motion.lambda.col(1));
  };
  const VectorXd limit = forces(0.0);
  const double size = limit.cwiseAbs().maxCoeff();
  EXPECT_LT((forces(1e-8) - limit).cwiseAbs().maxCoeff(), 1e-7 * size);
  EXPECT_GT((forces(1.0) - limit).cwiseAbs().maxCoeff(), 1e-3 * size);
}

}  // namespace
}  // namespace rigidlimit
