"""Check whether measured / predicted tends to 1: the gate for a predicted coefficient."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from .arithmetic import divide, log
from ..errors import InputError
from .exponential import Limit, SequencePoint, limit_of, slow_limit_of
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
        self.limit = limit_of([self.in_sequence(points[k]) for k in self.evidence])

    @staticmethod
    def in_sequence(p: RatioPoint) -> SequencePoint:
        return SequencePoint(p.epsilon, p.ratio, p.floor)

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

    def spread(self) -> float:
        """Largest minus smallest of the last ratios."""
        last = [self.from_end(k).ratio for k in range(_NEEDED)]
        return max(last) - min(last)

    def hidden_ratio_contradicts(self) -> bool:
        """Whether an uncertain ratio at a smaller ε than the evidence is further from the limit than twice its bar."""
        return any(p.usable and abs(p.ratio - self.limit.value) > 2.0 * p.floor + self.limit.error
                   for p in self.points[self.evidence[-1] + 1:])

    def may_still_arrive(self) -> bool:
        """Whether the ratio may still reach the target.

        Three ratios may reach it if they changed by a tenth of the distance. With more ratios whose steps lead
        towards the target, the slow trend r∞ − m/(c − log ε) sets the reach, at most the last step repeated down to
        ε².
        """
        if len(self.evidence) == _NEEDED:
            return 10.0 * self.spread() > self.distance(0)
        if not self.distance_moved(-1.0, True):
            return False
        last = [self.in_sequence(self.from_end(k)) for k in (3, 2, 1, 0)]
        now, rest = last[-1].value, 0.0
        for triple in (last[:3], last[1:]):
            limit = slow_limit_of(triple)
            if not math.isnan(limit):
                rest = max(rest, abs(limit - now))
        smallest = last[-1].epsilon
        span = log(divide(self.points[self.evidence[0]].epsilon, smallest))
        slope = divide(abs(now - last[2].value), log(divide(last[2].epsilon, smallest)))
        rest = min(rest, slope * max(-log(smallest), span))
        return self.distance(0) <= self.target.within + self.limit.error + rest


def _decide(f: _Findings) -> Verdict:
    within = f.target.within
    if len(f.evidence) < _NEEDED:
        hidden = f.uncertain > 0 and len(f.evidence) + f.uncertain >= _NEEDED
        return Verdict.FLOOR_LIMITED if hidden else Verdict.INCONCLUSIVE
    if f.contradicted and f.distance(0) <= within:
        return Verdict.INCONCLUSIVE
    # Growth below a thousandth of the tolerance is allowed: round-off of a start, amplified by 1/ε, grows.
    visible = f.distance(0) > 1e-3 * within
    if f.distance(0) <= within:
        return Verdict.INCONCLUSIVE if visible and f.distance_moved(+1.0, False) else Verdict.CONFIRMED
    # Constant ratios have no trend to extrapolate: they are the limit.
    if f.spread() <= 1e-3 * within:
        return Verdict.REFUTED
    off = abs(f.limit.value - f.target.target)
    if f.may_still_arrive():
        return Verdict.PRE_ASYMPTOTIC if f.distance_moved(-1.0, True) else Verdict.INCONCLUSIVE
    if f.distance_moved(-1.0, True) and off <= within + f.limit.error:
        return Verdict.PRE_ASYMPTOTIC
    if off > within + f.limit.error:
        return Verdict.INCONCLUSIVE if f.hidden_ratio_contradicts() else Verdict.REFUTED
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
        * confirmed: d ≤ within at the smallest ε, and d did not grow over the last three points
        * pre-asymptotic: d fell over the last three points, and their limit or slower trend leads to r*
        * refuted: |r∞ − r*| > within + the error of the limit r∞
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
