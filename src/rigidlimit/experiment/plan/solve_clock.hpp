// What the clock says of a study while it runs.
#pragma once

#include <chrono>
#include <vector>

#include "rigidlimit/experiment/plan/estimate.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// The solves whose times follow one power of ε: "compliant viscoelastic cvode_bdf tighter".
std::string timing_group(const SolveIdentity& solve);

/// The same tasks in the order in which they are done: what has no ε, then of every timing group
/// the solve of the largest ε, then the one in the middle, and then the rest as they come. So the
/// cheapest solves tell how long the dearest will take before one of those begins, and none is done
/// for that purpose alone.
struct TaskOrder {
  std::vector<const Task*> tasks;
  std::size_t first_probe = 0;    ///< of those with the largest and the middle ε
  std::size_t end_of_probes = 0;  ///< one past the last of them
};
TaskOrder probes_first(const std::vector<const Task*>& tasks);

/// Tells options.on_estimate, once, that what is left takes more than options.announce_beyond: as
/// soon as the probes are done or half a minute has gone by, or later when it turns out. Not to be
/// called from two threads at once.
class SolveClock {
 public:
  /// `time`: an estimate without solves; `missing`: what is to be solved. Refers to `options`.
  SolveClock(TimeEstimate time, const RunOptions& options, const TaskOrder& missing);

  /// A solve of the study that was done before, and how long it took then.
  void add_known(const SolveIdentity& solve, double seconds);
  /// What is missing is about to begin.
  void begin();
  /// The k-th of it has taken so many seconds.
  void finish(std::size_t k, double seconds);

 private:
  using Clock = std::chrono::steady_clock;

  void look();

  const RunOptions& options_;
  TimeEstimate time_;  ///< the missing ones first
  std::size_t first_probe_;
  std::size_t end_of_probes_;
  std::size_t open_probes_;  ///< not finished
  Clock::time_point start_ = Clock::now();
  Clock::duration next_ = std::chrono::seconds(30);  ///< look, after the start; doubles
  bool told_ = false;
};

}  // namespace rigidlimit
