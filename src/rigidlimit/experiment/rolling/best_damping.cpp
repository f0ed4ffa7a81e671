#include "rigidlimit/experiment/rolling/best_damping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "rigidlimit/experiment/plan/parallel.hpp"

namespace rigidlimit {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// The vertex of the parabola through three points (x increasing, f1 the smallest), and its depth
/// below f1. x1 and 0 if the points are on a line.
std::pair<double, double> vertex(const std::array<double, 3>& x, const std::array<double, 3>& f) {
  const double left = (f[1] - f[0]) / (x[1] - x[0]);
  const double right = (f[2] - f[1]) / (x[2] - x[1]);
  const double curvature = (right - left) / (x[2] - x[0]);
  if (!(curvature > 0.0)) return {x[1], 0.0};
  // Newton's form: the slope at x1 is the mean of both slopes, weighted with the opposite widths.
  const double slope = (left * (x[2] - x[1]) + right * (x[1] - x[0])) / (x[2] - x[0]);
  return {x[1] - 0.5 * slope / curvature, 0.25 * slope * slope / curvature};
}

/// The next ratio to try between three neighbours: the vertex in sqrt(ζ), or a golden section of
/// the wider side if the vertex nearly coincides with a neighbour. Second: the expected gain.
std::pair<double, double> next_ratio(const Tried& low, const Tried& best, const Tried& high) {
  const std::array x{std::sqrt(low.ratio), std::sqrt(best.ratio), std::sqrt(high.ratio)};
  auto [at, gain] = vertex(x, {low.error, best.error, high.error});
  constexpr double golden = 0.381966;  // (3 − sqrt 5)/2
  const bool wider_above = x[2] - x[1] > x[1] - x[0];
  const double side = wider_above ? x[2] - x[1] : x[0] - x[1];
  if (std::abs(at - x[1]) < 0.02 * (x[2] - x[0])) at = x[1] + golden * side;
  return {at * at, gain};
}

/// Position of the smallest error; the size if there is none.
std::size_t least_of(const std::vector<Tried>& tried) {
  std::size_t best = tried.size();
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (!std::isnan(tried[i].error) && (best == tried.size() || tried[i].error < tried[best].error))
      best = i;
  return best;
}

/// Whether the error bars exceed the effect of the damping.
bool is_flat(const std::vector<Tried>& tried, std::size_t best) {
  return std::ranges::all_of(tried, [&](const Tried& t) {
    return std::isnan(t.error) ||
           !(t.error - tried[best].error > t.error_bar + tried[best].error_bar);
  });
}

}  // namespace

const char* name_of(BestDamping::Place place) {
  switch (place) {
    case BestDamping::Place::inside: return "inside";
    case BestDamping::Place::lower: return "lower end";
    case BestDamping::Place::upper: return "upper end";
    case BestDamping::Place::flat: break;
  }
  return "flat";
}

BestDamping least_error(std::vector<Tried> tried,
                        const std::function<Tried(double ratio)>& error_at, int most) {
  BestDamping found{.best = none, .low = none, .high = none, .error = none, .error_bar = none};
  std::size_t best = least_of(tried);
  if (best == tried.size()) return found;
  const bool flat = is_flat(tried, best);
  const auto is_inside = [&] { return best > 0 && best + 1 < tried.size(); };
  while (!flat && is_inside() && found.refinements < most) {
    const Tried &low = tried[best - 1], &high = tried[best + 1];
    const auto [ratio, gain] = next_ratio(low, tried[best], high);
    const double resolved = std::max(tried[best].error_bar, 1e-3 * tried[best].error);
    // The vertex may be the kink of a maximum: the gain from the two sides must be small as well.
    const double sides = std::max(low.error, high.error) - tried[best].error;
    if (found.refinements > 0 && (!(gain > resolved) || !(sides > resolved))) break;
    const Tried fresh = error_at(ratio);
    ++found.refinements;
    if (std::isnan(fresh.error)) break;
    tried.insert(std::ranges::upper_bound(tried, ratio, {}, &Tried::ratio), fresh);
    best = least_of(tried);
  }
  found.place = flat                       ? BestDamping::Place::flat
                : best == 0                ? BestDamping::Place::lower
                : best + 1 == tried.size() ? BestDamping::Place::upper
                                           : BestDamping::Place::inside;
  found.best = tried[best].ratio;
  found.low = tried[best == 0 ? 0 : best - 1].ratio;
  found.high = tried[std::min(best + 1, tried.size() - 1)].ratio;
  found.error = tried[best].error;
  found.error_bar = tried[best].error_bar;
  return found;
}

namespace {

/// Six solves, of seconds each, find a smooth minimum within its error bar and reduce the bracket
/// of a kink by ten.
constexpr int most_refinements = 6;

const Row* find_row(const std::vector<Series>& all, double epsilon, Quantity quantity,
                    NormAndWindow measure) {
  for (const Series& s : all)
    for (const Row& row : s.rows)
      if (row.epsilon == epsilon && row.measure.quantity == quantity &&
          row.measure.norm == measure.norm && row.measure.window == measure.window)
        return &row;
  return nullptr;
}

Tried tried_at(double ratio, const Row* row) {
  if (!row) return {.ratio = ratio, .error = none, .error_bar = none};
  return {.ratio = ratio, .error = row->model_error, .error_bar = row->error_bar()};
}

/// One (β, ε): all quantities and measures share each solve.
class Seeker {
 public:
  Seeker(const DampingMapResult& result, double exponent, double epsilon, const RunOptions& options)
      : result_(result), exponent_(exponent), epsilon_(epsilon), options_(options) {}

  std::vector<BestDamping> all() {
    std::vector<BestDamping> found;
    for (const NormAndWindow measure : all_measures)
      for (const Quantity quantity : all_quantities) found.push_back(seek(quantity, measure));
    return found;
  }

 private:
  BestDamping seek(Quantity quantity, NormAndWindow measure) {
    std::vector<Tried> tried;
    double critical = none;
    for (const MapColumn& column : result_.columns)
      if (column.damping_exponent == exponent_) {
        tried.push_back(
            tried_at(column.damping_ratio, find_row(column.series, epsilon_, quantity, measure)));
        if (column.damping_ratio == 1.0) critical = tried.back().error;
      }
    const auto error_at = [&](double ratio) {
      return tried_at(ratio, find_row(solved(ratio), epsilon_, quantity, measure));
    };
    BestDamping found = least_error(std::move(tried), error_at, most_refinements);
    found.damping_exponent = exponent_;
    found.epsilon = epsilon_;
    found.stiffness = none;
    found.quantity = quantity;
    found.measure = measure;
    found.critical_error = std::isnan(critical) ? error_at(1.0).error : critical;
    return found;
  }

  const std::vector<Series>& solved(double ratio) {
    const auto known = solved_.find(ratio);
    if (known != solved_.end()) return known->second;
    RollingStudy study = study_of_cell(result_.map, ratio, exponent_);
    study.epsilons = {epsilon_};
    std::vector<Series>& series = solved_[ratio];
    try {
      series = run_rolling_study(study, {.jobs = 1,
                                         .stop_requested = options_.stop_requested,
                                         .archive = options_.archive,
                                         .recompute = options_.recompute})
                   .series;
    } catch (const std::exception&) {
      series.clear();  // a damping that cannot be run is not better
    }
    return series;
  }

  const DampingMapResult& result_;
  double exponent_;
  double epsilon_;
  const RunOptions& options_;
  std::map<double, std::vector<Series>> solved_;
};

std::vector<BestDamping> best_ratios(const DampingMapResult& result, const RunOptions& options) {
  struct Task {
    double exponent, epsilon;
    std::vector<BestDamping> found;
  };
  std::vector<Task> tasks;
  for (const double beta : result.map.grid.exponents)
    for (const double epsilon : result.map.study.epsilons) tasks.push_back({beta, epsilon, {}});
  const auto stopped = [&] { return options.stop_requested && options.stop_requested(); };
  std::mutex guard;
  int done = 0;
  const int count = static_cast<int>(tasks.size());
  run_tasks(count, options.jobs, [&](int i) {
    Task& task = tasks[static_cast<std::size_t>(i)];
    if (stopped()) return;
    task.found = Seeker(result, task.exponent, task.epsilon, options).all();
    // An interrupted search has no result.
    if (stopped()) task.found.clear();
    const std::scoped_lock lock(guard);
    if (options.on_progress)
      options.on_progress(
          ++done, count,
          fmt::format("best damping, β = {:.4g}, ε = {:.4g}", task.exponent, task.epsilon));
  });
  std::vector<BestDamping> all;
  for (const Task& task : tasks) std::ranges::copy(task.found, std::back_inserter(all));
  return all;
}

/// Best damping along each line of constant c in the (c, d) plane, from the grid alone.
std::vector<BestDamping> best_of_plane(const DampingMapResult& result) {
  std::vector<BestDamping> all;
  const MapGrid& grid = result.map.grid;
  for (const double c : grid.stiffness) {
    const double critical = critical_damping_of(result.delassus, c);
    for (const NormAndWindow measure : all_measures)
      for (const Quantity quantity : all_quantities) {
        std::vector<Tried> tried;
        for (const MapColumn& column : result.columns)
          tried.push_back(tried_at(column.damping / critical,
                                   find_row(column.series, std::sqrt(1.0 / c), quantity, measure)));
        BestDamping found = least_error(tried, {}, 0);
        const auto next_to_one = std::ranges::min_element(tried, {}, [](const Tried& t) {
          return t.ratio > 0.0 ? std::abs(std::log(t.ratio)) : HUGE_VAL;
        });
        found.damping_exponent = none;
        found.epsilon = none;
        found.stiffness = c;
        found.quantity = quantity;
        found.measure = measure;
        found.critical_error = next_to_one->error;
        all.push_back(found);
      }
  }
  return all;
}

}  // namespace

std::vector<BestDamping> best_dampings(const DampingMapResult& result, const RunOptions& options) {
  if (std::ranges::any_of(result.columns, &MapColumn::interrupted)) return {};
  return result.map.grid.kind == MapGrid::Kind::plane ? best_of_plane(result)
                                                      : best_ratios(result, options);
}

}  // namespace rigidlimit
