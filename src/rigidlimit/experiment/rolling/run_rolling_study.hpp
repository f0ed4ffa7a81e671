// RollingStudy -> RollingResult.
#pragma once

#include <deque>

#include "rigidlimit/experiment/ensemble/ensemble_tasks.hpp"
#include "rigidlimit/experiment/pair/pair_tasks.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/rolling/comparison.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/solve_tasks.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The solves of a rolling study, and their judgement: the rigid side, then the pairs.
class RollingPlan final : public SolvePlan, private PairTasks::Kind {
 public:
  /// Refers to both arguments.
  RollingPlan(const RollingStudy& study, const RunOptions& options);

  SolveStage next_stage() override { return {pointers_to(tasks_)}; }
  /// Judges every series. A failed solve gives a row and a failure; without some of the solves the
  /// finished rows remain.
  RollingResult judged(const SolveCounts& counts);

 private:
  MotionSizes sizes() const override { return sizes_of(study_); }
  const std::vector<double>& times(const CompliantPair& pair) const override {
    return solves_.grids[pair.epsilon];
  }
  Solve solve(const CompliantPair& pair, bool tighter) override {
    return maker_.compliant(pair, tighter);
  }
  bool keeps_samples(const CompliantPair& pair) const override {
    return keeps_motion(study_, pair);
  }
  std::string comparison_settings() const override {
    return rigidlimit::comparison_settings(study_);
  }
  std::size_t measures() const override { return measures_of(study_).size(); }
  bool shows(const CompliantPair& pair) const override;
  bool is_complete() const override;
  /// The distances from the references, and the leading terms of each law.
  void prepare() override;
  void judge(CompliantPair& pair) override { compare(study_, solves_, pair, options_); }

  std::string obstacle() const;
  void add_series(RollingResult& result) const;
  void add_remains(RollingResult& result) const;

  const RollingStudy& study_;
  const RunOptions& options_;
  Solves solves_;
  SolveTasks maker_;
  std::deque<Task> tasks_;
  PairTasks pairs_;
  EnsembleTasks ensemble_;
};

/// The result of RollingPlan.
RollingResult run_rolling_study(const RollingStudy& study, const RunOptions& options = {});

}  // namespace rigidlimit
