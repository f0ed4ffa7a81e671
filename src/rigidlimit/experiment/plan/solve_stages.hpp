// The solves of an experiment of any kind, planned: shards, stores, dry runs and estimates follow
// from the plan, whatever is solved.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// Solves that are known before any of them is done.
struct SolveStage {
  std::vector<const Task*> tasks;
  /// What there is to solve after them depends on their results: there is another stage, and every
  /// shard does this one.
  bool decides = false;
};

/// Gives the next stage, the first one first. Asked for one after a stage that decides and could
/// not be done, it gives what it can say without that.
using SolvePlan = std::function<SolveStage()>;

/// Pointers to the members of a container that stays where it is.
template <class Tasks>
std::vector<const Task*> pointers_to(const Tasks& tasks) {
  std::vector<const Task*> pointers;
  for (const Task& task : tasks) pointers.push_back(&task);
  return pointers;
}

/// Does what options.shard has of the plan, or takes it from options.archive, which is told each
/// stage whole. No stage begins before the one that decides about it is done.
SolveCounts do_plan(const SolvePlan& next, const TimeEstimate& time, const RunOptions& options);

/// What options.shard has of the plan, and what of it options.archive has: nullptr, nothing.
/// Nothing is solved and nothing is told to the archive; a stage that decides and is not kept
/// leaves the later ones as the plan gives them without it.
PlanSummary plan_of(const SolvePlan& next, TimeEstimate time, const RunOptions& options);

}  // namespace rigidlimit
