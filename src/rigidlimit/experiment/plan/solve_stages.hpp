// Plans of solves in stages. Shards, stores, dry runs and estimates work on such a plan, for every
// kind of experiment.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// A set of solves that is known before any of them is done.
struct SolveStage {
  std::vector<const Task*> tasks;
  /// The next stage depends on the results of this one, which therefore every shard computes.
  bool decides = false;
};

/// Returns the next stage, the first one first. If a stage that decides could not be done, the next
/// stage is the one that is known without its results.
using SolvePlan = std::function<SolveStage()>;

/// Pointers to the elements of a container, which must not move.
template <class Tasks>
std::vector<const Task*> pointers_to(const Tasks& tasks) {
  std::vector<const Task*> pointers;
  for (const Task& task : tasks) pointers.push_back(&task);
  return pointers;
}

/// Runs the solves of the plan in options.shard, or takes them from options.archive; each stage is
/// announced to the archive as a whole. A stage begins after all deciding stages before it.
SolveCounts do_plan(const SolvePlan& next, const TimeEstimate& time, const RunOptions& options);

/// Counts the solves of the plan in options.shard and those of them in options.archive (nullptr:
/// none), without solving or changing the archive. If a deciding stage is not in the archive, the
/// later stages are counted as known without it.
PlanSummary plan_of(const SolvePlan& next, TimeEstimate time, const RunOptions& options);

}  // namespace rigidlimit
