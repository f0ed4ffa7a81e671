// What a convergence series says, in one word and one sentence.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// The word. Design.md, section 4, names five; two more are needed, because a clean order that
/// contradicts the expected one is none of the five (`refuted`), nor is a clean order where nothing
/// was expected (`settled`). p: fitted order, p*: the expected one.
enum class Verdict {
  confirmed,  ///< settled tail, |p − p*| ≤ within; p* may be 0 (flat) or negative (growing)
  refuted,    ///< settled tail, another order (or a higher one), and no trend leads to p*
  settled,    ///< settled tail, nothing was expected
  pre_asymptotic,  ///< the orders still move, to p* where one is expected
  floor_limited,   ///< too few points of evidence for a settled tail, and their floors took others
  diverging,       ///< the error grows as ε shrinks, and no growth was expected
  inconclusive     ///< anything else: noise, too few points, failed solves, orders that drift away
};

/// "confirmed", "refuted", "settled", "pre-asymptotic", "floor-limited", "diverging",
/// "inconclusive": the word used in tables.
const char* name_of(Verdict verdict);

/// What the verdict means and what to do next, in one or two sentences, for a user.
const char* advice(Verdict verdict);

/// Rows that are no evidence because their floor hides them, by its source.
struct HiddenRows {
  std::size_t unnamed = 0, rounding = 0, solver = 0, reference = 0, sampling = 0;

  std::size_t all() const { return unnamed + rounding + solver + reference + sampling; }
};

struct Expectation {
  std::optional<double> order;  ///< p*; none: report the order that is found
  double within = 0.05;         ///< > 0: tolerance on p, and the spread allowed to a settled tail
};

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  OrderFit fit;        ///< the fit that the verdict rests on
  Limit limit;         ///< the order continued to ε → 0
  std::string reason;  ///< "order 1.998 ± 0.001 over 9 of 13 ε, 0.01 … 0.0001; expected 2 ± 0.05"
  HiddenRows hidden{};
};

/// advice(judgement.verdict), and of a floor that has a name what helps against it: tolerances help
/// nothing where the samples are too few.
std::string advice(const Judgement& judgement);

/// Judges one series (see SeriesPoint for its order). With p ± σ the fit of fit_order at
/// max_spread = within, and a trend as in order_trend, the first that holds:
///
///   confirmed       settled, not leaving, |p − p*| ≤ within
///   pre-asymptotic  the trend's limit lies within the tolerance of p*, or the orders move towards
///                   p* and will pass it; where the tail is settled, besides, it is leaving or the
///                   distance of p to p* is at least halved at the trend's horizon (1.0000, 1.0001,
///                   1.0002 never gets to 2)
///   diverging       p < −max(within, 3σ), p* not negative; if not settled, the latter half grows
///                   too and no trend tends to an order ≥ −within
///   pre-asymptotic  settled, not leaving, gap = |p − p*| − within − 2σ − floor_error > 0, but the
///                   error approaches a predicted one of order p*, or the drift of the order
///                   (order_drift), continued to the square of the smallest ε, closes the gap
///   refuted         settled, not leaving, gap > 0, and the drift with its error does not close it;
///                   or so without some of the last rows. No later row lies off the power law by
///                   more than twice its floor
///   settled         (nothing expected) settled, not leaving
///   pre-asymptotic  (nothing expected) a trend with shrinking steps
///   floor-limited   fewer points of evidence than a settled tail needs; with the ones under the
///                   floor they would have been enough
///   inconclusive    otherwise
///
/// leaving: the orders of a settled tail accelerate out of it (a lower-order term takes over, or a
/// floor is underestimated): the next refinement, its step at most twice the last, would bring one
/// outside p ± within.
/// A tolerance below 0.05 that no tail keeps is replaced by 0.05 for a refutation only.
///
/// Throws std::invalid_argument for a series that is not one, within ≤ 0, or p* not finite.
Judgement judge(std::span<const SeriesPoint> points, const Expectation& expectation = {});

}  // namespace rigidlimit
