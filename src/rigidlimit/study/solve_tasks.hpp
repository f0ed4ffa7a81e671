// The solves of a study as tasks: each can be done, or taken from an archive.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/study/run_study.hpp"
#include "rigidlimit/study/solve_identity.hpp"
#include "rigidlimit/study/solves.hpp"

namespace rigidlimit {

/// One solve as an archive sees it, with the way to do it and to put its result in its place.
struct Task {
  SolveIdentity identity;
  const std::vector<double>* times;
  int unit;  ///< solves with the same one are in the same shard
  std::string what;
  std::function<SolveRecord()> solve;
  std::function<void(SolveRecord)> take;
};

/// All tasks of a study, those of the smallest ε, the longest, before those of larger ones.
class Tasks {
 public:
  /// Of planned `solves`, which the tasks fill in. Refers to all three.
  Tasks(const Study& study, const RunOptions& options, Solves& solves);
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  const std::vector<Task>& all() const { return tasks_; }
  /// Those of one shard.
  std::vector<const Task*> of(Shard shard) const;

 private:
  void add_prediction();
  void add_rigid_work();
  void add(RigidSolve& solve);
  void add(CompliantSolve& solve);

  int next_unit() const { return tasks_.empty() ? 0 : tasks_.back().unit + 1; }
  SolveOptions how(Tolerance tolerance) const;

  const Study& study_;
  const RunOptions& options_;
  Solves& solves_;
  SolveIdentities identities_;
  std::vector<std::string> grids_;  ///< hashes of Solves::grids
  std::string union_;               ///< hash of Solves::times
  std::vector<Task> tasks_;
};

}  // namespace rigidlimit
