// RollingStudy -> RollingResult.
#pragma once

#include <mutex>
#include <string>

#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/rolling/comparison.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solve_tasks.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The solves of a rolling study, and their judgement: first the rigid side, then pairs. The two
/// compliant motions of a pair are compared with the rigid side as soon as both are known; then
/// they are dropped, but for those of figures, so that an ensemble of many ε does not fill the
/// memory. Where an archive does not keep the motions either (keeps_motion), it keeps their
/// comparison.
class RollingPlan final : public SolvePlan {
 public:
  /// Refers to both arguments.
  RollingPlan(const RollingStudy& study, const RunOptions& options);

  SolveStage next_stage() override { return {pointers_to(tasks_)}; }
  /// Judges every series. A failed solve gives a row and a Failure; without some of the solves the
  /// finished rows remain.
  RollingResult judged(const SolveCounts& counts);

 private:
  /// Takes the comparison of a pair from the archive; false: there is none.
  bool find_comparison(RollingPair& pair, const SolveIdentity& summary, Task& task);
  /// Whether all solves that enter the comparison of a pair have ended by themselves.
  bool is_complete(const RollingPair& pair) const;
  /// Compares the motions of a pair, and drops them.
  void finish(RollingPair& pair);
  std::string obstacle() const;
  /// Completes the rigid side: the distances from the references and the leading terms of each law.
  void begin_pairs();
  void add_series(const JudgedRigid& rigid, RollingResult& result);
  void add_energy(RollingResult& result) const;
  void add_enclosures(RollingResult& result) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves solves_;
  SolveTasks maker_;
  std::deque<Task> tasks_;
  std::string rigid_side_;  ///< hash of its inputs, for the keys of comparisons
  std::once_flag begun_;    ///< of begin_pairs()
};

/// The result of RollingPlan.
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
