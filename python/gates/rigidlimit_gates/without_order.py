"""Judges series without an expected order: not tending to zero, equal to zero, or below a limit.

Source: src/rigidlimit/convergence/without_order.cpp, with the same operations in the same order.
"""

from __future__ import annotations

import math

from .bounds import Bound, judge_bound
from .errors import InputError
from .numbers_text import number, shortest
from .orders import Rows, SeriesPoint
from .verdict import JudgementParts, judge, judgement_on
from .words import BoundState, Verdict

__all__ = ["judge_equality", "judge_limit", "judge_no_convergence"]


def judge_no_convergence(points: Rows, within: float) -> JudgementParts:
    """Judge "these errors do not tend to zero": the order is 0 ± within, or the series diverges."""
    judged = judge(points, 0.0, within)
    verdict = judged.verdict
    if verdict == Verdict.DIVERGING:
        verdict = Verdict.INCONCLUSIVE if any(p.is_failed for p in points) else Verdict.CONFIRMED
    stays = verdict == Verdict.CONFIRMED
    return judgement_on(judged, verdict, ("does not tend to zero: " if stays else "may tend to zero: ") + judged.reason)


# By increasing weight: the verdict, and its words.
_EQUALITY = ((Verdict.CONFIRMED, "no difference is visible"),
             (Verdict.INCONCLUSIVE, "the error bar is too large to decide"),
             (Verdict.REFUTED, "a difference is visible"))
_SHOWN, _UNKNOWN, _DIFFERENT = range(3)


def _equality_of(p: SeriesPoint, limit: float) -> int:
    if p.is_evidence:
        return _DIFFERENT
    if not p.usable or not p.error + p.floor <= limit:
        return _DIFFERENT if p.usable and p.error - p.floor > limit else _UNKNOWN
    return _SHOWN


def judge_equality(points: Rows, limit: float) -> JudgementParts:
    """Judge "these errors are zero": no error is evidence, and error + floor ≤ limit at every ε.

    Raises InputError for an invalid or empty series, or limit ≤ 0.
    """
    if not limit > 0.0 or not points:
        raise InputError(f"equality within {shortest(limit)} of {len(points)} errors cannot be judged")
    judged = judge(points)
    state, worst = _SHOWN, points[0]
    for p in points:
        of_row = _equality_of(p, limit)
        if of_row < state or (of_row == state and not p.error > worst.error):
            continue
        state, worst = of_row, p
    verdict, words = _EQUALITY[state]
    return judgement_on(judged, verdict,
                        f"{words}: at ε = {number(worst.epsilon, '.4g')} the error is {number(worst.error, '.3e')} ± "
                        f"{number(worst.floor, '.0e')}; expected none above {number(limit, '.1e')}")


def judge_limit(points: Rows, limit: float) -> JudgementParts:
    """Judge "these errors are at most `limit` at every ε": `judge_bound` with K = limit, p = 0."""
    bound = judge_bound(points, Bound(limit, 0.0, 0.0, math.inf))
    verdict = {BoundState.HELD: Verdict.CONFIRMED, BoundState.BROKEN: Verdict.REFUTED}.get(bound.state,
                                                                                          Verdict.INCONCLUSIVE)
    return judgement_on(judge(points), verdict, bound.reason)
