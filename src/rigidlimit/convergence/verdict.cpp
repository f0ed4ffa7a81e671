#include "rigidlimit/convergence/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "rigidlimit/convergence/text.hpp"

namespace rigidlimit {
namespace {

constexpr FitOptions standard_options{};

/// Classification of the rows.
struct Census {
  std::size_t rows = 0;
  std::size_t evidence = 0;
  HiddenRows hidden{};       ///< finite errors below ten floors
  std::size_t exact = 0;     ///< errors 0 above a floor 0: agreement, but no logarithm
  std::size_t failed = 0;    ///< is_failed()
  std::size_t excluded = 0;  ///< by the caller
  std::size_t needed = 0;    ///< points of evidence that a settled tail needs
};

std::size_t& count_of(FloorSource source, HiddenRows& hidden) {
  switch (source) {
    case FloorSource::rounding: return hidden.rounding;
    case FloorSource::solver: return hidden.solver;
    case FloorSource::reference: return hidden.reference;
    case FloorSource::sampling: return hidden.sampling;
    case FloorSource::unnamed: break;
  }
  return hidden.unnamed;
}

Census census_of(std::span<const SeriesPoint> points) {
  Census census{.rows = points.size()};
  for (const SeriesPoint& p : points) {
    if (is_evidence(p))
      ++census.evidence;
    else if (is_failed(p))
      ++census.failed;
    else if (!p.usable)
      ++census.excluded;
    else if (p.error == 0.0 && p.floor == 0.0)
      ++census.exact;
    else
      ++count_of(p.source, census.hidden);
  }
  census.needed = points.size() == 3 ? 3 : standard_options.min_points;
  return census;
}

/// Input of the rules.
struct OrderFindings {
  std::span<const SeriesPoint> points;
  Expectation expectation;
  Census census;
  OrderFit fit;
  std::optional<OrderTrend> trend;
  std::string still_moving = {};  ///< reason why a clean but unexpected order may change
};

OrderFindings order_findings(std::span<const SeriesPoint> points, const Expectation& expectation) {
  if (!(expectation.within > 0.0) || !std::isfinite(expectation.order.value_or(0.0)))
    throw std::invalid_argument(fmt::format("expected order {} within {}: not a tolerance > 0",
                                            expectation.order.value_or(0.0), expectation.within));
  OrderFindings f{points, expectation, census_of(points),
                  fit_order(points, {.max_spread = expectation.within}), std::nullopt};
  // Four points have two differences: a trend only if there is an expected order.
  const bool short_series = f.census.evidence == 4 && expectation.order;
  f.trend = order_trend(points, short_series ? 2 : 3);
  return f;
}

bool is_leaving(const OrderFindings& f) {
  if (!f.trend || std::isfinite(f.trend->limit)) return false;
  const double now = f.trend->orders.back();
  const double last_step = now - f.trend->orders.end()[-2];
  // Noise with one tiny step before the last would extrapolate to any value: limit the step to a
  // doubling.
  const double step = std::min(std::abs(f.trend->next - now), 2.0 * std::abs(last_step));
  const double change = now + std::copysign(step, last_step) - f.fit.order;
  return (f.expectation.at_least ? -change : std::abs(change)) > f.expectation.within;
}

bool moves_to_expected(const OrderFindings& f) {
  if (!f.trend) return false;
  const double expected = *f.expectation.order;
  const double now = f.trend->orders.back();
  const double direction = now > f.trend->orders.front() ? 1.0 : -1.0;
  const bool towards = direction * (expected - now) > 0.0;
  const auto passed_by = [&](double p) { return towards && direction * (p - expected) >= 0.0; };
  if (!passed_by(f.trend->limit) &&
      !(f.expectation.distance(f.trend->limit) <= f.expectation.within))
    return false;
  return !f.fit.settled || is_leaving(f) || passed_by(f.trend->horizon) ||
         f.expectation.distance(f.trend->horizon) <= 0.5 * f.expectation.distance(f.fit.order);
}

/// The slope over the half of the evidence at smaller ε (at least 3 points).
double late_order(std::span<const SeriesPoint> points) {
  std::vector<SeriesPoint> late;
  std::ranges::copy_if(points, std::back_inserter(late), is_evidence);
  const std::size_t kept = std::max<std::size_t>(3, (late.size() + 1) / 2);
  if (late.size() > kept) late.erase(late.begin(), late.end() - static_cast<long>(kept));
  // With min_points above the size, fit_order fits all points.
  return fit_order(late, {.min_points = late.size() + 4}).order;
}

/// The error at the smallest ε over that at the largest one, of the evidence.
double growth_of(std::span<const SeriesPoint> points) {
  const auto first = std::ranges::find_if(points, is_evidence);
  const auto last = std::find_if(points.rbegin(), points.rend(), is_evidence);
  return last->error / first->error;
}

bool is_growing(const OrderFindings& f) {
  const double within = f.expectation.within;
  if (f.expectation.order.value_or(0.0) < 0.0 || f.census.evidence < 3) return false;
  if (!(f.fit.order < -std::max(within, 3.0 * f.fit.standard_error))) return false;
  if (f.fit.settled && !is_leaving(f)) return true;
  if (!(late_order(f.points) < 0.0) || (f.trend && f.trend->limit >= -within)) return false;
  // Orders that drift without a limit may turn: they show divergence only with a large growth.
  const bool drifts = f.trend && !std::isfinite(f.trend->limit);
  return !drifts || growth_of(f.points) >= 10.0;
}

/// Distance of the order to the expected one beyond tolerance and error bars; ≤ 0: agreement.
double gap(const OrderFindings& f, const OrderFit& fit) {
  return f.expectation.distance(fit.order) - f.expectation.within - 2.0 * fit.standard_error -
         fit.floor_error;
}

/// Possible further change of the order towards the expected one: from the observed drift, and from
/// the error of the drift.
struct Gain {
  double seen = 0.0, possible = 0.0;
};

/// The drift is assumed to continue for as many units of log(1/ε) as lie between ε = 1 and the
/// smallest ε, at least for the range of the fit: ε^p (log 1/ε)^m has drift m/log² and lacks m/log.
/// A drift above its error continues for three decades at least. It ends earlier if steps far above
/// the floors shrink fast enough for slow_limit.
Gain gain_of(const OrderFindings& f, const OrderFit& fit) {
  const double sign = *f.expectation.order > fit.order ? 1.0 : -1.0;
  const double smallest = f.points[fit.last].epsilon;
  const double range = std::log(f.points[fit.first].epsilon / smallest);
  const double reach = std::max(-std::log(smallest), range) + 0.5 * range;
  const double far = std::max(reach, std::log(1e3) + 0.5 * range);
  const OrderDrift found = order_drift(f.points, fit);
  const double towards = sign * found.drift;
  Gain gain{.seen = towards > found.error ? towards * far : 0.0,
            .possible = std::max(0.0, towards + found.error) * reach};
  gain.possible = std::max(gain.possible, towards * far);
  if (f.trend && f.trend->shrinking && f.trend->above_floor) {
    const double rest = std::max(0.0, sign * (f.trend->slow_limit - fit.order));
    gain = {std::min(gain.seen, rest), std::min(gain.possible, rest)};
  }
  return gain;
}

/// |log(measured/predicted)| of the evidence of a fit.
struct Mismatch {
  std::vector<double> size, slack;
};

/// Empty if no theory predicts the expected order.
Mismatch mismatch_of(const OrderFindings& f, const OrderFit& fit) {
  Mismatch mismatch;
  const SeriesPoint* before = nullptr;
  for (std::size_t k = fit.first; k <= fit.last; ++k) {
    const SeriesPoint& p = f.points[k];
    if (!is_evidence(p) || !(p.predicted > 0.0)) continue;
    if (before) {
      const double order =
          std::log(before->predicted / p.predicted) / std::log(before->epsilon / p.epsilon);
      if (!(f.expectation.distance(order) <= f.expectation.within)) return {};
    }
    before = &p;
    mismatch.size.push_back(std::abs(std::log(p.error / p.predicted)));
    mismatch.slack.push_back(-std::log1p(-p.floor / p.error));
  }
  return mismatch;
}

/// Whether the error still approaches a predicted error of the expected order.
bool approaches_prediction(const OrderFindings& f, const OrderFit& fit) {
  const auto [size, slack] = mismatch_of(f, fit);
  const std::size_t n = size.size();
  if (n < 3) return false;
  const auto fell = [&](std::size_t a, std::size_t b) {
    return size[a] - size[b] > -(slack[a] + slack[b]);
  };
  return size.back() < size.front() && fell(n - 3, n - 2) && fell(n - 2, n - 1);
}

/// Whether a row behind the fitted ones, or a hidden one between them, is further from their power
/// law than its floor, so that the law does not hold there. A floor is an estimate, so allow twice
/// the floor.
bool other_row_contradicts(const OrderFindings& f, const OrderFit& fit) {
  const double last = f.points[fit.last].epsilon;
  return std::ranges::any_of(f.points.subspan(fit.first), [&](const SeriesPoint& p) {
    if (p.epsilon >= last && is_evidence(p)) return false;
    const double law = fit.coefficient * std::pow(p.epsilon, fit.order);
    return p.usable && std::isfinite(p.error) && std::abs(p.error - law) > 2.0 * p.floor;
  });
}

Verdict verdict_without_settled_tail(const OrderFindings& f) {
  const Census& c = f.census;
  const std::size_t hidden = c.hidden.all();
  const bool floor_to_blame = hidden > 0 && c.evidence + hidden >= c.needed;
  return c.evidence < c.needed && floor_to_blame ? Verdict::floor_limited : Verdict::inconclusive;
}

/// Verdict on a clean order that differs from the expected one. A refutation needs an order that no
/// trend in the rows can still change into the expected one.
Verdict verdict_on_another_order(OrderFindings& f) {
  if (approaches_prediction(f, f.fit)) {
    f.still_moving = "measured/predicted still moves towards 1";
    return Verdict::pre_asymptotic;
  }
  const Gain gain = gain_of(f, f.fit);
  if (gap(f, f.fit) <= gain.seen) {
    f.still_moving = fmt::format("the order moves by {:.2g} per decade of ε",
                                 std::log(10.0) * order_drift(f.points, f.fit).drift);
    return Verdict::pre_asymptotic;
  }
  if (other_row_contradicts(f, f.fit)) return Verdict::inconclusive;
  if (gap(f, f.fit) > gain.possible) return Verdict::refuted;
  // Without its last rows, which have the largest relative floors, the series may be conclusive.
  // Those rows must not contradict it.
  for (std::size_t rows = f.fit.last; rows > f.fit.first; --rows) {
    OrderFindings shorter = order_findings(f.points.first(rows), f.expectation);
    if (!shorter.fit.settled || shorter.census.evidence < f.census.needed) continue;
    if (gap(f, shorter.fit) <= 0.0 || is_leaving(shorter)) continue;
    if (gap(f, shorter.fit) > gain_of(shorter, shorter.fit).possible &&
        !other_row_contradicts(f, shorter.fit))
      return Verdict::refuted;
  }
  return Verdict::inconclusive;
}

bool has_expected_order(const OrderFindings& f) {
  return f.fit.settled && !is_leaving(f) &&
         f.expectation.distance(f.fit.order) <= f.expectation.within;
}

/// Applies the rules; may replace f.fit by the wider fit that contradicts the expected order.
Verdict decide_order(OrderFindings& f) {
  const bool clean = f.fit.settled && !is_leaving(f);
  if (!f.expectation.order) {
    if (is_growing(f)) return Verdict::diverging;
    if (clean) return Verdict::settled;
    if (f.trend && f.trend->shrinking) return Verdict::pre_asymptotic;
    return verdict_without_settled_tail(f);
  }
  if (has_expected_order(f))
    return f.census.failed == 0 ? Verdict::confirmed : Verdict::inconclusive;
  if (moves_to_expected(f)) return Verdict::pre_asymptotic;
  if (is_growing(f)) return Verdict::diverging;
  if (clean && gap(f, f.fit) > 0.0) return verdict_on_another_order(f);
  if (!f.fit.settled && f.expectation.within < standard_options.max_spread) {
    const OrderFit wider = fit_order(f.points, standard_options);
    if (wider.settled && gap(f, wider) > 0.0) {
      f.fit = wider;
      return verdict_on_another_order(f);
    }
  }
  return verdict_without_settled_tail(f);
}

std::string fit_text(const OrderFindings& f) {
  std::string text = "order " + order_text(f.fit.order);
  if (std::isfinite(f.fit.standard_error)) text += fmt::format(" ± {:.1g}", f.fit.standard_error);
  return text + fmt::format(" over {} of {} ε, {:.3g} … {:.3g}", f.fit.count, f.census.rows,
                            f.points[f.fit.first].epsilon, f.points[f.fit.last].epsilon);
}

std::string trend_text(const OrderTrend& trend) {
  std::string text = "neighbour orders";
  for (const double p : trend.orders) text += " " + order_text(p);
  return text + (std::isfinite(trend.limit) ? ", tending to " + order_text(trend.limit)
                                            : std::string(", without a limit"));
}

/// "sampling error 3, solver error 1"; empty if the sources of the floors are unknown.
std::string sources_text(const HiddenRows& hidden) {
  std::string text;
  for (const auto& [name, count] : {std::pair{"solver", hidden.solver},
                                    {"reference", hidden.reference},
                                    {"sampling", hidden.sampling}})
    if (count > 0) text += fmt::format("{}{} error {}", text.empty() ? "" : ", ", name, count);
  if (hidden.rounding > 0)
    text += fmt::format("{}equal to rounding {}", text.empty() ? "" : ", ", hidden.rounding);
  return text;
}

std::string census_text(const Census& c) {
  std::string text = fmt::format("evidence at {} of {} ε, {} needed", c.evidence, c.rows, c.needed);
  if (const std::size_t hidden = c.hidden.all(); hidden > 0)
    text += fmt::format("; {} below {:g} times the floor", hidden, evidence_factor);
  if (const std::string sources = sources_text(c.hidden); !sources.empty())
    text += fmt::format(" ({})", sources);
  if (c.failed > 0) text += fmt::format("; {} failed", c.failed);
  if (c.excluded > 0) text += fmt::format("; {} excluded", c.excluded);
  if (c.exact > 0) text += fmt::format("; {} with error exactly 0", c.exact);
  return text;
}

std::string rows_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "row" : "rows");
}

std::string inconclusive_text(const OrderFindings& f) {
  if (f.census.evidence < f.census.needed) return census_text(f.census);
  if (f.fit.settled && is_leaving(f))
    return fit_text(f) + ", but the orders drift away from it: " + trend_text(*f.trend);
  if (f.expectation.order && has_expected_order(f))
    return fit_text(f) + fmt::format(", but {} failed", rows_text(f.census.failed));
  if (f.fit.settled) return fit_text(f) + ", too uncertain to decide";
  if (f.trend) return "no settled order: " + trend_text(*f.trend);
  return fmt::format("no settled order: neighbour orders up to {:.2g} away from {}", f.fit.spread,
                     fit_text(f));
}

std::string order_reason(Verdict verdict, const OrderFindings& f) {
  std::string text;
  switch (verdict) {
    case Verdict::confirmed:
    case Verdict::refuted:
    case Verdict::settled: text = fit_text(f); break;
    case Verdict::pre_asymptotic:
      text = f.still_moving.empty() ? "orders still move: " + trend_text(*f.trend)
                                    : fit_text(f) + "; " + f.still_moving;
      break;
    case Verdict::floor_limited: text = census_text(f.census); break;
    case Verdict::diverging: text = "the error grows as ε shrinks: " + fit_text(f); break;
    case Verdict::inconclusive: text = inconclusive_text(f); break;
  }
  if (f.expectation.order) text += "; expected " + text_of(f.expectation);
  return text;
}

}  // namespace

double Expectation::distance(double p) const {
  return at_least ? std::max(*order - p, 0.0) : std::abs(p - *order);
}

std::string text_of(const Expectation& expectation) {
  return expectation.at_least
             ? fmt::format("at least {:g} - {:g}", *expectation.order, expectation.within)
             : fmt::format("{:g} ± {:g}", *expectation.order, expectation.within);
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "confirmed";
    case Verdict::refuted: return "refuted";
    case Verdict::settled: return "settled";
    case Verdict::pre_asymptotic: return "pre-asymptotic";
    case Verdict::floor_limited: return "floor-limited";
    case Verdict::diverging: return "diverging";
    case Verdict::inconclusive: return "inconclusive";
  }
  return "?";
}

const char* advice(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed:
      return "The error falls with the expected order over the smallest ε that are evidence. "
             "Nothing to do.";
    case Verdict::refuted:
      return "The error has another order than expected. If it is too low: is the expected order "
             "that "
             "of this start, law and window? Does a layer lie in the window, or does a force jump? "
             "Is "
             "ε too large for this damping? Are the data inconsistent? If it is too high: does the "
             "leading error term vanish?";
    case Verdict::settled:
      return "The error follows one order; none was expected. Add an [[expect]] to judge it.";
    case Verdict::pre_asymptotic:
      return "The orders still move towards their limit. Add smaller ε, and tighter tolerances if "
             "the errors there come near the floor.";
    case Verdict::floor_limited:
      return "Other errors hide the model error at too many ε. Tighten the solver tolerances, "
             "improve the reference, take more samples, or use larger ε.";
    case Verdict::diverging:
      return "The error grows as ε shrinks: there is no convergence in this norm and window. Check "
             "the initial data, the limit compared with, and whether the quantity has an impulse.";
    case Verdict::inconclusive:
      return "The series shows no order; see the reason. Correct failed solves, add ε for a longer "
             "series, or reduce the noise with tighter tolerances.";
  }
  return "?";
}

Judgement judge(std::span<const SeriesPoint> points, const Expectation& expectation) {
  OrderFindings f = order_findings(points, expectation);
  const Verdict verdict = decide_order(f);
  std::string reason = order_reason(verdict, f);
  return {verdict, f.fit, order_limit(points), std::move(reason), f.census.hidden};
}

std::string advice(const Judgement& judgement) {
  const HiddenRows& hidden = judgement.hidden;
  if (judgement.verdict != Verdict::floor_limited || hidden.unnamed == hidden.all())
    return advice(judgement.verdict);
  std::string text = "Other errors hide the model error at too many ε.";
  if (hidden.rounding > 0)
    text +=
        " Motions that agree to rounding show no order: use larger ε, or data in general "
        "position.";
  if (hidden.solver > 0) text += " Tighten the solver tolerances, or use larger ε.";
  if (hidden.reference > 0) text += " Improve the reference, or use larger ε.";
  if (hidden.sampling > 0) text += " Take more samples; tighter tolerances do not help.";
  return text;
}

}  // namespace rigidlimit
