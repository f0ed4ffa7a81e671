// Tests that concurrent points of a sweep run shared solves once, with any archive.
#include "rigidlimit/experiment/plan/run_sweep.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace rigidlimit {
namespace {

SolveIdentity solve_named(const std::string& name) {
  SolveIdentity solve;
  solve.determinants = name;
  return solve;
}

/// Runs six points of two slow solves each, `first_of(k)` and an unshared one. Returns the counts
/// and the number of solves.
template <class FirstOf>
std::pair<SolveCounts, int> six_points(const FirstOf& first_of) {
  std::atomic<int> made = 0;
  const auto names = [&](std::size_t k) {
    return std::vector{first_of(k), "own " + std::to_string(k)};
  };
  const auto plan = [&](std::size_t k, const RunOptions& options) {
    for (const std::string& name : names(k)) options.archive->find(solve_named(name));
    return PlanSummary{.lines = {}, .solves = 2, .left = {}};
  };
  const auto run = [&](std::size_t k, const RunOptions& options) {
    SolveCounts counts;
    for (const std::string& name : names(k)) {
      if (options.archive->find(solve_named(name))) {
        ++counts.reused;
        continue;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      options.archive->keep(solve_named(name), {}, {.outcome = Outcome::success});
      ++made;
      ++counts.computed;
    }
    return counts;
  };
  const SolveCounts counts = run_points(6, {plan, run}, {.jobs = 4});
  return {counts, made};
}

TEST(RunPoints, RunsAndCountsSharedSolvesOnce) {
  const auto [counts, made] = six_points([](std::size_t) { return std::string("rigid"); });
  EXPECT_EQ(made, 7);
  EXPECT_EQ(counts.computed, 7);
  EXPECT_EQ(counts.reused, 0) << "nothing was kept from before";
  // Two groups of three.
  EXPECT_EQ(six_points([](std::size_t k) { return "rigid " + std::to_string(k % 2); }).second, 8);
  // Negative control: different solves all run.
  EXPECT_EQ(six_points([](std::size_t k) { return "rigid " + std::to_string(k); }).second, 12);
}

TEST(RunPoints, AStopRequestLeavesTheRestOut) {
  const auto plan = [](std::size_t, const RunOptions&) {
    return PlanSummary{.lines = {}, .solves = 3, .left = {}};
  };
  std::atomic<int> begun = 0;
  const auto run = [&](std::size_t, const RunOptions&) {
    ++begun;
    return SolveCounts{.computed = 3};
  };
  const SolveCounts counts =
      run_points(5, {plan, run}, {.jobs = 1, .stop_requested = [&] { return begun >= 2; }});
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(counts.computed, 6);
  EXPECT_EQ(counts.missing, 9);
}

}  // namespace
}  // namespace rigidlimit
