#include "rigidlimit/experiment/rolling/judge_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/judge/evidence_status.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/series_terms.hpp"

namespace rigidlimit {

namespace {

std::string status_of(const Row& row, Outcome compliant, Outcome rigid) {
  if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
  if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
  if (std::isnan(row.model_error)) return "failed: no composite";
  return evidence_status(row);
}

/// Power of ε of the predicted leading term; NaN without a prediction.
double predicted_order(const RollingStudy& study, const Solves& solves, const LawInfo& law,
                       const Measure& measure) {
  if (study.composite_order)
    return measure.norm == Norm::sup ? remainder_order(study, measure.quantity) : std::nan("");
  const auto predicted = solves.predicted.find(law.name);
  if (predicted == solves.predicted.end() || !predicted->second.terms) return std::nan("");
  const LeadingTerms& terms = *predicted->second.terms;
  const double from = measure.window == Window::after ? study.after : 0.0;
  const LeadingOrders orders =
      measure.norm == Norm::sup ? terms.sup_orders(from) : terms.l2_orders(from);
  return std::array{orders.q, orders.v, orders.lambda}[static_cast<std::size_t>(measure.quantity)];
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
  const CompliantSolve& first = *ladder.front().solve;
  for (std::size_t k = 0; k < rolling_measures().size(); ++k) {
    const Measure& measure = rolling_measures()[k];
    Series series;
    series.predicted_order = predicted_order(study, solves, *first.law, measure);
    series.rows.reserve(ladder.size());
    for (const auto& [solve, comparison] : ladder) {
      Row row{.law = {solve->law->name, {}},
              .rigid_solver = rigid.solver->name,
              .compliant_solver = solve->method->name,
              .epsilon = study.epsilons[solve->epsilon],
              .measure = measure,
              .status = {},
              .work = solve->result.work};
      row.set(comparison->sizes[k]);
      compare_with_prediction(comparison->predicted[k], series.predicted_order, prediction_error,
                              row);
      row.status = status_of(row, solve->result.outcome, rigid.result.outcome);
      series.rows.push_back(std::move(row));
    }
    judge(study.expectations, series);
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace rigidlimit
