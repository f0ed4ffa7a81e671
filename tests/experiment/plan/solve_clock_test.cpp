// Tests the order of solves, the estimate of their time, and the plan of a run.
#include "rigidlimit/experiment/plan/solve_clock.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/memory_archive.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Names of the solves in the order of completion, and estimates with the number of solves before
/// them.
struct Told {
  std::vector<std::string> solves;
  std::vector<std::pair<std::size_t, Estimate>> estimates;
};

Told told_by(const RollingStudy& study, RunOptions options) {
  Told told;
  options.on_progress = [&](int, int, const std::string& what) { told.solves.push_back(what); };
  options.on_estimate = [&](const Estimate& left) {
    told.estimates.emplace_back(told.solves.size(), left);
  };
  run_rolling_study(study, options);
  return told;
}

/// The ε of each compliant solve: five values from 1e-2 to 1e-3, with ratio sqrt(√10).
std::vector<std::string> compliant(const std::vector<std::string>& solves) {
  std::vector<std::string> some;
  for (const std::string& what : solves)
    if (what.starts_with("ε")) some.push_back(what.substr(0, what.find(',')));
  return some;
}

TEST(Order, IsLargestAndMiddleEpsilonThenLongestFirst) {
  const Told told = told_by(test::sample_study(), {});
  const std::vector<std::string> largest(2, "ε = 0.01"), middle(2, "ε = 0.003162"),
      smallest(2, "ε = 0.001");
  std::vector<std::string> first;
  for (const auto& pair : {largest, middle, smallest})
    first.insert(first.end(), pair.begin(), pair.end());
  std::vector<std::string> done = compliant(told.solves);
  ASSERT_EQ(done.size(), 10U);
  done.resize(6);
  EXPECT_EQ(done, first);
  EXPECT_THAT(told.estimates, IsEmpty()) << "it takes no ten minutes";
}

TEST(Clock, ReportsOnceAfterTheShortestSolves) {
  const Told told = told_by(test::sample_study(), {.announce_beyond = 1e-9});
  ASSERT_EQ(told.estimates.size(), 1U);
  const auto& [before, left] = told.estimates.front();
  EXPECT_EQ(left.unknown, 0) << "one of each kind is done";
  EXPECT_GT(left.seconds, 0.0);
  // `before` does not yet count the solve that completed the estimate.
  EXPECT_EQ(left.solves, static_cast<int>(told.solves.size() - before) - 1);
  EXPECT_EQ(left.solves, 6) << "of the five ε all but the largest and the middle, twice";
}

TEST(Clock, DoesNotWaitForTheRigidSide) {
  // A rigid solve is the longest one here and starts first.
  const Told told = told_by(test::sample_study(), {.jobs = 3, .announce_beyond = 1e-9});
  ASSERT_EQ(told.estimates.size(), 1U);
  EXPECT_GT(told.estimates[0].second.solves, 0);
}

TEST(Clock, UsesTheTimesOfStoredSolvesAtOnce) {
  test::MemoryArchive archive;
  const RollingStudy study = test::sample_study();
  told_by(study, {.archive = &archive});
  // Every record says one hour, and the last stored solve is removed.
  for (auto& [key, record] : archive.kept) record.seconds = 3600.0;
  const auto forgotten = std::ranges::find_if(archive.kept, [](const auto& entry) {
    return entry.second.samples.size() > 3 && entry.second.samples[3].name == "energy.mechanical";
  });
  ASSERT_NE(forgotten, archive.kept.end());
  archive.kept.erase(forgotten);
  const Told told = told_by(study, {.archive = &archive});
  ASSERT_EQ(told.estimates.size(), 1U);
  EXPECT_EQ(told.estimates[0].first, archive.kept.size() - 1) << "before it began";
  EXPECT_EQ(told.estimates[0].second.solves, 1);
  EXPECT_NEAR(told.estimates[0].second.seconds, 3600.0, 1e-6) << "equal times, slope 0";
}

TEST(Plan, CountsRemainingAndStoredSolvesWithoutSolving) {
  test::MemoryArchive archive;
  const RollingStudy study = test::sample_study();
  const PlanSummary before = summary_of(study, {.archive = &archive});
  EXPECT_EQ(before.kept, 0);
  EXPECT_EQ(before.left.solves, before.solves);
  EXPECT_EQ(before.left.unknown, before.solves);
  EXPECT_EQ(archive.begun + archive.planned, 0);
  const Told told = told_by(study, {.archive = &archive});
  EXPECT_EQ(before.solves, static_cast<int>(told.solves.size()));
  const PlanSummary after = summary_of(study, {.archive = &archive});
  EXPECT_EQ(after.kept, after.solves);
  EXPECT_EQ(after.left.solves, 0);
  std::vector<int> compliant_solves;
  for (const PlanLine& line : after.lines)
    if (line.first.kind == SolveIdentity::Kind::compliant) {
      compliant_solves.push_back(line.solves);
      EXPECT_GT(line.seconds, 0.0);
    }
  EXPECT_THAT(compliant_solves, ElementsAre(5, 5));
}

TEST(Plan, OfAllShardsEqualsThatOfTheStudy) {
  const RollingStudy study = test::sample_study();
  int solves = 0;
  for (int k = 1; k <= 3; ++k) solves += summary_of(study, {.shard = {k, 3}}).solves;
  EXPECT_EQ(solves, summary_of(study, {}).solves);
}

}  // namespace
}  // namespace rigidlimit
