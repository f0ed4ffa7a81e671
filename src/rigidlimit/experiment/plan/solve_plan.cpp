#include "rigidlimit/experiment/plan/solve_plan.hpp"

#include <map>
#include <string>
#include <utility>

#include "rigidlimit/experiment/plan/shard_balance.hpp"
#include "rigidlimit/experiment/plan/solve_clock.hpp"
#include "rigidlimit/experiment/plan/solve_rounds.hpp"

namespace rigidlimit {

namespace {

/// The tasks of a stage in a shard; every shard runs a stage that decides.
std::vector<const Task*> part_of(const SolveStage& stage, Shard shard, ShardBalance& balance) {
  if (stage.decides) {
    balance.add_to_all(stage.tasks);
    return stage.tasks;
  }
  const std::vector<int> shards = balance.shards_of(stage.tasks);
  std::vector<const Task*> part;
  for (std::size_t k = 0; k < stage.tasks.size(); ++k)
    if (shards[k] == shard.index) part.push_back(stage.tasks[k]);
  return part;
}

void announce_plan(const SolveStage& stage, const RunOptions& options) {
  if (!options.archive) return;
  std::vector<SolveIdentity> identities;
  for (const Task* task : stage.tasks) identities.push_back(task->identity);
  options.archive->plan(identities);
}

void take_kept(const SolveStage& stage, const RunOptions& options) {
  if (!options.archive) return;
  for (const Task* task : stage.tasks)
    if (auto kept = options.archive->find(task->identity, task->wanted))
      task->take(std::move(*kept));
}

PlanSummary counted(const std::vector<const Task*>& tasks, TimeEstimate time,
                    const RunOptions& options) {
  PlanSummary plan;
  std::map<std::string, std::size_t> places;
  for (const Task* task : tasks) {
    const SolveIdentity& solve = task->identity;
    const std::string group = timing_group(solve);
    const auto [place, is_new] = places.try_emplace(group, plan.lines.size());
    if (is_new) plan.lines.push_back({.first = solve});
    PlanLine& line = plan.lines[place->second];
    ++line.solves;
    ++plan.solves;
    const std::size_t number = time.add(group, solve.epsilon);
    const auto kept = options.archive ? options.archive->find(solve, task->wanted) : std::nullopt;
    if (!kept) continue;
    ++line.kept;
    ++plan.kept;
    line.seconds += kept->seconds;
    time.finish(number, kept->seconds);
  }
  plan.left = time.left(options.jobs);
  plan.costs = time.costs();
  return plan;
}

}  // namespace

SolveCounts do_plan(SolvePlan& plan, const RunOptions& options) {
  SolveCounts counts;
  ShardBalance balance(options.shard.count, options.costs);
  bool more = true;
  do {
    const SolveStage stage = plan.next_stage();
    more = stage.decides || stage.followed;
    announce_plan(stage, options);
    RunOptions how = options;
    if (stage.decides) how.on_progress = {};  // the total number of solves is not known yet
    if (stage.alone) {
      how.jobs = 1;
      how.recompute = false;
    }
    const SolveCounts done =
        do_tasks(part_of(stage, options.shard, balance), TimeEstimate(plan.steepest()), how);
    counts.computed += done.computed;
    counts.reused += done.reused;
    counts.missing += done.missing;
  } while (more && !options.stopped());
  return counts;
}

PlanSummary summary_of(SolvePlan& plan, const RunOptions& options) {
  std::vector<const Task*> all;
  ShardBalance balance(options.shard.count, options.costs);
  for (bool more = true; more;) {
    const SolveStage stage = plan.next_stage();
    more = stage.decides || stage.followed;
    if (stage.decides) take_kept(stage, options);
    for (const Task* task : part_of(stage, options.shard, balance)) all.push_back(task);
  }
  PlanSummary summary = counted(all, TimeEstimate(plan.steepest()), options);
  summary.units = balance.units();
  summary.shard_seconds = balance.seconds();
  return summary;
}

}  // namespace rigidlimit
