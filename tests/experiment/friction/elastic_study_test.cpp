// Tests the claim that a motion conserves its energy, and that an independent time stepping motion
// which does not approach the rigid one is a failed claim.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/friction/step_checks.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Two blocks and a wall, without friction.
std::string blocks_text(const std::string& restitution) {
  return R"([study]
name = "blocks"
[time]
end = 30.0
[contact]
friction = "projected"
[epsilon]
values = [1e-3]
[system]
name = "blocks"
coordinates = [
  {name = "x1", unit = "m", start = 1, start_rate = 0},
  {name = "x2", unit = "m", start = 2, start_rate = -1},
]
kinetic_coenergy = "small/2*x1'^2 + big/2*x2'^2"
potential = 0
[[system.contacts]]
name = "wall"
normal = "unilateral"
gap = "x1"
restitution = )" +
         restitution + R"(
sliding = ["x1'"]
[[system.contacts]]
name = "blocks"
normal = "unilateral"
gap = "x2 - x1"
restitution = )" +
         restitution + R"(
sliding = ["x2' - x1'"]
[system.parameters]
small = {default = 1.0}
big = {default = 100.0}
)";
}

/// The rigid motion alone.
FrictionResult run_blocks(const std::string& restitution, std::vector<std::string> overrides) {
  FrictionStudy study = read_friction_study(
      TomlDocument::from_text(blocks_text(restitution), "blocks.toml", overrides));
  study.epsilons.clear();
  return run_friction_study(study);
}

const HistoryClaim& claim_of(const FrictionResult& result, const std::string& words) {
  for (const HistoryClaim& claim : result.claims)
    if (claim.text.find(words) != std::string::npos) return claim;
  throw std::logic_error("no claim with " + words);
}

/// With e = 1 and μ = 0 the energy is constant, here to the default 1e-9 of its scale; 31 impacts.
/// Negative control: with e = 0.999 every impact loses 2e-3 of the energy of its relative motion.
TEST(EnergyConserved, HoldsForElasticImpactsOnly) {
  const std::vector<std::string> claim{"history.energy_conserved=true", "solvers.moreau_jean=[]"};
  const FrictionResult elastic = run_blocks("1", claim);
  EXPECT_THAT(elastic.rigid.motion.events, SizeIs(31));
  EXPECT_TRUE(claim_of(elastic, "conserved").held) << claim_of(elastic, "conserved").found;
  EXPECT_LT(elastic.rigid.energy.largest_change, 1e-9 * 50.0);
  EXPECT_TRUE(elastic.held());
  const FrictionResult lossy = run_blocks("0.999", claim);
  EXPECT_FALSE(claim_of(lossy, "conserved").held);
  EXPECT_THAT(claim_of(lossy, "conserved").found, HasSubstr("largest change"));
  EXPECT_FALSE(lossy.held());
  EXPECT_TRUE(run_blocks("0.999", {"solvers.moreau_jean=[]"}).held()) << "without the claim";
}

TEST(EnergyConserved, IsReadAndWrittenBack) {
  const auto resolved = [](const std::vector<std::string>& overrides) {
    return resolved_toml(
        read_friction_study(TomlDocument::from_text(blocks_text("1"), "blocks.toml", overrides)));
  };
  const std::string text = resolved({"history.energy_conserved=true"});
  EXPECT_THAT(text, HasSubstr("energy_conserved = true\n"));
  EXPECT_EQ(resolved_toml(read_friction_study(TomlDocument::from_text(text, "resolved.toml"))),
            text);
  EXPECT_THAT(resolved({}), HasSubstr("energy_conserved = false\n"));
}

/// A motion over 1 m at 1 m/s with one event.
NonsmoothMotion unit_motion() {
  NonsmoothMotion motion;
  motion.outcome = Outcome::success;
  motion.t_reached = 1.0;
  motion.motion.times = {0.0, 1.0};
  motion.motion.q = Eigen::RowVector2d(0.0, 1.0);
  motion.motion.v = Eigen::RowVector2d(1.0, 1.0);
  motion.events.emplace_back().v_after = VectorXd::Ones(1);
  return motion;
}

/// Motions with h = 1e-2 and 1e-4 at these distances.
std::string disagreement(double at_first, double at_last) {
  std::vector<StepCheck> steps(2);
  steps[0].step = 1e-2;
  steps[1].step = 1e-4;
  steps[0].q_sup = at_first;
  steps[1].q_sup = at_last;
  for (StepCheck& step : steps) step.outcome = Outcome::success;
  return step_disagreement(steps, unit_motion());
}

/// One event and one more, each late by h at 1 m/s, allow 2 h = 2e-4 m, however the errors scatter.
/// A larger error must have fallen like √h, to a tenth here, and to a tenth of the motion.
TEST(StepDisagreement, IsAnErrorBeyondTheOrderOfTheMethod) {
  EXPECT_EQ(disagreement(1e-5, 1.9e-4), "") << "the error of one step size scatters";
  EXPECT_EQ(disagreement(0.5, 0.049), "") << "falls to less than a tenth";
  EXPECT_THAT(disagreement(0.5, 0.051), HasSubstr("without convergence: 0.5 at 0.01 s"));
  EXPECT_THAT(disagreement(1e-5, 2.1e-4), HasSubstr("without convergence"));
  EXPECT_THAT(disagreement(100.0, 0.11), HasSubstr("of a motion over 1"));
  EXPECT_NE(disagreement(0.1, std::nan("")), "");
  EXPECT_NE(disagreement(0.1, std::numeric_limits<double>::infinity()), "");
}

TEST(StepDisagreement, NamesAStepSizeThatFailed) {
  std::vector<StepCheck> steps(2);
  steps[0].step = 1e-2;
  steps[1].step = 1e-3;
  steps[0].outcome = Outcome::no_consistent_mode;
  steps[1].outcome = Outcome::success;
  steps[1].q_sup = 0.0;
  EXPECT_EQ(step_disagreement(steps, unit_motion()), "no_consistent_mode with h = 0.01 s");
  EXPECT_EQ(step_disagreement({steps[1]}, unit_motion()), "") << "negative control";
}

/// Most of 3141 impacts fall into a few steps of 7.5 ms, and the time stepping is far off. At the
/// mass ratios 1 and 1e4 it converges. Negative control: without time stepping the study holds.
TEST(StepDisagreement, FailsAStudyWhoseStepsCannotSeparateTheImpacts) {
  const FrictionResult many = run_blocks("1", {"system.big=1e6"});
  EXPECT_THAT(many.rigid.motion.events, SizeIs(3141));
  EXPECT_FALSE(claim_of(many, "Moreau-Jean agrees").held);
  EXPECT_FALSE(many.held());
  EXPECT_TRUE(run_blocks("1", {"system.big=1e6", "solvers.moreau_jean=[]"}).held());
  for (const auto& [ratio, count] : {std::pair("1", 3U), {"1e4", 314U}}) {
    const FrictionResult few = run_blocks("1", {std::string("system.big=") + ratio});
    EXPECT_THAT(few.rigid.motion.events, SizeIs(count));
    EXPECT_TRUE(claim_of(few, "Moreau-Jean agrees").held) << claim_of(few, "Moreau-Jean").found;
    EXPECT_TRUE(few.held());
  }
}

/// Time stepping of elastic blocks contradicts a rigid motion of plastic ones. Negative control: it
/// agrees with that of elastic ones.
TEST(StepDisagreement, DetectsAPlasticMotionInsteadOfAnElasticOne) {
  const auto study_of = [](const std::string& restitution) {
    return read_friction_study(TomlDocument::from_text(blocks_text(restitution), "blocks.toml"));
  };
  const FrictionStudy elastic = study_of("1"), plastic = study_of("0");
  std::vector<double> times;
  for (int k = 0; k <= 400; ++k) times.push_back(30.0 * k / 400.0);
  std::vector<NonsmoothMotion> stepped;
  for (const double h : elastic.solvers.moreau_jean)
    stepped.push_back(
        moreau_jean_motion(elastic.model, elastic.initial, times, whole_step(h, times)));
  for (const FrictionStudy* rigid : {&elastic, &plastic}) {
    const NonsmoothMotion motion = event_driven_motion(rigid->model, rigid->initial, times);
    const auto steps = step_checks(elastic, motion.motion, {}, stepped);
    EXPECT_EQ(step_disagreement(steps, motion).empty(), rigid == &elastic);
  }
}

}  // namespace
}  // namespace rigidlimit
