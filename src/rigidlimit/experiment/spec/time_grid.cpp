#include "rigidlimit/experiment/spec/time_grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rigidlimit {

double TimeGrid::end_at(double epsilon) const {
  return stretch == 0.0 ? end : end * std::pow(epsilon, -stretch);
}

namespace {

/// The samples of a layer that begins at t.
void add_layer(const TimeGrid& grid, double epsilon, double t, double end,
               const std::optional<Ringing>& ringing, std::vector<double>& times) {
  for (const double tau :
       uniform_grid(std::min(grid.layer_width * epsilon, end - t), grid.layer_samples))
    times.push_back(t + tau);
  const double first = TimeGrid::shortest * epsilon;
  const double ratio = std::pow(10.0, 1.0 / TimeGrid::per_decade);
  for (double tau = first; t + tau < end; tau *= ratio) times.push_back(t + tau);
  if (!ringing) return;
  const double distance = ringing->period / Ringing::per_period;
  const double last = std::min(end, t + ringing->duration);
  for (int k = 1; k <= Ringing::most && t + k * distance < last; ++k)
    times.push_back(t + k * distance);
}

}  // namespace

std::vector<double> grid_for(const TimeGrid& grid, double epsilon, const GridMarks& marks) {
  const double end = grid.end_at(epsilon);
  if (grid.end_only) return {0.0, end};
  std::vector<double> times = uniform_grid(end, grid.samples);
  add_layer(grid, epsilon, 0.0, end, marks.ringing, times);
  for (const double t : marks.switches) add_layer(grid, epsilon, t, end, marks.ringing, times);
  std::ranges::sort(times);
  // Samples closer than this are merged: a solver could not step between them.
  const double resolution = 1e-12 * end;
  std::vector<double> distinct;
  for (const double t : times)
    if (distinct.empty() || t - distinct.back() > resolution) distinct.push_back(t);
  // These instants replace samples within the resolution: the end, the beginning of "after" and the
  // switches, each of which replaces the earlier ones.
  const auto put = [&](double instant, bool with_left_limit) {
    std::erase_if(distinct, [&](double t) {
      return t > 0.0 && std::abs(t - instant) <= resolution && (t < end || instant == end);
    });
    if (with_left_limit) distinct.push_back(std::nextafter(instant, 0.0));
    distinct.push_back(instant);
  };
  put(end, false);
  if (marks.after > resolution && marks.after < end - resolution) put(marks.after, false);
  for (const double t : marks.switches)
    if (t > resolution && t < end - resolution) put(t, true);
  std::ranges::sort(distinct);
  return distinct;
}

std::vector<double> union_of(const std::vector<std::vector<double>>& grids) {
  std::vector<double> all;
  for (const auto& grid : grids) all.insert(all.end(), grid.begin(), grid.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<std::size_t> positions_in(const std::vector<double>& fine,
                                      const std::vector<double>& coarse) {
  std::vector<std::size_t> positions;
  positions.reserve(coarse.size());
  for (const double t : coarse) {
    const auto at = std::ranges::lower_bound(fine, t);
    if (at == fine.end() || *at != t) throw std::logic_error("time missing in the fine grid");
    positions.push_back(static_cast<std::size_t>(at - fine.begin()));
  }
  return positions;
}

std::vector<double> uniform_grid(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i + 1 < count; ++i) times.push_back(end * i / (count - 1));
  times.push_back(end);  // not end * n / n, which may round to its neighbour
  return times;
}

}  // namespace rigidlimit
