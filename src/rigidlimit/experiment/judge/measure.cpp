#include "rigidlimit/experiment/judge/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

std::vector<Quantity> quantities_of(const SystemInfo& system) {
  std::vector<Quantity> all(common_quantities.begin(), common_quantities.end());
  if (!system.positions.empty()) all.push_back(Quantity::gap);
  return all;
}

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return "q";
    case Quantity::v: return "v";
    case Quantity::lambda: return "lambda";
    case Quantity::gap: return "gap";
    case Quantity::event_time: return "event_time";
  }
  return "unknown";
}

const char* name_of(Norm norm) {
  switch (norm) {
    case Norm::sup: return "sup";
    case Norm::l1: return "l1";
    case Norm::l2: return "l2";
  }
  return "unknown";
}

const char* name_of(Window window) {
  switch (window) {
    case Window::all: return "all";
    case Window::after: return "after";
    case Window::away: return "away";
  }
  return "unknown";
}

std::string text_of(const Measure& m) {
  if (m.quantity == Quantity::event_time)
    return m.events.empty() ? "event_time" : fmt::format("event_time ({})", m.events);
  return fmt::format("{} {} {}", quantity_name(m), name_of(m.norm), name_of(m.window));
}

std::string quantity_name(const Measure& m) {
  return m.component.empty() ? name_of(m.quantity) : m.component;
}

const std::vector<Component>& components_of(const SystemInfo& system, Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return system.coordinates;
    case Quantity::v: return system.velocities;
    case Quantity::gap: return system.positions;
    case Quantity::lambda:
    case Quantity::event_time: break;
  }
  return system.contacts;
}

std::optional<Measure> measure_named(const std::string& word, const SystemInfo& system) {
  for (const Quantity quantity : quantities_of(system))
    if (word == name_of(quantity)) return Measure{.quantity = quantity};
  for (const Quantity quantity : quantities_of(system)) {
    const std::vector<Component>& components = components_of(system, quantity);
    const auto at = std::ranges::find(components, word, &Component::name);
    if (at != components.end() && !at->is_clock)
      return Measure{.quantity = quantity, .component = word, .row = at - components.begin()};
  }
  return std::nullopt;
}

std::vector<std::string> names_of_measures(const SystemInfo& system) {
  std::vector<std::string> names;
  const std::vector<Quantity> quantities = quantities_of(system);
  for (const Quantity quantity : quantities) names.emplace_back(name_of(quantity));
  for (const Quantity quantity : quantities)
    for (const Component& one : visible(components_of(system, quantity))) names.push_back(one.name);
  return names;
}

std::vector<std::string> units_of(const SystemInfo& system, Quantity quantity) {
  std::vector<std::string> units;
  for (const Component& one : visible(components_of(system, quantity)))
    if (std::ranges::find(units, one.unit) == units.end()) units.push_back(one.unit);
  return units;
}

std::string mixture_of(const Measure& measure, const SystemInfo& system) {
  const Quantity quantity = measure.quantity;
  if (quantity == Quantity::lambda || quantity == Quantity::event_time || measure.row >= 0)
    return "";
  const std::vector<std::string> units = units_of(system, quantity);
  if (units.size() < 2) return "";
  std::vector<std::string> names;
  for (const Component& one : visible(components_of(system, quantity))) names.push_back(one.name);
  return fmt::format("{} is the largest of components in {}; name one of them: {}",
                     name_of(quantity), fmt::join(units, ", "), fmt::join(names, ", "));
}

bool Windows::contains(Window window, double t) const {
  switch (window) {
    case Window::all: return true;
    case Window::after: return t >= after;
    case Window::away: break;
  }
  // The samples e ± margin belong to the window although their sums are rounded.
  const double inside = margin * (1.0 - 1e-6);
  return std::ranges::none_of(events, [&](double e) { return std::abs(t - e) <= inside; });
}

const MatrixXd& values_of(const Motion& motion, Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return motion.q;
    case Quantity::v: return motion.v;
    case Quantity::gap: return motion.gap;
    case Quantity::lambda:
    case Quantity::event_time: break;
  }
  return motion.lambda;
}

namespace {

constexpr double no_measure = std::numeric_limits<double>::quiet_NaN();

/// The samples in the window as contiguous runs [begin, end).
std::vector<std::pair<Index, Index>> runs_of(const std::vector<double>& times, Window window,
                                             const Windows& windows) {
  std::vector<std::pair<Index, Index>> runs;
  bool inside = false;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const bool was_inside = inside;
    inside = windows.contains(window, times[k]);
    const auto i = static_cast<Index>(k);
    if (inside && !was_inside) runs.emplace_back(i, i);
    if (inside) runs.back().second = i + 1;
  }
  return runs;
}

/// 1/|window| ∫ f dt over the runs; one value of f per sample.
double mean(const std::vector<double>& times, const VectorXd& f,
            const std::vector<std::pair<Index, Index>>& runs) {
  const auto t = [&](Index k) { return times[static_cast<std::size_t>(k)]; };
  double integral = 0.0, length = 0.0;
  for (const auto& [begin, end] : runs) {
    for (Index k = begin + 1; k < end; ++k) integral += 0.5 * (t(k) - t(k - 1)) * (f(k) + f(k - 1));
    length += t(end - 1) - t(begin);
  }
  if (length > 0.0) return integral / length;
  return runs.size() == 1 ? f(runs.front().first) : no_measure;
}

}  // namespace

double magnitude(const Motion& difference, const Measure& measure, const Windows& windows) {
  const MatrixXd& all = values_of(difference, measure.quantity);
  if (all.rows() == 0 && !difference.times.empty()) return 0.0;
  const auto values = measure.row < 0 ? all.topRows(all.rows()) : all.middleRows(measure.row, 1);
  const auto runs = runs_of(difference.times, measure.window, windows);
  double largest = no_measure;
  for (const auto& [begin, end] : runs) {
    const auto seen = values.middleCols(begin, end - begin);
    if (!seen.allFinite()) return no_measure;
    const double here = seen.size() == 0 ? 0.0 : seen.cwiseAbs().maxCoeff();
    if (!(largest >= here)) largest = here;
  }
  if (measure.norm == Norm::sup || std::isnan(largest)) return largest;
  if (measure.norm == Norm::l1)
    return mean(difference.times, values.cwiseAbs().colwise().sum().transpose(), runs);
  return std::sqrt(mean(difference.times, values.colwise().squaredNorm().transpose(), runs));
}

}  // namespace rigidlimit
