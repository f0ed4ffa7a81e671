// Sweep -> SweepResult.
#pragma once

#include <exception>
#include <functional>

#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/sweep.hpp"

namespace rigidlimit {

/// The functions to plan and run a point of a sweep, by its number.
struct PointSteps {
  std::function<PlanSummary(std::size_t, const RunOptions&)> plan;
  std::function<SolveCounts(std::size_t, const RunOptions&)> run;
};

/// Runs all points, with options.jobs solves at a time. A solve shared by several points is done
/// once; the other points wait for it. Progress counts the solves of all points.
SolveCounts run_points(std::size_t count, const PointSteps& steps, const RunOptions& options);

/// The plans of all points as one; a shared solve counts once. The time estimate assumes β = 1.
PlanSummary plan_of_points(std::size_t count, const PointSteps& steps, const RunOptions& options);

/// `run` solves and judges one study. A point that cannot be run keeps its error message. After a
/// stop request no further point begins. The result does not depend on the number of jobs.
template <class StudyOfKind, class Run>
auto run_sweep(const Sweep<StudyOfKind>& sweep, const RunOptions& options, const Run& run) {
  using Result = decltype(run(sweep.points.front(), options));
  SweepResult<Result> all{.name = sweep.name,
                          .question = sweep.question,
                          .grid = sweep.grid,
                          .resolved = sweep.resolved,
                          .points = {}};
  for (std::size_t k = 0; k < sweep.points.size(); ++k)
    all.points.push_back({.values = sweep.grid.point(k)});
  const auto solve = [&](std::size_t k, const RunOptions& of_point) -> SolveCounts {
    SweptResult<Result>& point = all.points[k];
    try {
      point.result = run(sweep.points[k], of_point);
      return point.result->counts;
    } catch (const std::exception& e) {
      point.complaint = e.what();
      return {};
    }
  };
  const auto plan = [&](std::size_t k, const RunOptions& of_point) {
    return plan_of(sweep.points[k], of_point);
  };
  all.counts = run_points(sweep.points.size(), {plan, solve}, options);
  for (const SweptResult<Result>& point : all.points)
    all.interrupted =
        all.interrupted || (point.result ? point.result->interrupted : point.complaint.empty());
  return all;
}

/// Summary of the solves of a sweep, without running them.
template <class StudyOfKind>
PlanSummary plan_of(const Sweep<StudyOfKind>& sweep, const RunOptions& options) {
  const auto plan = [&](std::size_t k, const RunOptions& of_point) {
    return plan_of(sweep.points[k], of_point);
  };
  return plan_of_points(sweep.points.size(), {plan, {}}, options);
}

}  // namespace rigidlimit
