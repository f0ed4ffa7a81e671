#include "rigidlimit/experiment/judge/judge_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "rigidlimit/convergence/further_terms.hpp"
#include "rigidlimit/convergence/without_order.hpp"

namespace rigidlimit {

bool has_numbers(const std::vector<Series>& all) {
  return std::ranges::any_of(all, [](const Series& s) {
    return std::ranges::any_of(s.rows,
                               [](const Row& row) { return !std::isnan(row.model_error()); });
  });
}

std::vector<SeriesPoint> points_of(const std::vector<Row>& rows) {
  std::vector<SeriesPoint> points;
  for (const Row& row : rows)
    points.push_back({.epsilon = row.epsilon,
                      .error = row.failed() ? OrderFit::none : row.model_error(),
                      .floor = row.floor(),
                      .source = row.evidence.floor,
                      .predicted = row.model_error() / row.ratio,
                      .proved = row.proved_interval()});
  return points;
}

namespace {

/// The order that remains after removing the further terms. The rows are the last ones of `points`.
Judgement judge_without_terms(std::span<const SeriesPoint> points, const ExpectationSpec& e) {
  Judgement judgement = judge(without_terms(points, e.next_orders), e.expected_order());
  judgement.fit.first += e.next_orders.size();
  judgement.fit.last += e.next_orders.size();
  judgement.reason +=
      fmt::format("; after removing the terms of order {:g}", fmt::join(e.next_orders, ", "));
  return judgement;
}

Judgement judged_as_expected(std::span<const SeriesPoint> points,
                             const std::optional<ExpectationSpec>& spec) {
  if (!spec) return judge(points);
  switch (spec->convergence) {
    case Convergence::none: return judge_no_convergence(points, spec->within);
    case Convergence::exact: return judge_equality(points, spec->within);
    case Convergence::bounded: return judge_limit(points, spec->within);
    case Convergence::of_order: break;
  }
  if (!spec->next_orders.empty() && points.size() > spec->next_orders.size())
    return judge_without_terms(points, *spec);
  return judge(points, spec->expected_order());
}

/// A row whose predicted term is not visible has no ratio and is excluded.
void judge_ratios(Series& series) {
  if (!series.expectation || !series.expectation->ratio) return;
  std::vector<RatioPoint> points;
  for (const Row& row : series.rows)
    points.push_back({.epsilon = row.epsilon,
                      .ratio = row.failed() ? OrderFit::none : row.ratio,
                      .floor = row.ratio_error,
                      .usable = row.failed() || !std::isnan(row.ratio)});
  series.ratio = judge_ratio(
      points, {.target = *series.expectation->ratio, .within = series.expectation->ratio_within});
}

}  // namespace

void judge(const std::vector<ExpectationSpec>& expectations, Series& series) {
  if (series.rows.empty()) return;
  const Row& any = series.rows.front();
  for (const ExpectationSpec& e : expectations)
    if (e.concerns(any.law, any.measure)) series.expectation = e;
  const std::vector<SeriesPoint> points = points_of(series.rows);
  series.judgement = judged_as_expected(points, series.expectation);
  const std::vector<double> orders = neighbour_orders(points);
  for (std::size_t k = 0; k < series.rows.size(); ++k) {
    series.rows[k].order = orders[k];
    series.rows[k].verdict = series.judgement.verdict;
  }
  judge_ratios(series);
}

Evidence evidence_of(const Row& row) {
  // Not "<": a NaN must not pass.
  const auto hidden_by = [&](double error) {
    return !(row.model_error() >= evidence_factor * error);
  };
  const auto limited_by = [](FloorSource floor) {
    return Evidence{.state = Evidence::State::limited, .floor = floor};
  };
  if (row.proved() != nullptr)
    return hidden_by(row.floor()) ? limited_by(FloorSource::rounding)
                                  : Evidence{.state = Evidence::State::proved};
  if (hidden_by(row.sizes.rounding)) return limited_by(FloorSource::rounding);
  if (hidden_by(row.sizes.solver)) return limited_by(FloorSource::solver);
  if (hidden_by(row.sizes.reference)) return limited_by(FloorSource::reference);
  if (hidden_by(row.sizes.sampling)) return limited_by(FloorSource::sampling);
  return {.state = Evidence::State::ok};
}

}  // namespace rigidlimit
