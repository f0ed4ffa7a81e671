// Tests the energy of rigid motions with friction: work and slip are integrals, not sample sums.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

/// A block of mass 1, pushed by a force f(t) along a plane with μ = 0.4, N = 2 N by default.
FrictionStudy pushed_block(const std::string& sliding, const std::string& force,
                           const std::string& start_rate, const std::string& normal_force = "2") {
  return read_friction_study(TomlDocument::from_text(
      R"toml([study]
name = "pushed_block"
[system]
name = "block"
coordinates = [{name = "x", start = 0.0, start_rate = )toml" +
          start_rate + R"toml(}, {name = "y", start = 0.0, start_rate = 0.1}]
kinetic_coenergy = "(x'^2 + y'^2)/2"
potential = "0*x"
applied_force = )toml" +
          force + R"toml(
[[system.contacts]]
name = "plane"
normal = "given"
normal_force = ")toml" +
          normal_force + R"toml("
friction = "0.4"
sliding = )toml" +
          sliding + R"toml(
[time]
end = 1.5
)toml",
      "block.toml"));
}

EnergyHistory energy_of(const FrictionStudy& study, const NonsmoothMotion& motion) {
  return energy_of(study.model, motion, study.solvers.rigid_atol);
}

NonsmoothMotion moved(const FrictionStudy& study, double end, int intervals) {
  return event_driven_motion(study.model, study.initial, test::uniform_grid(0.0, end, intervals),
                             rigid_options(study, 1.0, {}));
}

// f = a t: x' = 1 + a t²/2 − μN t > 0. The method integrates work and slip, polynomials, to
// rounding; the tolerance of each step is 1e-9 of the energy. Two samples suffice.
TEST(EnergyAccount, IsExactForPolynomialWorkAndSlip) {
  const FrictionStudy study = pushed_block("[\"x'\"]", "[\"0.5*t\", \"0\"]", "1.0");
  const double a = 0.5, R = 0.8, T = 0.6;
  const double work = a * T * T / 2 + a * a * std::pow(T, 4) / 8 - R * a * std::pow(T, 3) / 3;
  const double slip = R * (T + a * std::pow(T, 3) / 6 - R * T * T / 2);
  const EnergyHistory energy = energy_of(study, moved(study, T, 1));
  EXPECT_NEAR(energy.work, work, 1e-12);
  EXPECT_NEAR(energy.lost_in_slipping, slip, 1e-12);
  EXPECT_NEAR(energy.unaccounted, 0.0, 1e-12);
  // Negative control: the trapezoidal rule for the power gives another number.
  const double speed = 1.0 + a * T * T / 2 - R * T;
  EXPECT_GT(std::abs(0.5 * T * (a * T * speed) - work), 1e-3);
}

// Slip, stick and slip again, in two components: work and loss do not depend on the samples.
TEST(EnergyAccount, IsIndependentOfTheNumberOfSamples) {
  const FrictionStudy study = pushed_block("[\"x'\", \"y'\"]", "[\"sin(4*t)\", \"0.5*t\"]", "0.05");
  const NonsmoothMotion coarse = moved(study, 1.5, 15);
  ASSERT_EQ(coarse.outcome, Outcome::success) << coarse.message;
  EXPECT_GE(coarse.events.size(), 2U);
  const EnergyHistory few = energy_of(study, coarse);
  const EnergyHistory many = energy_of(study, moved(study, 1.5, 400));
  const double limit = 1e-9 * few.scale;
  EXPECT_NEAR(few.work, many.work, limit);
  EXPECT_NEAR(few.lost_in_slipping, many.lost_in_slipping, limit);
  EXPECT_LE(std::abs(few.unaccounted), limit);
  EXPECT_LE(few.largest_growth, limit);
  EXPECT_GT(few.work, 1e-3);
  // Negative control: an error of a thousandth in the work is detected.
  NonsmoothMotion wrong = coarse;
  wrong.accounts.row(0) *= 1.001;
  EXPECT_GT(std::abs(energy_of(study, wrong).unaccounted), 1e3 * limit);
  wrong.accounts.row(0).setZero();
  wrong.event_accounts.row(0).setZero();
  EXPECT_GT(energy_of(study, wrong).largest_growth, 1e3 * limit);
}

/// Forces of t alone: on a table shaken by (2π)² sin 2πt m/s², with 71 events, and under a load of
/// t. The error estimate of v' = f(t) vanishes; the integrals limit the steps, also without
/// samples. Up to 2000 steps have a tolerance of 1e-12 of about 90 J each, 2e-7 J in all; a claim
/// allows 1e-9 of the works, 4e-7 J and more. Without that limit the balance is off by 1e-6 J,
/// x(40) by 2e-9 m.
TEST(EnergyAccount, IsBalancedForForcesOfTimeWithFewSamples) {
  const FrictionStudy shaken =
      pushed_block("[\"x'\"]", "[\"(2*pi)^2*sin(2*pi*t)\", \"0\"]", "10", "5");
  const FrictionStudy loaded =
      pushed_block("[\"x'\"]", "[\"3\", \"0\"]", "10", "5 + 4*sin(2*pi*t)");
  for (const int intervals : {1, 400}) {
    const NonsmoothMotion motion = moved(shaken, 40.0, intervals);
    ASSERT_EQ(motion.events.size(), 71U);
    EXPECT_NEAR(motion.events.back().t, 39.7374404229134, 1e-11);
    EXPECT_NEAR(motion.motion.q(0, intervals), 84.0817495065, 1e-9);
    const NonsmoothMotion pressed = moved(loaded, 40.0, intervals);
    for (const EnergyHistory& energy : {energy_of(shaken, motion), energy_of(loaded, pressed)})
      EXPECT_LE(std::abs(energy.unaccounted), 1e-9 * energy.scale);
  }
  // Negative control: a millionth of the work is missed, 4e-4 J.
  NonsmoothMotion wrong = moved(shaken, 40.0, 400);
  wrong.accounts.row(0) *= 1.0 + 1e-6;
  const EnergyHistory energy = energy_of(shaken, wrong);
  EXPECT_GT(std::abs(energy.unaccounted), 1e2 * 1e-9 * energy.scale);
}

FrictionStudy on_moving_surface(const std::string& system) {
  return read_friction_study(TomlDocument::from_text(
      "[study]\nname = \"moved\"\n[system]\n" + system + "\n[time]\nend = 3.0\n", "moved.toml"));
}

// A belt drags the block of a spring and does work λᵀb; a shaken table throws a ball, whose energy
// grows in impacts. Without the work of the surface the balance misses it. All rest within 1e-9 of
// the energies, the tolerance of a claim.
TEST(EnergyAccount, ContainsTheWorkOfMovingSurfaces) {
  for (const std::string system :
       {"name = \"belt_oscillator\"\nbelt_ripple = 0.3\ndamping = 1.0",
        "name = \"shaken_ball\"\namplitude = 0.025\nrestitution = 0.5"}) {
    FrictionStudy study = on_moving_surface(system);
    study.initial.v(0) += 0.05;  // slides, and is off the periodic orbit
    const NonsmoothMotion motion = moved(study, 3.0, 30);
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    ASSERT_GE(motion.events.size(), 4U) << system;
    const EnergyHistory energy = energy_of(study, motion);
    EXPECT_LE(std::abs(energy.unaccounted), 1e-9 * energy.scale) << system;
    EXPECT_LE(energy.largest_growth, 1e-9 * energy.scale) << system;
    EXPECT_GT(std::abs(energy.work), 1e-2) << system;
    // Negative control: the same motion, as if its surfaces did no work in impacts and slip.
    auto recorded = std::make_shared<RecordedSystem>(*study.model.smooth.recorded);
    recorded->exact_rates.setZero();
    FrictionStudy idle = study;
    idle.model.smooth.recorded = recorded;
    NonsmoothMotion without = motion;
    if (system.find("belt") != std::string::npos) without.accounts.row(0).setZero();
    const EnergyHistory missing = energy_of(idle, without);
    EXPECT_GT(std::max(std::abs(missing.unaccounted), missing.largest_growth), 1e-3 * energy.scale)
        << system;
  }
}

/// The claims about a block that rests on a plane, high above the zero of its potential.
std::vector<Claim> claims_at_rest(const EnergyHistory& spoilt) {
  const FrictionStudy study =
      pushed_block(R"toml(["x'", "y'"])toml", R"toml(["0", "0"])toml", "0.0");
  RigidHistory rigid;
  rigid.motion.outcome = Outcome::success;
  rigid.motion.t_reached = 1.5;
  rigid.energy = spoilt;
  return judged_claims(study, rigid, {});
}

// A body at rest has no kinetic energy and no work: what remains is the rounding of its potential
// and the tolerance of the solve. Its floor is a part of the claims' tolerance; ten times the floor
// is not held.
TEST(EnergyAccount, OfABodyAtRestHoldsUpToRounding) {
  const auto held = [](double factor) {
    EnergyHistory energy{.known = true, .scale = 1e-30, .floor = 1e-12};
    energy.unaccounted = energy.largest_growth = factor * energy.floor;
    return std::ranges::all_of(claims_at_rest(energy), &Claim::held);
  };
  EXPECT_TRUE(held(0.9));
  EXPECT_FALSE(held(10.0));
}

TEST(EnergyAccount, HasAFloorFromTheTolerancesOfTheSolve) {
  const FrictionStudy study =
      pushed_block(R"toml(["x'", "y'"])toml", R"toml(["3", "0"])toml", "1.0");
  const EnergyHistory energy = energy_of(study, moved(study, 0.5, 4));
  // Force 3 N and momentum at least 1 kg m/s against the absolute tolerance.
  EXPECT_GE(energy.floor, 3.0 * study.solvers.rigid_atol);
  EXPECT_LT(energy.floor, 1e-9 * energy.scale);  // of a body that moves it is negligible
}

}  // namespace
}  // namespace rigidlimit
