"""Checks whether measured / predicted tends to a number: the gate for a predicted coefficient.

Source: src/rigidlimit/convergence/ratio.cpp, with the same operations in the same order.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .errors import InputError
from .ieee import divide, log, power
from .limits import Limit, SequencePoint, growth, limit_of, rate_of, slow_limit_of
from .numbers_text import number, shortest, with_bar
from .orders import OrderFit, Record, Rows, SeriesPoint, as_float, fit_order, require_series
from .words import Verdict

__all__ = ["RatioParts", "RatioPoint", "judge_ratio", "ratios_of", "require_ratios"]

LEAST_POINTS = 3
"""Points of evidence: two steps show a direction."""


@dataclass(frozen=True, eq=False)
class RatioPoint(Record):
    """One measured value over the predicted one.

    Attributes
    ----------
    epsilon : float
        The refined parameter, > 0.
    ratio : float
        Of any sign; not finite where the solve failed.
    floor : float
        Uncertainty of the ratio, ≥ 0; NaN: unknown.
    usable : bool
        False: ignore the row.
    """

    epsilon: float
    ratio: float
    floor: float = 0.0
    usable: bool = True

    def __post_init__(self) -> None:
        for name in ("epsilon", "ratio", "floor"):
            object.__setattr__(self, name, as_float(getattr(self, name)))

    def is_evidence(self, within: float) -> bool:
        """Usable, finite, and known to within the tolerance: floor ≤ within."""
        return self.usable and math.isfinite(self.ratio) and self.floor <= within


Ratios = Sequence[RatioPoint]


def ratios_of(points: Rows) -> list[RatioPoint]:
    """error / predicted with the floor / predicted; not usable without a prediction."""
    return [RatioPoint(p.epsilon, divide(p.error, p.predicted), divide(p.floor, p.predicted),
                       p.usable and not math.isnan(p.predicted)) for p in points]


def require_ratios(points: Ratios) -> None:
    """Raise InputError unless ε is > 0 and strictly decreases, and no floor is negative."""
    require_series([SeriesPoint(p.epsilon, abs(p.ratio), p.floor) for p in points])


class RatioParts(NamedTuple):
    """The parts of a rigidlimit_gates.RatioJudgement that depend on the rows."""

    verdict: Verdict
    last: int
    ratio: float
    limit: Limit
    approach: OrderFit
    reason: str


class _Findings:
    """Classification of the rows."""

    def __init__(self, points: Ratios, target: float, within: float) -> None:
        if not within > 0.0 or not math.isfinite(target):
            raise InputError(f"ratio {shortest(target)} within {shortest(within)}: not a tolerance > 0")
        self.points, self.target, self.within = points, target, within
        self.evidence: list[int] = []
        """Rows."""
        self.uncertain = 0
        """Finite ratios whose floor exceeds the tolerance."""
        self.failed = 0
        """Usable rows without a finite ratio."""
        self.contradicted = False
        """By a row at a smaller ε than the evidence."""
        for k, p in enumerate(points):
            if p.is_evidence(within):
                self.evidence.append(k)
                self.contradicted = False
            elif p.usable and math.isfinite(p.ratio):
                self.uncertain += 1
                if abs(p.ratio - target) > within + p.floor:
                    self.contradicted = True
            elif p.usable:
                self.failed += 1
        self.limit = limit_of([SequencePoint(points[k].epsilon, points[k].ratio, points[k].floor)
                               for k in self.evidence])

    def from_end(self, k: int) -> RatioPoint:
        return self.points[self.evidence[-1 - k]]

    def distance(self, k: int) -> float:
        return abs(self.from_end(k).ratio - self.target)


# --- Rules

def _distance_moved(f: _Findings, direction: float, each: bool) -> bool:
    """Whether the distance changed by more than floors and rounding: in both of the last steps, or in one of them."""
    rounding = 8.0 * sys.float_info.epsilon
    moved = 0
    for k in range(LEAST_POINTS - 1):
        now, before = f.from_end(k), f.from_end(k + 1)
        slack = now.floor + before.floor + rounding * (abs(now.ratio) + abs(before.ratio))
        if direction * (f.distance(k) - f.distance(k + 1)) > slack:
            moved += 1
    return moved == 2 if each else moved > 0


def _leaves_tolerance(f: _Findings) -> bool:
    """Whether the distance grew over the last two steps, and the same growth once more exceeds the tolerance."""
    grown = f.distance(0) - min(f.distance(1), f.distance(2))
    return _distance_moved(f, +1.0, False) and f.distance(0) + grown > f.within


def _spread(f: _Findings) -> float:
    """Largest minus smallest of the last ratios."""
    low = high = f.from_end(0).ratio
    for k in range(1, LEAST_POINTS):
        low = min(low, f.from_end(k).ratio)
        high = max(high, f.from_end(k).ratio)
    return high - low


def _hidden_ratio_contradicts(f: _Findings) -> bool:
    """Whether an uncertain ratio behind the evidence is further from the limit than twice its bar."""
    return any(p.usable and abs(p.ratio - f.limit.value) > 2.0 * p.floor + f.limit.error
               for p in f.points[f.evidence[-1] + 1:])


def _last_ratios(f: _Findings, count: int) -> list[SequencePoint]:
    """The last ratios of evidence, by decreasing ε."""
    last = (f.from_end(k) for k in range(count - 1, -1, -1))
    return [SequencePoint(p.epsilon, p.ratio, p.floor) for p in last]


def _hidden_fall(f: _Findings) -> float:
    """How fast the distance may fall over log(1/ε), if the floors hide the last steps.

    As from the last ratio that is visibly further away to the smallest ε, and not faster than the floors of the
    ratios after it allow. 0: no ratio is further away, or the distance grows.
    """
    if _distance_moved(f, +1.0, False):
        return 0.0

    def change(k: int) -> float:
        return f.distance(k) - f.distance(0)

    def floors(k: int) -> float:
        return f.from_end(k).floor + f.from_end(0).floor

    def span(k: int) -> float:
        return log(divide(f.from_end(k).epsilon, f.from_end(0).epsilon))

    for k in range(LEAST_POINTS - 1, len(f.evidence) // 2 + 1):
        if change(k) > floors(k):
            visible = divide(change(k), span(k))
            if k < LEAST_POINTS:
                return visible
            return min(visible, divide(abs(change(k - 1)) + floors(k - 1), span(k - 1)))
    return 0.0


def _may_still_arrive(f: _Findings) -> bool:
    """Whether the ratio may still reach the target.

    Three ratios may reach it if they changed by a tenth of the distance, four if the last three changed by half of
    it. With more ratios whose steps lead towards the target, the slow trend r∞ − m/(c − log ε) sets the reach, at
    most the last step repeated down to ε². If the floors hide the last steps, _hidden_fall is continued in this way.
    """
    n = len(f.evidence)
    if n == LEAST_POINTS:
        return 10.0 * _spread(f) > f.distance(0)
    if n == LEAST_POINTS + 1 and 2.0 * _spread(f) > f.distance(0):
        return True
    smallest = f.from_end(0).epsilon
    reach = max(-log(smallest), log(divide(f.points[f.evidence[0]].epsilon, smallest)))
    if not _distance_moved(f, -1.0, True):
        fall = _hidden_fall(f)
        return fall > 0.0 and f.distance(0) <= f.within + f.limit.error + fall * reach
    last = _last_ratios(f, 4)
    now = last[-1].value
    rest = 0.0
    for first in (0, 1):
        limit = slow_limit_of(*last[first:first + 3])
        if not math.isnan(limit):
            rest = max(rest, abs(limit - now))
    slope = divide(abs(now - last[2].value), log(divide(last[2].epsilon, smallest)))
    rest = min(rest, slope * reach)
    return f.distance(0) <= f.within + f.limit.error + rest


class _Law(NamedTuple):
    """A law with three parameters through the last three ratios: its limit, and its ratio at the ε before them."""

    limit: float
    before: float


def _power_law(f: _Findings) -> _Law:
    """r∞ + a ε^s."""
    c, b, a, z = (f.from_end(k) for k in range(4))

    def log_from_last(p: RatioPoint) -> float:
        return log(divide(p.epsilon, c.epsilon))

    s = rate_of(divide(a.ratio - c.ratio, b.ratio - c.ratio), log_from_last(a), log_from_last(b))
    scale = divide(b.ratio - c.ratio, growth(s, log_from_last(b)))
    return _Law(f.limit.value, c.ratio + scale * growth(s, log_from_last(z)))


def _two_term_law(f: _Findings, s: float, t: float) -> _Law:
    """r∞ + a ε^s + b ε^t."""
    c, b, a, z = (f.from_end(k) for k in range(4))

    def risen(p: RatioPoint, exponent: float) -> float:
        return power(divide(p.epsilon, c.epsilon), exponent) - 1.0

    # Differences to the last ratio, without r∞.
    sb, tb, sa, ta = risen(b, s), risen(b, t), risen(a, s), risen(a, t)
    db, da = b.ratio - c.ratio, a.ratio - c.ratio
    determinant = sb * ta - sa * tb
    first = divide(db * ta - da * tb, determinant)
    second = divide(sb * da - sa * db, determinant)
    return _Law(c.ratio - first - second, c.ratio + first * risen(z, s) + second * risen(z, t))


def _two_terms_lead_to_target(f: _Findings) -> bool:
    """Whether two terms describe the last four ratios as well as one power of ε does, and lead to the target.

    Three ratios that are equal within their floors do not turn, and four that changed by less than a tenth of the
    distance to the target do not lead there.
    """
    if len(f.evidence) <= LEAST_POINTS:
        return False
    z = f.from_end(3)
    floors = 0.0
    for k in range(LEAST_POINTS):
        floors += f.from_end(k).floor
    if _spread(f) <= floors:
        return False
    changed = max(_spread(f), abs(z.ratio - f.from_end(0).ratio))
    if 10.0 * changed < f.distance(0):
        return False
    floors += z.floor
    reached = abs(_power_law(f).before - z.ratio) + floors
    for s in (1.0 / 3.0, 0.5, 1.0):
        for t in (1.5 * s, 2.0 * s, 3.0 * s):
            law = _two_term_law(f, s, t)
            beyond = (law.limit - f.target) * (f.from_end(0).ratio - f.target) <= 0.0
            if not abs(law.before - z.ratio) > reached and (
                    beyond or abs(law.limit - f.target) <= f.within + f.limit.error):
                return True
    return False


def _floor_effect(f: _Findings) -> float:
    """The largest change of the limit that the floors of the last three ratios allow."""
    last = _last_ratios(f, LEAST_POINTS)
    effect = 0.0
    for k, p in enumerate(last):
        largest = 0.0
        for sign in (-1.0, 1.0):
            moved = [*last[:k], p._replace(value=p.value + sign * p.floor), *last[k + 1:]]
            largest = max(largest, abs(limit_of(moved).value - f.limit.value))
        effect += largest
    return effect


def _decide(f: _Findings) -> Verdict:
    within = f.within
    if len(f.evidence) < LEAST_POINTS:
        enough = f.uncertain > 0 and len(f.evidence) + f.uncertain >= LEAST_POINTS
        return Verdict.FLOOR_LIMITED if enough else Verdict.INCONCLUSIVE
    # An uncertain row that is off by more than its bar casts doubt on a ratio that hit the target, but not on one
    # that missed it.
    if f.contradicted and f.distance(0) <= within:
        return Verdict.INCONCLUSIVE
    if f.distance(0) <= within:
        return Verdict.INCONCLUSIVE if f.failed > 0 or _leaves_tolerance(f) else Verdict.CONFIRMED
    # Constant ratios have no trend to extrapolate: they are the limit.
    if _spread(f) <= 1e-3 * f.distance(0):
        return Verdict.REFUTED
    off = abs(f.limit.value - f.target)
    if _may_still_arrive(f):
        return Verdict.PRE_ASYMPTOTIC if _distance_moved(f, -1.0, True) else Verdict.INCONCLUSIVE
    if _distance_moved(f, -1.0, True) and off <= within + f.limit.error:
        return Verdict.PRE_ASYMPTOTIC
    if off > within + f.limit.error:
        certain = (off > within + _floor_effect(f) and not _two_terms_lead_to_target(f)
                   and not _hidden_ratio_contradicts(f))
        return Verdict.REFUTED if certain else Verdict.INCONCLUSIVE
    faster = f.distance(0) - f.distance(1) >= f.distance(1) - f.distance(2)
    return Verdict.DIVERGING if _distance_moved(f, +1.0, True) and faster else Verdict.INCONCLUSIVE


def _reason(verdict: Verdict, f: _Findings, approach: OrderFit) -> str:
    target, within = number(f.target, "g"), number(f.within, "g")
    if len(f.evidence) < LEAST_POINTS:
        text = f"evidence at {len(f.evidence)} of {len(f.points)} ε, {LEAST_POINTS} needed"
        if f.uncertain > 0:
            text += f"; {f.uncertain} with a bar above ± {within}"
    else:
        last = f.from_end(0)
        text = f"ratio {with_bar(last.ratio, last.floor)} at ε = {number(last.epsilon, '.3g')}"
        if verdict == Verdict.REFUTED:
            text += f"; settles at {with_bar(f.limit.value, f.limit.error)}"
        if f.contradicted:
            text += "; the ratio at a smaller ε, although uncertain, deviates by more than its error bar"
        elif verdict == Verdict.INCONCLUSIVE and f.failed > 0:
            text += f"; {f.failed} of {len(f.points)} rows failed"
        elif verdict in (Verdict.DIVERGING, Verdict.INCONCLUSIVE):
            grows = _distance_moved(f, +1.0, False)
            text += f"; its distance to {target} grows there" if grows else "; it has not settled"
        if approach.settled:
            text += (f"; distance to {target} has order {number(approach.order, '.2f')} ± "
                     f"{number(approach.standard_error, '.1g')} over {approach.count} of {len(f.points)} ε")
    return f"{text}; expected {target} ± {within}"


def judge_ratio(points: Ratios, target: float = 1.0, within: float = 1e-3) -> RatioParts:
    """Judge one series of ratios by the rules of rigidlimit_gates.judge_ratio.

    Raises InputError for an invalid series (ε not decreasing, a negative floor), within ≤ 0 or r* not finite.
    """
    distances = [SeriesPoint(p.epsilon, abs(p.ratio - target), p.floor, p.usable) for p in points]
    require_series(distances)
    f = _Findings(points, target, within)
    approach = fit_order(distances)
    verdict = _decide(f)
    last = f.evidence[-1] if f.evidence else 0
    return RatioParts(verdict, last, points[last].ratio if f.evidence else math.nan, f.limit, approach,
                      _reason(verdict, f, approach))
