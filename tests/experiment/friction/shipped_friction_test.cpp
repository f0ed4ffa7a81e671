// Tests that the claims and expectations of every shipped friction study hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

class ShippedFriction : public testing::TestWithParam<std::string> {};

/// The verdict on the series for another expected order.
Verdict verdict_expecting(double order, const Series& series) {
  std::vector<SeriesPoint> points;
  for (const Row& row : series.rows)
    points.push_back({.epsilon = row.epsilon, .error = row.model_error, .floor = row.floor()});
  return judge(points, {.order = order, .within = series.expectation->within}).verdict;
}

TEST_P(ShippedFriction, HoldsInItsShortForm) {
  const FrictionStudy study = read_friction_study(GetParam(), {"inequality.draws=10"});
  EXPECT_EQ(study.name, std::filesystem::path(GetParam()).stem().string());
  EXPECT_FALSE(study.question.empty()) << "a study asks a question";
  const FrictionResult result = run_friction_study(study, {.jobs = 2});
  for (const HistoryClaim& claim : result.claims)
    EXPECT_TRUE(claim.held) << claim.text << ": found " << claim.found;
  for (const FrictionSolve& solve : result.solves)
    EXPECT_EQ(solve.outcome, Outcome::success) << solve.epsilon << ": " << solve.message;
  for (const Series& series : result.series) {
    if (!series.expectation) continue;
    EXPECT_TRUE(series.held()) << text_of(series.rows.front().measure) << ": "
                               << series.judgement.reason;
    // Negative control: the rows confirm no order that differs by 1/2.
    if (!series.expectation->order) continue;
    for (const double shift : {-0.5, 0.5})
      EXPECT_NE(verdict_expecting(*series.expectation->order + shift, series), Verdict::confirmed);
  }
  EXPECT_TRUE(result.held());
}

INSTANTIATE_TEST_SUITE_P(Experiments, ShippedFriction, testing::ValuesIn(test::shipped_friction()),
                         [](const auto& one) {
                           return std::filesystem::path(one.param).stem().string();
                         });

}  // namespace
}  // namespace rigidlimit
