#include "rigidlimit/experiment/rolling/judge_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/judge/evidence_status.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/series_terms.hpp"

namespace rigidlimit {

namespace {

std::string status_of(const Row& row, Outcome compliant, Outcome rigid) {
  if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
  if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
  if (std::isnan(row.model_error)) return "failed: no composite";
  return evidence_status(row);
}

/// Power of ε of the first of these terms that is not zero; NaN: none. T: LeadingTerms or
/// StudySeries.
template <class T>
double order_of(const T& terms, const RollingStudy& study, const Measure& measure) {
  const double from = measure.window == Window::after ? study.after : study.initial.t;
  const LeadingOrders orders =
      measure.norm == Norm::sup ? terms.sup_orders(from) : terms.l2_orders(from);
  return std::array{orders.q, orders.v, orders.lambda}[static_cast<std::size_t>(measure.quantity)];
}

/// Power of ε of the predicted leading term; NaN without a prediction.
double predicted_order(const RollingStudy& study, const Solves& solves, const LawInfo& law,
                       const Measure& measure) {
  if (study.composite_order)
    return solves.series && measure.norm == Norm::sup ? order_of(*solves.series, study, measure)
                                                      : std::nan("");
  const auto predicted = solves.predicted.find(law.name);
  if (predicted == solves.predicted.end() || !predicted->second.terms) return std::nan("");
  return order_of(*predicted->second.terms, study, measure);
}

/// The expectations with the orders that a study against the composite of order K leaves out: those
/// of its remainder. Without a known term, the remainder claims K + 1.
std::vector<ExpectationSpec> with_orders_of_remainder(const RollingStudy& study,
                                                      const Solves& solves) {
  std::vector<ExpectationSpec> all = study.expectations;
  if (!study.composite_order) return all;
  for (ExpectationSpec& e : all) {
    if (e.judges_errors()) continue;
    if (solves.series) e.order = order_of(*solves.series, study, e.measure);
    if (std::isnan(e.order.value_or(std::nan(""))))
      e.order = (*study.composite_order + 1) * power_of_epsilon(law_of(study));
  }
  return all;
}

/// Weakens a verdict against the order or ratio of the theory to pre-asymptotic if the layer lasts
/// for more than a tenth of the motion: there, the leading terms need not be the largest ones.
void allow_for_layer(const Solves& solves, Series& series) {
  const auto predicted = solves.predicted.find(series.rows.front().law.name);
  if (predicted == solves.predicted.end() || !predicted->second.terms || !series.expectation)
    return;
  const auto weaken = [&](std::size_t last, Verdict& verdict, std::string& reason) {
    const double share = predicted->second.terms->layer_share(series.rows[last].epsilon);
    if (!(share > 0.1) || (verdict != Verdict::refuted && verdict != Verdict::diverging)) return;
    verdict = Verdict::pre_asymptotic;
    reason += fmt::format("; at this ε the layer lasts for {:.2g} of the motion", share);
  };
  const ExpectationSpec& e = *series.expectation;
  if (e.order && std::abs(*e.order - series.predicted_order) <= e.within)
    weaken(series.judgement.fit.last, series.judgement.verdict, series.judgement.reason);
  if (e.ratio) weaken(series.ratio.last, series.ratio.verdict, series.ratio.reason);
  for (Row& row : series.rows) row.verdict = series.judgement.verdict;
}

/// Relative, of a prediction: its outer terms and layers are exact to 1e-13 of their largest
/// values.
constexpr double prediction_error = 1e-12;

}  // namespace

void compare_with_prediction(double predicted, double order, double own_error, Row& row) {
  if (std::isnan(predicted) || std::isnan(order)) return;
  row.predicted_coefficient = predicted / std::pow(row.epsilon, order);
  // A vanishing term (λ₂ of the prepared knife edge) is round-off and has no ratio.
  if (!(predicted > row.error_bar())) return;
  row.ratio = row.model_error / predicted;
  row.ratio_error = row.error_bar() / predicted + own_error;
}

std::vector<Series> judged_series(const RollingStudy& study, const Solves& solves,
                                  const RigidSolve& rigid, const std::vector<JudgedSolve>& ladder) {
  std::vector<Series> all;
  if (ladder.empty()) return all;
  const std::vector<ExpectationSpec> expectations = with_orders_of_remainder(study, solves);
  const RollingPair& first = *ladder.front().pair;
  for (std::size_t k = 0; k < rolling_measures().size(); ++k) {
    const Measure& measure = rolling_measures()[k];
    Series series;
    series.predicted_order = predicted_order(study, solves, *first.law, measure);
    series.rows.reserve(ladder.size());
    for (const auto& [pair, comparison] : ladder) {
      Row row{.law = {pair->law->name, {}},
              .rigid_solver = rigid.solver->name,
              .compliant_solver = pair->method->name,
              .epsilon = study.epsilons[pair->epsilon],
              .measure = measure,
              .status = {},
              .work = pair->base.work};
      row.set(comparison->sizes[k]);
      compare_with_prediction(comparison->predicted[k], series.predicted_order, prediction_error,
                              row);
      row.status = status_of(row, pair->base.outcome, rigid.result.outcome);
      series.rows.push_back(std::move(row));
    }
    judge(expectations, series);
    allow_for_layer(solves, series);
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace rigidlimit
