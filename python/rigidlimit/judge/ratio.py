"""Check whether measured / predicted tends to 1: the gate for a predicted coefficient."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .arithmetic import divide, log, power
from ..errors import InputError
from .exponential import Limit, SequencePoint, growth, limit_of, rate_of, slow_limit_of
from .orders import FitOptions, OrderFit, fit_points
from .points import RatioPoint, SeriesPoint
from .series import RatioSeries
from .text import lines, number, shortest, table_line, with_bar
from .verdict import Verdict

_NEEDED = 3  # points of evidence: two steps show a direction


@dataclass(frozen=True, slots=True)
class RatioTarget:
    """Target r*, and the tolerance > 0 on the ratio at the smallest ε that is evidence."""

    target: float = 1.0
    within: float = 1e-3


@dataclass(frozen=True, slots=True)
class RatioJudgement:
    """The verdict on a series of ratios; its text shows the series as a table.

    Attributes
    ----------
    verdict : Verdict
        Equal to its word.
    last : int
        Row of the smallest ε that is evidence.
    ratio : float
        measured / predicted in that row; NaN: none.
    limit : Limit
        The last three ratios of evidence extrapolated to ε → 0, with the error of the extrapolation and the floors.
    approach : OrderFit
        |r − r*| = K ε^p over the rows where it exceeds ten floors.
    reason : str
        "ratio 1.0004 ± 2e-05 at ε = 0.0001; …; expected 1 ± 0.001".
    """

    verdict: Verdict
    last: int
    ratio: float
    limit: Limit
    approach: OrderFit
    reason: str
    series: RatioSeries
    target: RatioTarget

    @property
    def confirmed(self) -> bool:
        """Whether the verdict is `confirmed`."""
        return self.verdict == Verdict.CONFIRMED

    def table(self) -> str:
        """The ratios and their distances to the target, with marks beside rows that are no evidence or too far."""
        rows = [table_line("ε", "ratio", "floor", "distance")]
        within = self.target.within
        for p in self.series.points:
            distance = abs(p.ratio - self.target.target)
            far = not self.confirmed and distance > within
            mark = "<- no evidence" if not p.is_evidence(within) else "<- too far" if far else ""
            rows.append(table_line(number(p.epsilon), "-" if math.isnan(p.ratio) else f"{p.ratio:.8g}",
                                   number(p.floor), number(distance), mark))
        return "\n".join(rows)

    def __str__(self) -> str:
        limit = self.limit
        extrapolated = "" if math.isnan(limit.value) else f"ratio for ε → 0: {with_bar(limit.value, limit.error)}"
        return lines([f"{self.verdict}: {self.reason}", extrapolated, self.table()])


class _Findings:
    """Classification of the rows."""

    def __init__(self, points: Sequence[RatioPoint], target: RatioTarget) -> None:
        if not target.within > 0.0 or not math.isfinite(target.target):
            raise InputError(f"ratio {shortest(target.target)} within {shortest(target.within)}: not a tolerance > 0")
        self.points = points
        self.target = target
        self.evidence: list[int] = []
        self.failed = 0  # usable rows without a finite ratio
        self.uncertain = 0  # finite ratios whose floor exceeds the tolerance
        self.contradicted = False  # by a row at a smaller ε than the evidence
        for k, p in enumerate(points):
            if p.is_evidence(target.within):
                self.evidence.append(k)
                self.contradicted = False
            elif p.usable and math.isfinite(p.ratio):
                self.uncertain += 1
                if abs(p.ratio - target.target) > target.within + p.floor:
                    self.contradicted = True
            elif p.usable:
                self.failed += 1
        self.limit = limit_of([self.in_sequence(points[k]) for k in self.evidence])

    @staticmethod
    def in_sequence(p: RatioPoint) -> SequencePoint:
        return SequencePoint(p.epsilon, p.ratio, p.floor)

    def last(self, count: int) -> list[SequencePoint]:
        """The last ratios of evidence, by decreasing ε."""
        return [self.in_sequence(self.from_end(k)) for k in reversed(range(count))]

    def from_end(self, k: int) -> RatioPoint:
        return self.points[self.evidence[-1 - k]]

    def distance(self, k: int) -> float:
        return abs(self.from_end(k).ratio - self.target.target)

    def distance_moved(self, direction: float, each: bool) -> bool:
        """Whether the distance changed by more than the floors (and the rounding of the ratios) in this direction.

        In both of the last steps (`each`) or in one of them.
        """
        rounding = 8.0 * sys.float_info.epsilon
        moved = 0
        for k in range(_NEEDED - 1):
            now, before = self.from_end(k), self.from_end(k + 1)
            slack = now.floor + before.floor + rounding * (abs(now.ratio) + abs(before.ratio))
            if direction * (self.distance(k) - self.distance(k + 1)) > slack:
                moved += 1
        return moved == 2 if each else moved > 0

    def leaves_tolerance(self) -> bool:
        """Whether the distance grew over the last two steps, and the same growth once more exceeds the tolerance."""
        growth = self.distance(0) - min(self.distance(1), self.distance(2))
        return self.distance_moved(+1.0, False) and self.distance(0) + growth > self.target.within

    def spread(self) -> float:
        """Largest minus smallest of the last ratios."""
        last = [self.from_end(k).ratio for k in range(_NEEDED)]
        return max(last) - min(last)

    def hidden_ratio_contradicts(self) -> bool:
        """Whether an uncertain ratio at a smaller ε than the evidence is further from the limit than twice its bar."""
        return any(p.usable and abs(p.ratio - self.limit.value) > 2.0 * p.floor + self.limit.error
                   for p in self.points[self.evidence[-1] + 1:])

    def hidden_fall(self) -> float:
        """How fast the distance may fall over log(1/ε), if the floors hide the last steps.

        As from the last ratio that is visibly further away to the smallest ε, and not faster than the floors of the
        ratios after it allow. 0: no ratio is further away, or the distance grows.
        """
        if self.distance_moved(+1.0, False):
            return 0.0

        def change(k: int) -> float:
            return self.distance(k) - self.distance(0)

        def floors(k: int) -> float:
            return self.from_end(k).floor + self.from_end(0).floor

        def span(k: int) -> float:
            return log(divide(self.from_end(k).epsilon, self.from_end(0).epsilon))

        for k in range(_NEEDED - 1, len(self.evidence) // 2 + 1):
            if change(k) > floors(k):
                visible = divide(change(k), span(k))
                if k < _NEEDED:
                    return visible
                return min(visible, divide(abs(change(k - 1)) + floors(k - 1), span(k - 1)))
        return 0.0

    def may_still_arrive(self) -> bool:
        """Whether the ratio may still reach the target.

        Three ratios may reach it if they changed by a tenth of the distance, four if the last three changed by half
        of it. With more ratios whose steps lead towards the target, the slow trend r∞ − m/(c − log ε) sets the reach,
        at most the last step repeated down to ε². If the floors hide the last steps, hidden_fall() is continued in
        this way.
        """
        n = len(self.evidence)
        if n == _NEEDED:
            return 10.0 * self.spread() > self.distance(0)
        if n == _NEEDED + 1 and 2.0 * self.spread() > self.distance(0):
            return True
        smallest = self.from_end(0).epsilon
        reach = max(-log(smallest), log(divide(self.points[self.evidence[0]].epsilon, smallest)))
        if not self.distance_moved(-1.0, True):
            fall = self.hidden_fall()
            return fall > 0.0 and self.distance(0) <= self.target.within + self.limit.error + fall * reach
        last = self.last(4)
        now, rest = last[-1].value, 0.0
        for triple in (last[:3], last[1:]):
            limit = slow_limit_of(triple)
            if not math.isnan(limit):
                rest = max(rest, abs(limit - now))
        slope = divide(abs(now - last[2].value), log(divide(last[2].epsilon, smallest)))
        rest = min(rest, slope * reach)
        return self.distance(0) <= self.target.within + self.limit.error + rest

    def power_law(self) -> float:
        """The ratio at the ε before the last three, from r∞ + a ε^s through these."""
        z, a, b, c = self.last(4)
        near, far, before = (log(divide(p.epsilon, c.epsilon)) for p in (b, a, z))
        s = rate_of(divide(a.value - c.value, b.value - c.value), far, near)
        return c.value + divide(b.value - c.value, growth(s, near)) * growth(s, before)

    def two_term_law(self, s: float, t: float) -> tuple[float, float]:
        """The limit of r∞ + a ε^s + b ε^t through the last three ratios, and the ratio at the ε before them."""
        z, a, b, c = self.last(4)

        def rise(p: SequencePoint, exponent: float) -> float:
            return power(divide(p.epsilon, c.epsilon), exponent) - 1.0

        sb, tb, sa, ta = rise(b, s), rise(b, t), rise(a, s), rise(a, t)
        db, da = b.value - c.value, a.value - c.value
        determinant = sb * ta - sa * tb
        first, second = divide(db * ta - da * tb, determinant), divide(sb * da - sa * db, determinant)
        return c.value - first - second, c.value + first * rise(z, s) + second * rise(z, t)

    def two_terms_lead_to_target(self) -> bool:
        """Whether two terms describe the last four ratios as well as one power of ε, and lead to the target or beyond.

        Such are the two terms between which a ratio turns. Three ratios that are equal within their floors do not turn,
        and four that changed by less than a tenth of the distance to the target do not lead there.
        """
        if len(self.evidence) <= _NEEDED:
            return False
        z, target = self.from_end(3), self.target.target
        floors = sum(self.from_end(k).floor for k in range(_NEEDED))
        if self.spread() <= floors:
            return False
        changed = max(self.spread(), abs(z.ratio - self.from_end(0).ratio))
        if 10.0 * changed < self.distance(0):
            return False
        reached = abs(self.power_law() - z.ratio) + floors + z.floor
        for s in (1.0 / 3.0, 0.5, 1.0):
            for t in (1.5 * s, 2.0 * s, 3.0 * s):
                limit, before = self.two_term_law(s, t)
                beyond = (limit - target) * (self.from_end(0).ratio - target) <= 0.0
                if not abs(before - z.ratio) > reached and (
                        beyond or abs(limit - target) <= self.target.within + self.limit.error):
                    return True
        return False

    def floor_effect(self) -> float:
        """The largest change of the limit that the floors of the last three ratios allow."""
        last, effect = self.last(_NEEDED), 0.0
        for k, p in enumerate(last):
            largest = 0.0
            for sign in (-1.0, 1.0):
                moved = [*last[:k], replace(p, value=p.value + sign * p.floor), *last[k + 1:]]
                largest = max(largest, abs(limit_of(moved).value - self.limit.value))
            effect += largest
        return effect


def _decide(f: _Findings) -> Verdict:
    within = f.target.within
    if len(f.evidence) < _NEEDED:
        hidden = f.uncertain > 0 and len(f.evidence) + f.uncertain >= _NEEDED
        return Verdict.FLOOR_LIMITED if hidden else Verdict.INCONCLUSIVE
    if f.contradicted and f.distance(0) <= within:
        return Verdict.INCONCLUSIVE
    if f.distance(0) <= within:
        return Verdict.INCONCLUSIVE if f.failed > 0 or f.leaves_tolerance() else Verdict.CONFIRMED
    # Constant ratios have no trend to extrapolate: they are the limit.
    if f.spread() <= 1e-3 * f.distance(0):
        return Verdict.REFUTED
    off = abs(f.limit.value - f.target.target)
    if f.may_still_arrive():
        return Verdict.PRE_ASYMPTOTIC if f.distance_moved(-1.0, True) else Verdict.INCONCLUSIVE
    if f.distance_moved(-1.0, True) and off <= within + f.limit.error:
        return Verdict.PRE_ASYMPTOTIC
    if off > within + f.limit.error:
        certain = (off > within + f.floor_effect() and not f.two_terms_lead_to_target()
                   and not f.hidden_ratio_contradicts())
        return Verdict.REFUTED if certain else Verdict.INCONCLUSIVE
    faster = f.distance(0) - f.distance(1) >= f.distance(1) - f.distance(2)
    return Verdict.DIVERGING if f.distance_moved(+1.0, True) and faster else Verdict.INCONCLUSIVE


def _reason_for(verdict: Verdict, f: _Findings, approach: OrderFit) -> str:
    target, within = f.target.target, f.target.within
    if len(f.evidence) < _NEEDED:
        text = f"evidence at {len(f.evidence)} of {len(f.points)} ε, {_NEEDED} needed"
        if f.uncertain > 0:
            text += f"; {f.uncertain} with a bar above ± {within:g}"
        return text + f"; expected {target:g} ± {within:g}"
    last = f.from_end(0)
    text = f"ratio {with_bar(last.ratio, last.floor)} at ε = {last.epsilon:.3g}"
    if verdict == Verdict.REFUTED:
        text += f"; settles at {with_bar(f.limit.value, f.limit.error)}"
    if f.contradicted:
        text += "; the ratio at a smaller ε, although uncertain, deviates by more than its error bar"
    elif verdict == Verdict.INCONCLUSIVE and f.failed > 0:
        text += f"; {f.failed} of {len(f.points)} rows failed"
    elif verdict in (Verdict.DIVERGING, Verdict.INCONCLUSIVE):
        text += (f"; its distance to {target:g} grows there" if f.distance_moved(+1.0, False)
                 else "; it has not settled")
    if approach.settled:
        text += (f"; distance to {target:g} has order {approach.order:.2f} ± {approach.standard_error:.1g} over "
                 f"{approach.count} of {len(f.points)} ε")
    return text + f"; expected {target:g} ± {within:g}"


def judge_ratio(series: RatioSeries, target: float = 1.0, within: float = 1e-3) -> RatioJudgement:
    """Judge whether ratios tend to r* = `target`.

    Returns
    -------
    RatioJudgement
        With d = |r − r*| over the evidence (ratios with floor ≤ within), the first rule that holds decides:

        * floor-limited: fewer than 3 points of evidence, enough with the uncertain ones
        * inconclusive: fewer than 3, or an uncertain row at a smaller ε lies outside within + its floor
        * confirmed: d ≤ within at the smallest ε, and d did not grow over the last three points so fast that the same
          growth once more exceeds within
        * pre-asymptotic: d fell over the last three points, and their limit or slower trend leads to r*
        * refuted: |r∞ − r*| > within + the error of the limit r∞, also with its floors, and no two terms of ε, as of
          a ratio that turns, lead to r*
        * diverging: d grows at an increasing rate
        * inconclusive: otherwise

    Raises
    ------
    InputError
        If within ≤ 0 or r* is not finite.
    """
    wanted = RatioTarget(float(target), float(within))
    f = _Findings(series.points, wanted)
    distances = [SeriesPoint(p.epsilon, abs(p.ratio - wanted.target), p.floor, p.usable) for p in series.points]
    approach = fit_points(distances, FitOptions())
    verdict = _decide(f)
    last = f.evidence[-1] if f.evidence else 0
    return RatioJudgement(verdict, last, series.points[last].ratio if f.evidence else math.nan, f.limit, approach,
                          _reason_for(verdict, f, approach), series, wanted)
