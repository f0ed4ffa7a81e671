"""The rules that give a series its verdict, in the order in which they are applied."""

import math
from dataclasses import dataclass, field

from .arithmetic import divide, log, log1p, power
from ..errors import InputError
from .orders import (FitOptions, OrderFit, OrderTrend, Points, fit_points, limit_of_points, order_drift,
                     order_trend)
from .points import SeriesPoint
from .reasons import reason_for
from .series import Series
from .text import shortest
from .verdict import Expectation, HiddenRows, Judgement, Verdict

_STANDARD = FitOptions()


@dataclass(slots=True)
class Census:
    """Classification of the rows.

    `excluded` rows are not usable. `exact` rows have the error 0 above the floor 0: agreement, but no logarithm. `needed` is the number of points of
    evidence that a settled tail needs.
    """

    rows: int
    needed: int
    evidence: int = 0
    exact: int = 0
    failed: int = 0
    excluded: int = 0
    hidden: HiddenRows = field(default_factory=HiddenRows)


def _census_of(points: Points) -> Census:
    census = Census(rows=len(points), needed=3 if len(points) == 3 else _STANDARD.min_points)
    for p in points:
        if p.is_evidence:
            census.evidence += 1
        elif p.is_failed:
            census.failed += 1
        elif not p.usable:
            census.excluded += 1
        elif p.error == 0.0 and p.floor == 0.0:
            census.exact += 1
        else:
            census.hidden.count(p.source)
    return census


@dataclass(slots=True)
class Findings:
    """Input of the rules."""

    points: Points
    expectation: Expectation
    census: Census
    fit: OrderFit
    trend: OrderTrend | None
    still_moving: str = ""  #: reason why a clean but unexpected order may change

    @property
    def expected(self) -> float:
        """The expected order; 0 without one."""
        return 0.0 if self.expectation.order is None else self.expectation.order

    @property
    def within(self) -> float:
        """Tolerance on the order."""
        return self.expectation.within


def _find(points: Points, expectation: Expectation) -> Findings:
    order = 0.0 if expectation.order is None else expectation.order
    if not expectation.within > 0.0 or not math.isfinite(order):
        raise InputError(f"expected order {shortest(order)} within {shortest(expectation.within)}: "
                         "not a tolerance > 0")
    census = _census_of(points)
    fit = fit_points(points, FitOptions(max_spread=expectation.within))
    # Four points have two differences: a trend only if there is an expected order.
    short_series = census.evidence == 4 and expectation.order is not None
    return Findings(points, expectation, census, fit, order_trend(points, 2 if short_series else 3))


def _is_leaving(f: Findings) -> bool:
    if f.trend is None or math.isfinite(f.trend.limit):
        return False
    now = f.trend.orders[-1]
    last_step = now - f.trend.orders[-2]
    # Noise with one tiny step before the last would extrapolate to any value: limit the step to a doubling.
    step = min(abs(f.trend.next - now), 2.0 * abs(last_step))
    return abs(now + math.copysign(step, last_step) - f.fit.order) > f.within


def _moves_to_expected(f: Findings) -> bool:
    if f.trend is None:
        return False
    expected, now = f.expected, f.trend.orders[-1]
    direction = 1.0 if now > f.trend.orders[0] else -1.0
    towards = direction * (expected - now) > 0.0

    def passed_by(p: float) -> bool:
        return towards and direction * (p - expected) >= 0.0

    if not passed_by(f.trend.limit) and not abs(f.trend.limit - expected) <= f.within:
        return False
    return (not f.fit.settled or _is_leaving(f) or passed_by(f.trend.horizon)
            or abs(f.trend.horizon - expected) <= 0.5 * abs(f.fit.order - expected))


def _late_order(points: Points) -> float:
    """The slope over the half of the evidence at smaller ε (at least 3 points)."""
    late = [p for p in points if p.is_evidence]
    late = late[-max(3, (len(late) + 1) // 2):]
    # With min_points above the size, the fit is over all points.
    return fit_points(late, FitOptions(min_points=len(late) + 4)).order


def _growth_of(points: Points) -> float:
    """The error at the smallest ε over that at the largest one, of the evidence."""
    evidence = [p for p in points if p.is_evidence]
    return divide(evidence[-1].error, evidence[0].error)


def _is_growing(f: Findings) -> bool:
    if f.expected < 0.0 or f.census.evidence < 3:
        return False
    if not f.fit.order < -max(f.within, 3.0 * f.fit.standard_error):
        return False
    if f.fit.settled and not _is_leaving(f):
        return True
    if not _late_order(f.points) < 0.0 or (f.trend is not None and f.trend.limit >= -f.within):
        return False
    # Orders that drift without a limit may turn: they show divergence only with a large growth.
    drifts = f.trend is not None and not math.isfinite(f.trend.limit)
    return not drifts or _growth_of(f.points) >= 10.0


def _gap(f: Findings, fit: OrderFit) -> float:
    """Distance of the order to the expected one beyond tolerance and error bars; ≤ 0: agreement."""
    return abs(fit.order - f.expected) - f.within - 2.0 * fit.standard_error - fit.floor_error


def _gain_of(f: Findings, fit: OrderFit) -> tuple[float, float]:
    """Further change of the order towards the expected one: as seen in the drift, and possible with its error.

    The drift is assumed to continue for as many units of log(1/ε) as lie between ε = 1 and the smallest ε, at least
    for the range of the fit, and a drift above its error for three decades at least. It ends earlier if steps far
    above the floors shrink fast enough for slow_limit.
    """
    sign = 1.0 if f.expected > fit.order else -1.0
    smallest = f.points[fit.last].epsilon
    span = log(divide(f.points[fit.first].epsilon, smallest))
    reach = max(-log(smallest), span) + 0.5 * span
    far = max(reach, log(1e3) + 0.5 * span)
    found = order_drift(f.points, fit)
    towards = sign * found.drift
    seen = towards * far if towards > found.error else 0.0
    possible = max(max(0.0, towards + found.error) * reach, towards * far)
    if f.trend is not None and f.trend.shrinking and f.trend.above_floor:
        rest = max(0.0, sign * (f.trend.slow_limit - fit.order))
        return min(seen, rest), min(possible, rest)
    return seen, possible


def _mismatch_of(f: Findings, fit: OrderFit) -> tuple[list[float], list[float]]:
    """|log(measured/predicted)| of the evidence of a fit and its slack; empty if no theory predicts the order."""
    size: list[float] = []
    slack: list[float] = []
    before: SeriesPoint | None = None
    for p in f.points[fit.first:fit.last + 1]:
        if not p.is_evidence or not p.predicted > 0.0:
            continue
        if before is not None:
            order = divide(log(divide(before.predicted, p.predicted)), log(divide(before.epsilon, p.epsilon)))
            if not abs(order - f.expected) <= f.within:
                return [], []
        before = p
        size.append(abs(log(divide(p.error, p.predicted))))
        slack.append(-log1p(divide(-p.floor, p.error)))
    return size, slack


def _approaches_prediction(f: Findings, fit: OrderFit) -> bool:
    """Whether the error still approaches a predicted error of the expected order."""
    size, slack = _mismatch_of(f, fit)
    if len(size) < 3:
        return False

    def fell(a: int, b: int) -> bool:
        return size[a] - size[b] > -(slack[a] + slack[b])

    return size[-1] < size[0] and fell(-3, -2) and fell(-2, -1)


def _other_row_contradicts(f: Findings, fit: OrderFit) -> bool:
    """Whether a row behind the fitted ones, or a hidden one between them, is off their law by over twice its floor."""
    last = f.points[fit.last].epsilon
    return any(p.usable and math.isfinite(p.error) and not (p.epsilon >= last and p.is_evidence)
               and abs(p.error - fit.coefficient * power(p.epsilon, fit.order)) > 2.0 * p.floor
               for p in f.points[fit.first:])


def _without_settled_tail(f: Findings) -> Verdict:
    c, hidden = f.census, f.census.hidden.all()
    floor_to_blame = hidden > 0 and c.evidence + hidden >= c.needed
    return Verdict.FLOOR_LIMITED if c.evidence < c.needed and floor_to_blame else Verdict.INCONCLUSIVE


def _on_another_order(f: Findings) -> Verdict:
    """Verdict on a clean order that differs from the expected one.

    A refutation needs an order that no trend in the rows can still change into the expected one.
    """
    if _approaches_prediction(f, f.fit):
        f.still_moving = "measured/predicted still moves towards 1"
        return Verdict.PRE_ASYMPTOTIC
    seen, possible = _gain_of(f, f.fit)
    if _gap(f, f.fit) <= seen:
        drift = log(10.0) * order_drift(f.points, f.fit).drift
        f.still_moving = f"the order moves by {drift:.2g} per decade of ε"
        return Verdict.PRE_ASYMPTOTIC
    if _other_row_contradicts(f, f.fit):
        return Verdict.INCONCLUSIVE
    if _gap(f, f.fit) > possible:
        return Verdict.REFUTED
    # Without its last rows, which have the largest relative floors, the series may be conclusive. Those rows must not
    # contradict it.
    for rows in range(f.fit.last, f.fit.first, -1):
        shorter = _find(f.points[:rows], f.expectation)
        if not shorter.fit.settled or shorter.census.evidence < f.census.needed:
            continue
        if _gap(f, shorter.fit) <= 0.0 or _is_leaving(shorter):
            continue
        if _gap(f, shorter.fit) > _gain_of(shorter, shorter.fit)[1] and not _other_row_contradicts(f, shorter.fit):
            return Verdict.REFUTED
    return Verdict.INCONCLUSIVE


def _has_expected_order(f: Findings) -> bool:
    return (f.expectation.order is not None and f.fit.settled and not _is_leaving(f)
            and abs(f.fit.order - f.expected) <= f.within)


def _decide(f: Findings) -> Verdict:
    """Apply the rules; may replace f.fit by the wider fit that contradicts the expected order."""
    clean = f.fit.settled and not _is_leaving(f)
    if f.expectation.order is None:
        if _is_growing(f):
            return Verdict.DIVERGING
        if clean:
            return Verdict.SETTLED
        return Verdict.PRE_ASYMPTOTIC if f.trend is not None and f.trend.shrinking else _without_settled_tail(f)
    if _has_expected_order(f):
        return Verdict.CONFIRMED if f.census.failed == 0 else Verdict.INCONCLUSIVE
    if _moves_to_expected(f):
        return Verdict.PRE_ASYMPTOTIC
    if _is_growing(f):
        return Verdict.DIVERGING
    if clean and _gap(f, f.fit) > 0.0:
        return _on_another_order(f)
    if not f.fit.settled and f.within < _STANDARD.max_spread:
        wider = fit_points(f.points, _STANDARD)
        if wider.settled and _gap(f, wider) > 0.0:
            f.fit = wider
            return _on_another_order(f)
    return _without_settled_tail(f)


def judge(series: Series, order: float | None = None, within: float = 0.05) -> Judgement:
    """Judge one series of errors.

    Parameters
    ----------
    series : Series
        Errors by decreasing ε.
    order : float, optional
        The expected order p*. It may be 0 (flat) or negative (growing). None: report the fitted order.
    within : float
        Tolerance on p, > 0, and the spread allowed to the neighbour orders of a settled tail.

    Returns
    -------
    Judgement
        p ± σ is the fit of `fit_order` at max_spread = within. The first rule that holds decides:

        * confirmed: settled, not leaving, |p − p*| ≤ within, and no row failed; inconclusive with a failed row
        * pre-asymptotic: the trend of the orders leads to p*
        * diverging: p < −max(within, 3σ), and p* is not negative
        * pre-asymptotic: another clean order, but the drift of the order or a predicted error leads to p*
        * refuted: another clean order, |p − p*| > within + 2σ + floor_error, and no drift closes the gap
        * settled, or pre-asymptotic with shrinking steps: nothing was expected
        * floor-limited: too few points of evidence, and floors hide the others
        * inconclusive: otherwise

    Raises
    ------
    InputError
        If within ≤ 0 or the order is not finite.
    """
    expectation = Expectation(None if order is None else float(order), float(within))
    f = _find(series.points, expectation)
    verdict = _decide(f)
    reason = reason_for(verdict, f, _is_leaving(f), _has_expected_order(f))
    return Judgement(verdict, f.fit, limit_of_points(series.points), reason, f.census.hidden, series, expectation)


