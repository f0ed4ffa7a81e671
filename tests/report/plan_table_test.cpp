// Tests the plan of a run: the remaining time and the table of solves.
#include "rigidlimit/report/plan_table.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

#include <gmock/gmock.h>

#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(LeftText, HasTheTimeAndTheNumbersOfSolves) {
  const auto expect = [](const Estimate& left, const char* time, const char* solves) {
    EXPECT_THAT(left_text(left), AllOf(HasSubstr(time), HasSubstr(solves)));
  };
  expect({.solves = 9876, .seconds = 12'000.0}, "about 3 h 20 min ", "9876 solves");
  expect({.solves = 1, .seconds = 2.0}, "about 2 s ", "1 solve");
  expect({.solves = 10, .seconds = 60.0, .unknown = 4}, "about 1 min ", " 4 ");
  EXPECT_THAT(left_text({.solves = 10, .seconds = 0.0, .unknown = 10}),
              AllOf(HasSubstr("10 solves"), Not(HasSubstr("about"))));
  EXPECT_THAT(left_text({}), Not(HasSubstr("solve")));
}

TEST(PlanTable, HasOneRowPerKindAndTheSolvesOfThePlan) {
  const PlanSummary plan = summary_of(test::sample_study(), {});
  const TextTable table = plan_table(plan);
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
