// RollingStudy -> RollingResult.
#pragma once

#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solve_tasks.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The solves of a rolling study in one stage, and their judgement.
class RollingPlan final : public SolvePlan {
 public:
  /// Refers to both arguments.
  RollingPlan(const RollingStudy& study, const RunOptions& options);

  SolveStage next_stage() override { return {pointers_to(tasks_.all())}; }
  /// max(1, β) + stretch.
  double steepest() const override;

  /// Judges every series. A failed solve gives a row and a Failure; without some of the solves the
  /// finished rows remain.
  RollingResult judged(const SolveCounts& counts) const;

 private:
  const RollingStudy& study_;
  const RunOptions& options_;
  Solves solves_;
  Tasks tasks_;
};

RollingPlan plan_for(const RollingStudy& study, const RunOptions& options);

/// result_of(study, options).
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
