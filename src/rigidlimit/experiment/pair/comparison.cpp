#include "rigidlimit/experiment/pair/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/judge/judge_series.hpp"

namespace rigidlimit {

Comparison compared(const ErrorMeasures& errors, const std::vector<Measure>& measures,
                    const std::function<const DifferenceCurve&(Window)>& leading) {
  Comparison found;
  for (const Measure& measure : measures) {
    found.sizes.push_back(errors.sizes(measure));
    found.predicted.push_back(leading(measure.window).size(measure));
  }
  return found;
}

namespace {

/// The part of a size that its sampling error is; 0 where that is unknown.
double sampling_part(double error, double size) {
  return size > 0.0 && std::isfinite(error) ? error / size : 0.0;
}

}  // namespace

void compare_with_prediction(const CurveSize& term, double order, double own_error, Row& row) {
  const double predicted = term.value;
  if (std::isnan(predicted) || std::isnan(order)) return;
  row.predicted_coefficient = predicted / std::pow(row.epsilon, order);
  // A vanishing term (λ₂ of the prepared knife edge) is round-off and has no ratio.
  if (!(predicted > row.error_bar())) return;
  row.ratio = row.model_error() / predicted;
  const double measured_part =
      row.proved() != nullptr ? 0.0 : sampling_part(row.sizes.sampling, row.model_error());
  const double predicted_part = sampling_part(term.sampling_error, predicted);
  const double different = std::abs(measured_part - predicted_part),
               common = std::max(measured_part, predicted_part);
  row.ratio_error = row.error_bar() / predicted + own_error + row.ratio * different +
                    10.0 * std::abs(row.ratio - 1.0) * common;
}

std::vector<SeriesPoint> points_of(const BoundSpec& spec, const std::vector<Row>& rows) {
  std::vector<SeriesPoint> points = points_of(rows);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (spec.subject == BoundSpec::Subject::solver_error) {
      points[k].error = rows[k].solver_error();
      points[k].floor = 0.0;
      points[k].proved.reset();
    }
    if (spec.proof == BoundSpec::Proof::rows && rows[k].proved() == nullptr)
      points[k].floor = std::nan("");
  }
  return points;
}

BoundJudgement judged(const BoundSpec& spec, const std::vector<SeriesPoint>& points) {
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  return judge_bound(points, spec.bound, of_solver ? "solver error" : "error");
}

Evidence evidence_of(const Row& row, Outcome compliant, Outcome rigid, Absent absent) {
  if (compliant != Outcome::success) return {.compliant = compliant};
  if (rigid != Outcome::success) return {.rigid = rigid};
  return std::isnan(row.model_error()) ? Evidence{.absent = absent} : evidence_of(row);
}

std::vector<ComparedSolve> compared_solves(const PairAxes& axes, const PairLadder& ladder,
                                           const std::string& rigid_solver, std::size_t judged) {
  std::vector<ComparedSolve> all;
  for (const CompliantPair* pair : ladder)
    all.push_back({.solve = axes.row(*pair, rigid_solver),
                   .outcome = pair->base.outcome,
                   .comparison = &pair->against[judged]});
  return all;
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
      row.sizes = comparison->sizes[k];
      compare_with_prediction(comparison->predicted[k], series.predicted_order,
                              setting.prediction_error, row);
      row.evidence = evidence_of(row, outcome, setting.rigid, setting.absent);
    }
    all.push_back(std::move(series));
  }
  return all;
}

bool all_held(const std::vector<ExpectationSpec>& expectations, const std::vector<LawName>& laws,
              std::size_t pairs, const std::vector<Series>& series) {
  for (const ExpectationSpec& e : expectations)
    for (const LawName& law : laws) {
      if (!e.concerns(law, e.measure)) continue;
      const auto judged = std::ranges::count_if(series, [&](const Series& s) {
        return !s.rows.empty() && s.rows.front().law == law && s.rows.front().measure == e.measure;
      });
      if (judged < static_cast<std::ptrdiff_t>(pairs)) return false;
    }
  return std::ranges::all_of(series, &Series::held);
}

}  // namespace rigidlimit
