// FrictionStudy -> FrictionResult.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/asymptotics/frictional/friction_terms.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/friction/friction_solves.hpp"
#include "rigidlimit/experiment/pair/pair_tasks.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// The solves of a friction study in two stages, and their judgement: the event-driven rigid
/// motion, then the rest of the rigid side and the pairs.
class FrictionPlan final : public SolvePlan, private PairTasks::Kind {
 public:
  /// Refers to both arguments.
  FrictionPlan(const FrictionStudy& study, const RunOptions& options);

  SolveStage next_stage() override;
  /// Judges both sides, once, after the solves. Without some of them the finished rows remain.
  FrictionResult judged(const SolveCounts& counts);

 private:
  /// Judgements and curve of the first motion of a pair, beside its comparison.
  struct Remains {
    std::optional<MotionModes> modes = {};            ///< if the study asks for them
    std::optional<InequalityReport> inequality = {};  ///< likewise; of the first solver
    std::optional<FrictionCurve> curve = {};          ///< of the first solver
  };

  MotionSizes sizes() const override { return sizes_of(study_.model); }
  const std::vector<double>& times(const CompliantPair& pair) const override {
    return rigid_.grid(pair.epsilon);
  }
  Solve solve(const CompliantPair& pair, bool tighter) override {
    return rigid_.compliant(pair, tighter);
  }
  /// Completes the rigid side, and expands the compliant motion for each law.
  void prepare() override;
  void judge(CompliantPair& pair) override;

  Remains remains_of(const CompliantPair& pair) const;
  void add_series(FrictionResult& result);
  void add_remains(FrictionResult& result);

  const FrictionStudy& study_;
  const RunOptions& options_;
  RigidTasks rigid_;
  std::deque<Task> rest_;
  PairTasks pairs_;
  bool begins_ = true;            ///< the next stage is the first
  std::vector<Remains> remains_;  ///< of each pair
  Motion off_reference_;          ///< judged − reference of the rigid side
  std::vector<std::unique_ptr<const FrictionTerms>> expansions_;  ///< of each law; nullptr: none
  std::string no_prediction_;                                     ///< FrictionResult::no_prediction
};

/// The result of FrictionPlan.
FrictionResult run_friction_study(const FrictionStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
