#include "rigidlimit/experiment/plan/solve_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/parallel.hpp"

namespace rigidlimit {

namespace {

/// Takes the result of a task from the archive; false if the archive has none.
bool take_kept(const Task& task, const RunOptions& options) {
  if (!options.archive || options.recompute) return false;
  std::optional<SolveRecord> kept = options.archive->find(task.identity, task.wanted);
  if (kept) take_stored(task, std::move(*kept), *options.archive);
  return kept.has_value();
}

/// Runs a task; false if it was stopped.
bool perform(const Task& task, const RunOptions& options) {
  SolveArchive* const archive = options.archive;
  if (archive) archive->begin(task.identity);
  const auto start = std::chrono::steady_clock::now();
  SolveRecord record = task.solve();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool finished = is_finished(record.outcome);
  if (archive && finished) archive->keep(task.identity, *task.times, record, task.kept);
  task.take(std::move(record));
  return finished;
}

}  // namespace

bool is_finished(Outcome outcome) {
  return outcome != Outcome::not_run && outcome != Outcome::interrupted;
}

void take_stored(const Task& task, SolveRecord record, const SolveArchive& archive) try {
  task.take(std::move(record));
} catch (const DamagedRecord& damage) {
  throw DamagedRecord(fmt::format("is damaged: {}: {}", task.what, damage.what()), archive.name());
}

SolveCounts do_tasks(std::vector<const Task*> tasks, const RunOptions& options) {
  std::vector<char> kept(tasks.size(), 0);  // not vector<bool>: threads write to it
  const auto each = [&](const auto& action) {
    run_tasks(static_cast<int>(tasks.size()), options.jobs, [&](int k) {
      if (!options.stopped()) action(static_cast<std::size_t>(k));
    });
  };
  each([&](std::size_t k) { kept[k] = take_kept(*tasks[k], options) ? 1 : 0; });
  const int total = static_cast<int>(tasks.size());
  const int reused = static_cast<int>(std::ranges::count(kept, 1));
  std::mutex guard;
  int done = reused;
  if (options.solve)
    each([&](std::size_t k) {
      if (kept[k] != 0 || !perform(*tasks[k], options)) return;
      const std::scoped_lock lock(guard);
      ++done;
      if (options.on_progress) options.on_progress(done, total, tasks[k]->what);
    });
  return {.computed = done - reused, .reused = reused, .missing = total - done};
}

namespace {

/// The tasks of a stage in a shard; every shard runs a stage that decides. The least key of a unit
/// chooses the shard of all its solves.
std::vector<const Task*> part_of(const SolveStage& stage, Shard shard) {
  if (stage.decides || shard.is_whole()) return stage.tasks;
  std::map<int, std::string> keys;  // by unit
  for (const Task* task : stage.tasks) {
    const auto [at, is_new] = keys.try_emplace(task->unit, task->identity.determinants);
    if (!is_new) at->second = std::min(at->second, task->identity.determinants);
  }
  const auto shard_of = [&](const Task& task) {
    const std::string hash =
        content_hash(keys.at(task.unit)).substr(0, 8);  // of a UUID: hexadecimal
    return static_cast<int>(std::stoull(hash, nullptr, 16) % shard.count) + 1;
  };
  std::vector<const Task*> part;
  for (const Task* task : stage.tasks)
    if (shard_of(*task) == shard.index) part.push_back(task);
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
      take_stored(*task, std::move(*kept), *options.archive);
}

/// Label of the solves that differ in ε alone: "compliant viscoelastic cvode_bdf adapted tighter".
std::string label_of(const SolveIdentity& solve) {
  std::string label = name_of(solve.kind);
  for (const std::string& name : {solve.law, solve.solver, solve.formulation})
    if (!name.empty()) label += " " + name;
  return label + (solve.tighter ? " tighter" : "");
}

PlanSummary counted(const std::vector<const Task*>& tasks, const RunOptions& options) {
  PlanSummary plan;
  std::map<std::string, std::size_t> places;
  for (const Task* task : tasks) {
    const SolveIdentity& solve = task->identity;
    const auto [place, is_new] = places.try_emplace(label_of(solve), plan.lines.size());
    if (is_new) plan.lines.push_back({.first = solve});
    PlanLine& line = plan.lines[place->second];
    ++line.solves;
    ++plan.solves;
    const auto kept = options.archive ? options.archive->find(solve, task->wanted) : std::nullopt;
    if (!kept) continue;
    ++line.kept;
    ++plan.kept;
    line.seconds += kept->seconds;
  }
  return plan;
}

}  // namespace

SolveCounts do_plan(SolvePlan& plan, const RunOptions& options) {
  SolveCounts counts;
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
    const SolveCounts done = do_tasks(part_of(stage, options.shard), how);
    counts.computed += done.computed;
    counts.reused += done.reused;
    counts.missing += done.missing;
  } while (more && !options.stopped());
  return counts;
}

PlanSummary summary_of(SolvePlan& plan, const RunOptions& options) {
  std::vector<const Task*> all;
  for (bool more = true; more;) {
    const SolveStage stage = plan.next_stage();
    more = stage.decides || stage.followed;
    if (stage.decides) take_kept(stage, options);
    for (const Task* task : part_of(stage, options.shard)) all.push_back(task);
  }
  return counted(all, options);
}

}  // namespace rigidlimit
