// What is said of a run before it begins.
#include "rigidlimit/report/plan_table.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

#include <gmock/gmock.h>

#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

TEST(LeftText, SaysHowLongAndOfHowManyNothingIsKnown) {
  EXPECT_EQ(left_text({.solves = 9876, .seconds = 12'000.0}),
            "about 3 h 20 min to go for 9876 solves");
  EXPECT_EQ(left_text({.solves = 1, .seconds = 2.0}), "about 2 s to go for 1 solve");
  EXPECT_EQ(left_text({.solves = 10, .seconds = 60.0, .unknown = 4}),
            "about 1 min to go for 10 solves, and more for 4 solves without a similar stored one");
  EXPECT_EQ(left_text({.solves = 10, .seconds = 0.0, .unknown = 10}),
            "10 solves to do; the time is not known until some have finished");
  EXPECT_EQ(left_text({}), "nothing to do");
}

TEST(PlanTable, HasARowForEachKindAndAsManySolvesAsThePlan) {
  const PlanSummary plan = plan_of(test::sample_study(), {});
  const TextTable table = plan_table(plan);
  int solves = 0;
  for (const auto& row : table.rows) {
    ASSERT_EQ(row.size(), table.headers.size());
    solves += std::stoi(row[5].text);
    EXPECT_EQ(row[6].text, "0");
    EXPECT_EQ(row[7].text, "") << "no time where nothing is kept";
  }
  EXPECT_EQ(solves, plan.solves);
}

}  // namespace
}  // namespace rigidlimit
