// Tests the plan of a run: the table of solves.
#include "rigidlimit/experiment/plan/plan_table.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/result/view.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

TEST(PlanTable, HasOneRowPerKindAndTheSolvesOfThePlan) {
  const RollingStudy study = test::sample_study();
  const RunOptions options;
  RollingPlan of_study(study, options);
  const PlanSummary plan = summary_of(of_study, options);
  const TextTable table = text_table(plan_table(plan));
  int solves = 0;
  for (const auto& row : table.rows) {
    ASSERT_EQ(row.size(), table.headers.size());
    solves += std::stoi(row[5].text);
    EXPECT_EQ(row[6].text, "0");
    EXPECT_EQ(row[7].text, "") << "no time without stored solves";
  }
  EXPECT_EQ(solves, plan.solves);
}

}  // namespace
}  // namespace rigidlimit
