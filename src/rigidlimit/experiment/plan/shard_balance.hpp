// Distribution of solves over shards by estimated cost.
#pragma once

#include <cstdint>
#include <vector>

#include "rigidlimit/experiment/plan/solve_costs.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// Longest-processing-time rule: the units of a stage, by decreasing cost and then by key, go to
/// the shard with the least sum so far, the first of equals. The result depends on the solves, the
/// number of shards and the costs alone, so that separate processes agree on it. The largest sum
/// exceeds the mean by less than the largest unit.
class ShardBalance {
 public:
  ShardBalance(int count, SolveCosts costs);

  /// The shard, 1 to count, of each task of the next stage; the sums of the earlier stages count.
  std::vector<int> shards_of(const std::vector<const Task*>& tasks);
  /// Adds tasks that every shard runs.
  void add_to_all(const std::vector<const Task*>& tasks);

  /// Estimated time of each shard, s.
  std::vector<double> seconds() const;
  int units() const { return units_; }  ///< distributed so far

 private:
  std::vector<std::int64_t> costs_of(const std::vector<const Task*>& tasks) const;

  SolveCosts costs_;
  std::vector<std::int64_t> sums_;  ///< µs: whole numbers, so that no rounding depends on the order
  int units_ = 0;
};

}  // namespace rigidlimit
