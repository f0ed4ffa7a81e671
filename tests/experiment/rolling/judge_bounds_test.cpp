// Tests bounds on the rows of a study against docs/theory.md, section 9, and their failures.
#include "rigidlimit/experiment/rolling/judge_rolling.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

const RollingResult& sample() {
  static const RollingResult result = run_rolling_study(test::sample_study());
  return result;
}

/// Judges the rows of the sample against the bounds in this text.
RollingResult judged(const std::string& bounds, RollingResult result = sample()) {
  result.study = test::study_from(test::sample_text + test::sample_expectations + bounds);
  result.bounds = judged_bounds(result.study, result.series);
  return result;
}

std::string bound(const std::string& quantity, double constant, double power) {
  return "[[bound]]\nquantity = \"" + quantity + "\"\nconstant = " + std::to_string(constant) +
         "\npower = " + std::to_string(power) + "\n";
}

// max |q₂| = 17.675. The layer of v peaks at 0.3348 ε plus a term of next order: 0.356 at ε = 1e-2
// (section 9: 0.3616 at 1.25e-2). λ jumps by |Λ(0)| = 0.91.
TEST(JudgedBounds, HoldAtTheLeadingCoefficientsAndFailBelow) {
  const auto held = [](const std::string& text) {
    const RollingResult result = judged(text);
    EXPECT_EQ(result.bounds.size(), 1u);
    EXPECT_EQ(result.bounds.at(0).held(), result.held()) << "the expectations hold";
    return result.held();
  };
  EXPECT_TRUE(held(bound("q", 17.8, 2)));
  EXPECT_TRUE(held(bound("v", 0.36, 1)));
  EXPECT_TRUE(held(bound("lambda", 0.911, 0)));
  // Negative controls: each constant a few per cent lower, and one order too high.
  EXPECT_FALSE(held(bound("q", 17.4, 2)));
  EXPECT_FALSE(held(bound("v", 0.33, 1)));
  EXPECT_FALSE(held(bound("lambda", 0.909, 0)));
  EXPECT_FALSE(held(bound("q", 17.8, 3)));
}

TEST(JudgedBounds, HaveAReportForEachPairOfSolvers) {
  const RollingStudy study =
      test::sample_study({"solvers.compliant=[\"cvode_bdf\", \"rosenbrock4\"]", "solvers.rtol=1e-8",
                          "epsilon.count=3", "bound=[{quantity=\"q\", constant=18.0, power=2.0}]"});
  const RollingResult result = run_rolling_study(study);
  ASSERT_EQ(result.bounds.size(), 2u);
  EXPECT_EQ(result.bounds[0].compliant_solver, "cvode_bdf");
  EXPECT_EQ(result.bounds[1].compliant_solver, "rosenbrock4");
  EXPECT_EQ(result.bounds[1].epsilons.size(), 3u);
}

TEST(JudgedBounds, JudgeTheSolverErrorOfTheRows) {
  double worst = 0.0;
  for (const Row& row : test::series_of(sample(), Quantity::q).rows)
    worst = std::max(worst, row.solver_error());
  ASSERT_GT(worst, 0.0);
  const auto ceiling = [](double x) {
    return judged(fmt::format("[[bound]]\nquantity = \"q\"\nsolver_error = {:.17e}\n", x))
        .bounds[0];
  };
  EXPECT_TRUE(ceiling(worst).held());
  EXPECT_EQ(ceiling(0.999 * worst).judgement.state, BoundState::broken);
  EXPECT_THAT(ceiling(0.5 * worst).judgement.reason,
              testing::AllOf(testing::HasSubstr("solver error"), testing::HasSubstr(" 2 times ")));
}

TEST(JudgedBounds, FailForAFailedRowOrAnUnknownErrorBar) {
  RollingResult result = sample();
  for (Series& series : result.series) {
    series.rows.back().sizes.model = std::nan("");
    series.rows.back().evidence = evidence_named("failed: max_steps");
    series.rows.front().sizes.solver = std::nan("");  // the second solve failed
    series.rows.front().evidence = evidence_named("solver_limited");
  }
  const RollingResult spoilt = judged(bound("q", 17.8, 2), result);
  EXPECT_EQ(spoilt.bounds[0].judgement.state, BoundState::unknown);
  EXPECT_FALSE(spoilt.held());
  EXPECT_THAT(spoilt.bounds[0].judgement.reason, testing::HasSubstr("["));
}

TEST(JudgedBounds, FailWithoutRowsInTheInterval) {
  const std::string beyond = bound("q", 1e9, 0) + "epsilon = [1e-9, 1e-8]\n";
  EXPECT_FALSE(judged(beyond).held());
  RollingResult empty = sample();
  for (Series& series : empty.series) series.rows.clear();
  empty = judged(bound("q", 17.8, 2), empty);
  EXPECT_TRUE(empty.bounds.empty());
  EXPECT_FALSE(empty.held()) << "a bound that was not judged";
}

}  // namespace
}  // namespace rigidlimit
