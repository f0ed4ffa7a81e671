#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <tuple>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

namespace {

/// −log10 x, at most the digits of a double.
double digits(double x) {
  return -std::log10(std::max(x, 0.5 * std::numeric_limits<double>::epsilon()));
}

}  // namespace

GroupError judged(const MatrixXd& found, const BenchmarkReference& reference, std::size_t g) {
  GroupError result;
  if (reference.values.empty()) return result;
  const MatrixXd& y = reference.values[g];
  result.reference_error = reference.error[g];
  if (found.size() == 0 || !found.allFinite()) return result;
  if (found.rows() != y.rows() || found.cols() != y.cols())
    throw DamagedRecord(fmt::format("a stored result is {} × {}, and its reference {} × {}",
                                    found.rows(), found.cols(), y.rows(), y.cols()));
  const Eigen::ArrayXXd e = (found - y).array().abs();
  const Eigen::ArrayXXd size = y.array().abs();
  result.error = e.maxCoeff();
  result.mixed = digits((e / (size + 1.0)).maxCoeff());
  const double least = reference.error[g];
  if ((size > least).any()) result.scd = digits((size > least).select(e / size, 0.0).maxCoeff());
  result.status = result.error < reference_factor * result.reference_error
                      ? TrialStatus::reference_limited
                      : TrialStatus::ok;
  return result;
}

namespace {

bool is_in(const Trial& trial, const JudgedTogether& together, double band) {
  return std::ranges::all_of(together.groups, [&](std::size_t g) {
    const GroupError& e = trial.errors[g];
    return (together.relative ? std::pow(10.0, -e.scd) : e.error + e.reference_error) <=
           band;  // false for NaN
  });
}

/// The trial at the next tighter setting of the same method on the same problem.
const Trial* tighter(const BenchmarkResult& result, const Trial& trial) {
  const Trial* next = &trial + 1;
  if (next == result.trials.data() + result.trials.size()) return nullptr;
  return next->problem == trial.problem && next->method == trial.method ? next : nullptr;
}

bool reaches(const BenchmarkResult& result, const Trial& trial, const JudgedTogether& together,
             double band) {
  if (trial.outcome != Outcome::success || !is_in(trial, together, band)) return false;
  const Trial* next = tighter(result, trial);
  return !next || next->outcome != Outcome::success || is_in(*next, together, band);
}

/// Formulations of one motion share their reference.
bool is_first_of_motion(const BenchmarkResult& result, std::size_t p) {
  return p == 0 || result.problems[p].reference != result.problems[p - 1].reference;
}

Winner winner(const BenchmarkResult& result, std::size_t problem, const JudgedTogether& together,
              double band) {
  Winner w{.problem = problem, .groups = together.name, .band = band};
  std::set<std::pair<std::size_t, const OdeMethod*>> all, reached;
  for (const Trial& trial : result.trials) {
    if (result.problems[trial.problem].reference != result.problems[problem].reference) continue;
    all.emplace(trial.problem, trial.method);
    if (!reaches(result, trial, together, band)) continue;
    reached.emplace(trial.problem, trial.method);
    if (!std::isnan(trial.seconds) && (!w.fastest || trial.seconds < w.fastest->seconds))
      w.fastest = &trial;
    const long rhs = trial.work.rhs_evaluations;  // 0: not reported
    if (rhs > 0 && (!w.fewest_rhs || rhs < w.fewest_rhs->work.rhs_evaluations))
      w.fewest_rhs = &trial;
  }
  w.contestants = static_cast<int>(all.size());
  w.reached = static_cast<int>(reached.size());
  return w;
}

}  // namespace

std::vector<JudgedTogether> judged_together(const BenchmarkProblem& problem) {
  if (problem.groups == std::vector<std::string>{"q", "v", "lambda"})
    return {{.name = "q and v", .groups = {0, 1}}, {.name = "lambda", .groups = {2}}};
  std::vector<JudgedTogether> all;
  for (std::size_t g = 0; g < problem.groups.size(); ++g)
    all.push_back({.name = problem.groups[g] + ", relative", .groups = {g}, .relative = true});
  return all;
}

std::vector<Winner> winners(const BenchmarkResult& result) {
  std::vector<Winner> all;
  for (std::size_t p = 0; p < result.problems.size(); ++p) {
    if (!is_first_of_motion(result, p)) continue;
    for (const JudgedTogether& together : judged_together(result.problems[p]))
      for (const double band : error_bands) all.push_back(winner(result, p, together, band));
  }
  return all;
}

namespace {

/// The trials of one method on one problem, h decreasing: a run of neighbours.
template <class T>
std::vector<std::span<T>> trial_series(std::span<T> trials) {
  std::vector<std::span<T>> all;
  for (std::size_t first = 0; first < trials.size();) {
    std::size_t last = first;
    while (last < trials.size() && trials[last].problem == trials[first].problem &&
           trials[last].method == trials[first].method)
      ++last;
    all.push_back(trials.subspan(first, last - first));
    first = last;
  }
  return all;
}

/// The effect of rounding in this many steps: one unit in the last place of the largest value each.
double rounding_of(const BenchmarkResult& result, const Trial& trial, std::size_t group) {
  const std::size_t r = result.problems[trial.problem].reference;
  if (r >= result.references.size() || result.references[r].values.empty()) return 0.0;
  return static_cast<double>(std::max(trial.work.steps, 1L)) *
         std::numeric_limits<double>::epsilon() *
         result.references[r].values[group].cwiseAbs().maxCoeff();
}

/// `convergence` calls its variable ε; here it is h. An error as large as the values has no order:
/// then mixed, −log10 |e|/(|y| + 1), is near 0 or negative.
SeriesPoint trial_point(const BenchmarkResult& result, const Trial& trial, std::size_t group) {
  const GroupError& e = trial.errors[group];
  return {.epsilon = trial.setting.h,
          .error = e.error,
          .floor = std::max(e.reference_error, rounding_of(result, trial, group)),
          .usable = e.status != TrialStatus::failed && e.mixed > 0.5};
}

std::vector<SeriesPoint> points_of(const BenchmarkResult& result, std::span<const Trial> series,
                                   std::size_t group) {
  std::vector<SeriesPoint> points;
  for (const Trial& trial : series) points.push_back(trial_point(result, trial, group));
  return points;
}

void find_orders(const BenchmarkResult& result, std::span<Trial> series, std::size_t group) {
  const std::vector<SeriesPoint> points = points_of(result, series, group);
  const std::vector<double> orders = neighbour_orders(points);
  for (std::size_t k = 0; k < series.size(); ++k) {
    GroupError& e = series[k].errors[group];
    e.observed_order = orders[k];
    if (e.status == TrialStatus::ok && points[k].error < reference_factor * points[k].floor)
      e.status = TrialStatus::reference_limited;
    if (k > 0 && std::abs(orders[k]) < plateau_order && is_evidence(points[k - 1]) &&
        is_evidence(points[k]))
      e.status = TrialStatus::plateau;
  }
}

OrderFit fit_between(const std::vector<SeriesPoint>& all, double from, double to) {
  std::vector<SeriesPoint> points;
  for (const SeriesPoint& p : all)
    if (p.epsilon >= from && p.epsilon <= to) points.push_back(p);
  // The range is fixed in advance: the fit uses all its evidence, not a tail that happens to
  // settle.
  return fit_order(points,
                   {.max_spread = 0.1, .min_points = std::max<std::size_t>(3, points.size())});
}

/// From the smallest h up, over the neighbour orders that are evidence.
double crossover_of(std::span<const Trial> series, const std::vector<SeriesPoint>& points,
                    std::size_t group, double stiff, double resolved) {
  if (!(std::abs(stiff - resolved) >= plateau_order)) return std::nan("");
  for (std::size_t k = series.size(); k-- > 1;) {
    if (!is_evidence(points[k]) || !is_evidence(points[k - 1])) continue;
    const double order = series[k].errors[group].observed_order;
    if (std::abs(order - stiff) < std::abs(order - resolved))
      return std::sqrt(series[k].setting.h * series[k - 1].setting.h);
  }
  return std::nan("");
}

void find_least(std::span<const Trial> series, const std::vector<SeriesPoint>& points, double unit,
                StepOrders& orders) {
  for (std::size_t k = 1; k < series.size(); ++k) {
    if (!is_evidence(points[k]) || !is_evidence(points[k - 1])) continue;
    const double order = series[k].errors[orders.group].observed_order;
    if (orders.least <= order) continue;  // false for NaN: the first
    orders.least = order;
    orders.least_at = std::sqrt(series[k].setting.h * series[k - 1].setting.h) / unit;
  }
}

}  // namespace

void find_step_orders(BenchmarkResult& result) {
  for (const std::span<Trial> series : trial_series(std::span(result.trials)))
    for (std::size_t g = 0; g < series.front().errors.size(); ++g) find_orders(result, series, g);
}

std::vector<StepOrders> step_orders(const BenchmarkResult& result) {
  std::vector<StepOrders> all;
  for (const std::span<const Trial> series : trial_series(std::span(result.trials)))
    for (std::size_t g = 0; g < series.front().errors.size(); ++g) {
      const BenchmarkProblem& problem = result.problems[series.front().problem];
      const bool stiff = problem.epsilon > 0.0;  // false for NaN
      const double eps = stiff ? problem.epsilon : INFINITY;
      const std::vector<SeriesPoint> points = points_of(result, series, g);
      StepOrders orders{.problem = series.front().problem,
                        .method = series.front().method,
                        .group = g,
                        .stiff = fit_between(points, stiff_from * eps, INFINITY),
                        .resolved = fit_between(points, 0.0, resolved_to * eps)};
      orders.crossover =
          crossover_of(series, points, g, orders.stiff.order, orders.resolved.order) / eps;
      find_least(series, points, stiff ? eps : 1.0, orders);
      for (const Trial& trial : series)
        if (trial.errors[g].status == TrialStatus::plateau) {
          orders.plateau_from = trial.setting.h;
          if (std::isnan(orders.plateau_to)) orders.plateau_to = trial.setting.h;
        }
      all.push_back(orders);
    }
  return all;
}

}  // namespace rigidlimit
