#include "rigidlimit/convergence/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "rigidlimit/convergence/exponential.hpp"
#include "rigidlimit/convergence/text.hpp"

namespace rigidlimit {
namespace {

constexpr std::size_t least_points = 3;  // points of evidence: two steps show a direction

/// Classification of the rows.
struct RatioFindings {
  std::span<const RatioPoint> points;
  RatioTarget target;
  std::vector<std::size_t> evidence;  ///< rows
  std::size_t uncertain = 0;          ///< finite ratios whose floor exceeds the tolerance
  std::size_t failed = 0;             ///< usable rows without a finite ratio
  bool contradicted = false;          ///< by a row at a smaller ε than the evidence
  Limit limit;

  const RatioPoint& from_end(std::size_t k) const { return points[evidence.end()[-1 - int(k)]]; }
  double distance(std::size_t k) const { return std::abs(from_end(k).ratio - target.target); }
};

std::vector<SeriesPoint> distances(std::span<const RatioPoint> points, double target) {
  std::vector<SeriesPoint> series;
  for (const RatioPoint& p : points)
    series.push_back({.epsilon = p.epsilon,
                      .error = std::abs(p.ratio - target),
                      .floor = p.floor,
                      .usable = p.usable});
  return series;
}

Limit limit_of(const RatioFindings& f) {
  std::vector<SequencePoint> sequence;
  for (const std::size_t k : f.evidence)
    sequence.push_back({f.points[k].epsilon, f.points[k].ratio, f.points[k].floor});
  return limit_of(sequence);
}

RatioFindings ratio_findings(std::span<const RatioPoint> points, const RatioTarget& target) {
  if (!(target.within > 0.0) || !std::isfinite(target.target))
    throw std::invalid_argument(
        fmt::format("ratio {} within {}: not a tolerance > 0", target.target, target.within));
  RatioFindings f{.points = points, .target = target, .evidence = {}, .limit = {}};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const RatioPoint& p = points[k];
    if (is_evidence(p, target)) {
      f.evidence.push_back(k);
      f.contradicted = false;
    } else if (p.usable && std::isfinite(p.ratio)) {
      ++f.uncertain;
      if (std::abs(p.ratio - target.target) > target.within + p.floor) f.contradicted = true;
    } else if (p.usable) {
      ++f.failed;
    }
  }
  f.limit = limit_of(f);
  return f;
}

/// Whether the distance changed by more than the floors (and the rounding of the ratios) in this
/// direction: in both of the last steps (`each`) or in one of them.
bool distance_moved(const RatioFindings& f, double direction, bool each) {
  constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();
  int moved = 0;
  for (std::size_t k = 0; k + 1 < least_points; ++k) {
    const RatioPoint &now = f.from_end(k), &before = f.from_end(k + 1);
    const double slack =
        now.floor + before.floor + rounding * (std::abs(now.ratio) + std::abs(before.ratio));
    if (direction * (f.distance(k) - f.distance(k + 1)) > slack) ++moved;
  }
  return each ? moved == 2 : moved > 0;
}

/// Whether the distance grew over the last two steps, and the same growth once more exceeds the
/// tolerance.
bool leaves_tolerance(const RatioFindings& f) {
  const double growth = f.distance(0) - std::min(f.distance(1), f.distance(2));
  return distance_moved(f, +1.0, false) && f.distance(0) + growth > f.target.within;
}

/// Largest minus smallest of the last ratios.
double spread(const RatioFindings& f) {
  double low = f.from_end(0).ratio, high = low;
  for (std::size_t k = 1; k < least_points; ++k) {
    low = std::min(low, f.from_end(k).ratio);
    high = std::max(high, f.from_end(k).ratio);
  }
  return high - low;
}

/// Whether an uncertain ratio at a smaller ε than the evidence is further from the limit than its
/// bar. A floor is an estimate, so allow twice the floor.
bool hidden_ratio_contradicts(const RatioFindings& f) {
  return std::ranges::any_of(f.points.subspan(f.evidence.back() + 1), [&](const RatioPoint& p) {
    return p.usable && std::abs(p.ratio - f.limit.value) > 2.0 * p.floor + f.limit.error;
  });
}

/// The last ratios of evidence, by decreasing ε.
std::vector<SequencePoint> last_ratios(const RatioFindings& f, std::size_t count) {
  std::vector<SequencePoint> last;
  for (std::size_t k = count; k-- > 0;)
    last.push_back({f.from_end(k).epsilon, f.from_end(k).ratio, f.from_end(k).floor});
  return last;
}

/// How fast the distance may fall over log(1/ε), if the floors hide the last steps: as from the
/// last ratio that is visibly further away to the smallest ε, and not faster than the floors of the
/// ratios after it allow. 0: no ratio is further away, or the distance grows.
double hidden_fall(const RatioFindings& f) {
  if (distance_moved(f, +1.0, false)) return 0.0;
  const auto change = [&](std::size_t k) { return f.distance(k) - f.distance(0); };
  const auto floors = [&](std::size_t k) { return f.from_end(k).floor + f.from_end(0).floor; };
  const auto span = [&](std::size_t k) {
    return std::log(f.from_end(k).epsilon / f.from_end(0).epsilon);
  };
  for (std::size_t k = least_points - 1; k <= f.evidence.size() / 2; ++k)
    if (change(k) > floors(k)) {
      const double visible = change(k) / span(k);
      if (k < least_points) return visible;
      return std::min(visible, (std::abs(change(k - 1)) + floors(k - 1)) / span(k - 1));
    }
  return 0.0;
}

/// Whether the ratio may still reach the target. Three ratios may reach it if they changed by a
/// tenth of the distance, four if the last three changed by half of it. With more ratios whose
/// steps lead towards the target, the slow trend r∞ − m/(c − log ε) sets the reach, at most the
/// last step repeated down to ε². If the floors hide the last steps, hidden_fall() is continued in
/// this way.
bool may_still_arrive(const RatioFindings& f) {
  const std::size_t n = f.evidence.size();
  if (n == least_points) return 10.0 * spread(f) > f.distance(0);
  if (n == least_points + 1 && 2.0 * spread(f) > f.distance(0)) return true;
  const double smallest = f.from_end(0).epsilon;
  const double reach =
      std::max(-std::log(smallest), std::log(f.points[f.evidence.front()].epsilon / smallest));
  if (!distance_moved(f, -1.0, true)) {
    const double fall = hidden_fall(f);
    return fall > 0.0 && f.distance(0) <= f.target.within + f.limit.error + fall * reach;
  }
  const std::vector<SequencePoint> last = last_ratios(f, 4);
  const double now = last.back().value;
  double rest = 0.0;
  for (const std::size_t first : {0, 1})
    if (const double limit = slow_limit_of(std::span(last).subspan(first).first<3>());
        !std::isnan(limit))
      rest = std::max(rest, std::abs(limit - now));
  const double slope = std::abs(now - last[2].value) / std::log(last[2].epsilon / smallest);
  rest = std::min(rest, slope * reach);
  return f.distance(0) <= f.target.within + f.limit.error + rest;
}

/// A law with three parameters through the last three ratios.
struct Law {
  double limit;   ///< for ε → 0
  double before;  ///< the ratio at the ε before them
};

/// r∞ + a ε^s.
Law power_law(const RatioFindings& f) {
  const RatioPoint &c = f.from_end(0), &b = f.from_end(1), &a = f.from_end(2), &z = f.from_end(3);
  const auto log_from_last = [&](const RatioPoint& p) { return std::log(p.epsilon / c.epsilon); };
  const double s =
      rate_of((a.ratio - c.ratio) / (b.ratio - c.ratio), log_from_last(a), log_from_last(b));
  const double scale = (b.ratio - c.ratio) / growth(s, log_from_last(b));
  return {f.limit.value, c.ratio + scale * growth(s, log_from_last(z))};
}

/// r∞ + a ε^s + b ε^t.
Law two_term_law(const RatioFindings& f, double s, double t) {
  const RatioPoint &c = f.from_end(0), &b = f.from_end(1), &a = f.from_end(2), &z = f.from_end(3);
  const auto power = [&](const RatioPoint& p, double exponent) {
    return std::pow(p.epsilon / c.epsilon, exponent);
  };
  // Differences to the last ratio, without r∞.
  const double sb = power(b, s) - 1.0, tb = power(b, t) - 1.0, sa = power(a, s) - 1.0,
               ta = power(a, t) - 1.0, db = b.ratio - c.ratio, da = a.ratio - c.ratio;
  const double determinant = sb * ta - sa * tb;
  const double first = (db * ta - da * tb) / determinant,
               second = (sb * da - sa * db) / determinant;
  return {c.ratio - first - second,
          c.ratio + first * (power(z, s) - 1.0) + second * (power(z, t) - 1.0)};
}

/// Whether two terms, such as those between which a ratio turns, describe the last four ratios as
/// well as one power of ε does, and lead to the target or beyond it. Three ratios that are equal
/// within their floors do not turn, and four that changed by less than a tenth of the distance to
/// the target do not lead there.
bool two_terms_lead_to_target(const RatioFindings& f) {
  if (f.evidence.size() <= least_points) return false;
  const RatioPoint& z = f.from_end(3);
  double floors = 0.0;
  for (std::size_t k = 0; k < least_points; ++k) floors += f.from_end(k).floor;
  if (spread(f) <= floors) return false;
  const double changed = std::max(spread(f), std::abs(z.ratio - f.from_end(0).ratio));
  if (10.0 * changed < f.distance(0)) return false;
  floors += z.floor;
  const double reached = std::abs(power_law(f).before - z.ratio) + floors;
  for (const double s : {1.0 / 3.0, 0.5, 1.0})
    for (const double t : {1.5 * s, 2.0 * s, 3.0 * s}) {
      const Law law = two_term_law(f, s, t);
      const bool beyond =
          (law.limit - f.target.target) * (f.from_end(0).ratio - f.target.target) <= 0.0;
      if (!(std::abs(law.before - z.ratio) > reached) &&
          (beyond || std::abs(law.limit - f.target.target) <= f.target.within + f.limit.error))
        return true;
    }
  return false;
}

/// The largest change of the limit that the floors of the last three ratios allow.
double floor_effect(const RatioFindings& f) {
  std::vector<SequencePoint> last = last_ratios(f, least_points);
  double effect = 0.0;
  for (SequencePoint& p : last) {
    double largest = 0.0;
    for (const double sign : {-1.0, 1.0}) {
      const double value = p.value;
      p.value += sign * p.floor;
      largest = std::max(largest, std::abs(limit_of(last).value - f.limit.value));
      p.value = value;
    }
    effect += largest;
  }
  return effect;
}

Verdict decide_ratio(const RatioFindings& f) {
  const double within = f.target.within;
  if (f.evidence.size() < least_points)
    return f.uncertain > 0 && f.evidence.size() + f.uncertain >= least_points
               ? Verdict::floor_limited
               : Verdict::inconclusive;
  // An uncertain row that is off by more than its bar casts doubt on a ratio that hit the target,
  // but not on one that missed it.
  if (f.contradicted && f.distance(0) <= within) return Verdict::inconclusive;
  if (f.distance(0) <= within)
    return f.failed > 0 || leaves_tolerance(f) ? Verdict::inconclusive : Verdict::confirmed;
  // Constant ratios have no trend to extrapolate: they are the limit.
  if (spread(f) <= 1e-3 * f.distance(0)) return Verdict::refuted;
  const double off = std::abs(f.limit.value - f.target.target);
  if (may_still_arrive(f))
    return distance_moved(f, -1.0, true) ? Verdict::pre_asymptotic : Verdict::inconclusive;
  if (distance_moved(f, -1.0, true) && off <= within + f.limit.error)
    return Verdict::pre_asymptotic;
  if (off > within + f.limit.error) {
    const bool certain = off > within + floor_effect(f) && !two_terms_lead_to_target(f) &&
                         !hidden_ratio_contradicts(f);
    return certain ? Verdict::refuted : Verdict::inconclusive;
  }
  const bool faster = f.distance(0) - f.distance(1) >= f.distance(1) - f.distance(2);
  return distance_moved(f, +1.0, true) && faster ? Verdict::diverging : Verdict::inconclusive;
}

std::string ratio_reason(Verdict verdict, const RatioFindings& f, const OrderFit& approach) {
  std::string text;
  if (f.evidence.size() < least_points) {
    text = fmt::format("evidence at {} of {} ε, {} needed", f.evidence.size(), f.points.size(),
                       least_points);
    if (f.uncertain > 0)
      text += fmt::format("; {} with a bar above ± {:g}", f.uncertain, f.target.within);
  } else {
    const RatioPoint& last = f.from_end(0);
    text = fmt::format("ratio {} at ε = {:.3g}", with_bar(last.ratio, last.floor), last.epsilon);
    if (verdict == Verdict::refuted)
      text += fmt::format("; settles at {}", with_bar(f.limit.value, f.limit.error));
    if (f.contradicted)
      text += fmt::format(
          "; the ratio at a smaller ε, although uncertain, deviates by more than its error bar");
    else if (verdict == Verdict::inconclusive && f.failed > 0)
      text += fmt::format("; {} of {} rows failed", f.failed, f.points.size());
    else if (verdict == Verdict::diverging || verdict == Verdict::inconclusive)
      text += distance_moved(f, +1.0, false)
                  ? fmt::format("; its distance to {:g} grows there", f.target.target)
                  : std::string("; it has not settled");
    if (approach.settled)
      text += fmt::format("; distance to {:g} has order {:.2f} ± {:.1g} over {} of {} ε",
                          f.target.target, approach.order, approach.standard_error, approach.count,
                          f.points.size());
  }
  return text + fmt::format("; expected {:g} ± {:g}", f.target.target, f.target.within);
}

}  // namespace

bool is_evidence(const RatioPoint& point, const RatioTarget& target) {
  return point.usable && std::isfinite(point.ratio) && point.floor <= target.within;
}

RatioJudgement judge_ratio(std::span<const RatioPoint> points, const RatioTarget& target) {
  const std::vector<SeriesPoint> series = distances(points, target.target);
  require_series(series);
  const RatioFindings f = ratio_findings(points, target);
  const OrderFit approach = fit_order(series);
  RatioJudgement found{.verdict = decide_ratio(f), .approach = approach, .reason = {}};
  if (!f.evidence.empty()) {
    found.last = f.evidence.back();
    found.ratio = points[found.last].ratio;
  }
  found.limit = f.limit.value;
  found.limit_error = f.limit.error;
  found.reason = ratio_reason(found.verdict, f, approach);
  return found;
}

}  // namespace rigidlimit
