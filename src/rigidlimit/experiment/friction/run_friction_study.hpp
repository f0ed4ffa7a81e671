// FrictionStudy -> FrictionResult.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rigidlimit/asymptotics/frictional/friction_terms.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/friction/friction_solves.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// The solves of a friction study in two stages, and their judgement. A pair is judged as soon as
/// it is solved, and its motions are dropped.
class FrictionPlan final : public SolvePlan {
 public:
  /// Refers to both arguments.
  FrictionPlan(const FrictionStudy& study, const RunOptions& options);

  SolveStage next_stage() override { return tasks_.next_stage(); }
  /// Judges both sides, once, after the solves. Without some of them the finished rows remain.
  FrictionResult judged(const SolveCounts& counts);

 private:
  /// Completes the rigid side, and expands the compliant motion for each law.
  void begin_pairs();
  /// Judges the motions of a pair, and drops them.
  void finish(FrictionPair& pair);
  void leave_out(FrictionPair& pair);
  void add_series(FrictionResult& result);

  const FrictionStudy& study_;
  const RunOptions& options_;
  FrictionTasks tasks_;
  std::atomic<bool> stopped_ = false;  ///< while pairs were judged
  std::once_flag begun_;               ///< of begin_pairs()
  Motion off_reference_;               ///< judged − reference of the rigid side
  std::vector<std::unique_ptr<const FrictionTerms>> expansions_;  ///< of each law; nullptr: none
  std::string no_prediction_;                                     ///< FrictionResult::no_prediction
};

/// The result of FrictionPlan.
FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
