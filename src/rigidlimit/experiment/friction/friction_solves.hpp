// All solves of a friction study as tasks.
#pragma once

#include <deque>
#include <functional>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/friction_pair.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
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

/// The tasks of a study in two stages. The first stage is the event-driven rigid motion on uniform
/// samples. Its events and its end determine the grids of all other solves. A pair follows the
/// rigid motions with which it is compared.
class FrictionTasks {
 public:
  using PairSolved = std::function<void(FrictionPair&)>;

  /// Refers to `study` and `options`. `pair_solved` is called with the motions of each pair, by
  /// several threads.
  FrictionTasks(const FrictionStudy& study, const RunOptions& options, PairSolved pair_solved);
  FrictionTasks(const FrictionTasks&) = delete;
  FrictionTasks& operator=(const FrictionTasks&) = delete;

  /// SolvePlan::next_stage(). Without the result of the first stage, the second assumes no event up
  /// to T.
  SolveStage next_stage();

  /// Whether the first stage has a result.
  bool has_rigid_motion() const { return known_; }
  /// Sets RigidSide::judged if none of the motions that it needs is missing. They are done.
  void set_judged();
  /// Compares the time stepping with the rigid motion. All tasks are done.
  void check_steps();
  RigidSide& rigid() { return side_; }
  /// Largest ε first; then by law and solver.
  std::vector<FrictionPair>& pairs() { return pairs_; }

 private:
  void plan_rest();
  void add_rigid();
  void add_steps();
  void add_judged();
  void add_pairs();
  const Task* add_event_driven(double factor, const std::vector<double>& times,
                               NonsmoothMotion& motion);
  void add_step(double wanted, NonsmoothMotion& motion);
  Solve solve_of(const FrictionMotion& one, std::size_t epsilon);

  const FrictionStudy& study_;
  const RunOptions& options_;
  PairSolved pair_solved_;
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
  std::vector<FrictionPair> pairs_;
  std::deque<Task> first_, rest_;
  std::vector<const Task*> compared_;  ///< the tasks of driven_ and loose_
  bool begins_ = true;                 ///< the next stage is the first
};

}  // namespace rigidlimit
