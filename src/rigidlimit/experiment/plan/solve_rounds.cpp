#include "rigidlimit/experiment/plan/solve_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

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

}  // namespace rigidlimit
