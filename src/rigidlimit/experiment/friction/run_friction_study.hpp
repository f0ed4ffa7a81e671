// FrictionStudy -> FrictionResult.
#pragma once

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/friction/friction_solves.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// The solves of a friction study in two stages, and their judgement.
class FrictionPlan final : public SolvePlan {
 public:
  /// Refers to both arguments.
  FrictionPlan(const FrictionStudy& study, const RunOptions& options);

  SolveStage next_stage() override { return tasks_.next_stage(); }
  /// The largest exponent of the times of this study in 1/ε.

  /// Judges both sides, once, after the solves. Without some of them the finished rows remain.
  FrictionResult judged(const SolveCounts& counts);

 private:
  const FrictionStudy& study_;
  FrictionTasks tasks_;
};

/// The result of FrictionPlan.
FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
