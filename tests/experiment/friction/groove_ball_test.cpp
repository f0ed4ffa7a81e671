// Tests friction studies of a ball in a groove: thresholds of rolling, internal forces, modes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/friction_motions.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

constexpr const char* groove_text = R"([study]
name = "groove"
[system]
name = "two_point_ball"
slope = 0.3
half_angle = 0.7
[epsilon]
values = [1e-3]
[time]
end = 1.0
samples = 11
compared = 0.0
[solvers]
rtol = 1e-10
atol = 1e-13
moreau_jean = []
[inequality]
draws = 0
)";

FrictionStudy groove(const std::vector<std::string>& overrides) {
  return read_friction_study(TomlDocument::from_text(groove_text, "groove.toml", overrides),
                             builtin_systems());
}

std::vector<std::string> with_friction(double friction) {
  return {fmt::format("system.friction_left={}", friction),
          fmt::format("system.friction_right={}", friction)};
}

/// docs/theory.md, section 10: rolling without an internal force (mu0) …
double unloaded(double slope, double half_angle) {
  const double c = std::cos(half_angle);
  return c * std::tan(slope) * (1.0 - 1.0 / (1.0 + 2.0 / (5.0 * c * c)));
}

/// … and with the best one (mu1).
double wedged(double slope, double half_angle) {
  const double mu = unloaded(slope, half_angle);
  return mu / std::hypot(1.0, mu * std::tan(half_angle));
}

// Minimises μ over a fine sweep of internal forces k; the error is quadratic in the spacing.
TEST(GrooveBall, WedgedThresholdIsTheLeastOfAllInternalForces) {
  for (double half_angle : {0.3, 0.7, 1.1}) {
    const double c = std::cos(half_angle), s = std::sin(half_angle);
    const double p = std::cos(0.5) / (2.0 * c), a = unloaded(0.5, half_angle) * p;
    double least = 1.0;
    for (double k = 0.0; k < 0.2; k += 1e-6)
      least = std::min(least, std::hypot(a, k * c) / (p + k * s));
    EXPECT_NEAR(wedged(0.5, half_angle), least, 1e-11);
    EXPECT_LT(wedged(0.5, half_angle), unloaded(0.5, half_angle));
  }
}

// The shipped sweep stands on the right sides of both formulas: 1 ± 1e-6 times each, written with
// twelve digits.
TEST(GrooveBall, ShippedThresholdsFollowTheFormulas) {
  const TomlDocument document = TomlDocument::from_file(
      test::in_repository("experiments/friction/two_point_ball_thresholds.toml"));
  const SweepGrid grid = read_sweep_grid(document);
  ASSERT_EQ(grid.size(), 36u);
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const FrictionStudy study =
        read_friction_study(document_at(document, grid, k), builtin_systems());
    const auto value = [&](const std::string& name) {
      const auto parameters = study.system->frictional_parameters();
      const auto at = std::ranges::find(parameters, name, &ParameterInfo::name);
      return study.parameters[static_cast<std::size_t>(at - parameters.begin())];
    };
    const double slope = value("slope"), half_angle = value("half_angle");
    const double formula = k % 4 < 2 ? wedged(slope, half_angle) : unloaded(slope, half_angle);
    const double side = k % 2 == 0 ? 1.0 - 1e-6 : 1.0 + 1e-6;
    for (const char* wall : {"friction_left", "friction_right"})
      EXPECT_NEAR(value(wall) / formula, side, 1e-11) << k << wall;
    EXPECT_EQ(*study.history.compliant_sliding, k % 4 == 3 ? Sliding::dies_out : Sliding::grows);
    EXPECT_EQ(study.history.modes_at_start->size(), k % 4 == 1 || k % 4 == 2 ? 2u : 1u);
  }
}

// Below mu1 the rigid laws allow slipping only, between mu1 and mu0 rolling as well, above mu0
// rolling only.
TEST(GrooveBall, RigidLawsAllowWhatTheThresholdsSay) {
  const double low = wedged(0.3, 0.7), high = unloaded(0.3, 0.7);
  const auto modes = [](double friction) {
    const FrictionStudy study = groove(with_friction(friction));
    return modes_at_start(study.model, study.initial);
  };
  EXPECT_THAT(modes(low * (1.0 - 1e-6)), testing::ElementsAre("slip,slip"));
  EXPECT_THAT(modes(0.5 * (low + high)), testing::UnorderedElementsAre("slip,slip", "stick,stick"));
  EXPECT_THAT(modes(high * (1.0 + 1e-6)), testing::ElementsAre("stick,stick"));
}

// Between the thresholds rigid bodies may roll or slip, and unloaded springs slip: `ends_agree`
// claims nothing there. Without several solutions it does.
TEST(GrooveBall, UnloadedSpringsSlipBetweenTheThresholds) {
  const double between = 0.5 * (wedged(0.3, 0.7) + unloaded(0.3, 0.7));
  std::vector<std::string> overrides = with_friction(between);
  // Sliding grows slowly so near the threshold: at t = 0.5 it is faster than history.slow.
  overrides.insert(overrides.end(), {"history.ends_agree=true", "time.samples=3",
                                     "history.compliant_sliding=\"grows\"", "history.slow=1e-3"});
  const FrictionResult result = run_friction_study(groove(overrides), {});
  ASSERT_EQ(result.modes.size(), 2u);
  EXPECT_TRUE(result.modes[0].several_solutions);
  EXPECT_EQ(result.modes[1].sequence, "slip,slip");
  EXPECT_TRUE(result.held());

  // Negative controls: other sliding, other modes, a motion that ends elsewhere.
  const auto held = [&](const std::string& other) {
    std::vector<std::string> all = overrides;
    all.push_back(other);
    return run_friction_study(groove(all), {}).held();
  };
  EXPECT_TRUE(held("history.modes_at_start=\"stick,stick; slip,slip\""));
  EXPECT_FALSE(held("history.modes_at_start=\"slip,slip\""));
  EXPECT_FALSE(held("history.compliant_sliding=\"dies out\""));
  EXPECT_FALSE(held("expect=[{quantity=\"modes\", compliant=\"stick,stick\"}]"));
  FrictionResult off = result;
  off.modes[0].several_solutions = false;
  off.modes[0].sequence = "stick,stick";
  EXPECT_TRUE(std::ranges::any_of(mode_claims(off.study, off.modes),
                                  [](const Claim& claim) { return !claim.held; }));
}

// λ_l = (τ/r) C_l/(C_l + C_r). Compliant: the remaining relaxation of the springs, e^{-t/ε} times
// a power of t/ε, vanishes at t = 1; tolerances of 1e-10 remain. Rigid: normals have 1e-9 of the
// compliance, which shifts λ by that fraction of the forces (7 N).
TEST(GrooveBall, StiffnessesShareTheInternalForce) {
  for (double ratio : {0.125, 1.0, 8.0}) {
    const double predicted = ratio / (1.0 + ratio);
    std::vector<std::string> overrides = with_friction(1.0);
    overrides.insert(overrides.end(), {"system.couple=0.1", "history.force=\"left, up the wall\"",
                                       fmt::format("contact.tangential_stiffness=[{}, 1.0]", ratio),
                                       fmt::format("history.force_at_end={}", predicted)});
    const FrictionResult result = run_friction_study(groove(overrides), {});
    ASSERT_EQ(result.modes.size(), 2u);
    EXPECT_NEAR(result.modes[0].force_at_end, predicted, 2e-8);
    EXPECT_NEAR(result.modes[1].force_at_end, predicted, 1e-8);
    EXPECT_TRUE(result.held());
    // (τ/r) cos γ/sin γ and the sum over both walls: the balance of moments and of forces.
    ASSERT_EQ(result.curves.size(), 2u);
    const VectorXd p = result.curves[1].motion.lambda.col(10).tail(2);
    EXPECT_NEAR(p(1) - p(0), 1.0 / std::tan(0.7), 1e-8);
    EXPECT_NEAR(p.sum(),
                (9.81 * std::cos(0.3) + (2.0 * predicted - 1.0) * std::sin(0.7)) / std::cos(0.7),
                1e-8);
    // Negative control.
    overrides.back() = fmt::format("history.force_at_end={}", predicted + 2e-6);
    EXPECT_FALSE(run_friction_study(groove(overrides), {}).held());
  }
}

/// Largest couple τ (N m, to 1e-7) with rolling on both walls from rest for some internal force.
double largest_couple() {
  double low = 0.1, high = 1.0;
  while (high - low > 1e-7) {
    const double couple = 0.5 * (low + high);
    std::vector<std::string> overrides = with_friction(0.3);
    overrides.push_back(fmt::format("system.couple={}", couple));
    const FrictionStudy study = groove(overrides);
    const std::vector<std::string> modes = modes_at_start(study.model, study.initial);
    (std::ranges::find(modes, "stick,stick") != modes.end() ? low : high) = couple;
  }
  return low;
}

// The couple grows. The time of the first slip depends on the stiffnesses. Rolling on both walls
// continues with a changing internal force and ends when no admissible force is left, at the same
// time for all stiffnesses.
TEST(GrooveBall, RollingEndsWithTheLastAdmissibleInternalForce) {
  std::vector<double> times;
  for (int k = 0; k <= 40; ++k) times.push_back(0.05 * k);
  std::vector<double> first;
  for (double ratio : {0.25, 1.0, 4.0}) {
    std::vector<std::string> overrides = with_friction(0.3);
    overrides.insert(overrides.end(),
                     {"system.couple_rate=0.2", "time.end=2.0", "epsilon.values=[1e-4]",
                      fmt::format("contact.tangential_stiffness=[{}, 1.0]", ratio)});
    const FrictionStudy study = groove(overrides);
    const CompliantMotion compliant =
        solve_compliant(study, study.contact.laws.front(), "cvode_bdf", 1e-4, false, times, {});
    ASSERT_EQ(compliant.outcome, Outcome::success);
    const Motion& motion = compliant.motion.rounded;
    const auto slip = std::ranges::find(compliant.events, EventKind::slip, &CompliantEvent::kind);
    ASSERT_NE(slip, compliant.events.end());
    first.push_back(slip->t);
    for (Index k = 0; k <= 40; ++k) {
      const double t = times[static_cast<std::size_t>(k)];
      const double speed = sliding_speeds(study.model, motion.q.col(k), motion.v.col(k)).maxCoeff();
      // Rolling until 1.564, except for creep of order ε.
      EXPECT_EQ(speed > 1e-5, t > 1.564) << t;
    }
  }
  EXPECT_NEAR(first[0], 1.257, 1e-2);
  EXPECT_LT(first[2], 1.0);  // the stiffer spring bears more, and slips first

  // The rigid contact problem at rest gives the same largest couple of rolling.
  EXPECT_NEAR(largest_couple(), 0.2 * 1.56414, 2e-6);
}

// A yawing ball slips on both walls first; the right contact slips long after the left one rolls.
TEST(GrooveBall, RigidAndCompliantMotionsHaveTheSameModes) {
  std::vector<std::string> overrides = with_friction(0.2);
  overrides.insert(overrides.end(), {"initial.v=[0.5, 0.0, 0.0, 0.0, 0.0, 20.0]",
                                     "epsilon.values=[1e-4]", "history.ends_agree=true"});
  const FrictionResult result = run_friction_study(groove(overrides), {});
  ASSERT_EQ(result.modes.size(), 2u);
  for (const MotionModes& motion : result.modes) {
    EXPECT_EQ(motion.outcome, Outcome::success);
    EXPECT_EQ(motion.sequence, "slip,slip > stick,slip");
  }
  EXPECT_TRUE(result.held());
  EXPECT_EQ(result.solves.size(), 1u) << "modes need no tighter solve";
}

TEST(GrooveBall, ASpeedThatReversesDoesNotStick) {
  const FrictionStudy study = groove({});
  Motion motion{
      .times = {0, 1, 2}, .q = MatrixXd::Zero(3, 3), .v = MatrixXd::Zero(6, 3), .lambda = {}};
  motion.v.row(0) << 1.0, 0.0, -1.0;
  EXPECT_EQ(mode_sequence(study.model, motion, 1e-3), "slip,slip");
  motion.v.row(0) << 1.0, 0.0, 0.0;
  EXPECT_EQ(mode_sequence(study.model, motion, 1e-3), "slip,slip > stick,stick");
  motion.v.row(5) << 5.0, 5.0, 5.0;
  motion.v.row(0).setConstant(5.0 * 0.1 * std::sin(0.7));  // the left contact's w vanishes
  EXPECT_EQ(mode_sequence(study.model, motion, 1e-3), "stick,slip");
  EXPECT_EQ(last_modes("slip,slip > stick,slip"), "stick,slip");
}

// Springs select among internal forces only where contacts are redundant: the groove has six rows
// of rank five, and C⁻¹ of its springs. A sphere on a plane has none.
TEST(GrooveBall, OnlyRedundantContactsNeedTheCompliance) {
  const VectorXd compliance =
      redundant_compliance(groove({"contact.tangential_stiffness=[0.5, 2.0]"}));
  ASSERT_EQ(compliance.size(), 6);
  EXPECT_EQ(compliance.head(4), Eigen::Vector4d(2.0, 2.0, 0.5, 0.5));
  EXPECT_EQ(compliance.tail(2), Eigen::Vector2d::Constant(0.5e-9));
  EXPECT_EQ(redundant_compliance(
                read_friction_study(test::in_repository("experiments/friction/sphere_slip.toml"),
                                    {}, builtin_systems()))
                .size(),
            0);
}

TEST(GrooveBall, RejectsClaimsThatCannotBeJudged) {
  const auto complaint = [](const std::string& override) {
    try {
      groove({override});
      return std::string("accepted");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(complaint("history.modes_at_start=\"slip\""), testing::HasSubstr("left"));
  EXPECT_THAT(complaint("history.modes_at_start=\"slip,roll\""), testing::HasSubstr("roll"));
  EXPECT_THAT(complaint("history.force=\"left\""), testing::HasSubstr("history.force"));
  EXPECT_THAT(complaint("history.force_at_end=1.0"), testing::HasSubstr("force_at_end"));
  EXPECT_THAT(complaint("expect=[{quantity=\"modes\"}]"), testing::HasSubstr("end"));
  EXPECT_THAT(complaint("expect=[{quantity=\"modes\", end=\"slip\"}]"),
              testing::HasSubstr("contacts"));
}

}  // namespace
}  // namespace rigidlimit
