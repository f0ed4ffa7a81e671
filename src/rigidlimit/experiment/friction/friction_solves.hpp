// All solves of a study of friction, each of which can be done or taken from an archive.
#pragma once

#include <deque>

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/friction_identity.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/plan/solve_stages.hpp"

namespace rigidlimit {

/// What the solves give.
struct FrictionSolves {
  RigidSide rigid;
  std::vector<FrictionMotion> compliant;  ///< largest ε first; then by law, solver, tolerance
  SolveCounts counts;
};

/// The tasks of a study in two stages. The first is the rigid motion, event by event on uniform
/// samples; its events and its end decide about the grids of all others.
class FrictionTasks {
 public:
  /// Refers to both.
  FrictionTasks(const FrictionStudy& study, const RunOptions& options);
  FrictionTasks(const FrictionTasks&) = delete;
  FrictionTasks& operator=(const FrictionTasks&) = delete;

  /// A SolvePlan; all others without the first as if nothing happened up to T.
  SolveStage next_stage();
  /// What the tasks have given, put together; without FrictionSolves::rigid.judged if the motions
  /// that make it were left out.
  FrictionSolves collected();

 private:
  void plan_rest();
  void add_rigid();
  void add_judged();
  void add_compliant();
  void add_event_driven(double factor, const std::vector<double>& times, NonsmoothMotion& motion);
  void add_step(double wanted, NonsmoothMotion& motion);
  void add(FrictionMotion& one, int unit);
  int next_unit() const { return rest_.empty() ? 0 : rest_.back().unit + 1; }

  const FrictionStudy& study_;
  const RunOptions& options_;
  FrictionIdentities identities_;
  std::vector<double> uniform_;  ///< samples on [0, T]
  std::vector<double> early_;    ///< on [0, end], of a motion that ends early; else empty
  std::vector<std::vector<double>> grids_;  ///< one for each ε
  std::vector<std::string> hashes_;         ///< of grids_
  bool by_formula_ = false;                 ///< the judged motion
  NonsmoothMotion begun_, until_end_, driven_, loose_;
  std::vector<NonsmoothMotion> stepped_;
  RigidSide side_;
  std::vector<FrictionMotion> compliant_;
  std::deque<Task> first_, rest_;
  bool begins_ = true;  ///< the next stage is the first
};

/// An estimate that knows how steep the times of this study can get.
TimeEstimate time_estimate_for(const FrictionStudy& study);

/// What of the study options.archive has, without solving; the grids of all but the rigid motion
/// are known only where that is kept, and else nothing that depends on it can be.
PlanSummary plan_of(const FrictionStudy& study, const RunOptions& options);

/// Runs the solves of options.shard on options.jobs threads, or takes them from options.archive;
/// the result does not depend on either. After a stop request the rest stay Outcome::not_run or
/// interrupted.
FrictionSolves solve_all(const FrictionStudy& study, const RunOptions& options);

}  // namespace rigidlimit
