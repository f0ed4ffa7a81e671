#include "rigidlimit/experiment/friction/friction_grid.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/spec/uniform_grid.hpp"

namespace rigidlimit {

namespace {

/// t/ε: logarithmic.
std::vector<double> layer_of(const FrictionTime& time) {
  std::vector<double> tau;
  const double decades = std::log10(time.layer_width / FrictionTime::shortest_layer);
  const int count = static_cast<int>(std::ceil(decades * time.layer_per_decade));
  for (int k = 0; k <= count; ++k)
    tau.push_back(FrictionTime::shortest_layer * std::pow(10.0, decades * k / count));
  return tau;
}

}  // namespace

std::vector<double> friction_grid(const FrictionTime& time, double end, double epsilon,
                                  const std::vector<double>& event_times) {
  std::vector<double> times = uniform_grid(end, time.samples);
  const std::vector<double> layer = layer_of(time);
  const auto add_around = [&](double centre) {
    for (const double tau : layer)
      for (const double t : {centre - epsilon * tau, centre + epsilon * tau}) times.push_back(t);
    for (const double side : {-1.0, 1.0})
      for (const double distance : {Windows::neighbour_distance, time.margin})
        times.push_back(centre + side * distance);
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
