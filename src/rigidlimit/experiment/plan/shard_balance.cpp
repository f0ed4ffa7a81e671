#include "rigidlimit/experiment/plan/shard_balance.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "rigidlimit/experiment/plan/solve_clock.hpp"

namespace rigidlimit {

namespace {

constexpr double longest = 1e9;  // s; a sum of ten thousand such costs is within 63 bits of µs

/// Rounded to µs: the last digit of pow() may differ between the machines of a cluster.
std::int64_t microseconds(double seconds) {
  return std::max<std::int64_t>(1, std::llround(1e6 * std::min(seconds, longest)));
}

struct Unit {
  std::int64_t cost = 0;
  std::string key{};  ///< the least of its solves
  std::vector<std::size_t> tasks{};
};

}  // namespace

ShardBalance::ShardBalance(int count, SolveCosts costs)
    : costs_(std::move(costs)), sums_(static_cast<std::size_t>(count), 0) {}

/// A group without a cost takes the mean of the others; 1 s if none has a cost.
std::vector<std::int64_t> ShardBalance::costs_of(const std::vector<const Task*>& tasks) const {
  std::vector<std::int64_t> costs(tasks.size(), 0);
  std::int64_t sum = 0, known = 0;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const SolveIdentity& solve = tasks[k]->identity;
    const auto at = costs_.find(timing_group(solve));
    if (at == costs_.end()) continue;
    const double epsilon = solve.epsilon > 0.0 ? solve.epsilon : 1.0;
    costs[k] = microseconds(at->second.at_one * std::pow(epsilon, -at->second.exponent));
    sum += costs[k];
    ++known;
  }
  for (std::int64_t& cost : costs)
    if (cost == 0) cost = known > 0 ? sum / known : microseconds(1.0);
  return costs;
}

std::vector<int> ShardBalance::shards_of(const std::vector<const Task*>& tasks) {
  const std::vector<std::int64_t> costs = costs_of(tasks);
  std::map<int, Unit> by_number;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    Unit& unit = by_number[tasks[k]->unit];
    const std::string& key = tasks[k]->identity.determinants;
    if (unit.tasks.empty() || key < unit.key) unit.key = key;
    unit.cost += costs[k];
    unit.tasks.push_back(k);
  }
  std::vector<const Unit*> units;
  for (const auto& [number, unit] : by_number) units.push_back(&unit);
  std::ranges::stable_sort(units, [](const Unit* a, const Unit* b) {
    return a->cost != b->cost ? a->cost > b->cost : a->key < b->key;
  });
  std::vector<int> shards(tasks.size(), 1);
  for (const Unit* unit : units) {
    const auto least = std::ranges::min_element(sums_);
    *least += unit->cost;
    for (const std::size_t k : unit->tasks) shards[k] = static_cast<int>(least - sums_.begin()) + 1;
  }
  units_ += static_cast<int>(units.size());
  return shards;
}

void ShardBalance::add_to_all(const std::vector<const Task*>& tasks) {
  std::int64_t sum = 0;
  for (const std::int64_t cost : costs_of(tasks)) sum += cost;
  for (std::int64_t& shard : sums_) shard += sum;
}

std::vector<double> ShardBalance::seconds() const {
  std::vector<double> seconds;
  for (const std::int64_t sum : sums_) seconds.push_back(1e-6 * static_cast<double>(sum));
  return seconds;
}

}  // namespace rigidlimit
