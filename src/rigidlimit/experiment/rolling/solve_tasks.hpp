// The solves of a rolling study as tasks: the rigid side, then pairs.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/solve_identity.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// Makes the tasks of a study. They fill in Solves.
class SolveTasks {
 public:
  /// Refers to all arguments.
  SolveTasks(const RollingStudy& study, const RunOptions& options, Solves& solves);

  /// The rigid motions, their references and the work along the rigid motion.
  std::deque<Task> rigid() const;
  /// The two solves of a pair in `solves`, the tighter one first; without Task::take.
  Task pair(const RollingPair& pair) const;
  /// Sets the motions of the pair. Throws DamagedRecord for samples of other sizes.
  void take(std::vector<SolveRecord> records, RollingPair& pair) const;

 private:
  Task rigid_work() const;
  Task rigid(RigidSolve& solve) const;
  Solve compliant(const RollingPair& pair, bool tighter) const;
  SolveOptions how(Tolerance tolerance) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves& solves_;
  SolveIdentities identities_;
  std::vector<std::string> grids_;  ///< hashes of Solves::grids
  std::string union_;               ///< hash of Solves::times
};

}  // namespace rigidlimit
