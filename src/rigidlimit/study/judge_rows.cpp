#include "rigidlimit/study/judge_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

/// The four motions of one ε, on one grid.
struct Compared {
  double epsilon;
  const CompliantSolve* base;
  const CompliantSolve* tighter;
  Motion rigid;
  Motion reference;
};

/// The part of a rigid motion on the grid of one ε; empty if the solve failed.
Motion part_of(const RigidMotion& rigid, const std::vector<std::size_t>& positions) {
  return rigid.outcome == Outcome::success ? restricted(rigid.motion, positions) : Motion{};
}

std::vector<Compared> compared_motions(const Study& study, const Solves& solves,
                                       const JudgedRigid& rigid, const std::string& solver) {
  std::vector<Compared> all;
  for (std::size_t e = 0; e < study.epsilons.size(); ++e) {
    const CompliantSolve& base = solves.find(solver, e, false);
    if (!is_finished(base)) continue;
    const auto positions = positions_in(solves.times, solves.grids[e]);
    all.push_back({.epsilon = study.epsilons[e],
                   .base = &base,
                   .tighter = &solves.find(solver, e, true),
                   .rigid = part_of(solves.rigid[rigid.solve].result, positions),
                   .reference = part_of(solves.rigid[rigid.reference].result, positions)});
  }
  return all;
}

std::string status_of(const Row& row, Outcome compliant, Outcome rigid) {
  if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
  if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
  // Not "<": an error bar that is NaN, because the second solve failed, limits the row as well.
  if (!(row.model_error >= evidence_factor * row.solver_error)) return "solver_limited";
  if (!(row.model_error >= evidence_factor * row.reference_error)) return "reference_limited";
  if (!(row.model_error >= evidence_factor * row.sampling_error)) return "sampling_limited";
  return "ok";
}

void judge_series(const Study& study, Series& series) {
  if (series.rows.empty()) return;
  const Row& any = series.rows.front();
  for (const ExpectationSpec& e : study.expectations)
    if (e.quantity == any.quantity && e.norm == any.norm && e.window == any.window)
      series.expectation = e;
  std::vector<SeriesPoint> points;
  for (const Row& row : series.rows)
    points.push_back({.epsilon = row.epsilon,
                      .error = row.model_error,
                      .floor = row.floor(),
                      .usable = true});
  Expectation expectation;
  if (series.expectation)
    expectation = {.order = series.expectation->order, .within = series.expectation->within};
  series.judgement = judge(points, expectation);
  const std::vector<double> orders = neighbour_orders(points);
  for (std::size_t k = 0; k < series.rows.size(); ++k) {
    series.rows[k].order = orders[k];
    series.rows[k].verdict = series.judgement.verdict;
  }
}

}  // namespace

std::vector<Series> series_of(const Study& study, const Solves& solves, const JudgedRigid& rigid,
                              const std::string& compliant_solver) {
  const std::vector<Compared> motions = compared_motions(study, solves, rigid, compliant_solver);
  const RigidSolve& judged = solves.rigid[rigid.solve];
  std::vector<Series> all;
  for (const Quantity quantity : all_quantities)
    for (const Norm norm : all_norms)
      for (const Window window : all_windows) {
        const auto measured = [&](const Motion& a, const Motion& b, auto measure) {
          if (a.times.size() != b.times.size()) return std::nan("");
          return measure(a, b, quantity, norm, window, study.after);
        };
        // An ideal method, error ∝ tolerance: the second solve keeps the fraction θ of the error.
        const double remaining = 1.0 - study.solvers.tighten;
        Series series;
        for (const Compared& c : motions) {
          Row row{.rigid_solver = judged.solver->name,
                  .compliant_solver = compliant_solver,
                  .epsilon = c.epsilon,
                  .quantity = quantity,
                  .norm = norm,
                  .window = window,
                  .model_error = measured(c.base->motion, c.rigid, distance),
                  .solver_error = measured(c.base->motion, c.tighter->motion, distance) / remaining,
                  .reference_error = measured(c.rigid, c.reference, distance),
                  .sampling_error = measured(c.base->motion, c.rigid, sampling_error),
                  .status = {},
                  .work = c.base->solution.work};
          row.status = status_of(row, c.base->solution.outcome, judged.result.outcome);
          series.rows.push_back(std::move(row));
        }
        judge_series(study, series);
        all.push_back(std::move(series));
      }
  return all;
}

}  // namespace rigidlimit
