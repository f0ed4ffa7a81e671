#include "rigidlimit/convergence/bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rigidlimit/convergence/outward.hpp"

namespace rigidlimit {
namespace {

void require_bound(const Bound& bound) {
  if (!(bound.constant > 0.0) || !std::isfinite(bound.constant) || !std::isfinite(bound.power))
    throw std::invalid_argument(
        fmt::format("bound {:g} eps^{:g}: the constant must be > 0 and finite, the power finite",
                    bound.constant, bound.power));
  if (!(bound.from >= 0.0) || !(bound.to >= 0.0))
    throw std::invalid_argument(
        fmt::format("bound for eps from {:g} to {:g}: not an interval", bound.from, bound.to));
}

BoundState state_of(const SeriesPoint& p, const Bound& bound) {
  if (!bound.covers(p.epsilon)) return BoundState::outside;
  if (!p.usable || !std::isfinite(p.error) || !std::isfinite(p.floor)) return BoundState::unknown;
  const double limit = bound.limit(p.epsilon);
  const auto [lower, upper] =
      p.proved.value_or(ProvedInterval{p.error - p.floor, p.error + p.floor});
  if (upper <= limit) return BoundState::held;
  return lower > limit ? BoundState::broken : BoundState::undecided;
}

std::string bound_reason(BoundState state, const SeriesPoint& p, double limit,
                         const std::string& measured) {
  if (!p.usable || !std::isfinite(p.error))
    return fmt::format("{}: no value, because the row failed", measured);
  std::string text = fmt::format("{} {:.3e}", measured, p.error);
  if (!std::isfinite(p.floor)) return text + ": its error bar is unknown";
  if (p.proved)
    text = fmt::format("{} {}", measured, outward_text(*p.proved, Notation::scientific));
  else if (p.floor > 0.0)
    text += fmt::format(" ± {:.0e}", p.floor);
  const double factor = p.error / limit;
  // "1.00 times the limit" would not show the side of the limit.
  const bool close = std::abs(factor - 1.0) < 5e-3;
  text += fmt::format(" is {:.{}g} times the limit {:.3e}", factor, close ? 6 : 3, limit);
  return state == BoundState::undecided ? text + ": the error bar is too large to decide" : text;
}

}  // namespace

double Bound::limit(double epsilon) const {
  return constant * std::pow(epsilon, power);
}

bool Bound::covers(double epsilon) const {
  constexpr double rounding = 1e-9;
  const auto [low, high] = std::minmax(from, to);
  return epsilon >= low * (1.0 - rounding) && epsilon <= high * (1.0 + rounding);
}

const char* name_of(BoundState state) {
  switch (state) {
    case BoundState::outside: return "outside";
    case BoundState::held: return "held";
    case BoundState::undecided: return "undecided";
    case BoundState::unknown: return "unknown";
    case BoundState::broken: return "broken";
  }
  return "?";
}

BoundJudgement judge_bound(std::span<const SeriesPoint> points, const Bound& bound,
                           const std::string& measured) {
  require_series(points);
  require_bound(bound);
  BoundJudgement found;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const BoundState state = state_of(points[k], bound);
    found.rows.push_back(state);
    if (state == BoundState::outside) continue;
    const double limit = bound.limit(points[k].epsilon);
    const double factor = points[k].error / limit;
    const bool as_bad = state == found.state && !(factor <= found.factor);
    if (state < found.state || (state == found.state && found.worst && !as_bad)) continue;
    found.state = state;
    found.worst = k;
    found.limit = limit;
    found.factor = factor;
  }
  found.reason = found.worst
                     ? bound_reason(found.state, points[*found.worst], found.limit, measured)
                     : fmt::format("none of {} rows lies in the interval", points.size());
  return found;
}

std::string text_of(const Bound& bound) {
  std::string text = fmt::format("{:.6g}", bound.constant);
  if (bound.power == 1.0)
    text += " ε";
  else if (bound.power == 2.0)
    text += " ε²";
  else if (bound.power != 0.0)
    text += fmt::format(" ε^{:.6g}", bound.power);
  const auto [low, high] = std::minmax(bound.from, bound.to);
  const bool below = low > 0.0, above = std::isfinite(high);
  if (below && above) return text + fmt::format(" for {:.6g} ≤ ε ≤ {:.6g}", low, high);
  if (below) return text + fmt::format(" for ε ≥ {:.6g}", low);
  if (above) return text + fmt::format(" for ε ≤ {:.6g}", high);
  return text;
}

}  // namespace rigidlimit
