#include "rigidlimit/experiment/rolling/judge_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/judge/evidence_status.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/plan/solve_rounds.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

/// The differences of one ε and their prediction.
struct RowJudge::Compared {
  double epsilon;
  const CompliantSolve* base;
  Differences differences;  ///< model: compliant − rigid, or − (rigid + composite)
  Motion leading;  ///< predicted leading terms of `model` on [0, T]; empty without a prediction
  Motion after;    ///< the same on the window "after"
};

namespace {

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

}  // namespace

std::shared_ptr<const Motion> distance_from_reference(const Solves& solves,
                                                      const JudgedRigid& rigid) {
  const RigidMotion& judged = solves.rigid[rigid.solve].result;
  const RigidMotion& reference = solves.rigid[rigid.reference].result;
  const bool known = judged.outcome == Outcome::success && reference.outcome == Outcome::success;
  return std::make_shared<const Motion>(known ? difference(judged.motion, reference.motion)
                                              : Motion{});
}

RowJudge::RowJudge(const RollingStudy& study, const Solves& solves, const JudgedRigid& rigid,
                   std::shared_ptr<const Motion> off_reference, const std::string& law,
                   const std::string& compliant_solver)
    : study_(study),
      solves_(solves),
      judged_(solves.rigid[rigid.solve]),
      rigid_(judged_.result.outcome == Outcome::success ? &judged_.result : nullptr),
      off_reference_(std::move(off_reference)),
      law_(*find_law(law)),
      solver_(compliant_solver) {
  for (const Quantity quantity : all_quantities)
    for (const Norm norm : rolling_norms)
      for (const Window window : rolling_windows) measures_.push_back({quantity, norm, window});
  for (const Measure& measure : measures_)
    orders_.push_back(predicted_order(study, solves, law_, measure));
}

std::optional<RowJudge::Compared> RowJudge::compared_at(std::size_t e) const {
  const CompliantSolve& base = solves_.find(law_.name, solver_, e, false);
  const CompliantSolve& tighter = solves_.find(law_.name, solver_, e, true);
  if (!is_finished(base.result.outcome)) return std::nullopt;
  Compared c{study_.epsilons[e], &base, {}, {}, {}};
  Differences& d = c.differences;
  const std::vector<double>& times = solves_.grids[e];
  const Interpolation between(solves_.times, times);
  if (rigid_) {
    d.model = difference(base.result.motion, interpolated(rigid_->motion, between, times));
    d.rounding = rounding_of(base.result.motion, rigid_->motion);
    d.rounding.lambda = std::max(d.rounding.lambda, force_rounding(study_, rigid_->motion));
  }
  if (is_finished(tighter.result.outcome))
    d.solver = difference(base.result.motion, tighter.result.motion);
  if (!off_reference_->times.empty()) d.reference = interpolated(*off_reference_, between, times);
  if (study_.against == Against::composite) {
    d.model = rigid_ && solves_.prediction
                  ? difference(d.model, solves_.prediction->at(times).composite(c.epsilon, times))
                  : Motion{};
  } else if (solves_.prediction && law_.is_viscoelastic()) {
    const Prediction there = solves_.prediction->at(times);
    c.leading = there.leading(c.epsilon, times);
    c.after = there.leading(c.epsilon, times, study_.after);
  }
  return c;
}

Row RowJudge::row_of(const Measure& measure, double predicted_order, const Compared& c) const {
  Windows windows{.after = study_.after, .locate_peaks = true};
  for (const auto& crossing : solves_.crossings) windows.events.push_back(crossing.t);
  Row row{.law = {law_.name, {}},
          .rigid_solver = judged_.solver->name,
          .compliant_solver = solver_,
          .epsilon = c.epsilon,
          .measure = measure,
          .status = {},
          .work = c.base->result.work};
  measure_errors(c.differences, windows, share_of_difference(study_, solver_), row);
  const Motion& predicted = measure.window == Window::after ? c.after : c.leading;
  compare_with_prediction(size_of(predicted, measure, windows), predicted_order, row);
  row.status = status_of(row, c.base->result.outcome, judged_.result.outcome);
  return row;
}

std::vector<Row> RowJudge::rows_at(std::size_t epsilon) const {
  std::vector<Row> rows;
  if (const auto compared = compared_at(epsilon))
    for (std::size_t k = 0; k < measures_.size(); ++k)
      rows.push_back(row_of(measures_[k], orders_[k], *compared));
  return rows;
}

std::vector<Series> RowJudge::series(std::vector<std::vector<Row>> rows) const {
  std::vector<Series> all(measures_.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].predicted_order = orders_[k];
    for (std::vector<Row>& at_epsilon : rows)
      if (!at_epsilon.empty()) all[k].rows.push_back(std::move(at_epsilon[k]));
    judge(study_.expectations, all[k]);
  }
  return all;
}

}  // namespace rigidlimit
