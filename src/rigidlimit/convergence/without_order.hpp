// Series of which no order is expected: one that does not tend to zero, one that is zero, and one
// that stays below a limit.
#pragma once

#include <span>

#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {

/// The verdict on "these errors do not tend to zero": a negative control. Confirmed where judge()
/// confirms the order 0 ± within, or finds the series diverging; otherwise its verdict for that
/// order, `refuted` for a series that converges.
///
/// A series that tends to zero slower than ε^within, or that begins to below its smallest ε, cannot
/// be told from one that does not. Throws as judge().
Judgement judge_no_convergence(std::span<const SeriesPoint> points, double within);

/// The verdict on "these errors are zero": confirmed where no error exceeds its floor
/// evidence_factor times, so that nothing but the error bars is seen, and error + floor ≤ limit at
/// every ε, so that the error bars hide nothing larger than that. Refuted where an error is
/// evidence, or where error − floor > limit; inconclusive otherwise, failed rows included.
///
/// Throws std::invalid_argument for a series that is not one, an empty one, or limit ≤ 0.
Judgement judge_equality(std::span<const SeriesPoint> points, double limit);

/// The verdict on "these errors are at most `limit` at every ε", of errors that fall faster than
/// any power: judge_bound() with K = limit, p = 0. Confirmed where it is held, refuted where it is
/// broken, inconclusive otherwise. Throws as judge_bound().
Judgement judge_limit(std::span<const SeriesPoint> points, double limit);

}  // namespace rigidlimit
