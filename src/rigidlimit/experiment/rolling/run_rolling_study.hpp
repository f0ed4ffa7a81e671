// RollingStudy -> RollingResult.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/rolling/judge_rows.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solve_tasks.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The solves of a rolling study in one stage, and their judgement. The two compliant motions of
/// one ε are compared with the rigid side as soon as all are known; then they are dropped, but for
/// those of figures. An ensemble of many ε therefore does not fill the memory.
class RollingPlan final : public SolvePlan, private SolveListener {
 public:
  /// Refers to both arguments.
  RollingPlan(const RollingStudy& study, const RunOptions& options);

  SolveStage next_stage() override { return {pointers_to(tasks_.all())}; }
  /// max(1, β) + stretch.
  double steepest() const override;

  /// Judges every series. A failed solve gives a row and a Failure; without some of the solves the
  /// finished rows remain.
  RollingResult judged(const SolveCounts& counts);

 private:
  /// The rows and the energy balance of the two motions of one law, solver and ε.
  struct JudgedPair {
    int missing = 2;                       ///< solves
    bool judged = false;                   ///< or being judged
    std::vector<std::vector<Row>> rows{};  ///< for each judged rigid solver
    std::optional<EnergyReport> energy{};
  };

  void shared_done() override;
  void done(const CompliantSolve& solve) override;

  void make_judges();
  /// Compares and drops the motions of a pair. To be called once, by any thread.
  void judge_pair(std::size_t pair);
  bool is_drawn(const CompliantSolve& solve) const;
  /// Number of laws × compliant solvers: pairs of one ε.
  std::size_t pairs_of_epsilon() const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves solves_;
  std::vector<JudgedPair> pairs_;              ///< of solves_.compliant, two by two
  std::vector<std::vector<RowJudge>> judges_;  ///< by rigid solver, then law and compliant solver
  std::mutex guard_;                           ///< of pairs_ and judges_ while solves run
  Tasks tasks_;
  std::size_t shared_left_;
};

RollingPlan plan_for(const RollingStudy& study, const RunOptions& options);

/// result_of(study, options).
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
