// All solves of a study of friction, each of which can be done or taken from an archive.
#pragma once

#include <deque>

#include "rigidlimit/slip/compliant_motions.hpp"
#include "rigidlimit/slip/rigid_history.hpp"
#include "rigidlimit/slip/slip_identity.hpp"
#include "rigidlimit/study/solve_stages.hpp"

namespace rigidlimit {

/// What the solves give.
struct SlipSolves {
  RigidSide rigid;
  std::vector<SlipMotion> compliant;  ///< largest ε first; then by law, solver, tolerance
  SolveCounts counts;
};

/// The tasks of a study in two stages. The first is the rigid motion, event by event on uniform
/// samples; its events and its end decide about the grids of all others.
class SlipTasks {
 public:
  /// Refers to both.
  SlipTasks(const SlipStudy& study, const RunOptions& options);
  SlipTasks(const SlipTasks&) = delete;
  SlipTasks& operator=(const SlipTasks&) = delete;

  /// A SolvePlan; all others without the first as if nothing happened up to T.
  SolveStage next_stage();
  /// What the tasks have given, put together; without SlipSolves::rigid.judged if the motions that
  /// make it were left out.
  SlipSolves collected();

 private:
  void plan_rest();
  void add_rigid();
  void add_judged();
  void add_compliant();
  void add_event_driven(double factor, const std::vector<double>& times, NonsmoothMotion& motion);
  void add_step(double wanted, NonsmoothMotion& motion);
  void add(SlipMotion& one, int unit);
  int next_unit() const { return rest_.empty() ? 0 : rest_.back().unit + 1; }

  const SlipStudy& study_;
  const RunOptions& options_;
  SlipIdentities identities_;
  std::vector<double> uniform_;  ///< samples on [0, T]
  std::vector<double> early_;    ///< on [0, end], of a motion that ends early; else empty
  std::vector<std::vector<double>> grids_;  ///< one for each ε
  std::vector<std::string> hashes_;         ///< of grids_
  bool by_formula_ = false;                 ///< the judged motion
  NonsmoothMotion begun_, until_end_, driven_, loose_;
  std::vector<NonsmoothMotion> stepped_;
  RigidSide side_;
  std::vector<SlipMotion> compliant_;
  std::deque<Task> first_, rest_;
  bool begins_ = true;  ///< the next stage is the first
};

/// An estimate that knows how steep the times of this study can get.
TimeEstimate time_estimate_for(const SlipStudy& study);

/// What of the study options.archive has, without solving; the grids of all but the rigid motion
/// are known only where that is kept, and else nothing that depends on it can be.
StudyPlan plan_of(const SlipStudy& study, const RunOptions& options);

/// Runs the solves of options.shard on options.jobs threads, or takes them from options.archive;
/// the result does not depend on either. After a stop request the rest stay Outcome::not_run or
/// interrupted.
SlipSolves solve_all(const SlipStudy& study, const RunOptions& options);

}  // namespace rigidlimit
