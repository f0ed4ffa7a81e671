// All solves of a friction study as tasks.
#pragma once

#include <deque>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// fingerprint() of the smooth system and of its contacts: constants, g, N, the drift of g'', given
/// normal forces and kinks.
std::string fingerprint(const FrictionalSystem& system, const InitialState& at);

/// Like SolveIdentities; `grid` is the hash of the times of each solve. [history], [[expect]] and
/// [inequality] do not enter: they affect no solve.
class FrictionIdentities {
 public:
  explicit FrictionIdentities(const FrictionStudy& study);

  SolveIdentity event_driven(const NonsmoothOptions& options, const std::string& grid) const;
  SolveIdentity moreau_jean(double step, const NonsmoothOptions& options,
                            const std::string& grid) const;
  SolveIdentity compliant(const ComparedLaw& law, const std::string& solver, double epsilon,
                          bool tighter, const std::string& grid) const;

 private:
  const FrictionStudy& study_;
  std::string physics_;  ///< hash of system, parameters and start
  std::string contact_;  ///< hash of [contact] without its laws
};

/// Results of the solves.
struct FrictionSolves {
  RigidSide rigid;
  std::vector<FrictionMotion> compliant;  ///< largest ε first; then by law, solver, tolerance
};

/// The tasks of a study in two stages. The first stage is the event-driven rigid motion on uniform
/// samples. Its events and its end determine the grids of all other solves.
class FrictionTasks {
 public:
  /// Refers to both arguments.
  FrictionTasks(const FrictionStudy& study, const RunOptions& options);
  FrictionTasks(const FrictionTasks&) = delete;
  FrictionTasks& operator=(const FrictionTasks&) = delete;

  /// SolvePlan::next_stage(). Without the result of the first stage, the second assumes no event up
  /// to T.
  SolveStage next_stage();
  /// The results of all tasks, empty if the first stage has none; without
  /// FrictionSolves::rigid.judged if one of the motions it needs is missing.
  FrictionSolves collected();

 private:
  void plan_rest();
  void add_rigid();
  void add_steps();
  void add_judged();
  void add_compliant();
  void add_event_driven(double factor, const std::vector<double>& times, NonsmoothMotion& motion);
  void add_step(double wanted, NonsmoothMotion& motion);
  Solve solve_of(const FrictionMotion& one);

  const FrictionStudy& study_;
  const RunOptions& options_;
  FrictionIdentities identities_;
  std::vector<double> uniform_;  ///< samples on [0, T]
  std::vector<double> early_;    ///< on [0, end], for a motion that ends early; else empty
  std::vector<std::vector<double>> grids_;  ///< one for each ε
  std::vector<std::string> hashes_;         ///< of grids_
  bool known_ = false;                      ///< the rigid motion, when the rest was planned
  bool by_formula_ = false;                 ///< the judged motion is a closed form
  NonsmoothMotion begun_, until_end_, driven_, loose_;
  std::vector<NonsmoothMotion> stepped_;
  RigidSide side_;
  std::vector<FrictionMotion> compliant_;
  std::deque<Task> first_, rest_;
  bool begins_ = true;  ///< the next stage is the first
};

}  // namespace rigidlimit
