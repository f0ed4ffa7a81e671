// Tests that the claims and expectations of every shipped friction study hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

class ShippedFriction : public testing::TestWithParam<std::string> {};

/// The verdict on the series for another expected order.
Verdict verdict_expecting(double order, const Series& series) {
  std::vector<SeriesPoint> points;
  for (const Row& row : series.rows)
    points.push_back({.epsilon = row.epsilon, .error = row.model_error(), .floor = row.floor()});
  return judge(points, {.order = order, .within = series.expectation->within}).verdict;
}

/// The study, or six points of a sweep.
std::vector<FrictionStudy> studies_in(const std::string& file) {
  const TomlDocument document =
      TomlDocument::from_file(file, {"inequality.draws=10"}, alternative_keys());
  if (!is_sweep(document)) return {read_friction_study(document, builtin_systems())};
  const SweepGrid grid = read_sweep_grid(document);
  std::vector<FrictionStudy> points;
  for (std::size_t k = 0; k < 6; ++k)
    points.push_back(read_friction_study(document_at(document, grid, k * (grid.size() - 1) / 5),
                                         builtin_systems()));
  return points;
}

void expect_held(const FrictionStudy& study, const std::string& file) {
  EXPECT_EQ(study.name, std::filesystem::path(file).stem().string());
  EXPECT_FALSE(study.question.empty()) << "a study asks a question";
  const FrictionResult result = run_friction_study(study, {.jobs = 2});
  for (const HistoryClaim& claim : result.claims)
    EXPECT_TRUE(claim.held) << claim.text << ": found " << claim.found;
  for (const CompliantSolve& solve : result.solves)
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

TEST_P(ShippedFriction, HoldsInItsShortForm) {
  for (const FrictionStudy& study : studies_in(GetParam())) expect_held(study, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Experiments, ShippedFriction, testing::ValuesIn(test::shipped_friction()),
                         [](const auto& one) {
                           return std::filesystem::path(one.param).stem().string();
                         });

}  // namespace
}  // namespace rigidlimit
