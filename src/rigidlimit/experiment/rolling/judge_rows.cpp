#include "rigidlimit/experiment/rolling/judge_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/experiment/judge/evidence_status.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/plan/solve_rounds.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// The differences of one ε and their prediction.
struct Compared {
  double epsilon;
  const CompliantSolve* base;
  Differences differences;  ///< model: compliant − rigid, or − (rigid + composite)
  Motion leading;  ///< predicted leading terms of `model` on [0, T]; empty without a prediction
  Motion after;    ///< the same on the window "after"
};

/// One pair of solvers: values that do not depend on ε.
struct Pair {
  const RollingStudy& study;
  const Solves& solves;
  const RigidSolve& judged;
  const RigidMotion* rigid;  ///< nullptr if it failed
  Motion off_reference;      ///< rigid − its reference; without times if one of the two failed
  const LawInfo& law;
  std::string solver;
};

Pair pair_of(const RollingStudy& study, const Solves& solves, const JudgedRigid& judged,
             const LawInfo& law, const std::string& solver) {
  const RigidSolve& by = solves.rigid[judged.solve];
  const RigidMotion& reference = solves.rigid[judged.reference].result;
  const bool has_rigid = by.result.outcome == Outcome::success;
  const bool has_reference = has_rigid && reference.outcome == Outcome::success;
  return {study,
          solves,
          by,
          has_rigid ? &by.result : nullptr,
          has_reference ? difference(by.result.motion, reference.motion) : Motion{},
          law,
          solver};
}

/// Rounding of a λ that vanishes: the force that changes the momentum by its rounding in one
/// interval.
double force_rounding(const RollingStudy& study, const PreciseMotion& rigid) {
  const VectorXd q = rigid.rounded.q.col(0), v = rigid.rounded.v.col(0);
  const double speed = v.cwiseAbs().maxCoeff();
  if (!(speed > 0.0)) return 0.0;
  const double kinetic = mechanical_energy(study.model, q, v) -
                         mechanical_energy(study.model, q, VectorXd::Zero(v.size()));
  const double momentum = 2.0 * kinetic / speed;
  return rounding_of(rigid, rigid).v / speed * momentum / rigid.rounded.times.back();
}

/// Empty if the compliant solve was left out.
std::optional<Compared> compared_at(std::size_t e, const Pair& pair) {
  const RollingStudy& study = pair.study;
  const Solves& solves = pair.solves;
  const CompliantSolve& base = solves.find(pair.law.name, pair.solver, e, false);
  const CompliantSolve& tighter = solves.find(pair.law.name, pair.solver, e, true);
  if (!is_finished(base.result.outcome)) return std::nullopt;
  Compared c{study.epsilons[e], &base, {}, {}, {}};
  Differences& d = c.differences;
  const std::vector<double>& times = solves.grids[e];
  const Interpolation between(solves.times, times);
  if (pair.rigid) {
    d.model = difference(base.result.motion, interpolated(pair.rigid->motion, between, times));
    d.rounding = rounding_of(base.result.motion, pair.rigid->motion);
    d.rounding.lambda = std::max(d.rounding.lambda, force_rounding(study, pair.rigid->motion));
  }
  if (is_finished(tighter.result.outcome))
    d.solver = difference(base.result.motion, tighter.result.motion);
  if (!pair.off_reference.times.empty())
    d.reference = interpolated(pair.off_reference, between, times);
  if (study.against == Against::composite) {
    d.model = pair.rigid && solves.prediction
                  ? difference(d.model, solves.prediction->at(times).composite(c.epsilon, times))
                  : Motion{};
  } else if (solves.prediction && pair.law.is_viscoelastic()) {
    const Prediction there = solves.prediction->at(times);
    c.leading = there.leading(c.epsilon, times);
    c.after = there.leading(c.epsilon, times, study.after);
  }
  return c;
}

std::string status_of(const Row& row, Outcome compliant, Outcome rigid) {
  if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
  if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
  if (std::isnan(row.model_error)) return "failed: no composite";
  return evidence_status(row);
}

/// Power of ε of the predicted leading term; NaN without a prediction.
double predicted_order(const RollingStudy& study, const Solves& solves, const LawInfo& law,
                       const Measure& measure) {
  if (!solves.prediction || !law.is_viscoelastic() || study.against == Against::composite)
    return std::nan("");
  const double from = measure.window == Window::after ? study.after : 0.0;
  const LeadingOrders orders = measure.norm == Norm::sup ? solves.prediction->sup_orders(from)
                                                         : solves.prediction->l2_orders(from);
  return std::array{orders.q, orders.v, orders.lambda}[static_cast<std::size_t>(measure.quantity)];
}

/// Sets K, the ratio and its error bar from the size of the predicted term.
void compare_with_prediction(double predicted, double order, Row& row) {
  if (std::isnan(predicted) || std::isnan(order)) return;
  row.predicted_coefficient = predicted / std::pow(row.epsilon, order);
  // A vanishing term (λ₂ of the prepared knife edge) is round-off and has no ratio.
  if (!(predicted > row.error_bar())) return;
  constexpr double own_error = 1e-12;  // relative, of the prediction: the tolerance of its solve
  row.ratio = row.model_error / predicted;
  row.ratio_error = row.error_bar() / predicted + own_error;
}

/// ‖first − second solve‖ as a fraction of the error of the first, for an ideal method: 1 − θ with
/// tolerances × θ, and 1 − 2^(−p) with half the step size, p the order.
double share_of_difference(const RollingStudy& study, const std::string& compliant_solver) {
  if (study.solvers.steps == 0) return 1.0 - study.solvers.tighten;
  return 1.0 - std::ldexp(1.0, -find_ode_method(compliant_solver)->order);
}

Row row_of(const Measure& measure, double predicted_order, const Pair& pair, const Compared& c) {
  Windows windows{.after = pair.study.after, .locate_peaks = true};
  for (const auto& crossing : pair.solves.crossings) windows.events.push_back(crossing.t);
  Row row{.law = {pair.law.name, {}},
          .rigid_solver = pair.judged.solver->name,
          .compliant_solver = pair.solver,
          .epsilon = c.epsilon,
          .measure = measure,
          .status = {},
          .work = c.base->result.work};
  measure_errors(c.differences, windows, share_of_difference(pair.study, pair.solver), row);
  const Motion& predicted = measure.window == Window::after ? c.after : c.leading;
  compare_with_prediction(size_of(predicted, measure, windows), predicted_order, row);
  row.status = status_of(row, c.base->result.outcome, pair.judged.result.outcome);
  return row;
}

}  // namespace

std::vector<Series> series_of(const RollingStudy& study, const Solves& solves,
                              const JudgedRigid& rigid, const std::string& law_name,
                              const std::string& compliant_solver) {
  const Pair pair = pair_of(study, solves, rigid, *find_law(law_name), compliant_solver);
  std::vector<Measure> measures;
  for (const Quantity quantity : all_quantities)
    for (const Norm norm : rolling_norms)
      for (const Window window : rolling_windows) measures.push_back({quantity, norm, window});
  std::vector<Series> all(measures.size());
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k].predicted_order = predicted_order(study, solves, pair.law, measures[k]);
  // One ε at a time: the differences of an ensemble would fill the memory.
  for (std::size_t e = 0; e < study.epsilons.size(); ++e)
    if (const auto compared = compared_at(e, pair))
      for (std::size_t k = 0; k < all.size(); ++k)
        all[k].rows.push_back(row_of(measures[k], all[k].predicted_order, pair, *compared));
  for (Series& series : all) judge(study.expectations, series);
  return all;
}

}  // namespace rigidlimit
