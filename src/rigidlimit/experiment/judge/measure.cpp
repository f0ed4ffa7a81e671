#include "rigidlimit/experiment/judge/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/experiment/judge/precise_motion.hpp"

namespace rigidlimit {

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return "q";
    case Quantity::v: return "v";
    case Quantity::lambda: return "lambda";
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
  return fmt::format("{} {} {}", name_of(m.quantity), name_of(m.norm), name_of(m.window));
}

bool Windows::contains(Window window, double t) const {
  switch (window) {
    case Window::all: return true;
    case Window::after: return t > after;
    case Window::away: break;
  }
  return std::ranges::none_of(events, [&](double e) { return std::abs(t - e) <= margin; });
}

bool Windows::is_neighbour(double t) const {
  return std::ranges::any_of(
      events, [&](double e) { return std::abs(t - e) <= 1.01 * neighbour_distance; });
}

const MatrixXd& values_of(const Motion& motion, Quantity quantity) {
  if (quantity == Quantity::q) return motion.q;
  return quantity == Quantity::v ? motion.v : motion.lambda;
}

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

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

/// The top of the parabola through three samples of f with the largest in the middle; the middle
/// sample itself if it does not resolve the peak.
double top(double left, double right, double f_left, double f, double f_right) {
  if (f < f_left || f < f_right) return f;  // rounding on a plateau
  // With s the distance from the middle: f + b s − c s².
  const double fall_left = (f - f_left) / left, fall_right = (f - f_right) / right;
  const double c = (fall_left + fall_right) / (left + right);
  const double b = (fall_left * right - fall_right * left) / (left + right);
  const double rise = b * b / (4.0 * c);
  constexpr double resolved = 0.1;  // a larger rise is a corner, not a smooth peak
  return rise > 0.0 && rise <= resolved * f ? f + rise : f;
}

/// max |d| over the samples [begin, end) of one component, peaks located by parabolas.
double peak(const std::vector<double>& times, const Eigen::Ref<const VectorXd>& d,
            const Windows& windows, std::pair<Index, Index> run) {
  const auto [begin, end] = run;
  const auto t = [&](Index k) { return times[static_cast<std::size_t>(k)]; };
  double largest = d.segment(begin, end - begin).cwiseAbs().maxCoeff();
  const double least = 0.9 * largest;  // a parabola rises by no more
  for (Index k = begin + 1; k + 1 < end; ++k) {
    const double f = std::abs(d(k));
    if (f < least || f < std::abs(d(k - 1)) || f < std::abs(d(k + 1))) continue;
    // A much shorter step on one side would amplify the rounding errors of the samples.
    const double distance = 0.25 * std::max(t(k) - t(k - 1), t(k + 1) - t(k));
    Index left = k - 1, right = k + 1;
    while (left > begin && t(k) - t(left) < distance) --left;
    while (right + 1 < end && t(right) - t(k) < distance) ++right;
    const bool is_smooth = std::ranges::none_of(
        windows.events, [&](double e) { return e >= t(left) && e <= t(right); });
    if (!is_smooth || d(left) * d(k) < 0.0 || d(right) * d(k) < 0.0) continue;
    largest = std::max(
        largest, top(t(k) - t(left), t(right) - t(k), std::abs(d(left)), f, std::abs(d(right))));
  }
  return largest;
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
  return runs.size() == 1 ? f(runs.front().first) : none;
}

}  // namespace

double magnitude(const Motion& difference, const Measure& measure, const Windows& windows) {
  const MatrixXd& values = values_of(difference, measure.quantity);
  const auto runs = runs_of(difference.times, measure.window, windows);
  double largest = none;
  for (const auto& [begin, end] : runs) {
    const auto seen = values.middleCols(begin, end - begin);
    if (!seen.allFinite()) return none;
    double here = seen.size() == 0 ? 0.0 : seen.cwiseAbs().maxCoeff();
    if (windows.locate_peaks && measure.norm == Norm::sup)
      for (Index i = 0; i < values.rows(); ++i)
        here = std::max(here,
                        peak(difference.times, values.row(i).transpose(), windows, {begin, end}));
    if (!(largest >= here)) largest = here;
  }
  if (measure.norm == Norm::sup || std::isnan(largest)) return largest;
  if (measure.norm == Norm::l1)
    return mean(difference.times, values.cwiseAbs().colwise().sum().transpose(), runs);
  return std::sqrt(mean(difference.times, values.colwise().squaredNorm().transpose(), runs));
}

double sampling_error(const Motion& difference, const Measure& measure, const Windows& windows,
                      double magnitude) {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < difference.times.size(); ++k)
    if (k % 2 == 0 || k + 1 == difference.times.size() || windows.is_neighbour(difference.times[k]))
      kept.push_back(k);
  Motion thinned;
  for (const std::size_t k : kept) thinned.times.push_back(difference.times[k]);
  MatrixXd& values = measure.quantity == Quantity::q   ? thinned.q
                     : measure.quantity == Quantity::v ? thinned.v
                                                       : thinned.lambda;
  values = values_of(difference, measure.quantity)(Eigen::all, kept);
  return std::abs(magnitude - rigidlimit::magnitude(thinned, measure, windows));
}

}  // namespace rigidlimit
