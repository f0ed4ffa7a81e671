// RollingStudy -> RollingResult.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/rolling/comparison.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solve_tasks.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The solves of a rolling study, and their judgement. The two compliant motions of one ε are
/// compared with the rigid side as soon as all are known; then they are dropped, but for those of
/// figures. An ensemble of many ε therefore does not fill the memory. Where an archive does not
/// keep the motions either (keeps_motion), it keeps their comparison; the rigid side is then a
/// stage that every shard solves.
class RollingPlan final : public SolvePlan, private SolveListener {
 public:
  /// Refers to both arguments.
  RollingPlan(const RollingStudy& study, const RunOptions& options);

  SolveStage next_stage() override;
  /// max(1, β) + stretch.

  /// Judges every series. A failed solve gives a row and a Failure; without some of the solves the
  /// finished rows remain.
  RollingResult judged(const SolveCounts& counts);

 private:
  /// The two motions of one law, solver and ε.
  struct Pair {
    int missing = 2;        ///< solves
    bool compared = false;  ///< or being compared
    PairComparison comparison{};
  };

  void shared_done() override;
  /// The leading terms of each law.
  std::string obstacle() const;
  void predict();
  void done(const CompliantSolve& solve) override;

  CompliantSolve& base_of(std::size_t pair) { return solves_.compliant[2 * pair + 1]; }
  CompliantSolve& tighter_of(std::size_t pair) { return solves_.compliant[2 * pair]; }
  /// Takes the comparisons of motions that the archive does not keep.
  void take_comparisons();
  SolveIdentity identity_of(std::size_t pair) const;
  /// Compares and drops the motions of a pair. To be called once, by any thread.
  void compare(std::size_t pair);
  bool is_drawn(const CompliantSolve& solve) const;
  /// Number of laws × compliant solvers: pairs of one ε.
  std::size_t pairs_of_epsilon() const;
  void add_series(const JudgedRigid& rigid, RollingResult& result);
  void add_energy(RollingResult& result) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves solves_;
  std::vector<Pair> pairs_;               ///< of solves_.compliant, two by two
  std::optional<PairComparer> comparer_;  ///< once the rigid side is done
  std::mutex guard_;                      ///< of pairs_ and comparer_ while solves run
  Tasks tasks_;
  std::string rigid_side_;  ///< hash of its inputs, for the keys of comparisons
  std::size_t shared_left_;
  bool begun_ = false;  ///< the first of two stages is planned
};

RollingPlan plan_for(const RollingStudy& study, const RunOptions& options);

/// result_of(study, options).
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
