#include "rigidlimit/experiment/friction/friction_grid.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/spec/uniform_grid.hpp"

namespace rigidlimit {

namespace {

/// Logarithmic: the springs and dampers of a contact may have times far below ε.
std::vector<double> layer_distances(const FrictionTime& time, double epsilon) {
  constexpr double shortest = Windows::neighbour_distance;
  const double decades = std::log10(std::max(time.layer_width * epsilon / shortest, 1.0));
  const int count = static_cast<int>(std::ceil(decades * time.layer_per_decade));
  std::vector<double> distances{shortest, time.margin};
  for (int k = 1; k <= count; ++k)
    distances.push_back(shortest * std::pow(10.0, decades * k / count));
  return distances;
}

}  // namespace

std::vector<double> friction_grid(const FrictionTime& time, double end, double epsilon,
                                  const std::vector<double>& event_times) {
  std::vector<double> times = uniform_grid(end, time.samples);
  const std::vector<double> layer = layer_distances(time, epsilon);
  const auto add_around = [&](double centre) {
    for (const double distance : layer)
      for (const double t : {centre - distance, centre + distance}) times.push_back(t);
  };
  add_around(0.0);
  for (const double t : event_times) add_around(t);
  const auto is_out = [&](double t) {
    if (t < 0.0 || t > end) return true;
    return t > 0.0 && t < end && std::ranges::any_of(event_times, [&](double e) {
             return std::abs(t - e) < 0.99 * Windows::neighbour_distance;
           });
  };
  std::erase_if(times, is_out);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace rigidlimit
