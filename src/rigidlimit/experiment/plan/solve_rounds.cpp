#include "rigidlimit/experiment/plan/solve_rounds.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "rigidlimit/experiment/plan/parallel.hpp"
#include "rigidlimit/experiment/plan/solve_clock.hpp"

namespace rigidlimit {

namespace {

/// Takes the result of a task from the archive; returns its seconds, empty if the archive has none.
std::optional<double> kept_seconds(const Task& task, const RunOptions& options) {
  if (!options.archive || options.recompute) return std::nullopt;
  std::optional<SolveRecord> kept = options.archive->find(task.identity, task.wanted);
  if (!kept) return std::nullopt;
  const double seconds = kept->seconds;
  task.take(std::move(*kept));
  return seconds;
}

/// Runs a task; returns its seconds, empty if it was stopped.
std::optional<double> perform(const Task& task, const RunOptions& options) {
  SolveArchive* const archive = options.archive;
  if (archive) archive->begin(task.identity);
  const auto start = std::chrono::steady_clock::now();
  SolveRecord record = task.solve();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.seconds = seconds;
  const bool finished = is_finished(record.outcome);
  if (archive && finished) archive->keep(task.identity, *task.times, record, task.kept);
  task.take(std::move(record));
  return finished ? std::optional(seconds) : std::nullopt;
}

/// The tasks without a result in the archive, in the order of probes_first().
class Rounds {
 public:
  Rounds(std::vector<const Task*> tasks, TimeEstimate time, const RunOptions& options)
      : options_(options), time_(std::move(time)), tasks_(std::move(tasks)), kept_(tasks_.size()) {}

  SolveCounts run() {
    each(tasks_, [this](std::size_t k) { return kept_[k] = kept_seconds(*tasks_[k], options_); });
    const int reused = done_;
    if (options_.solve) solve_missing();
    return {.computed = done_ - reused, .reused = reused, .missing = total() - done_};
  }

 private:
  int total() const { return static_cast<int>(tasks_.size()); }

  /// Calls action(k) for every task until a stop request, and counts those for which it is true.
  template <class Action>
  void each(const std::vector<const Task*>& tasks, const Action& action) {
    run_tasks(static_cast<int>(tasks.size()), options_.jobs, [&](int k) {
      if (options_.stopped()) return;
      const auto place = static_cast<std::size_t>(k);
      if (!action(place)) return;
      const std::scoped_lock lock(guard_);
      ++done_;
      if (options_.on_progress) options_.on_progress(done_, total(), tasks[place]->what);
    });
  }

  void solve_missing() {
    std::vector<const Task*> rest;
    for (std::size_t k = 0; k < tasks_.size(); ++k)
      if (!kept_[k]) rest.push_back(tasks_[k]);
    const TaskOrder missing = probes_first(rest);
    SolveClock clock(time_, options_, missing);
    for (std::size_t k = 0; k < tasks_.size(); ++k)
      if (const auto& seconds = kept_[k]) clock.add_known(tasks_[k]->identity, *seconds);
    clock.begin();
    each(missing.tasks, [&](std::size_t k) {
      const std::optional<double> seconds = perform(*missing.tasks[k], options_);
      if (!seconds) return false;
      const std::scoped_lock lock(guard_);
      clock.finish(k, *seconds);
      return true;
    });
  }

  const RunOptions& options_;
  TimeEstimate time_;  ///< without solves
  std::vector<const Task*> tasks_;
  std::vector<std::optional<double>> kept_;  ///< seconds of the results from the archive
  std::mutex guard_;
  int done_ = 0;
};

}  // namespace

bool is_finished(Outcome outcome) {
  return outcome != Outcome::not_run && outcome != Outcome::interrupted;
}

SolveCounts do_tasks(std::vector<const Task*> tasks, TimeEstimate time, const RunOptions& options) {
  return Rounds(std::move(tasks), std::move(time), options).run();
}

}  // namespace rigidlimit
