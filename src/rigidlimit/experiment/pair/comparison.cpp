#include "rigidlimit/experiment/pair/comparison.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "rigidlimit/experiment/judge/judge_series.hpp"

namespace rigidlimit {

Comparison compared(const ErrorMeasures& errors, const std::vector<Measure>& measures,
                    const std::function<const DifferenceCurve&(Window)>& leading) {
  Comparison found;
  for (const Measure& measure : measures) {
    found.sizes.push_back(errors.sizes(measure));
    found.predicted.push_back(leading(measure.window).size(measure).value);
  }
  return found;
}

void compare_with_prediction(double predicted, double order, double own_error, Row& row) {
  if (std::isnan(predicted) || std::isnan(order)) return;
  row.predicted_coefficient = predicted / std::pow(row.epsilon, order);
  // A vanishing term (λ₂ of the prepared knife edge) is round-off and has no ratio.
  if (!(predicted > row.error_bar())) return;
  row.ratio = row.model_error / predicted;
  row.ratio_error = row.error_bar() / predicted + own_error;
}

std::string status_of(const Row& row, Outcome compliant, Outcome rigid, const char* no_number) {
  if (compliant != Outcome::success) return fmt::format("failed: {}", name_of(compliant));
  if (rigid != Outcome::success) return fmt::format("failed: rigid {}", name_of(rigid));
  return std::isnan(row.model_error) ? no_number : evidence_status(row);
}

std::vector<Series> series_of(const SeriesSetting& setting,
                              const std::vector<ComparedSolve>& ladder) {
  std::vector<Series> all;
  for (std::size_t k = 0; k < setting.measures.size(); ++k) {
    Series series;
    series.predicted_order = setting.predicted_order(setting.measures[k]);
    series.rows.reserve(ladder.size());
    for (const auto& [solve, outcome, comparison] : ladder) {
      Row& row = series.rows.emplace_back(solve);
      row.measure = setting.measures[k];
      row.set(comparison->sizes[k]);
      compare_with_prediction(comparison->predicted[k], series.predicted_order,
                              setting.prediction_error, row);
      row.status = status_of(row, outcome, setting.rigid, setting.no_number);
    }
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace rigidlimit
