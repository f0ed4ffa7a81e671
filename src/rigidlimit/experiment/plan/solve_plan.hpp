// The solves of an experiment in stages. Shards, stores and dry runs work on such a plan, for every
// kind of experiment.
#pragma once

#include <vector>

#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"
#include "rigidlimit/result/solve_counts.hpp"

namespace rigidlimit {

/// Whether the solver ended by itself: neither left out nor stopped by the user.
bool is_finished(Outcome outcome);

/// Takes available results from options.archive and runs the other solves on options.jobs threads,
/// in the order of the tasks; a task waits for those that it needs. Finished results are stored in
/// the archive. The result does not depend on the number of threads. After a stop request, or with
/// options.solve = false, the remaining solves count as `missing`.
SolveCounts do_tasks(const std::vector<const Task*>& tasks, const RunOptions& options);

/// A set of solves that is known before any of them is done.
struct SolveStage {
  std::vector<const Task*> tasks;  ///< each after those that it needs
  /// The next stage depends on the results of this one, which therefore every shard computes.
  bool decides = false;
  /// Another stage follows that is known without the results of this one.
  bool followed = false;
  /// Times: one solve at a time, and never repeated to be compared.
  bool alone = false;
};

/// Pointers to the elements of a container, which must not move.
template <class Tasks>
std::vector<const Task*> pointers_to(const Tasks& tasks) {
  std::vector<const Task*> pointers;
  for (const Task& task : tasks) pointers.push_back(&task);
  return pointers;
}

class SolvePlan {
 public:
  SolvePlan() = default;
  SolvePlan(const SolvePlan&) = delete;
  SolvePlan& operator=(const SolvePlan&) = delete;
  virtual ~SolvePlan() = default;

  /// The next stage, the first one first; called until a stage neither decides nor is followed. If
  /// a stage that decides could not be done, the next stage is the one that is known without its
  /// results.
  virtual SolveStage next_stage() = 0;
};

/// Runs the solves of the plan in options.shard, or takes them from options.archive; each stage is
/// announced to the archive as a whole. A stage begins after all stages before it. After a stop
/// request no further stage begins.
SolveCounts do_plan(SolvePlan& plan, const RunOptions& options);

/// Counts the solves of the plan in options.shard and those of them in options.archive (nullptr:
/// none), without solving or changing the archive. If a deciding stage is not in the archive, the
/// later stages are counted as known without it.
PlanSummary summary_of(SolvePlan& plan, const RunOptions& options);

/// The result of a plan of one kind, whose judged(counts) returns it.
template <class Plan>
auto result_of(Plan&& plan, const RunOptions& options) {
  const SolveCounts counts = do_plan(plan, options);
  return plan.judged(counts);
}

}  // namespace rigidlimit
