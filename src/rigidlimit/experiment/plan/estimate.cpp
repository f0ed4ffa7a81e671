#include "rigidlimit/experiment/plan/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

// Shorter times are noise.
constexpr double shortest = 1e-6;

}  // namespace

std::string duration_text(double seconds) {
  const struct {
    double size;
    const char* name;
  } units[] = {{86400.0, "d"}, {3600.0, "h"}, {60.0, "min"}, {1.0, "s"}};
  for (std::size_t k = 0; k + 1 < std::size(units); ++k) {
    // Rounded in the smaller unit, so that "60 min" never appears.
    const double parts = std::round(seconds / units[k + 1].size);
    const double each = units[k].size / units[k + 1].size;
    if (parts < each) continue;
    const double whole = std::floor(parts / each), rest = parts - each * whole;
    const std::string large = fmt::format("about {:.0f} {}", whole, units[k].name);
    return rest == 0.0 ? large : fmt::format("{} {:.0f} {}", large, rest, units[k + 1].name);
  }
  return fmt::format("about {:.0f} s", seconds);
}

std::size_t TimeEstimate::add(const std::string& group, double epsilon) {
  const std::size_t number = groups_.try_emplace(group, groups_.size()).first->second;
  // ε = 0 is ideal rolling, which is as cheap as ε = 1.
  points_.push_back({number, epsilon > 0.0 ? -std::log(epsilon) : 0.0, std::nullopt});
  return points_.size() - 1;
}

void TimeEstimate::finish(std::size_t solve, double seconds) {
  points_.at(solve).seconds = std::max(shortest, seconds);
}

std::vector<TimeEstimate::Fit> TimeEstimate::fits() const {
  std::vector<Fit> fits(groups_.size());
  for (const Point& p : points_) {
    if (!p.seconds) continue;
    Fit& fit = fits[p.group];
    fit.count += 1.0;
    fit.x += (p.x - fit.x) / fit.count;
    fit.y += (std::log(*p.seconds) - fit.y) / fit.count;
  }
  for (const Point& p : points_) {
    if (!p.seconds) continue;
    Fit& fit = fits[p.group];
    fit.xx += (p.x - fit.x) * (p.x - fit.x);
    fit.xy += (p.x - fit.x) * (std::log(*p.seconds) - fit.y);
  }
  return fits;
}

double TimeEstimate::slope(double xy, double xx) const {
  return xx > 0.0 ? std::clamp(xy / xx, 0.0, steepest_) : 0.0;
}

double TimeEstimate::common_slope(const std::vector<Fit>& all) const {
  double xx = 0.0, xy = 0.0;
  for (const Fit& fit : all) {
    xx += fit.xx;
    xy += fit.xy;
  }
  return slope(xy, xx);
}

SolveCosts TimeEstimate::costs() const {
  const std::vector<Fit> all = fits();
  const double common = common_slope(all);
  SolveCosts costs;
  for (const auto& [group, k] : groups_) {
    const Fit& fit = all[k];
    if (fit.count == 0.0) continue;
    const double p = fit.xx > 0.0 ? slope(fit.xy, fit.xx) : common;
    costs[group] = {.at_one = 1.0, .exponent = p};
    double seconds = 0.0, at_one = 0.0;
    for (const Point& point : points_) {
      if (point.group != k || !point.seconds) continue;
      seconds += *point.seconds;
      at_one += std::exp(p * point.x);
    }
    costs[group].at_one = seconds / at_one;
  }
  return costs;
}

Estimate TimeEstimate::left(int jobs) const {
  const std::vector<Fit> all = fits();
  const double common = common_slope(all);
  Estimate left;
  for (const Point& p : points_) {
    if (p.seconds) continue;
    ++left.solves;
    const Fit& fit = all[p.group];
    if (fit.count == 0.0)
      ++left.unknown;
    else
      left.seconds +=
          std::exp(fit.y + (fit.xx > 0.0 ? slope(fit.xy, fit.xx) : common) * (p.x - fit.x));
  }
  left.seconds /= std::max(1, std::min(jobs, left.solves));
  return left;
}

}  // namespace rigidlimit
