// The rigid side of a friction study as tasks, and the keys of its solves.
#pragma once

#include <deque>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/friction_motions.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

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

/// The rigid side of a study as tasks in two stages. The first stage is the event-driven motion on
/// uniform samples. Its events and its end determine the grids of all other solves.
class RigidTasks {
 public:
  /// Refers to `study` and `options`.
  RigidTasks(const FrictionStudy& study, const RunOptions& options);
  RigidTasks(const RigidTasks&) = delete;
  RigidTasks& operator=(const RigidTasks&) = delete;

  /// The event-driven motion.
  std::deque<Task>& first() { return first_; }
  /// The other rigid motions, and the grids. Without the result of the first stage, the motion has
  /// no event up to T.
  void plan_rest(std::deque<Task>& tasks);
  /// Whether compliant motions are compared with the rigid side: not if it ends at once.
  bool has_pairs() const { return !grids_.empty(); }
  /// The tasks whose results a comparison needs.
  const std::vector<const Task*>& compared() const { return compared_; }
  /// The grid of an ε; key and function of a compliant solve on it.
  const std::vector<double>& grid(std::size_t epsilon) const { return grids_[epsilon]; }
  Solve compliant(const CompliantPair& pair, bool tighter);

  /// Whether the first stage has a result.
  bool has_rigid_motion() const { return known_; }
  /// Sets RigidSide::judged if none of the motions that it needs is missing. They are done.
  void set_judged();
  /// Compares the time stepping with the rigid motion. All tasks are done.
  void check_steps();
  RigidSide& rigid() { return side_; }
  const RigidSide& rigid() const { return side_; }

 private:
  void add_rigid(std::deque<Task>& tasks);
  void add_steps(std::deque<Task>& tasks);
  void add_judged(std::deque<Task>& tasks);
  const Task* add_event_driven(double factor, const std::vector<double>& times,
                               NonsmoothMotion& motion, std::deque<Task>& tasks);
  void add_step(double wanted, NonsmoothMotion& motion, std::deque<Task>& tasks);

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
  std::deque<Task> first_;
  std::vector<const Task*> compared_;  ///< the tasks of driven_ and loose_
};

}  // namespace rigidlimit
