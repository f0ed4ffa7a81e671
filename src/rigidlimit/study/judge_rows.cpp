#include "rigidlimit/study/judge_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rigidlimit/convergence/without_order.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/evidence_status.hpp"
#include "rigidlimit/study/judged_series.hpp"
#include "rigidlimit/study/solve_rounds.hpp"

namespace rigidlimit {

namespace {

/// What the motions of one ε differ by, on one grid. Without times where one of the two failed.
struct Differences {
  double epsilon;
  const CompliantSolve* base;
  Motion model;      ///< compliant − rigid, or − (rigid + composite)
  Motion solver;     ///< compliant − compliant at tighter tolerances
  Motion reference;  ///< rigid − its reference
  Motion leading;    ///< predicted leading terms of `model` on [0, T]; none if nothing is predicted
  Motion outer;      ///< the same outside the layer
};

std::vector<Differences> differences_of(const Study& study, const Solves& solves,
                                        const JudgedRigid& judged, const LawInfo& law,
                                        const std::string& solver) {
  const RigidMotion& rigid = solves.rigid[judged.solve].result;
  const RigidMotion& reference = solves.rigid[judged.reference].result;
  const bool has_rigid = rigid.outcome == Outcome::success;
  const bool has_reference = has_rigid && reference.outcome == Outcome::success;
  const Motion off_reference =  // on the union of all grids, which may be long
      has_reference ? difference(rigid.motion, reference.motion) : Motion{};
  std::vector<Differences> all;
  for (std::size_t e = 0; e < study.epsilons.size(); ++e) {
    const CompliantSolve& base = solves.find(law.name, solver, e, false);
    const CompliantSolve& tighter = solves.find(law.name, solver, e, true);
    if (!is_finished(base.result.outcome)) continue;
    Differences d{study.epsilons[e], &base, {}, {}, {}, {}, {}};
    const auto positions = positions_in(solves.times, solves.grids[e]);
    if (has_rigid) d.model = difference(base.result.motion, restricted(rigid.motion, positions));
    if (is_finished(tighter.result.outcome))
      d.solver = difference(base.result.motion, tighter.result.motion);
    if (has_reference) d.reference = restricted(off_reference, positions);
    if (study.against == Against::composite) {
      d.model = has_rigid && solves.prediction
                    ? difference(d.model, solves.prediction->composite(d.epsilon, solves.grids[e]))
                    : Motion{};
    } else if (solves.prediction && law.is_viscoelastic()) {
      d.leading = solves.prediction->leading(d.epsilon, solves.grids[e]);
      d.outer = solves.prediction->outer(d.epsilon, solves.grids[e]);
    }
    all.push_back(std::move(d));
  }
  return all;
}

std::string status_of(const Row& row, Outcome compliant, Outcome rigid) {
  if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
  if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
  if (std::isnan(row.model_error)) return "failed: no composite";
  return evidence_status(row.model_error, row.solver_error, row.reference_error,
                         row.sampling_error);
}

/// Power of ε of the predicted leading term; NaN where nothing is predicted.
double predicted_order(const Study& study, const Solves& solves, const LawInfo& law,
                       Quantity quantity, Norm norm, Window window) {
  if (!solves.prediction || !law.is_viscoelastic() || study.against == Against::composite)
    return std::nan("");
  const LeadingOrders orders = window == Window::after ? solves.prediction->after_orders()
                               : norm == Norm::sup     ? solves.prediction->sup_orders()
                                                       : solves.prediction->l2_orders();
  return std::array{orders.q, orders.v, orders.lambda}[static_cast<std::size_t>(quantity)];
}

/// Sets K, the ratio and its error bar from the size of the predicted term.
void compare_with_prediction(double predicted, double order, Row& row) {
  if (std::isnan(predicted) || std::isnan(order)) return;
  row.predicted_coefficient = predicted / std::pow(row.epsilon, order);
  // A term that vanishes (λ₂ of the prepared knife edge) is round-off: no ratio to speak of.
  if (!(predicted > row.error_bar())) return;
  constexpr double own_error = 1e-12;  // relative, of the prediction: the tolerance of its solve
  row.ratio = row.model_error / predicted;
  row.ratio_error = row.error_bar() / predicted + own_error;
}

Judgement judged_as_expected(std::span<const SeriesPoint> points,
                             const std::optional<ExpectationSpec>& spec) {
  if (!spec) return judge(points);
  switch (spec->convergence) {
    case Convergence::none: return judge_no_convergence(points, spec->within);
    case Convergence::exact: return judge_equality(points, spec->within);
    case Convergence::of_order: break;
  }
  return judge(points, {.order = spec->order, .within = spec->within});
}

/// The samples of measured and predicted term are the same: their choice is no error of the ratio.
void judge_ratios(Series& series) {
  if (!series.expectation || !series.expectation->ratio) return;
  std::vector<RatioPoint> points;
  for (const Row& row : series.rows)
    points.push_back({.epsilon = row.epsilon,
                      .ratio = row.ratio,
                      .floor = row.ratio_error,
                      .usable = !std::isnan(row.ratio)});
  series.ratio = judge_ratio(
      points, {.target = *series.expectation->ratio, .within = series.expectation->ratio_within});
}

void judge_series(const Study& study, Series& series) {
  if (series.rows.empty()) return;
  const Row& any = series.rows.front();
  for (const ExpectationSpec& e : study.expectations)
    if (e.law == any.law && e.quantity == any.quantity && e.norm == any.norm &&
        e.window == any.window)
      series.expectation = e;
  series.judgement = judged(series.rows, [&](std::span<const SeriesPoint> points) {
    return judged_as_expected(points, series.expectation);
  });
  judge_ratios(series);
}

/// ‖first − second solve‖ over the error of the first. For an ideal method the second keeps the
/// fraction θ of the error at tolerances × θ, and 2^(−p) with steps half as large, p its order.
double share_of_difference(const Study& study, const std::string& compliant_solver) {
  if (study.solvers.steps == 0) return 1.0 - study.solvers.tighten;
  return 1.0 - std::ldexp(1.0, -find_ode_method(compliant_solver)->order);
}

}  // namespace

std::vector<Series> series_of(const Study& study, const Solves& solves, const JudgedRigid& rigid,
                              const std::string& law_name, const std::string& compliant_solver) {
  const LawInfo& law = *find_law(law_name);
  const std::vector<Differences> differences =
      differences_of(study, solves, rigid, law, compliant_solver);
  const double share = share_of_difference(study, compliant_solver);
  const RigidSolve& judged = solves.rigid[rigid.solve];
  std::vector<Series> all;
  for (const Quantity quantity : all_quantities)
    for (const Norm norm : all_norms)
      for (const Window window : all_windows) {
        const auto measured = [&](const Motion& difference, auto measure) {
          if (difference.times.empty()) return std::nan("");
          return measure(difference, quantity, norm, window, study.after);
        };
        Series series;
        series.predicted_order = predicted_order(study, solves, law, quantity, norm, window);
        for (const Differences& d : differences) {
          Row row{.law = law_name,
                  .rigid_solver = judged.solver->name,
                  .compliant_solver = compliant_solver,
                  .epsilon = d.epsilon,
                  .quantity = quantity,
                  .norm = norm,
                  .window = window,
                  .model_error = measured(d.model, magnitude),
                  .solver_error = measured(d.solver, magnitude) / share,
                  .reference_error = measured(d.reference, magnitude),
                  .sampling_error = measured(d.model, sampling_error),
                  .status = {},
                  .work = d.base->result.work};
          compare_with_prediction(
              measured(window == Window::after ? d.outer : d.leading, magnitude),
              series.predicted_order, row);
          row.status = status_of(row, d.base->result.outcome, judged.result.outcome);
          series.rows.push_back(std::move(row));
        }
        judge_series(study, series);
        all.push_back(std::move(series));
      }
  return all;
}

}  // namespace rigidlimit
