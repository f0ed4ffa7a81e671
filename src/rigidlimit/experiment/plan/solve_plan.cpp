#include "rigidlimit/experiment/plan/solve_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/parallel.hpp"
#include "rigidlimit/experiment/plan/time_left.hpp"

namespace rigidlimit {

namespace {

SolveRecord performed(const Solve& solve, const RunOptions& options) {
  SolveArchive* const archive = options.archive;
  if (archive) archive->begin(solve.identity);
  const auto start = std::chrono::steady_clock::now();
  SolveRecord record = solve.run();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (archive && is_finished(record.outcome))
    archive->keep(solve.identity, *solve.times, record, solve.kept);
  return record;
}

/// Gives the results to their task. An archive may come from anywhere: a result that does not fit
/// is an error with its place.
void take_results(const Task& task, std::vector<SolveRecord> records, const RunOptions& options) {
  try {
    task.take(std::move(records));
  } catch (const DamagedRecord& damage) {
    if (!options.archive || !damage.where().empty()) throw;
    throw DamagedRecord(fmt::format("is damaged: {}: {}", task.what, damage.what()),
                        options.archive->name());
  }
}

/// Runs tasks in their order on several threads.
class TaskRun {
 public:
  TaskRun(const std::vector<const Task*>& tasks, const RunOptions& options)
      : tasks_(tasks), options_(options) {
    for (const Task* task : tasks) {
      total_ += std::ssize(task->solves);
      open_.insert(task);
      for (const Solve& solve : task->solves) time_.plan(solve.identity);
    }
  }

  SolveCounts run() {
    run_tasks(static_cast<int>(tasks_.size()), options_.jobs, [&](int k) {
      const Task& task = *tasks_[static_cast<std::size_t>(k)];
      const Closing closing{*this, task};  // also if it throws: other threads may wait
      wait_for(task);
      run(task);
    });
    counts_.missing = static_cast<int>(total_) - counts_.computed - counts_.reused;
    return counts_;
  }

 private:
  struct Closing {
    TaskRun& run;
    const Task& task;
    ~Closing() {
      const std::scoped_lock lock(run.guard_);
      run.open_.erase(&task);
      run.closed_.notify_all();
    }
  };

  SolveRecord performed(const Solve& solve, const std::string& what) const try {
    return rigidlimit::performed(solve, options_);
  } catch (const std::bad_alloc&) {
    throw InputError("not enough memory for the solve " + what);
  }

  void wait_for(const Task& task) {
    std::unique_lock lock(guard_);
    closed_.wait(lock, [&] {
      return std::ranges::none_of(task.after, [&](const Task* one) { return open_.contains(one); });
    });
  }

  void run(const Task& task) {
    std::vector<SolveRecord> records;
    bool any = false;
    for (const Solve& solve : task.solves) {
      std::optional<SolveRecord> kept;
      if (options_.archive && !options_.recompute)
        kept = options_.archive->find(solve.identity, solve.wanted);
      if (kept) {
        reuse(solve);
        records.push_back(*std::move(kept));
      } else if (options_.solve && !options_.stopped()) {
        records.push_back(performed(solve, task.what));
        if (is_finished(records.back().outcome)) finish(solve, records.back().seconds, task.what);
      } else {
        records.emplace_back();
      }
      any = any || is_finished(records.back().outcome);
    }
    if (any) take_results(task, std::move(records), options_);
  }

  void reuse(const Solve& solve) {
    const std::scoped_lock lock(guard_);
    ++counts_.reused;
    time_.skip(solve.identity);
  }

  void finish(const Solve& solve, double seconds, const std::string& what) {
    const std::scoped_lock lock(guard_);
    ++counts_.computed;
    time_.add(solve.identity, seconds);
    if (!options_.on_progress) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    SolveProgress progress{counts_.computed + counts_.reused, static_cast<int>(total_), what};
    if (const std::optional<double> part = time_.left_over_done())
      progress.seconds_left = elapsed.count() * *part;
    options_.on_progress(progress);
  }

  const std::vector<const Task*>& tasks_;
  const RunOptions& options_;
  std::ptrdiff_t total_ = 0;
  std::mutex guard_;  ///< of the members below
  std::condition_variable closed_;
  std::set<const Task*> open_;  ///< not yet handled
  SolveCounts counts_;
  TimeLeft time_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

bool is_finished(Outcome outcome) {
  return outcome != Outcome::not_run && outcome != Outcome::interrupted;
}

SolveCounts do_tasks(const std::vector<const Task*>& tasks, const RunOptions& options) {
  return TaskRun(tasks, options).run();
}

namespace {

/// 1 … count, by a hash of the least key of the task.
int shard_of(const Task& task, int count) {
  std::string key = task.solves.front().identity.determinants;
  for (const Solve& solve : task.solves) key = std::min(key, solve.identity.determinants);
  const std::string hash = content_hash(key).substr(0, 8);  // of a UUID: hexadecimal
  return static_cast<int>(std::stoull(hash, nullptr, 16) % static_cast<unsigned>(count)) + 1;
}

/// The tasks of a stage in a shard, with those that they need; a task that others need is in their
/// shards alone. Every shard runs a stage that decides. A sweep has many rigid sides: if there are
/// at least four of them for each shard, they choose the shard, so that none is solved twice.
std::vector<const Task*> part_of(const SolveStage& stage, Shard shard) {
  if (stage.decides || shard.is_whole()) return stage.tasks;
  std::set<const Task*> needed, sides, chosen;
  for (const Task* task : stage.tasks) {
    needed.insert(task->after.begin(), task->after.end());
    if (!task->after.empty()) sides.insert(task->after.front());
  }
  const bool by_side = std::ssize(sides) >= 4 * shard.count;
  for (const Task* task : stage.tasks) {
    if (needed.contains(task)) continue;
    const bool follows = by_side && !task->after.empty();
    if (shard_of(follows ? *task->after.front() : *task, shard.count) != shard.index) continue;
    chosen.insert(task);
    chosen.insert(task->after.begin(), task->after.end());
  }
  std::vector<const Task*> part;
  std::ranges::copy_if(stage.tasks, std::back_inserter(part),
                       [&](const Task* task) { return chosen.contains(task); });
  return part;
}

void announce_plan(const SolveStage& stage, const RunOptions& options) {
  if (!options.archive) return;
  std::vector<SolveIdentity> identities;
  for (const Task* task : stage.tasks)
    for (const Solve& solve : task->solves) identities.push_back(solve.identity);
  options.archive->plan(identities);
}

PlanSummary counted(const std::vector<const Task*>& tasks, const RunOptions& options) {
  PlanSummary plan;
  std::map<std::string, std::size_t> places;
  const auto count = [&](const Solve& solve) {
    const auto [place, is_new] = places.try_emplace(label_of(solve.identity), plan.lines.size());
    if (is_new) plan.lines.push_back({.first = solve.identity});
    PlanLine& line = plan.lines[place->second];
    ++line.solves;
    ++plan.solves;
    const auto kept =
        options.archive ? options.archive->find(solve.identity, solve.wanted) : std::nullopt;
    if (!kept) return;
    ++line.kept;
    ++plan.kept;
    line.seconds += kept->seconds;
  };
  for (const Task* task : tasks)
    for (const Solve& solve : task->solves)
      if (!options.stopped()) count(solve);
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
    if (stage.decides) {
      RunOptions stored = options;
      stored.solve = false;
      do_tasks(stage.tasks, stored);
    }
    for (const Task* task : part_of(stage, options.shard)) all.push_back(task);
  }
  return counted(all, options);
}

}  // namespace rigidlimit
