// Tests stick, slip and impacts on surfaces that move (docs/theory.md, sections 10 and 16).
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "support/frictional_start.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using std::numbers::pi;
using test::frictional_case;
using test::FrictionalCase;

std::vector<double> grid(double end) {
  return test::uniform_grid(0.0, end, 40);
}

// It sticks until k x + c u = μ m g, then x is a damped oscillation about μ m g/k. The tolerance
// 1e-10 of the motion, amplified by less than 100 in the time of the event, where x'' = 0.
TEST(EventDrivenOnMovingSurfaces, BlockOnABeltSlipsWhereTheSpringOvercomesFriction) {
  const FrictionalCase block = frictional_case("belt_oscillator", {{"belt_ripple", 0.0}});
  const double bound = 0.3 * 2.0 * 9.81, slip = (bound - 4.0 * 0.25) / (50.0 * 0.25), end = 2.0;
  const NonsmoothMotion motion = event_driven_motion(block.system, block.start, grid(end));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  ASSERT_EQ(motion.events.size(), 1U);
  EXPECT_EQ(motion.events[0].kind, EventKind::slip);
  EXPECT_NEAR(motion.events[0].t, slip, 1e-8);
  const KnownHistory known = block.system.closed_history(block.start, grid(end)).value();
  EXPECT_LE((motion.motion.q - known.motion.q).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((motion.motion.v - known.motion.v).cwiseAbs().maxCoeff(), 1e-8);
  // Negative control: another belt.
  const FrictionalCase faster =
      frictional_case("belt_oscillator", {{"belt_speed", 0.26}, {"belt_ripple", 0.0}});
  const NonsmoothMotion other = event_driven_motion(faster.system, faster.start, grid(end));
  EXPECT_GT(std::abs(other.events[0].t - slip), 1e-2);
}

// A free block on a belt with the speed u(t) = U sin νt sticks as long as U ν |cos νt| ≤ μ g. With
// U ν > μ g it slips at once, at x' = μ g t, and sticks where μ g t = U sin νt.
TEST(EventDrivenOnMovingSurfaces, BlockOnAShakenBeltSlipsThenSticks) {
  const double U = 0.5, nu = 4.0, g = 9.81, mu = 0.1;
  const FrictionalCase block = frictional_case("belt_oscillator", {{"belt_speed", 0.0},
                                                                   {"belt_ripple", U},
                                                                   {"belt_frequency", nu},
                                                                   {"friction", mu},
                                                                   {"stiffness", 1e-12},
                                                                   {"damping", 0.0}});
  double stick = 0.5;
  for (int k = 0; k < 60; ++k)  // Newton
    stick -= (mu * g * stick - U * std::sin(nu * stick)) / (mu * g - U * nu * std::cos(nu * stick));
  const NonsmoothMotion motion = event_driven_motion(block.system, block.start, grid(0.6));
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  ASSERT_GE(motion.events.size(), 1U);
  EXPECT_NEAR(motion.events[0].t, stick, 1e-8);
  EXPECT_NEAR(motion.events[0].v_after(0), mu * g * stick, 1e-8);
}

std::vector<double> impacts(const std::map<std::string, double>& changed, double push,
                            double periods) {
  const FrictionalCase ball = frictional_case("shaken_ball", changed);
  InitialState start = ball.start;
  start.v(1) += push;
  const double period = 2.0 * pi / 20.0;
  const NonsmoothMotion motion = event_driven_motion(ball.system, start, grid(periods * period));
  EXPECT_EQ(motion.outcome, Outcome::success) << motion.message;
  std::vector<double> times;
  for (const ContactEvent& event : motion.events)
    if (event.kind == EventKind::impact) times.push_back(event.t / period);
  return times;
}

// The orbit of period 1: impacts at (n + 1/2) periods, where cos φ = π g (1 − e)/(A ω² (1 + e)).
TEST(EventDrivenOnMovingSurfaces, BallOnAShakenTableHitsOnceInEachPeriod) {
  const std::vector<double> times = impacts({}, 0.0, 10.0);
  ASSERT_EQ(times.size(), 10U);
  for (std::size_t n = 0; n < times.size(); ++n)
    EXPECT_NEAR(times[n], static_cast<double>(n) + 0.5, 1e-8) << n;
  // Negative control: without the velocity of the table in the restitution the ball comes to rest.
  EXPECT_GT(std::abs(impacts({{"amplitude", 0.0201}}, 0.1, 10.0)[0] - 0.5), 1e-3);
}

// With the period as unit of time and δ the delay of an impact, δ'' … the orbit is stable for
// A ω² < g sqrt((π (1 − e)/(1 + e))² + 4 (1 + e²)²/(1 + e)⁴), 11.485 m/s² here: A = 0.02871 m. A
// push of 1e-5 m/s dies out below and grows above, by −1 per period at the bound (period doubling).
TEST(EventDrivenOnMovingSurfaces, OrbitOfTheShakenBallLosesItsStabilityAtTheKnownAmplitude) {
  const double g = 9.81, e = 0.7, omega = 20.0;
  const double bound =
      g / (omega * omega) *
      std::hypot(pi * (1.0 - e) / (1.0 + e), 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)));
  const auto growth = [&](double amplitude) {
    const std::vector<double> times = impacts({{"amplitude", amplitude}}, 1e-5, 20.0);
    const auto delay = [&](std::size_t n) {
      return std::abs(times[n] - static_cast<double>(n) - 0.5);
    };
    return delay(18) / delay(10);
  };
  EXPECT_LT(growth(0.97 * bound), 0.9);
  EXPECT_GT(growth(1.03 * bound), 1.1);
}

}  // namespace
}  // namespace rigidlimit
