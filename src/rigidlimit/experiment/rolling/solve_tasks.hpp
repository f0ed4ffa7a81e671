// The solves of a study as tasks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"
#include "rigidlimit/experiment/rolling/solve_identity.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Is told of the results of tasks, by the threads that made them.
class SolveListener {
 public:
  virtual ~SolveListener() = default;
  /// One of the solves that all rows need (the rigid side) is done.
  virtual void shared_done() = 0;
  virtual void done(const CompliantSolve& solve) = 0;
};

/// All tasks of a study. Those of the smallest ε, the longest, come first.
class Tasks {
 public:
  /// Refers to all arguments; the tasks fill in `solves`.
  Tasks(const RollingStudy& study, const RunOptions& options, Solves& solves,
        SolveListener& listener);
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  const std::vector<Task>& all() const { return tasks_; }
  /// Those that end with a call of SolveListener::shared_done().
  std::span<const Task> shared() const { return std::span(tasks_).first(shared_); }
  /// Of Solves::compliant, in the same order.
  std::span<Task> compliant() { return std::span(tasks_).subspan(shared_); }
  std::span<const Task> compliant() const { return std::span(tasks_).subspan(shared_); }

 private:
  void add_rigid_work();
  void add(RigidSolve& solve);
  void add(CompliantSolve& solve);

  int next_unit() const { return tasks_.empty() ? 0 : tasks_.back().unit + 1; }
  SolveOptions how(Tolerance tolerance) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves& solves_;
  SolveListener& listener_;
  std::size_t shared_ = 0;
  SolveIdentities identities_;
  std::vector<std::string> grids_;  ///< hashes of Solves::grids
  std::string union_;               ///< hash of Solves::times
  std::vector<Task> tasks_;
};

}  // namespace rigidlimit
