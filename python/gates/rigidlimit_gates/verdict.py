"""The verdict on a convergence series: one word and one sentence.

Source: src/rigidlimit/convergence/verdict.cpp, with the same operations in the same order. The functions return
(verdict, fit, limit, reason, hidden, advice); rigidlimit_gates.judge names them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .errors import InputError
from .ieee import divide, log, power
from .limits import Limit
from .numbers_text import number, order_text, shortest
from .orders import (OrderFit, OrderTrend, Rows, SeriesPoint, evidence_factor, fit_order, order_drift, order_limit,
                     order_trend)
from .words import FloorSource, Verdict

__all__ = ["Expectation", "HiddenRows", "JudgementParts", "judge", "judgement_on"]

MAX_SPREAD = 0.05
"""Of a fit without an expected order."""
MIN_POINTS = 4
"""Points of evidence of a settled tail; a series of 3 rows needs 3."""


class Expectation(NamedTuple):
    """Expected order p*, none: report the fitted one; with `at_least` every order p ≥ p* − within."""

    order: float | None
    within: float
    at_least: bool

    @property
    def given(self) -> float:
        """The expected order, where one is given."""
        assert self.order is not None
        return self.order

    def distance(self, p: float) -> float:
        """|p − p*|, or max(p* − p, 0) with `at_least`."""
        return max(self.given - p, 0.0) if self.at_least else abs(p - self.given)

    def __str__(self) -> str:
        order, within = number(self.given, "g"), number(self.within, "g")
        return f"at least {order} - {within}" if self.at_least else f"{order} ± {within}"


class HiddenRows(NamedTuple):
    """Number of rows hidden by their floor, by source of the floor."""

    unnamed: int
    rounding: int
    solver: int
    reference: int
    sampling: int

    def all(self) -> int:
        """The sum of all sources."""
        return sum(self)


class JudgementParts(NamedTuple):
    """The parts of a rigidlimit_gates.Judgement that depend on the rows."""

    verdict: Verdict
    fit: OrderFit
    limit: Limit
    reason: str
    hidden: HiddenRows
    advice: str


# --- Classification of the rows

class _Census(NamedTuple):
    rows: int
    evidence: int
    hidden: HiddenRows  # finite errors below ten floors
    exact: int  # errors 0 above a floor 0: agreement, but no logarithm
    failed: int
    excluded: int  # by the caller
    needed: int  # points of evidence that a settled tail needs


def _census_of(points: Rows) -> _Census:
    evidence = exact = failed = excluded = 0
    hidden = dict.fromkeys(FloorSource, 0)
    for p in points:
        if p.is_evidence:
            evidence += 1
        elif p.is_failed:
            failed += 1
        elif not p.usable:
            excluded += 1
        elif p.error == 0.0 and p.floor == 0.0:
            exact += 1
        else:
            hidden[FloorSource(p.source)] += 1
    return _Census(len(points), evidence, HiddenRows(*(hidden[source] for source in FloorSource)), exact, failed,
                   excluded, 3 if len(points) == 3 else MIN_POINTS)


class _Findings:
    """Input of the rules."""

    def __init__(self, points: Rows, expectation: Expectation) -> None:
        order = 0.0 if expectation.order is None else expectation.order
        if not expectation.within > 0.0 or not math.isfinite(order):
            raise InputError(f"expected order {shortest(order)} within {shortest(expectation.within)}: "
                             "not a tolerance > 0")
        self.points = points
        self.expectation = expectation
        self.census = _census_of(points)
        self.fit = fit_order(points, expectation.within)
        # Four points have two differences: a trend only if there is an expected order.
        short_series = self.census.evidence == 4 and expectation.order is not None
        self.trend: OrderTrend | None = order_trend(points, 2 if short_series else 3)
        self.still_moving = ""
        """Reason why a clean but unexpected order may change."""


# --- Rules

def _is_leaving(f: _Findings) -> bool:
    """Whether the orders of a settled tail accelerate out of it."""
    if f.trend is None or math.isfinite(f.trend.limit):
        return False
    now = f.trend.orders[-1]
    last_step = now - f.trend.orders[-2]
    # Noise with one tiny step before the last would extrapolate to any value: limit the step to a doubling.
    step = min(abs(f.trend.next - now), 2.0 * abs(last_step))
    change = now + math.copysign(step, last_step) - f.fit.order
    return (-change if f.expectation.at_least else abs(change)) > f.expectation.within


def _moves_to_expected(f: _Findings) -> bool:
    if f.trend is None:
        return False
    expected, within = f.expectation.given, f.expectation.within
    now = f.trend.orders[-1]
    direction = 1.0 if now > f.trend.orders[0] else -1.0
    towards = direction * (expected - now) > 0.0

    def passed_by(p: float) -> bool:
        return towards and direction * (p - expected) >= 0.0

    if not passed_by(f.trend.limit) and not f.expectation.distance(f.trend.limit) <= within:
        return False
    return (not f.fit.settled or _is_leaving(f) or passed_by(f.trend.horizon)
            or f.expectation.distance(f.trend.horizon) <= 0.5 * f.expectation.distance(f.fit.order))


def _late_order(points: Rows) -> float:
    """The slope over the half of the evidence at smaller ε (at least 3 points)."""
    late = [p for p in points if p.is_evidence]
    late = late[-max(3, (len(late) + 1) // 2):]
    # With min_points above the size, fit_order fits all points.
    return fit_order(late, MAX_SPREAD, len(late) + 4).order


def _growth_of(points: Rows) -> float:
    """The error at the smallest ε over that at the largest one, of the evidence."""
    evidence = [p for p in points if p.is_evidence]
    return divide(evidence[-1].error, evidence[0].error)


def _is_growing(f: _Findings) -> bool:
    within = f.expectation.within
    if (f.expectation.order or 0.0) < 0.0 or f.census.evidence < 3:
        return False
    if not f.fit.order < -max(within, 3.0 * f.fit.standard_error):
        return False
    if f.fit.settled and not _is_leaving(f):
        return True
    if not _late_order(f.points) < 0.0 or (f.trend is not None and f.trend.limit >= -within):
        return False
    # Orders that drift without a limit may turn: they show divergence only with a large growth.
    drifts = f.trend is not None and not math.isfinite(f.trend.limit)
    return not drifts or _growth_of(f.points) >= 10.0


def _gap(f: _Findings, fit: OrderFit) -> float:
    """Distance of the order to the expected one beyond tolerance and error bars; ≤ 0: agreement."""
    return f.expectation.distance(fit.order) - f.expectation.within - 2.0 * fit.standard_error - fit.floor_error


class _Gain(NamedTuple):
    """Possible further change of the order towards the expected one: from the observed drift, and from its error."""

    seen: float
    possible: float


def _gain_of(f: _Findings, fit: OrderFit) -> _Gain:
    """The drift is assumed to continue for as many units of log(1/ε) as lie between ε = 1 and the smallest ε.

    At least for the range of the fit: ε^p (log 1/ε)^m has drift m/log² and lacks m/log. A drift above its error
    continues for three decades at least. It ends earlier if steps far above the floors shrink fast enough for
    slow_limit.
    """
    sign = 1.0 if f.expectation.given > fit.order else -1.0
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
        return _Gain(min(seen, rest), min(possible, rest))
    return _Gain(seen, possible)


def _mismatch_of(f: _Findings, fit: OrderFit) -> tuple[list[float], list[float]]:
    """|log(measured/predicted)| of the evidence of a fit, and its slack; empty if no theory predicts the order."""
    size: list[float] = []
    slack: list[float] = []
    before: SeriesPoint | None = None
    for p in f.points[fit.first:fit.last + 1]:
        if not p.is_evidence or not p.predicted > 0.0:
            continue
        if before is not None:
            order = divide(log(divide(before.predicted, p.predicted)), log(divide(before.epsilon, p.epsilon)))
            if not f.expectation.distance(order) <= f.expectation.within:
                return [], []
        before = p
        size.append(abs(log(divide(p.error, p.predicted))))
        slack.append(-math.log1p(-p.floor / p.error))
    return size, slack


def _approaches_prediction(f: _Findings, fit: OrderFit) -> bool:
    """Whether the error still approaches a predicted error of the expected order."""
    size, slack = _mismatch_of(f, fit)
    n = len(size)
    if n < 3:
        return False

    def fell(a: int, b: int) -> bool:
        return size[a] - size[b] > -(slack[a] + slack[b])

    return size[-1] < size[0] and fell(n - 3, n - 2) and fell(n - 2, n - 1)


def _other_row_contradicts(f: _Findings, fit: OrderFit) -> bool:
    """Whether a row behind the fitted ones, or a hidden one between them, is off their power law by two floors."""
    last = f.points[fit.last].epsilon

    def contradicts(p: SeriesPoint) -> bool:
        if p.epsilon >= last and p.is_evidence:
            return False
        law = fit.coefficient * power(p.epsilon, fit.order)
        return p.usable and math.isfinite(p.error) and abs(p.error - law) > 2.0 * p.floor

    return any(map(contradicts, f.points[fit.first:]))


def _without_settled_tail(f: _Findings) -> Verdict:
    c = f.census
    hidden = c.hidden.all()
    floor_to_blame = hidden > 0 and c.evidence + hidden >= c.needed
    return Verdict.FLOOR_LIMITED if c.evidence < c.needed and floor_to_blame else Verdict.INCONCLUSIVE


def _on_another_order(f: _Findings) -> Verdict:
    """On a clean order that differs from the expected one.

    A refutation needs an order that no trend in the rows can still change into the expected one.
    """
    if _approaches_prediction(f, f.fit):
        f.still_moving = "measured/predicted still moves towards 1"
        return Verdict.PRE_ASYMPTOTIC
    gain = _gain_of(f, f.fit)
    if _gap(f, f.fit) <= gain.seen:
        per_decade = number(log(10.0) * order_drift(f.points, f.fit).drift, ".2g")
        f.still_moving = f"the order moves by {per_decade} per decade of ε"
        return Verdict.PRE_ASYMPTOTIC
    if _other_row_contradicts(f, f.fit):
        return Verdict.INCONCLUSIVE
    if _gap(f, f.fit) > gain.possible:
        return Verdict.REFUTED
    # Without its last rows, which have the largest relative floors, the series may be conclusive. Those rows must not
    # contradict it.
    for rows in range(f.fit.last, f.fit.first, -1):
        shorter = _Findings(f.points[:rows], f.expectation)
        if not shorter.fit.settled or shorter.census.evidence < f.census.needed:
            continue
        if _gap(f, shorter.fit) <= 0.0 or _is_leaving(shorter):
            continue
        if _gap(f, shorter.fit) > _gain_of(shorter, shorter.fit).possible \
                and not _other_row_contradicts(f, shorter.fit):
            return Verdict.REFUTED
    return Verdict.INCONCLUSIVE


def _has_expected_order(f: _Findings) -> bool:
    return f.fit.settled and not _is_leaving(f) and f.expectation.distance(f.fit.order) <= f.expectation.within


def _decide(f: _Findings) -> Verdict:
    """Apply the rules; may replace f.fit by the wider fit that contradicts the expected order."""
    clean = f.fit.settled and not _is_leaving(f)
    if f.expectation.order is None:
        if _is_growing(f):
            return Verdict.DIVERGING
        if clean:
            return Verdict.SETTLED
        if f.trend is not None and f.trend.shrinking:
            return Verdict.PRE_ASYMPTOTIC
        return _without_settled_tail(f)
    if _has_expected_order(f):
        return Verdict.CONFIRMED if f.census.failed == 0 else Verdict.INCONCLUSIVE
    if _moves_to_expected(f):
        return Verdict.PRE_ASYMPTOTIC
    if _is_growing(f):
        return Verdict.DIVERGING
    if clean and _gap(f, f.fit) > 0.0:
        return _on_another_order(f)
    if not f.fit.settled and f.expectation.within < MAX_SPREAD:
        wider = fit_order(f.points, MAX_SPREAD)
        if wider.settled and _gap(f, wider) > 0.0:
            f.fit = wider
            return _on_another_order(f)
    return _without_settled_tail(f)


# --- Texts

def _fit_text(f: _Findings) -> str:
    text = "order " + order_text(f.fit.order)
    if math.isfinite(f.fit.standard_error):
        text += f" ± {number(f.fit.standard_error, '.1g')}"
    first, last = (number(f.points[k].epsilon, ".3g") for k in (f.fit.first, f.fit.last))
    return f"{text} over {f.fit.count} of {f.census.rows} ε, {first} … {last}"


def _trend_text(trend: OrderTrend | None) -> str:
    assert trend is not None
    text = " ".join(["neighbour orders", *map(order_text, trend.orders)])
    return text + (", tending to " + order_text(trend.limit) if math.isfinite(trend.limit) else ", without a limit")


def _sources_text(hidden: HiddenRows) -> str:
    """ "sampling error 3, solver error 1"; empty if the sources of the floors are unknown."""
    counts = [("solver error", hidden.solver), ("reference error", hidden.reference),
              ("sampling error", hidden.sampling), ("equal to rounding", hidden.rounding)]
    return ", ".join(f"{name} {count}" for name, count in counts if count > 0)


def _census_text(c: _Census) -> str:
    text = f"evidence at {c.evidence} of {c.rows} ε, {c.needed} needed"
    if c.hidden.all() > 0:
        text += f"; {c.hidden.all()} below {number(evidence_factor, 'g')} times the floor"
    if sources := _sources_text(c.hidden):
        text += f" ({sources})"
    if c.failed > 0:
        text += f"; {c.failed} failed"
    if c.excluded > 0:
        text += f"; {c.excluded} excluded"
    if c.exact > 0:
        text += f"; {c.exact} with error exactly 0"
    return text


def _inconclusive_text(f: _Findings) -> str:
    if f.census.evidence < f.census.needed:
        return _census_text(f.census)
    if f.fit.settled and _is_leaving(f):
        return f"{_fit_text(f)}, but the orders drift away from it: {_trend_text(f.trend)}"
    if f.expectation.order is not None and _has_expected_order(f):
        failed = f.census.failed
        return f"{_fit_text(f)}, but {failed} {'row' if failed == 1 else 'rows'} failed"
    if f.fit.settled:
        return f"{_fit_text(f)}, too uncertain to decide"
    if f.trend is not None:
        return f"no settled order: {_trend_text(f.trend)}"
    return f"no settled order: neighbour orders up to {number(f.fit.spread, '.2g')} away from {_fit_text(f)}"


def _reason(verdict: Verdict, f: _Findings) -> str:
    if verdict in (Verdict.CONFIRMED, Verdict.REFUTED, Verdict.SETTLED):
        text = _fit_text(f)
    elif verdict == Verdict.PRE_ASYMPTOTIC:
        text = f"{_fit_text(f)}; {f.still_moving}" if f.still_moving else f"orders still move: {_trend_text(f.trend)}"
    elif verdict == Verdict.FLOOR_LIMITED:
        text = _census_text(f.census)
    elif verdict == Verdict.DIVERGING:
        text = f"the error grows as ε shrinks: {_fit_text(f)}"
    else:
        text = _inconclusive_text(f)
    return text if f.expectation.order is None else f"{text}; expected {f.expectation}"


_ADVICE = {
    Verdict.CONFIRMED:
        "The error falls with the expected order over the smallest ε that are evidence. Nothing to do.",
    Verdict.REFUTED:
        "The error has another order than expected. If it is too low: is the expected order that of this start, law "
        "and window? Does a layer lie in the window, or does a force jump? Is ε too large for this damping? Are the "
        "data inconsistent? If it is too high: does the leading error term vanish?",
    Verdict.SETTLED:
        "The error follows one order; none was expected. Add an [[expect]] to judge it.",
    Verdict.PRE_ASYMPTOTIC:
        "The orders still move towards their limit. Add smaller ε, and tighter tolerances if the errors there come "
        "near the floor.",
    Verdict.FLOOR_LIMITED:
        "Other errors hide the model error at too many ε. Tighten the solver tolerances, improve the reference, take "
        "more samples, or use larger ε.",
    Verdict.DIVERGING:
        "The error grows as ε shrinks: there is no convergence in this norm and window. Check the initial data, the "
        "limit compared with, and whether the quantity has an impulse.",
    Verdict.INCONCLUSIVE:
        "The series shows no order; see the reason. Correct failed solves, add ε for a longer series, or reduce the "
        "noise with tighter tolerances.",
}


def _advice(verdict: Verdict, hidden: HiddenRows) -> str:
    """Explanation of the verdict and the next step, with advice for the sources of the floors."""
    if verdict != Verdict.FLOOR_LIMITED or hidden.unnamed == hidden.all():
        return _ADVICE[verdict]
    text = "Other errors hide the model error at too many ε."
    if hidden.rounding > 0:
        text += " Motions that agree to rounding show no order: use larger ε, or data in general position."
    if hidden.solver > 0:
        text += " Tighten the solver tolerances, or use larger ε."
    if hidden.reference > 0:
        text += " Improve the reference, or use larger ε."
    if hidden.sampling > 0:
        text += " Take more samples; tighter tolerances do not help."
    return text


def judgement_on(judged: JudgementParts, verdict: Verdict, reason: str) -> JudgementParts:
    """The judgement with another verdict, its reason and its advice."""
    return judged._replace(verdict=verdict, reason=reason, advice=_advice(verdict, judged.hidden))


def judge(points: Sequence[SeriesPoint], order: float | None = None, within: float = 0.05,
          at_least: bool = False) -> JudgementParts:
    """Judge one series by the rules of rigidlimit_gates.judge.

    Raises InputError for an invalid series, within ≤ 0, or an order that is not finite.
    """
    f = _Findings(points, Expectation(order, within, at_least))
    verdict = _decide(f)
    return JudgementParts(verdict, f.fit, order_limit(points), _reason(verdict, f), f.census.hidden,
                          _advice(verdict, f.census.hidden))
