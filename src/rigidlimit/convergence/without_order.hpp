// Judges series without an expected order: not tending to zero, equal to zero, or below a limit.
#pragma once

#include <span>

#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {

/// The verdict on "these errors do not tend to zero": a negative control. Confirmed where judge()
/// confirms the order 0 ± within, or finds the series diverging; otherwise its verdict for that
/// order, `refuted` for a series that converges.
///
/// A series that tends to zero slower than ε^within, or starts to below its smallest ε, cannot be
/// distinguished from one that does not. Throws as judge().
Judgement judge_no_convergence(std::span<const SeriesPoint> points, double within);

/// The verdict on "these errors are zero". Confirmed if no error exceeds its floor evidence_factor
/// times, so that only the error bars are visible, and error + floor ≤ limit at every ε, so that
/// they hide nothing larger. Refuted if an error is evidence, or if error − floor > limit.
/// Inconclusive otherwise, also with failed rows.
///
/// Throws std::invalid_argument for an invalid or empty series, or limit ≤ 0.
Judgement judge_equality(std::span<const SeriesPoint> points, double limit);

/// The verdict on "these errors are at most `limit` at every ε", for errors that fall faster than
/// any power: judge_bound() with K = limit, p = 0. Confirmed if the bound is held, refuted if it is
/// broken, inconclusive otherwise. Throws as judge_bound().
Judgement judge_limit(std::span<const SeriesPoint> points, double limit);

}  // namespace rigidlimit
