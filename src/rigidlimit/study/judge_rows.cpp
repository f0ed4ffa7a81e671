#include "rigidlimit/study/judge_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/evidence_status.hpp"
#include "rigidlimit/study/judge_series.hpp"
#include "rigidlimit/study/solve_rounds.hpp"

namespace rigidlimit {

namespace {

/// The differences of one ε, and what is predicted of them.
struct Compared {
  double epsilon;
  const CompliantSolve* base;
  Differences differences;  ///< model: compliant − rigid, or − (rigid + composite)
  Motion leading;  ///< predicted leading terms of `model` on [0, T]; none if nothing is predicted
  Motion outer;    ///< the same outside the layer
};

std::vector<Compared> compared_motions(const Study& study, const Solves& solves,
                                       const JudgedRigid& judged, const LawInfo& law,
                                       const std::string& solver) {
  const RigidMotion& rigid = solves.rigid[judged.solve].result;
  const RigidMotion& reference = solves.rigid[judged.reference].result;
  const bool has_rigid = rigid.outcome == Outcome::success;
  const bool has_reference = has_rigid && reference.outcome == Outcome::success;
  const Motion off_reference =  // on the union of all grids, which may be long
      has_reference ? difference(rigid.motion, reference.motion) : Motion{};
  std::vector<Compared> all;
  for (std::size_t e = 0; e < study.epsilons.size(); ++e) {
    const CompliantSolve& base = solves.find(law.name, solver, e, false);
    const CompliantSolve& tighter = solves.find(law.name, solver, e, true);
    if (!is_finished(base.result.outcome)) continue;
    Compared c{study.epsilons[e], &base, {}, {}, {}};
    Differences& d = c.differences;
    const auto positions = positions_in(solves.times, solves.grids[e]);
    if (has_rigid) d.model = difference(base.result.motion, restricted(rigid.motion, positions));
    if (is_finished(tighter.result.outcome))
      d.solver = difference(base.result.motion, tighter.result.motion);
    if (has_reference) d.reference = restricted(off_reference, positions);
    if (study.against == Against::composite) {
      d.model = has_rigid && solves.prediction
                    ? difference(d.model, solves.prediction->composite(c.epsilon, solves.grids[e]))
                    : Motion{};
    } else if (solves.prediction && law.is_viscoelastic()) {
      c.leading = solves.prediction->leading(c.epsilon, solves.grids[e]);
      c.outer = solves.prediction->outer(c.epsilon, solves.grids[e]);
    }
    all.push_back(std::move(c));
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
                       const Measure& measure) {
  if (!solves.prediction || !law.is_viscoelastic() || study.against == Against::composite)
    return std::nan("");
  const LeadingOrders orders = measure.window == Window::after ? solves.prediction->after_orders()
                               : measure.norm == Norm::sup     ? solves.prediction->sup_orders()
                                                               : solves.prediction->l2_orders();
  return std::array{orders.q, orders.v, orders.lambda}[static_cast<std::size_t>(measure.quantity)];
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

/// ‖first − second solve‖ over the error of the first. For an ideal method the second keeps the
/// fraction θ of the error at tolerances × θ, and 2^(−p) with steps half as large, p its order.
double share_of_difference(const Study& study, const std::string& compliant_solver) {
  if (study.solvers.steps == 0) return 1.0 - study.solvers.tighten;
  return 1.0 - std::ldexp(1.0, -find_ode_method(compliant_solver)->order);
}

Series series_in(const Measure& measure, const Study& study, const Solves& solves,
                 const RigidSolve& judged, const LawInfo& law, const std::string& solver,
                 const std::vector<Compared>& motions) {
  const Windows windows{.after = study.after};
  const double share = share_of_difference(study, solver);
  Series series;
  series.predicted_order = predicted_order(study, solves, law, measure);
  for (const Compared& c : motions) {
    Row row{.law = {law.name, {}},
            .rigid_solver = judged.solver->name,
            .compliant_solver = solver,
            .epsilon = c.epsilon,
            .measure = measure,
            .status = {},
            .work = c.base->result.work};
    measure_errors(c.differences, windows, share, row);
    const Motion& predicted = measure.window == Window::after ? c.outer : c.leading;
    compare_with_prediction(size_of(predicted, measure, windows), series.predicted_order, row);
    row.status = status_of(row, c.base->result.outcome, judged.result.outcome);
    series.rows.push_back(std::move(row));
  }
  judge(study.expectations, series);
  return series;
}

}  // namespace

std::vector<Series> series_of(const Study& study, const Solves& solves, const JudgedRigid& rigid,
                              const std::string& law_name, const std::string& compliant_solver) {
  const LawInfo& law = *find_law(law_name);
  const std::vector<Compared> motions =
      compared_motions(study, solves, rigid, law, compliant_solver);
  std::vector<Series> all;
  for (const Quantity quantity : all_quantities)
    for (const Norm norm : rolling_norms)
      for (const Window window : rolling_windows)
        all.push_back(series_in({quantity, norm, window}, study, solves, solves.rigid[rigid.solve],
                                law, compliant_solver, motions));
  return all;
}

}  // namespace rigidlimit
