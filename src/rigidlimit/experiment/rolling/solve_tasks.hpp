// The solves of a study as tasks.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"
#include "rigidlimit/experiment/rolling/solve_identity.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// All tasks of a study. Those of the smallest ε, the longest, come first.
class Tasks {
 public:
  /// Refers to all three arguments; the tasks fill in `solves`.
  Tasks(const RollingStudy& study, const RunOptions& options, Solves& solves);
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  const std::vector<Task>& all() const { return tasks_; }

 private:
  void add_prediction();
  void add_rigid_work();
  void add(RigidSolve& solve);
  void add(CompliantSolve& solve);

  int next_unit() const { return tasks_.empty() ? 0 : tasks_.back().unit + 1; }
  SolveOptions how(Tolerance tolerance) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves& solves_;
  SolveIdentities identities_;
  std::vector<std::string> grids_;  ///< hashes of Solves::grids
  std::string union_;               ///< hash of Solves::times
  std::vector<Task> tasks_;
};

}  // namespace rigidlimit
