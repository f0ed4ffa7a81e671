// The solves of a rolling study: the rigid side as tasks, and the function of a compliant solve.
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

MotionSizes sizes_of(const RollingStudy& study);

/// Makes the solves of a study. The rigid ones fill in Solves.
class SolveTasks {
 public:
  /// Refers to all arguments.
  SolveTasks(const RollingStudy& study, const RunOptions& options, Solves& solves);

  /// The rigid motions, their references and the work along the rigid motion.
  std::deque<Task> rigid() const;
  /// A solve of a pair of axes_of(study), on the grid of its ε.
  Solve compliant(const CompliantPair& pair, bool tighter) const;

 private:
  Task rigid_work() const;
  Task rigid(RigidSolve& solve) const;
  SolveOptions how(Tolerance tolerance) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves& solves_;
  SolveIdentities identities_;
  std::vector<std::string> grids_;  ///< hashes of Solves::grids
  std::string union_;               ///< hash of Solves::times
};

}  // namespace rigidlimit
