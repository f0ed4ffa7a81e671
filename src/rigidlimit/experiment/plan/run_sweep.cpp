#include "rigidlimit/experiment/plan/run_sweep.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/parallel.hpp"
#include "rigidlimit/experiment/plan/solve_stages.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

namespace {

/// An archive that records the solves of a plan as the plan looks them up.
class Listener final : public SolveArchive {
 public:
  explicit Listener(SolveArchive* behind) : behind_(behind) {}

  void plan(const std::vector<SolveIdentity>& /*solves*/) override {}
  std::optional<SolveRecord> find(const SolveIdentity& solve) override {
    heard.push_back(solve);
    return behind_ ? behind_->find(solve) : std::nullopt;
  }
  void begin(const SolveIdentity& /*solve*/) override {}
  void keep(const SolveIdentity& /*solve*/, const std::vector<double>& /*times*/,
            const SolveRecord& /*record*/) override {}

  std::vector<SolveIdentity> heard;

 private:
  SolveArchive* behind_;
};

/// A cache of the solves that several points share, in front of the archive (if any).
class SharedSolves final : public SolveArchive {
 public:
  SharedSolves(SolveArchive* behind, std::set<std::string> shared)
      : behind_(behind), shared_(std::move(shared)) {}

  /// Number of results that a second or later point took from the cache.
  int given_again() const { return again_; }

  void plan(const std::vector<SolveIdentity>& solves) override {
    if (behind_) behind_->plan(solves);
  }
  std::optional<SolveRecord> find(const SolveIdentity& solve) override {
    const bool is_shared = shared_.contains(solve.determinants);
    if (is_shared) {
      const std::scoped_lock lock(guard_);
      if (const auto at = known_.find(solve.determinants); at != known_.end()) {
        ++again_;
        return at->second;
      }
    }
    std::optional<SolveRecord> record = behind_ ? behind_->find(solve) : std::nullopt;
    if (is_shared && record) remember(solve, *record);
    return record;
  }
  void begin(const SolveIdentity& solve) override {
    if (behind_) behind_->begin(solve);
  }
  void keep(const SolveIdentity& solve, const std::vector<double>& times,
            const SolveRecord& record) override {
    if (shared_.contains(solve.determinants)) remember(solve, record);
    if (behind_) behind_->keep(solve, times, record);
  }

 private:
  void remember(const SolveIdentity& solve, const SolveRecord& record) {
    const std::scoped_lock lock(guard_);
    known_.try_emplace(solve.determinants, record);
  }

  SolveArchive* behind_;
  std::set<std::string> shared_;
  std::mutex guard_;
  std::map<std::string, SolveRecord> known_;
  int again_ = 0;
};

/// The solves of each point, and which of them other points share.
struct Planned {
  std::vector<int> solves;                     ///< number of solves of each point
  std::vector<std::set<std::string>> claimed;  ///< the shared solves of each point
  std::set<std::string> shared;
};

Planned planned(std::size_t count, const PointSteps& steps, SolveArchive* archive) {
  Planned all;
  std::map<std::string, std::set<std::size_t>> points;
  for (std::size_t k = 0; k < count; ++k) {
    Listener listener(archive);
    const PlanSummary plan = steps.plan(k, {.archive = &listener});
    all.solves.push_back(plan.solves);
    for (const SolveIdentity& solve : listener.heard) points[solve.determinants].insert(k);
  }
  all.claimed.resize(count);
  for (const auto& [solve, of] : points) {
    if (of.size() < 2) continue;
    all.shared.insert(solve);
    for (const std::size_t k : of) all.claimed[k].insert(solve);
  }
  return all;
}

/// Schedules the points so that no two concurrent points have an unfinished solve in common.
class Turns {
 public:
  Turns(const Planned& plan, int jobs)
      : plan_(plan), jobs_(jobs), begun_(plan.solves.size(), false) {}

  struct Turn {
    std::size_t point;
    int jobs;
  };

  /// The next point; blocks while all remaining points wait for running ones. Empty: none is left.
  std::optional<Turn> next() {
    std::unique_lock lock(guard_);
    for (;;) {
      std::vector<std::size_t> ready;
      for (std::size_t k = 0; k < begun_.size(); ++k)
        if (!begun_[k] && is_free(k)) ready.push_back(k);
      if (!ready.empty()) {
        begun_[ready.front()] = true;
        for (const std::string& solve : plan_.claimed[ready.front()])
          if (!done_.contains(solve)) running_.insert(solve);
        // A point that all others wait for gets all threads.
        const int at_once = static_cast<int>(std::min(count_startable(ready), begun_.size()));
        return Turn{ready.front(), std::max(1, jobs_ / std::max(1, at_once))};
      }
      if (std::ranges::all_of(begun_, [](bool begun) { return begun; })) return std::nullopt;
      freed_.wait(lock);
    }
  }

  void finish(std::size_t point) {
    const std::scoped_lock lock(guard_);
    for (const std::string& solve : plan_.claimed[point]) {
      running_.erase(solve);
      done_.insert(solve);
    }
    freed_.notify_all();
  }

 private:
  bool is_free(std::size_t point) const {
    return std::ranges::none_of(plan_.claimed[point],
                                [&](const std::string& solve) { return running_.contains(solve); });
  }
  /// The first ready point and all ready points that share no unfinished solve with it.
  std::size_t count_startable(const std::vector<std::size_t>& ready) const {
    return 1 + static_cast<std::size_t>(std::ranges::count_if(
                   ready, [&](std::size_t k) { return !begun_[k] && is_free(k); }));
  }

  const Planned& plan_;
  int jobs_;
  std::mutex guard_;
  std::condition_variable freed_;
  std::vector<bool> begun_;
  std::set<std::string> running_, done_;
};

}  // namespace

SolveCounts run_points(std::size_t count, const PointSteps& steps, const RunOptions& options) {
  const Planned plan = planned(count, steps, nullptr);
  SharedSolves archive(options.archive, plan.shared);
  Turns turns(plan, options.jobs);
  const int total = std::accumulate(plan.solves.begin(), plan.solves.end(), 0);
  const int workers = std::max(1, std::min(options.jobs, static_cast<int>(count)));
  std::mutex guard;
  SolveCounts counts;
  int done = 0;
  run_tasks(workers, workers, [&](int) {
    while (const std::optional<Turns::Turn> turn = turns.next()) {
      RunOptions of_point = options;
      of_point.jobs = turn->jobs;
      of_point.archive = &archive;
      of_point.on_estimate = {};
      of_point.curves = false;
      of_point.on_progress = [&](int, int, const std::string& what) {
        const std::scoped_lock lock(guard);
        ++done;
        if (options.on_progress) options.on_progress(std::min(done, total), total, what);
      };
      const bool stopped = options.stop_requested && options.stop_requested();
      const SolveCounts of = stopped ? SolveCounts{.missing = plan.solves[turn->point]}
                                     : steps.run(turn->point, of_point);
      turns.finish(turn->point);
      const std::scoped_lock lock(guard);
      counts.computed += of.computed;
      counts.reused += of.reused;
      counts.missing += of.missing;
    }
  });
  counts.reused -= archive.given_again();
  return counts;
}

PlanSummary plan_of_points(std::size_t count, const PointSteps& steps, const RunOptions& options) {
  std::map<std::string, Task> distinct;
  for (std::size_t k = 0; k < count; ++k) {
    Listener listener(options.archive);
    RunOptions of_point = options;
    of_point.archive = &listener;
    steps.plan(k, of_point);
    for (SolveIdentity& solve : listener.heard) {
      const std::string name = solve.determinants;
      distinct[name].identity = std::move(solve);
    }
  }
  std::vector<const Task*> tasks;
  for (const auto& [name, task] : distinct) tasks.push_back(&task);
  return plan_of([&] { return SolveStage{tasks}; }, TimeEstimate(), options);
}

}  // namespace rigidlimit
