#include "rigidlimit/slip/slip_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/study/precise_motion.hpp"

namespace rigidlimit {

const char* name_of(SlipQuantity quantity) {
  switch (quantity) {
    case SlipQuantity::q: return "q";
    case SlipQuantity::v: return "v";
    case SlipQuantity::lambda: return "lambda";
    case SlipQuantity::event_time: return "event_time";
  }
  return "unknown";
}

const char* name_of(SlipNorm norm) {
  switch (norm) {
    case SlipNorm::sup: return "sup";
    case SlipNorm::l1: return "l1";
    case SlipNorm::l2: return "l2";
  }
  return "unknown";
}

const char* name_of(SlipWindow window) {
  return window == SlipWindow::all ? "all" : "away";
}

std::string text_of(const SlipMeasure& m) {
  if (m.quantity == SlipQuantity::event_time)
    return m.events.empty() ? "event_time" : fmt::format("event_time ({})", m.events);
  return fmt::format("{} {} {}", name_of(m.quantity), name_of(m.norm), name_of(m.window));
}

bool SlipEvents::is_away(double t) const {
  return std::ranges::none_of(times, [&](double e) { return std::abs(t - e) <= margin; });
}

bool SlipEvents::is_neighbour(double t) const {
  return std::ranges::any_of(
      times, [&](double e) { return std::abs(t - e) <= 1.01 * neighbour_distance; });
}

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const MatrixXd& values_of(const Motion& motion, SlipQuantity quantity) {
  if (quantity == SlipQuantity::q) return motion.q;
  return quantity == SlipQuantity::v ? motion.v : motion.lambda;
}

/// Which samples lie in the window.
std::vector<bool> seen_in(const Motion& d, SlipWindow window, const SlipEvents& events) {
  std::vector<bool> seen(d.times.size(), true);
  if (window == SlipWindow::away)
    for (std::size_t k = 0; k < seen.size(); ++k) seen[k] = events.is_away(d.times[k]);
  return seen;
}

/// 1/|window| ∫ f dt over the intervals whose two ends lie in the window; f one value a sample.
double mean(const std::vector<double>& times, const VectorXd& f, const std::vector<bool>& seen) {
  double integral = 0.0, length = 0.0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (!seen[k - 1] || !seen[k]) continue;
    const auto i = static_cast<Index>(k);
    integral += 0.5 * (times[k] - times[k - 1]) * (f(i) + f(i - 1));
    length += times[k] - times[k - 1];
  }
  return length > 0.0 ? integral / length : none;
}

}  // namespace

double magnitude(const Motion& difference, const SlipMeasure& measure, const SlipEvents& events) {
  const MatrixXd& values = values_of(difference, measure.quantity);
  const std::vector<bool> seen = seen_in(difference, measure.window, events);
  double largest = none;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (!seen[k]) continue;
    const auto column = values.col(static_cast<Index>(k));
    if (!column.allFinite()) return none;
    const double here = column.size() == 0 ? 0.0 : column.cwiseAbs().maxCoeff();
    if (!(largest >= here)) largest = here;
  }
  if (measure.norm == SlipNorm::sup || std::isnan(largest)) return largest;
  if (measure.norm == SlipNorm::l1)
    return mean(difference.times, values.cwiseAbs().colwise().sum().transpose(), seen);
  return std::sqrt(mean(difference.times, values.colwise().squaredNorm().transpose(), seen));
}

double sampling_error(const Motion& difference, const SlipMeasure& measure,
                      const SlipEvents& events) {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < difference.times.size(); ++k)
    if (k % 2 == 0 || k + 1 == difference.times.size() || events.is_neighbour(difference.times[k]))
      kept.push_back(k);
  return std::abs(magnitude(difference, measure, events) -
                  magnitude(restricted(difference, kept), measure, events));
}

}  // namespace rigidlimit
