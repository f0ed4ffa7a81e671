"""Judge series without an expected order: not tending to zero, equal to zero, or below a limit."""

from dataclasses import replace

from .bound import Bound, BoundState, judge_bound
from ..errors import InputError
from .points import SeriesPoint
from .rules import judge
from .series import Series
from .text import shortest
from .verdict import Judgement, Verdict


def judge_no_convergence(series: Series, within: float = 0.05) -> Judgement:
    """Judge "these errors do not tend to zero": a negative control.

    Confirmed where `judge` confirms the order 0 ± within, or finds the series diverging; otherwise its verdict for
    that order, `refuted` for a series that converges. A series that tends to zero slower than ε^within, or starts to
    below its smallest ε, cannot be distinguished from one that does not. Raises as `judge`.
    """
    found = judge(series, 0.0, within)
    verdict = found.verdict
    if verdict == Verdict.DIVERGING:
        verdict = Verdict.INCONCLUSIVE if any(p.is_failed for p in series.points) else Verdict.CONFIRMED
    prefix = "does not tend to zero: " if verdict == Verdict.CONFIRMED else "may tend to zero: "
    return replace(found, verdict=verdict, reason=prefix + found.reason)


_SHOWN, _UNKNOWN, _DIFFERENT = range(3)  # by increasing weight


def _equality_of(p: SeriesPoint, limit: float) -> int:
    if p.is_evidence:
        return _DIFFERENT
    if not p.usable or not p.error + p.floor <= limit:
        return _DIFFERENT if p.usable and p.error - p.floor > limit else _UNKNOWN
    return _SHOWN


def judge_equality(series: Series, limit: float) -> Judgement:
    """Judge "these errors are zero".

    Confirmed if no error exceeds its floor evidence_factor times, and error + floor ≤ limit at every ε. Refuted if an
    error is evidence, or if error − floor > limit. Inconclusive otherwise, also with failed rows.

    Raises
    ------
    InputError
        If the series is empty or limit ≤ 0.
    """
    if not limit > 0.0 or len(series) == 0:
        raise InputError(f"equality within {shortest(limit)} of {len(series)} errors cannot be judged")
    state, worst = _SHOWN, series.points[0]
    for p in series.points:
        here = _equality_of(p, limit)
        if here < state or (here == state and not p.error > worst.error):
            continue
        state, worst = here, p
    verdict = (Verdict.CONFIRMED, Verdict.INCONCLUSIVE, Verdict.REFUTED)[state]
    text = ("no difference is visible", "the error bar is too large to decide", "a difference is visible")[state]
    return replace(judge(series), verdict=verdict,
                   reason=f"{text}: at ε = {worst.epsilon:.4g} the error is {worst.error:.3e} ± {worst.floor:.0e}; "
                          f"expected none above {limit:.1e}")


def judge_limit(series: Series, limit: float) -> Judgement:
    """Judge "these errors are at most `limit` at every ε": `judge_bound` with K = limit, p = 0.

    Confirmed if the bound is held, refuted if it is broken, inconclusive otherwise. Raises as `judge_bound`.
    """
    bound = judge_bound(series, Bound(limit))
    verdict = (Verdict.CONFIRMED if bound.held
               else Verdict.REFUTED if bound.state == BoundState.BROKEN else Verdict.INCONCLUSIVE)
    return replace(judge(series), verdict=verdict, reason=bound.reason)
