// The verdict on a convergence series: one word and one sentence.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// Possible verdicts. p: fitted order, p*: the expected one. |p − p*| is max(p* − p, 0) if p* is
/// the least order expected.
enum class Verdict {
  confirmed,  ///< settled tail, |p − p*| ≤ within; p* may be 0 (flat) or negative (growing)
  refuted,    ///< settled tail of another (also a higher) order, and no trend leads to p*
  settled,    ///< settled tail, no expected order
  pre_asymptotic,  ///< the orders still change, towards p* if one is expected
  floor_limited,   ///< too few points of evidence for a settled tail because floors hide others
  diverging,       ///< the error grows as ε shrinks, without expected growth
  inconclusive     ///< anything else: noise, too few points, failed solves, orders that drift away
};

/// "confirmed", "refuted", "settled", "pre-asymptotic", "floor-limited", "diverging",
/// "inconclusive": the word used in tables.
const char* name_of(Verdict verdict);

/// Explanation of the verdict and the next step for a user, in one or two sentences.
const char* advice(Verdict verdict);

/// Number of rows hidden by their floor, by source of the floor.
struct HiddenRows {
  std::size_t unnamed = 0, rounding = 0, solver = 0, reference = 0, sampling = 0;

  /// The sum of all sources.
  std::size_t all() const { return unnamed + rounding + solver + reference + sampling; }
};

/// The claim on one series: its order and the tolerance.
struct Expectation {
  std::optional<double> order;  ///< p*; none: report the fitted order
  double within = 0.05;         ///< > 0: tolerance on p, and the spread allowed to a settled tail
  bool at_least = false;        ///< every order p ≥ p* − within is expected

  /// The distance of an order to the expected ones: |p − p*|, or max(p* − p, 0) with at_least.
  /// `order` must be given.
  double distance(double p) const;
};

/// "2 ± 0.05", "at least 2 - 0.05".
std::string text_of(const Expectation& expectation);

/// Verdict on one series, and its grounds.
struct Judgement {
  Verdict verdict = Verdict::inconclusive;  ///< the first rule of judge() that holds
  OrderFit fit;                             ///< the fit behind the verdict
  Limit limit;                              ///< the order extrapolated to ε → 0
  std::string reason;  ///< "order 1.998 ± 0.001 over 9 of 13 ε, 0.01 … 0.0001; expected 2 ± 0.05"
  HiddenRows hidden{};  ///< rows that their floors exclude
};

/// advice(judgement.verdict), plus advice for the dominant source of the floors: tighter tolerances
/// do not help where the samples are too few.
std::string advice(const Judgement& judgement);

/// Judges one series (see SeriesPoint for its order). p ± σ is the fit of fit_order at max_spread =
/// within; a trend is that of order_trend. The first rule that holds decides:
///
///   confirmed       settled, not leaving, |p − p*| ≤ within, and no row failed (is_failed())
///   pre-asymptotic  the trend's limit lies within the tolerance of p*, or the orders move towards
///                   p* and will pass it. If the tail is settled, moreover, it is leaving or the
///                   distance of p to p* is at least halved at the trend's horizon (1.0000, 1.0001,
///                   1.0002 never gets to 2)
///   diverging       p < −max(within, 3σ), p* not negative; if not settled, or leaving, the latter
///                   half grows too and no trend tends to an order ≥ −within; if the orders drift
///                   without a limit, the error grew at least tenfold
///   pre-asymptotic  settled, not leaving, gap = |p − p*| − within − 2σ − floor_error > 0, but the
///                   error approaches a predicted one of order p*, or the drift of the order
///                   (order_drift), continued to the square of the smallest ε, closes the gap
///   refuted         settled, not leaving, gap > 0, and the drift with its error does not close it;
///                   or so without some of the last rows. No later or hidden row lies off the power
///                   law by more than twice its floor
///   settled         (nothing expected) settled, not leaving
///   pre-asymptotic  (nothing expected) a trend with shrinking steps
///   floor-limited   fewer points of evidence than a settled tail needs; with the ones under the
///                   floor they would have been enough
///   inconclusive    otherwise
///
/// leaving: the orders of a settled tail accelerate out of it (a lower-order term takes over, or a
/// floor is underestimated). The next refinement, with a step at most twice the last, would bring
/// an order outside p ± within; below it, if p* is the least order.
/// With a failed row, the first rule gives `inconclusive`.
/// If no tail meets a tolerance below 0.05, a refutation alone uses 0.05 instead.
///
/// Throws std::invalid_argument for an invalid series, within ≤ 0, or p* not finite.
Judgement judge(std::span<const SeriesPoint> points, const Expectation& expectation = {});

}  // namespace rigidlimit
