// Sweep -> SweepResult.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/experiment/plan/united_plan.hpp"

namespace rigidlimit {

/// A sweep as one plan. A point is judged as soon as its solves are done, and its motions are
/// dropped. The result does not depend on the number of jobs.
template <class Study>
class SweepPlan final : public UnitedPlan {
 public:
  using Plan = decltype(plan_for(std::declval<const Study&>(), std::declval<const RunOptions&>()));
  using Result = decltype(std::declval<Plan&>().judged(SolveCounts{}));

  /// Refers to `sweep`.
  SweepPlan(const Sweep<Study>& sweep, const RunOptions& options)
      : UnitedPlan(sweep.points.size()),
        sweep_(sweep),
        options_(options),
        plans_(sweep.points.size()),
        results_(sweep.points.size()) {
    options_.curves = false;
  }

  SweepResult<Result> judged(const SolveCounts& counts) {
    SweepResult<Result> all{.name = sweep_.name,
                            .question = sweep_.question,
                            .grid = sweep_.grid,
                            .resolved = sweep_.resolved,
                            .points = {},
                            .counts = counts};
    for (std::size_t k = 0; k < results_.size(); ++k) {
      const Member& point = members()[k];
      if (!results_[k] && point.complaint.empty() && point.taken > 0)
        results_[k] = plans_[k]->judged({.computed = point.taken, .missing = point.missing()});
      all.interrupted =
          all.interrupted || (results_[k] ? results_[k]->interrupted : point.complaint.empty());
      all.points.push_back({sweep_.grid.point(k), std::move(results_[k]), point.complaint});
    }
    return all;
  }

 protected:
  SolvePlan& member(std::size_t k) override {
    if (!plans_[k]) plans_[k].reset(new Plan(plan_for(sweep_.points[k], options_)));
    return *plans_[k];
  }
  void complete(std::size_t k) override {
    results_[k] = plans_[k]->judged({.computed = members()[k].taken});
    plans_[k].reset();
  }

 private:
  const Sweep<Study>& sweep_;
  RunOptions options_;
  std::vector<std::unique_ptr<Plan>> plans_;  ///< of the points that are planned and not judged
  std::vector<std::optional<Result>> results_;
};

template <class Study>
SweepPlan<Study> plan_for(const Sweep<Study>& sweep, const RunOptions& options) {
  return SweepPlan<Study>(sweep, options);
}

}  // namespace rigidlimit
