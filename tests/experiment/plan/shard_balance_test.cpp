// Tests that shards are balanced by cost, and the reader of costs.
#include "rigidlimit/experiment/plan/shard_balance.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <random>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/estimate.hpp"

namespace rigidlimit {
namespace {

const std::string group = "compliant viscoelastic a";

/// Units of a first and a tighter solve at decreasing ε.
std::deque<Task> pairs(int count) {
  std::deque<Task> tasks;
  for (int k = 0; k < count; ++k)
    for (const bool tighter : {false, true}) {
      Task task;
      task.identity = {.kind = SolveIdentity::Kind::compliant,
                       .law = "viscoelastic",
                       .solver = "a",
                       .epsilon = std::pow(0.8, k),
                       .tighter = tighter,
                       .determinants = "solve " + std::to_string(1000 + 2 * k + (tighter ? 1 : 0))};
      task.unit = k;
      tasks.push_back(task);
    }
  return tasks;
}

std::vector<const Task*> pointers(const std::deque<Task>& tasks) {
  std::vector<const Task*> all;
  for (const Task& task : tasks) all.push_back(&task);
  return all;
}

/// The shard of each solve by its key.
std::map<std::string, int> shards(const std::vector<const Task*>& tasks, int count,
                                  const std::string& costs) {
  ShardBalance balance(count, solve_costs_of(costs));
  const std::vector<int> found = balance.shards_of(tasks);
  std::map<std::string, int> by_key;
  for (std::size_t k = 0; k < tasks.size(); ++k) by_key[tasks[k]->identity.determinants] = found[k];
  return by_key;
}

double largest(const std::vector<double>& sums) {
  return *std::ranges::max_element(sums);
}
double mean(const std::vector<double>& sums) {
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size());
}

constexpr const char* steep = "compliant viscoelastic a=2,1; compliant viscoelastic a tighter=3,1";

TEST(ShardBalance, DoesNotDependOnTheOrderOfTheSolves) {
  const std::deque<Task> tasks = pairs(40);
  std::vector<const Task*> order = pointers(tasks);
  for (const char* costs : {"", steep}) {
    const auto expected = shards(order, 7, costs);
    std::mt19937 random(3);
    for (int repeat = 0; repeat < 5; ++repeat) {
      std::ranges::shuffle(order, random);
      EXPECT_EQ(shards(order, 7, costs), expected);
    }
  }
  EXPECT_NE(shards(order, 7, ""), shards(order, 7, steep)) << "the costs matter";
  EXPECT_NE(shards(order, 7, ""), shards(order, 6, "")) << "the number of shards matters";
}

TEST(ShardBalance, KeepsASolveAndItsTighterRepetitionTogether) {
  const std::deque<Task> tasks = pairs(40);
  ShardBalance balance(7, solve_costs_of(steep));
  const std::vector<int> found = balance.shards_of(pointers(tasks));
  ASSERT_EQ(found.size(), tasks.size());
  std::map<int, int> solves;
  for (std::size_t k = 0; k < tasks.size(); k += 2) {
    EXPECT_EQ(found[k], found[k + 1]) << k;
    ++solves[found[k]];
  }
  EXPECT_EQ(solves.size(), 7U);
  EXPECT_EQ(solves.begin()->first, 1);
  EXPECT_EQ(solves.rbegin()->first, 7);
  EXPECT_EQ(balance.units(), 40);
}

// Graham's bound: the last unit of the largest shard went to a shard below the mean.
TEST(ShardBalance, LargestShardExceedsTheMeanByLessThanOneUnit) {
  const std::deque<Task> tasks = pairs(60);
  const double largest_unit = 5.0 * std::pow(0.8, -59);
  for (const int count : {2, 5, 16}) {
    ShardBalance balance(count, solve_costs_of(steep));
    balance.shards_of(pointers(tasks));
    const std::vector<double> sums = balance.seconds();
    EXPECT_LE(largest(sums), mean(sums) + largest_unit) << count;
    // At least the mean and the largest unit, if shared at best: LPT is within 4/3 of the best.
    EXPECT_LE(largest(sums), 4.0 / 3.0 * std::max(mean(sums), largest_unit) * (1 + 1e-9)) << count;
  }
}

TEST(ShardBalance, TakingTurnsWouldBreakTheBound) {
  const std::deque<Task> tasks = pairs(60);
  std::vector<double> sums(2, 0.0);
  for (int k = 0; k < 60; ++k) sums[static_cast<std::size_t>(k % 2)] += 5.0 * std::pow(0.8, -k);
  ShardBalance balance(2, solve_costs_of(steep));
  balance.shards_of(pointers(tasks));
  EXPECT_GT(largest(sums), 1.05 * mean(sums));
  EXPECT_LT(largest(balance.seconds()), 1.001 * mean(balance.seconds()));
}

TEST(ShardBalance, CountsTheEarlierStages) {
  const std::deque<Task> first = pairs(1), second = pairs(2);
  ShardBalance balance(2, {});
  EXPECT_THAT(balance.shards_of(pointers(first)), testing::ElementsAre(1, 1));
  EXPECT_THAT(balance.shards_of(pointers(second)), testing::ElementsAre(2, 2, 1, 1));
  balance.add_to_all(pointers(first));
  EXPECT_THAT(balance.seconds(), testing::ElementsAre(6.0, 4.0));
}

TEST(SolveCosts, ReadsItsOwnText) {
  const SolveCosts costs = solve_costs_of(" a b=0.0125,0.5 ;c=3e2; ");
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs.at("a b").at_one, 0.0125);
  EXPECT_EQ(costs.at("a b").exponent, 0.5);
  EXPECT_EQ(costs.at("c").at_one, 300.0);
  EXPECT_EQ(costs.at("c").exponent, 0.0);
  EXPECT_EQ(text_of(solve_costs_of(text_of(costs))), text_of(costs));
}

TEST(SolveCosts, RejectsAFaultyEntryByName) {
  for (const char* wrong : {"x", "=1,1", "x=", "x=1,", "x=1,2,3", "x=0,1", "x=-1", "x=nan", "x=inf",
                            "x=1s", "x=1; x=2"})
    EXPECT_THAT([&] { solve_costs_of(std::string("good=1,1; ") + wrong); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("--cost ")))
        << wrong;
  EXPECT_NO_THROW(solve_costs_of("good=1,1; x=1"));
}

TEST(SolveCosts, AreThePowersOfTheFinishedSolves) {
  TimeEstimate time(2.0);
  for (const double epsilon : {0.1, 0.01})
    time.finish(time.add(group, epsilon), 0.5 * std::pow(epsilon, -0.25));
  time.add("other", 0.1);
  const SolveCosts costs = time.costs();
  ASSERT_EQ(costs.size(), 1U) << "no finished solve, no cost";
  EXPECT_NEAR(costs.at(group).at_one, 0.5, 1e-12);
  EXPECT_NEAR(costs.at(group).exponent, 0.25, 1e-12);
}

TEST(SolveCosts, ReproduceTheTotalTimeOfAGroup) {
  TimeEstimate time;
  for (const double seconds : {1.0, 100.0}) time.finish(time.add(group, 0.1), seconds);
  const SolveCost cost = time.costs().at(group);
  EXPECT_NEAR(2.0 * cost.at_one * std::pow(0.1, -cost.exponent), 101.0, 1e-9);
  time.add(group, 0.1);
  EXPECT_NEAR(time.left().seconds, 10.0, 1e-9)
      << "negative control: the line gives the typical time";
}

}  // namespace
}  // namespace rigidlimit
