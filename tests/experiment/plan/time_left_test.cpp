// Tests that the estimate of the time left is right within a factor 2 after a fifth of the time.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/plan/time_left.hpp"

namespace rigidlimit {
namespace {

using Kind = SolveIdentity::Kind;
using Timed = std::pair<SolveIdentity, double>;

SolveIdentity compliant(const char* solver, double epsilon, bool tighter = false) {
  return {.kind = Kind::compliant, .solver = solver, .epsilon = epsilon, .tighter = tighter};
}

/// As a study solves: two references, then by growing ε both solves of each method. The explicit
/// one takes 1/ε steps.
std::vector<Timed> solves_of_a_study(int count) {
  std::vector<Timed> all{{{.kind = Kind::rigid, .solver = "ida"}, 2.0},
                         {{.kind = Kind::rigid, .solver = "closed_form"}, 0.01}};
  for (int k = 0; k < count; ++k) {
    const double epsilon = 1e-4 * std::pow(10.0, 3.0 * k / (count - 1));
    for (const bool tighter : {true, false}) {
      const double uneven = k % 3 == 0 ? 1.2 : 0.9;
      all.push_back({compliant("radau_iia", epsilon, tighter), 0.3 * uneven});
      all.push_back({compliant("dopri5", epsilon, tighter), 1e-3 * uneven / epsilon});
    }
  }
  return all;
}

/// The largest factor by which an estimate differs from the time left, from `part` of the time to
/// 95 %. Counting solves: the time for each remaining solve is that of the mean finished one.
double worst_factor(const std::vector<Timed>& solves, double part, bool counting) {
  TimeLeft time;
  double total = 0.0, done = 0.0, worst = 1.0;
  for (const auto& [solve, seconds] : solves) {
    time.plan(solve);
    total += seconds;
  }
  std::size_t solved = 0;
  int estimates = 0;
  for (const auto& [solve, seconds] : solves) {
    time.add(solve, seconds);
    done += seconds;
    ++solved;
    if (done < part * total || done > 0.95 * total) continue;
    const auto counted = static_cast<double>(solves.size() - solved) / static_cast<double>(solved);
    const std::optional<double> ratio =
        counting ? std::optional<double>(counted) : time.left_over_done();
    if (!ratio) continue;
    ++estimates;
    worst = std::max(worst, std::exp(std::abs(std::log(*ratio * done / (total - done)))));
  }
  EXPECT_GT(estimates, 3);
  return worst;
}

TEST(TimeLeft, IsRightWithinAFactorOf2AfterAFifthOfTheTime) {
  EXPECT_LT(worst_factor(solves_of_a_study(13), 0.2, false), 2.0);
  EXPECT_GT(worst_factor(solves_of_a_study(13), 0.2, true), 4.0) << "negative control: counting";
}

TEST(TimeLeft, IsUnknownUntilEachGroupHasThreeEpsilons) {
  TimeLeft time;
  const std::vector<Timed> solves = solves_of_a_study(13);
  for (const auto& [solve, seconds] : solves) time.plan(solve);
  EXPECT_FALSE(time.left_over_done());
  for (std::size_t k = 0; k < 13; ++k) {  // the last solve of the third ε is missing
    time.add(solves[k].first, solves[k].second);
    EXPECT_FALSE(time.left_over_done()) << k;
  }
  time.add(solves[13].first, solves[13].second);
  EXPECT_TRUE(time.left_over_done()) << "negative control";
}

TEST(TimeLeft, LeavesOutStoredSolves) {
  TimeLeft time;
  const std::vector<double> epsilons{1e-4, 1e-3, 1e-2, 0.1, 1.0};
  for (const double epsilon : epsilons) time.plan(compliant("radau_iia", epsilon));
  for (std::size_t k = 0; k < 3; ++k) time.add(compliant("radau_iia", epsilons[k]), 1.0);
  const double left = time.left_over_done().value_or(0.0);
  EXPECT_NEAR(left, 2.0 / 3.0, 0.1);
  time.skip(compliant("radau_iia", 0.1));
  EXPECT_NEAR(time.left_over_done().value_or(0.0), left / 2.0, 0.05);
}

}  // namespace
}  // namespace rigidlimit
