// Order of the solves of a run, and its time estimate.
#pragma once

#include <chrono>
#include <vector>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// Label of the solves whose times follow one power of ε: "compliant viscoelastic cvode_bdf
/// adapted tighter".
std::string timing_group(const SolveIdentity& solve);

/// The tasks in the order of execution: first those without ε, then of every timing group the solve
/// of the largest ε and the one in the middle (the probes), then all others in the given order. The
/// cheapest solves thus allow an estimate before the longest begin, without extra solves.
struct TaskOrder {
  std::vector<const Task*> tasks;
  std::size_t first_probe = 0;    ///< the first solve with the largest ε of its group
  std::size_t end_of_probes = 0;  ///< one past the last probe
};
TaskOrder probes_first(const std::vector<const Task*>& tasks);

/// Calls options.on_estimate at most once, if the remaining time exceeds options.announce_beyond:
/// as soon as the probes are done or half a minute has passed, or later if the estimate grows. Not
/// thread-safe.
class SolveClock {
 public:
  /// `time`: an estimate without solves; `missing`: the solves to do. Keeps a reference to
  /// `options`.
  SolveClock(TimeEstimate time, const RunOptions& options, const TaskOrder& missing);

  /// Adds a solve of an earlier run with its time.
  void add_known(const SolveIdentity& solve, double seconds);
  /// Starts the clock, before the first missing solve.
  void begin();
  /// The k-th missing solve has finished after this many seconds.
  void finish(std::size_t k, double seconds);

 private:
  using Clock = std::chrono::steady_clock;

  void look();

  const RunOptions& options_;
  TimeEstimate time_;  ///< the missing solves first
  std::size_t first_probe_;
  std::size_t end_of_probes_;
  std::size_t open_probes_;  ///< not finished
  Clock::time_point start_ = Clock::now();
  Clock::duration next_ = std::chrono::seconds(30);  ///< next check, after the start; doubles
  bool told_ = false;
};

}  // namespace rigidlimit
