// All solves of a friction study, each run or taken from an archive.
#pragma once

#include <deque>

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/friction_identity.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/plan/solve_stages.hpp"

namespace rigidlimit {

/// Results of the solves.
struct FrictionSolves {
  RigidSide rigid;
  std::vector<FrictionMotion> compliant;  ///< largest ε first; then by law, solver, tolerance
  SolveCounts counts;
};

/// The tasks of a study in two stages. The first stage is the event-driven rigid motion on uniform
/// samples. Its events and its end determine the grids of all other solves.
class FrictionTasks {
 public:
  /// Refers to both arguments.
  FrictionTasks(const FrictionStudy& study, const RunOptions& options);
  FrictionTasks(const FrictionTasks&) = delete;
  FrictionTasks& operator=(const FrictionTasks&) = delete;

  /// A SolvePlan. Without the result of the first stage, the second assumes no event up to T.
  SolveStage next_stage();
  /// The results of all tasks; without FrictionSolves::rigid.judged if one of the motions it needs
  /// is missing.
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
  std::vector<double> early_;    ///< on [0, end], for a motion that ends early; else empty
  std::vector<std::vector<double>> grids_;  ///< one for each ε
  std::vector<std::string> hashes_;         ///< of grids_
  bool by_formula_ = false;                 ///< the judged motion is a closed form
  NonsmoothMotion begun_, until_end_, driven_, loose_;
  std::vector<NonsmoothMotion> stepped_;
  RigidSide side_;
  std::vector<FrictionMotion> compliant_;
  std::deque<Task> first_, rest_;
  bool begins_ = true;  ///< the next stage is the first
};

/// An estimate without solves, with the largest exponent of the times of this study in 1/ε.
TimeEstimate time_estimate_for(const FrictionStudy& study);

/// Counts the solves of the study and those in options.archive, without solving. If the archive
/// does not have the rigid motion, the grids of the other solves are unknown, and none counts as
/// kept.
PlanSummary plan_of(const FrictionStudy& study, const RunOptions& options);

/// Runs the solves of options.shard on options.jobs threads, or takes them from options.archive.
/// The result does not depend on either. Solves after a stop request remain Outcome::not_run or
/// interrupted.
FrictionSolves solve_all(const FrictionStudy& study, const RunOptions& options);

}  // namespace rigidlimit
