// Tests claims on steps: the growth between ε, the cost of a solve claimed in docs/theory.md,
// section 11, on catalogue systems, and the inputs that state no claim.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/sample_study.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string seven_decades = "epsilon={values=[1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]}";
const std::string two_decades = "epsilon={values=[1e-2, 1e-3, 1e-4]}";

/// The shipped study of a system at rtol 1e-12, with output at the end alone. The limit of 400
/// steps is twice the number of any adapted solve; natural solves reach it.
RollingResult result_of_steps(const std::string& system, std::vector<std::string> overrides) {
  overrides.insert(overrides.end(),
                   {"solvers.rtol=1e-12", "solvers.atol=1e-14", "time.grid=\"end\"", "bound=[]"});
  return run_rolling_study(read_rolling_study(
      test::in_repository("experiments/convergence/" + system + ".toml"), overrides));
}

class StepsOfSystem : public testing::TestWithParam<std::string> {};

TEST_P(StepsOfSystem, GrowByAtMostThreePerDecadeInAdaptedVariablesAndFasterInNatural) {
  const std::string solver = "solvers.compliant=[\"radau_iia_7\"]";
  const std::string claim = "expect=[{quantity=\"steps\", growth_at_most=3.0}]";
  const RollingResult adapted =
      result_of_steps(GetParam(), {solver, claim, seven_decades, "solvers.max_steps=400"});
  EXPECT_TRUE(adapted.held()) << adapted.steps.at(0).reason;
  ASSERT_EQ(adapted.step_counts.size(), 7u);
  for (const StepCount& count : adapted.step_counts) EXPECT_LE(count.work.rejected_steps, 10);
  EXPECT_EQ(adapted.step_counts.back().growth, adapted.steps.at(0).growth);

  // Negative control: (q, v, η), where 400 steps may be too few.
  const RollingResult natural = result_of_steps(
      GetParam(),
      {solver, claim, two_decades, "solvers.max_steps=400", "solvers.formulation=\"natural\""});
  EXPECT_FALSE(natural.held());
  EXPECT_FALSE(natural.steps.at(0).growth <= 3.0) << natural.steps.at(0).growth;
}

INSTANTIATE_TEST_SUITE_P(Systems, StepsOfSystem,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_disk"),
                         [](const auto& suite) { return suite.param; });

// CVODE in natural variables needs a Jacobian for every matrix, or Newton stops at wrong points. In
// adapted variables both may be 10 steps old. At rtol 1e-12 the error test fails in a few per cent
// of the steps. A failed step needs at most two additional matrices.
TEST(CvodeJacobians, AreFrequentInNaturalVariablesOnly) {
  for (const std::string system : {"knife_edge", "rolling_disk"})
    for (const std::string variables : {"adapted", "natural"}) {
      SCOPED_TRACE(system + ", " + variables);
      const RollingResult result = result_of_steps(
          system,
          {"solvers.compliant=[\"cvode_bdf\"]", "epsilon={values=[1e-2, 1e-3]}", "expect=[]",
           "solvers.max_steps=20000", "solvers.formulation=\"" + variables + "\""});
      ASSERT_EQ(result.step_counts.size(), 2u);
      for (const StepCount& c : result.step_counts) {
        ASSERT_EQ(c.outcome, Outcome::success);
        const long seldom = c.work.steps / 10 + 2 * c.work.rejected_steps + 5;
        if (variables == "adapted") {
          EXPECT_LE(c.work.jacobian_evaluations, seldom) << c.epsilon;
        } else {
          // More than 1.5 times that limit. Failed steps need additional matrices.
          EXPECT_GT(2 * c.work.jacobian_evaluations, 3 * seldom) << "the negative control";
          EXPECT_GE(c.work.jacobian_evaluations, c.work.factorisations - c.work.rejected_steps);
        }
      }
    }
}

/// 100 steps at ε = 1e-2 and 20 more in each decade, of one solver.
std::vector<StepCount> made_counts(const std::string& solver) {
  std::vector<StepCount> counts;
  for (const double epsilon : {1e-2, 1e-3, 1e-5})
    counts.push_back({.law = "viscoelastic",
                      .compliant_solver = solver,
                      .epsilon = epsilon,
                      .outcome = Outcome::success,
                      .work = {.steps = std::lround(60.0 - 20.0 * std::log10(epsilon))}});
  return counts;
}

TEST(GrowthOfSteps, IsTheDifferenceOverTheDecades) {
  std::vector<StepCount> counts = made_counts("a");
  for (StepCount& other : made_counts("b")) counts.push_back(other);
  counts[4].outcome = Outcome::max_steps;
  set_growth(counts);
  EXPECT_TRUE(std::isnan(counts[0].growth)) << "nothing is larger";
  EXPECT_NEAR(counts[1].growth, 20.0, 1e-12);
  EXPECT_NEAR(counts[2].growth, 20.0, 1e-12);
  for (const std::size_t k : {3u, 4u, 5u})
    EXPECT_TRUE(std::isnan(counts[k].growth)) << k << ": a failed solve ends the series";
}

TEST(ClaimOnSteps, JudgesTheEndsOfItsInterval) {
  RollingStudy study = test::sample_study({"solvers.compliant=[\"radau_iia\"]"});
  std::vector<StepCount> counts = made_counts("radau_iia");
  const auto held = [&](StepsSpec spec) {
    study.steps = {std::move(spec)};
    const auto reports = judged_steps(study, counts);
    return reports.size() == 1 && reports[0].held;
  };
  EXPECT_TRUE(held({.at_most = 20.5}));
  EXPECT_TRUE(held({.at_least = 19.5}));
  EXPECT_TRUE(held({.at_least = 19.5, .at_most = 20.5}));
  EXPECT_FALSE(held({.at_most = 19.5}));
  EXPECT_FALSE(held({.at_least = 20.5}));
  counts[2].outcome = Outcome::max_steps;
  EXPECT_FALSE(held({.at_most = 20.5})) << "a failed solve breaks the claim";
  EXPECT_FALSE(held({.at_least = 19.5})) << "either claim";
  EXPECT_TRUE(held({.at_most = 20.5, .from = 1e-4})) << "it is outside this interval";
  counts[2] = made_counts("radau_iia")[2];
  counts[1].outcome = Outcome::step_underflow;
  EXPECT_FALSE(held({.at_most = 20.5})) << "a solve between the ends";
  const auto reports = judged_steps(study, counts);
  EXPECT_THAT(reports.at(0).reason, HasSubstr("step_underflow"));
}

TEST(ClaimOnSteps, ConcernsTheFirstSolveOnly) {
  const std::string claim = "expect=[{quantity=\"steps\", growth_at_most=1e6}]";
  const auto steps = [&](const std::string& tighten) {
    return run_rolling_study(test::sample_study({claim, "solvers.tighten=" + tighten}))
        .step_counts.at(0)
        .work.steps;
  };
  EXPECT_EQ(steps("0.1"), steps("0.01"));
}

TEST(ClaimOnSteps, StandsBesideClaimsOnErrors) {
  const auto result = [](const std::string& limit) {
    return run_rolling_study(
        test::sample_study({"expect=[{quantity=\"q\", order=2.0}, {quantity=\"steps\", "
                            "growth_at_most=" +
                            limit + "}]"}));
  };
  EXPECT_TRUE(result("1e6").held());
  EXPECT_FALSE(result("-1e6").held()) << "the negative control";
  EXPECT_FALSE(result("1e6").series.empty());
}

// Output at 0 and T alone, on both sides: a study with errors has hundreds of times.
TEST(EndGrid, HasTheTimesZeroAndTheEndOnly) {
  const std::string claim = "expect=[{quantity=\"steps\", growth_at_most=1e6}]";
  const Solves at_end = planned_solves(test::sample_study({"time.grid=\"end\"", claim}));
  for (const auto& times : at_end.grids) EXPECT_THAT(times, testing::ElementsAre(0.0, 2.0));
  EXPECT_THAT(at_end.times, testing::ElementsAre(0.0, 2.0));
  EXPECT_GT(planned_solves(test::sample_study({claim})).times.size(), 400u) << "negative control";
}

TEST(EndGrid, LeavesOutTheErrors) {
  const RollingResult result = run_rolling_study(test::sample_study(
      {"time.grid=\"end\"", "expect=[{quantity=\"steps\", growth_at_most=1e6}]"}));
  EXPECT_THAT(result.series, IsEmpty());
  EXPECT_TRUE(result.has_numbers());
  EXPECT_TRUE(result.held());
}

TEST(ReadClaimOnSteps, TakesLimitsAndAnInterval) {
  const RollingStudy study =
      test::sample_study({"expect=[{quantity=\"steps\", growth_at_least=-2.0, growth_at_most=3.0, "
                          "epsilon=[2e-2, 1e-3]}, {quantity=\"steps\", growth_at_most=1.0}]"});
  ASSERT_EQ(study.steps.size(), 2u);
  EXPECT_EQ(study.steps[0].at_least, -2.0);
  EXPECT_EQ(study.steps[0].at_most, 3.0);
  EXPECT_EQ(study.steps[0].from, 1e-3) << "in either order";
  EXPECT_EQ(study.steps[0].to, 2e-2);
  EXPECT_TRUE(study.steps[1].covers(1e-30));
  EXPECT_TRUE(study.demands_something());
  EXPECT_THAT(study.expectations, IsEmpty());
}

TEST(ReadClaimOnSteps, RejectsWhatStatesNoClaim) {
  const auto complaint = [](const std::string& claim, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{"expect=[{quantity=\"steps\", " + claim + "}]"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return test::complaint_about(test::sample_text, overrides);
  };
  EXPECT_THAT(complaint("growth_at_most=3.0"), IsEmpty()) << "the negative control";
  EXPECT_THAT(complaint("epsilon=[1e-3, 1e-2]"), HasSubstr("growth_at_most"));
  EXPECT_THAT(complaint("growth_at_least=4.0, growth_at_most=3.0"), HasSubstr("growth_at_least"));
  EXPECT_THAT(complaint("growth_at_most=3.0, norm=\"l2\""), HasSubstr("norm"));
  EXPECT_THAT(complaint("growth_at_most=3.0, epsilon=[1e-3]"), HasSubstr("epsilon"));
  EXPECT_THAT(complaint("growth_at_most=3.0, epsilon=[9e-3, 2e-2]"),
              AllOf(HasSubstr("epsilon"), HasSubstr("1 of the 5")));
  EXPECT_THAT(
      complaint("growth_at_most=3.0", {"solvers.compliant=[\"radau_iia_7\"]", "solvers.steps=100"}),
      HasSubstr("solvers.steps = 100"));
  EXPECT_THAT(complaint("growth_at_most=3.0}, {quantity=\"steps\", growth_at_least=1.0"),
              HasSubstr("another [[expect]]"));
  EXPECT_THAT(complaint("growth_at_most=3.0, law=\"none\""), HasSubstr("law"));
}

TEST(ReadClaimOnSteps, NeedsTwoValuesOfEpsilon) {
  const auto complaint = [](const std::string& values) {
    std::string text = test::sample_text;
    const std::string range = "from = 1e-2\nto = 1e-3\ncount = 5\n";
    text.replace(text.find(range), range.size(), "values = " + values + "\n");
    return test::complaint_about(text, {"expect=[{quantity=\"steps\", growth_at_most=3.0}]"});
  };
  EXPECT_THAT(complaint("[1e-3]"), HasSubstr("1 of the 1"));
  EXPECT_THAT(complaint("[1e-3, 1e-2]"), IsEmpty()) << "the negative control";
}

TEST(ReadClaimOnSteps, NeedsTheLawOfSeveral) {
  const std::vector<std::string> laws{"contact.law=[\"viscoelastic\", \"elastic\"]"};
  const auto complaint = [&](const std::string& law) {
    std::vector<std::string> overrides = laws;
    overrides.push_back("expect=[{quantity=\"steps\", growth_at_most=3.0" + law + "}]");
    return test::complaint_about(test::sample_text, overrides);
  };
  EXPECT_THAT(complaint(""), HasSubstr("law"));
  EXPECT_THAT(complaint(", law=\"elastic\""), Not(HasSubstr("law")));
}

TEST(ReadEndGrid, RejectsClaimsOnErrors) {
  const auto complaint = [](const std::string& grid, const std::string& claims) {
    return test::complaint_about(test::sample_text, {"time.grid=\"" + grid + "\"", claims});
  };
  const std::string error = "expect=[{quantity=\"q\", order=2.0}]";
  const std::string bound = "bound=[{quantity=\"q\", constant=1.0, power=2.0}]";
  const std::string steps = "expect=[{quantity=\"steps\", growth_at_most=1.0}]";
  for (const std::string& claim : {error, bound}) {
    EXPECT_THAT(complaint("end", claim), HasSubstr("time.grid = \"end\""));
    EXPECT_THAT(complaint("layered", claim), IsEmpty()) << "the negative control";
  }
  EXPECT_THAT(complaint("end", steps), IsEmpty());
  EXPECT_THAT(complaint("layered", steps), IsEmpty());
}

}  // namespace
}  // namespace rigidlimit
