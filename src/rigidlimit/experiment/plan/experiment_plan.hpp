#pragma once

#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

/// The solves of an experiment, and the judgement of their results.
class ExperimentPlan : public SolvePlan {
 public:
  virtual Result judged(const SolveCounts& counts) = 0;
};

}  // namespace rigidlimit
