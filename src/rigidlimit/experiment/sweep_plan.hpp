// The plans of the points of a sweep as one plan.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/plan/experiment_plan.hpp"
#include "rigidlimit/experiment/sweep_result.hpp"

namespace rigidlimit {

/// The stages of all points side by side. Equal tasks of several points run once, and their results
/// go to each of them. A point is judged as soon as its solves are done, and its motions are
/// dropped. A point that throws keeps its message, and the others go on.
class SweepPlan final : public ExperimentPlan {
 public:
  /// Makes the plan of a point. If it throws Stopped, the point has no result and the sweep is
  /// interrupted.
  using PlanPoint = std::function<std::unique_ptr<ExperimentPlan>(std::size_t point)>;

  /// `heading`: name, kind, question and text.
  SweepPlan(Result heading, SweepGrid grid, PlanPoint plan);

  SolveStage next_stage() override;
  Result judged(const SolveCounts& counts) override;
  /// The results of the points, once they are judged.
  const std::vector<SweptResult>& results() const { return results_; }

 private:
  struct Point {
    int solves = 0;                          ///< of the stages so far
    int taken = 0;                           ///< of them, those with a result
    bool planned = false;                    ///< no further stage
    std::string complaint{};                 ///< why it cannot go on; empty: it can
    std::unique_ptr<ExperimentPlan> plan{};  ///< of a point that is planned and not judged
    std::optional<Result> result{};

    int missing() const { return solves - taken; }
    void judge();
  };
  /// A task for several points.
  struct Shared {
    Task task;
    std::vector<std::pair<std::size_t, const Task*>> of;  ///< points and their own tasks
  };

  void add_stage_of(std::size_t k, bool& decides);
  void add(std::size_t k, const Task& task);
  SolveRecord solve(const Shared& shared, std::size_t which);
  void take(const Shared& shared, std::vector<SolveRecord> records);
  template <class Action>
  void guarded(std::size_t k, const Action& action);

  Result heading_;
  SweepGrid grid_;
  std::vector<SweptResult> results_;
  PlanPoint plan_point_;
  std::vector<Point> points_;
  std::deque<Shared> tasks_;                 ///< of all stages
  std::map<std::string, Shared*> in_stage_;  ///< of the current stage, by determinants
  std::map<const Task*, Shared*> of_own_;    ///< likewise, by the tasks of points
  std::mutex guard_;                         ///< of points_
};

}  // namespace rigidlimit
