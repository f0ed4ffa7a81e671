"""Convergence orders of an error in ε: neighbour orders, a fit with its standard error, the trend.

Source: src/rigidlimit/convergence/orders.cpp and further_terms.cpp, with the same operations in the same order.
Each function takes rows by strictly decreasing ε > 0 and raises InputError otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, SupportsFloat

from .errors import InputError
from .ieee import divide, exp, expm1, log, power
from .limits import Limit, SequencePoint, growth, limit_of, rate_of, slow_limit_of
from .numbers_text import shortest
from .words import FloorSource

__all__ = ["OrderDrift", "OrderFit", "OrderTrend", "SeriesPoint", "evidence_factor", "fit_order", "neighbour_orders",
           "order_drift", "order_limit", "order_trend", "require_series", "without_terms"]

#: A model error must exceed the other errors this many times to be evidence.
evidence_factor: float = 10.0


# --- Rows

class Record:
    """Equality and hash of a frozen dataclass by its repr: NaN equals NaN."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def as_float(value: SupportsFloat) -> float:
    """`value` as a float. Raises TypeError for text."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


@dataclass(frozen=True, eq=False)
class SeriesPoint(Record):
    """One measurement of a convergence series.

    Attributes
    ----------
    epsilon : float
        The refined parameter, > 0: a stiffness parameter, a step size.
    error : float
        Model error ≥ 0; NaN or infinite where the solve failed.
    floor : float
        Largest of the other errors that `error` contains, ≥ 0; NaN: unknown.
    usable : bool
        False: ignore the row.
    source : FloorSource
        Origin of the floor.
    predicted : float
        Error that a theory predicts, K ε^p > 0; NaN: none. A fit does not use it.
    """

    epsilon: float
    error: float
    floor: float = 0.0
    usable: bool = True
    source: str = FloorSource.UNNAMED
    predicted: float = math.nan

    def __post_init__(self) -> None:
        for name in ("epsilon", "error", "floor", "predicted"):
            object.__setattr__(self, name, as_float(getattr(self, name)))
        try:
            object.__setattr__(self, "source", FloorSource(self.source))
        except ValueError:
            raise InputError(f"'{self.source}' is not a source", "source") from None

    @property
    def is_failed(self) -> bool:
        """Usable, but without a finite error. Fits skip the row, but a series with it confirms nothing."""
        return self.usable and not math.isfinite(self.error)

    @property
    def is_evidence(self) -> bool:
        """Usable, finite, > 0 and ≥ evidence_factor × floor; an unknown floor (NaN) is not evidence."""
        return (self.usable and math.isfinite(self.error) and self.error > 0.0
                and self.error >= evidence_factor * self.floor)


Rows = Sequence[SeriesPoint]


def require_series(points: Rows) -> None:
    """Raise InputError unless ε is > 0 and strictly decreases, and no error or floor is negative."""
    for k, p in enumerate(points):
        if not p.epsilon > 0.0 or not math.isfinite(p.epsilon):
            raise InputError(f"row {k}: epsilon = {shortest(p.epsilon)} is not > 0")
        if k > 0 and not p.epsilon < points[k - 1].epsilon:
            raise InputError(f"row {k}: epsilon = {shortest(p.epsilon)} after {shortest(points[k - 1].epsilon)}; "
                             "must decrease")
        if p.error < 0.0 or p.floor < 0.0:
            raise InputError(f"row {k}: negative error {shortest(p.error)} or floor {shortest(p.floor)}")


# --- Neighbour orders

def _has_logarithm(x: float) -> bool:
    return math.isfinite(x) and x > 0.0


def _neighbour_order(a: SeriesPoint, b: SeriesPoint) -> float:
    for p in (a, b):
        if not p.usable or not _has_logarithm(p.error) or not _has_logarithm(p.epsilon):
            return math.nan
    if a.epsilon == b.epsilon:
        return math.nan
    return divide(log(divide(a.error, b.error)), log(divide(a.epsilon, b.epsilon)))


def neighbour_orders(points: Rows) -> list[float]:
    """p_k = log(e_{k−1}/e_k) / log(ε_{k−1}/ε_k), one per row; NaN in the first row and beside unusable rows."""
    require_series(points)
    return [math.nan if k == 0 else _neighbour_order(points[k - 1], points[k]) for k in range(len(points))]


class _LogPoint(NamedTuple):
    """A point of evidence: x = log ε, y = log e; the floor can move y by `slack`."""

    row: int
    x: float
    y: float
    slack: float


class _PairOrder(NamedTuple):
    """The order between two neighbours of the evidence, the effect of their floors, log of the mean of their ε."""

    order: float
    slack: float
    x: float


def _evidence_of(points: Rows) -> list[_LogPoint]:
    return [_LogPoint(k, log(p.epsilon), log(p.error), -math.log1p(-p.floor / p.error))
            for k, p in enumerate(points) if p.is_evidence]


def _pair_order(a: _LogPoint, b: _LogPoint) -> _PairOrder:
    """At the logarithmic mean of ε_a and ε_b, e = K ε^p (1 + a ε) has the neighbour order p + a ε, up to a²."""
    h = a.x - b.x
    return _PairOrder(divide(a.y - b.y, h), divide(a.slack + b.slack, h), a.x + log(divide(-expm1(-h), h)))


# --- Fit

class OrderFit(NamedTuple):
    """e = K ε^p over a window of the series, as rigidlimit_gates.OrderFit."""

    order: float = math.nan
    standard_error: float = math.nan
    floor_error: float = math.nan
    coefficient: float = math.nan
    spread: float = math.nan
    first: int = 0
    last: int = 0
    count: int = 0  # type: ignore[assignment]  # not tuple.count
    settled: bool = False


def _least_squares(points: Sequence[_LogPoint]) -> OrderFit:
    """p = Σ (x − x̄)(y − ȳ) / Σ (x − x̄)², K = exp(ȳ − p x̄), σ² = Σ residual² / (n − 2) / Σ (x − x̄)²."""
    n = len(points)
    if n == 0:
        return OrderFit()
    fit = OrderFit(first=points[0].row, last=points[-1].row, count=n)
    if n < 3:  # any two points lie on a line
        return fit
    count = float(n)
    x_mean = y_mean = 0.0
    for p in points:
        x_mean += p.x / count
        y_mean += p.y / count
    xx = xy = slack = 0.0
    for p in points:
        xx += (p.x - x_mean) * (p.x - x_mean)
        xy += (p.x - x_mean) * (p.y - y_mean)
        slack += abs(p.x - x_mean) * p.slack
    order = divide(xy, xx)
    squares = 0.0
    for p in points:
        residual = p.y - y_mean - order * (p.x - x_mean)
        squares += residual * residual
    spread = 0.0
    for k in range(1, n):
        spread = max(spread, abs(_pair_order(points[k - 1], points[k]).order - order))
    return fit._replace(order=order, standard_error=math.sqrt(divide(squares / (count - 2.0), xx)),
                        floor_error=divide(slack, xx), coefficient=exp(y_mean - order * x_mean), spread=spread)


def _has_one_order(points: Sequence[_LogPoint], fit: OrderFit, max_spread: float) -> bool:
    for k in range(1, len(points)):
        pair = _pair_order(points[k - 1], points[k])
        if not abs(pair.order - fit.order) <= max_spread + pair.slack:
            return False
    return fit.standard_error <= max_spread  # noise must not pass because of slack at every pair


def _may_have_one_order(points: Sequence[_LogPoint], max_spread: float) -> list[bool]:
    """For each k, whether some order lies within reach of all neighbour orders of points[k], …"""
    may = [True] * len(points)
    low, high = -math.inf, math.inf
    for k in range(len(points) - 1, 0, -1):
        pair = _pair_order(points[k - 1], points[k])
        reach = max_spread + pair.slack + 1e-12 * (1.0 + abs(pair.order))
        low = max(low, pair.order - reach)
        high = min(high, pair.order + reach)
        may[k - 1] = low <= high
    return may


def fit_order(points: Rows, max_spread: float = 0.05, min_points: int = 4) -> OrderFit:
    """Least squares of log e against log ε over the longest tail of the evidence with one order.

    Raises InputError if max_spread ≤ 0 or min_points < 3.
    """
    require_series(points)
    least = max(min_points, 0)
    if not max_spread > 0.0 or least < 3:
        raise InputError(f"max_spread = {shortest(max_spread)} must be > 0 and min_points = {least} at least 3")
    evidence = _evidence_of(points)
    needed = 3 if len(points) == 3 else least
    may = _may_have_one_order(evidence, max_spread)
    for start in range(len(evidence) - needed + 1):
        if not may[start]:
            continue
        tail = evidence[start:]
        fit = _least_squares(tail)
        if _has_one_order(tail, fit, max_spread):
            return fit._replace(settled=True)
    return _least_squares(evidence)


class OrderDrift(NamedTuple):
    """Change of the order towards smaller ε, per unit of log(1/ε).

    error: twice its standard error, and the largest effect of the floors.
    """

    drift: float = 0.0
    error: float = 0.0


def order_drift(points: Rows, fit: OrderFit) -> OrderDrift:
    """The drift over the evidence of a fit, by the parabola of log e over log ε; zeros with fewer than three."""
    require_series(points)
    if fit.count < 3:
        return OrderDrift()
    window = _evidence_of(points[fit.first:fit.last + 1])
    n = float(len(window))
    x_mean = y_mean = 0.0
    for p in window:
        x_mean += p.x / n
        y_mean += p.y / n
    xx = xxx = 0.0
    for p in window:
        x = p.x - x_mean
        xx += x * x
        xxx += x * x * x

    def quadratic(p: _LogPoint) -> float:
        """Orthogonal to 1 and x on these points."""
        x = p.x - x_mean
        return x * x - divide(xxx, xx) * x - xx / n

    qq = qy = xy = slack = 0.0
    for p in window:
        q = quadratic(p)
        qq += q * q
        qy += q * (p.y - y_mean)
        xy += (p.x - x_mean) * (p.y - y_mean)
        slack += abs(q) * p.slack
    squares = 0.0
    for p in window:
        rest = p.y - y_mean - divide(xy, xx) * (p.x - x_mean) - divide(qy, qq) * quadratic(p)
        squares += rest * rest
    deviation = math.sqrt(divide(squares / (n - 3.0), qq)) if n > 3.0 else 0.0
    return OrderDrift(divide(-2.0 * qy, qq), 2.0 * (2.0 * deviation + divide(slack, qq)))


# --- Limit and trend of the orders

def _sequence(pairs: Sequence[_PairOrder]) -> list[SequencePoint]:
    return [SequencePoint(exp(pair.x), pair.order, pair.slack) for pair in pairs]


def order_limit(points: Rows) -> Limit:
    """The order extrapolated to ε → 0: the limit of the neighbour orders of the evidence.

    The error also contains the limit of p∞ − m/(c − log ε), if that trend fits the last orders as well.
    """
    require_series(points)
    evidence = _evidence_of(points)
    orders = _sequence([_pair_order(evidence[k - 1], evidence[k]) for k in range(1, len(evidence))])
    limit = limit_of(orders)
    if len(orders) < 3:
        return limit
    now, before = orders[-1], orders[-2]
    slow_now = slow_limit_of(*orders[-3:])
    seen = abs(now.value - before.value) > now.floor + before.floor
    if not seen or not math.isfinite(slow_now):
        return limit
    if len(orders) > 3:
        # Each trend gives a limit for each triple: the limit of the better trend changes less.
        moved = abs(slow_now - slow_limit_of(*orders[-4:-1]))
        power_moved = abs(limit.value - limit_of(orders[:-1]).value)
        if moved > power_moved:
            return limit
    return Limit(limit.value, max(limit.error, abs(slow_now - limit.value)))


@dataclass(frozen=True, eq=False)
class OrderTrend(Record):
    """Monotone neighbour orders and their extrapolation p(x) = p∞ + a e^{s x}, x = log ε.

    Attributes
    ----------
    orders : list of float
        The neighbour orders of the trend, by decreasing ε.
    shrinking : bool
        Each step, per log ε, is smaller than the one before.
    above_floor : bool
        Each step exceeds twice the effect of the floors.
    limit : float
        p∞ for ε → 0; ±∞ where the last step is not smaller than the one before.
    slow_limit : float
        p∞ of the slower trend p∞ − m/(c − log ε); ±∞ if a triple has no such limit.
    next : float
        p after one more refinement by the last ratio.
    horizon : float
        p once the evidence spans twice as many decades.
    """

    orders: list[float] = field(default_factory=list)
    shrinking: bool = False
    above_floor: bool = False
    limit: float = math.nan
    slow_limit: float = math.nan
    next: float = math.nan
    horizon: float = math.nan


class _Steps(NamedTuple):
    """Differences of consecutive neighbour orders."""

    same_sign: bool
    shrink: bool  # each smaller than the one before, per log ε
    above_floor: bool  # each larger than twice the effect of the floors


def _steps_of(pairs: Sequence[_PairOrder]) -> _Steps:
    same_sign = shrink = above_floor = True
    previous = 0.0
    for k in range(1, len(pairs)):
        a, b = pairs[k - 1], pairs[k]
        slope = divide(a.order - b.order, a.x - b.x)
        if slope == 0.0 or slope * previous < 0.0:
            same_sign = False
        if k > 1 and abs(slope) >= abs(previous):
            shrink = False
        # A floor is an estimate (the distance to a tighter solve omits the error of that solve): allow twice the floor.
        if abs(a.order - b.order) <= 2.0 * (a.slack + b.slack):
            above_floor = False
        previous = slope
    return _Steps(same_sign, shrink, above_floor)


def order_trend(points: Rows, steps: int = 3) -> OrderTrend | None:
    """The trend in the last `steps` (2 or more) differences of the neighbour orders of the evidence.

    None unless they have the same sign and either shrink or all exceed twice the effect of the floors. Raises
    InputError for fewer steps.
    """
    require_series(points)
    steps = max(steps, 0)
    if steps < 2:
        raise InputError(f"steps = {steps} must be at least 2")
    evidence = _evidence_of(points)
    if len(evidence) < steps + 2:
        return None
    pairs = [_pair_order(evidence[k - 1], evidence[k]) for k in range(len(evidence) - steps - 1, len(evidence))]
    found = _steps_of(pairs)
    if not found.same_sign or not (found.shrink or found.above_floor):
        return None

    p1, p2, p3 = pairs[-3:]
    near, far = p2.x - p3.x, p1.x - p3.x
    s = rate_of(divide(p1.order - p3.order, p2.order - p3.order), far, near)
    scale = divide(p2.order - p3.order, growth(s, near))
    limit = p3.order - divide(scale, s) if s > 0.0 else -math.inf if scale > 0.0 else math.inf
    sequence = _sequence(pairs)
    slow_limit = slow_limit_of(*sequence[-3:])
    if steps > 2:
        before = slow_limit_of(*sequence[-4:-1])
        if abs(before - p3.order) > abs(slow_limit - p3.order):
            slow_limit = before
    one_more = evidence[-2].x - evidence[-1].x
    span = evidence[0].x - evidence[-1].x
    further = scale * growth(s, -span) if s > 0.0 else divide(-(p2.order - p3.order), near) * span
    return OrderTrend([pair.order for pair in pairs], found.shrink, found.above_floor, limit, slow_limit,
                      p3.order + scale * growth(s, -one_more), p3.order + further)


# --- Terms of known order

def _ratio_of(points: Rows) -> float:
    """The one refinement ratio of a series."""
    ratio = divide(points[0].epsilon, points[1].epsilon)
    for k in range(2, len(points)):
        here = divide(points[k - 1].epsilon, points[k].epsilon)
        if not abs(divide(here, ratio) - 1.0) <= 1e-6:
            raise InputError(f"refinement ratios {shortest(ratio)} and {shortest(here)} differ, so no term can be removed")
    return ratio


def _without_term(points: Rows, factor: float) -> list[SeriesPoint]:
    rest = []
    for coarse, fine in zip(points, points[1:]):
        error = divide(factor * fine.error - coarse.error, factor - 1.0)
        floor = divide(factor * fine.floor + coarse.floor, factor - 1.0)
        usable = coarse.usable and fine.usable
        if coarse.is_failed or fine.is_failed:
            usable, error = True, math.nan
        elif not error > 0.0:
            usable, error = False, math.nan
        rest.append(SeriesPoint(fine.epsilon, error, floor, usable, fine.source))
    return rest


def without_terms(points: Rows, orders: Sequence[float]) -> list[SeriesPoint]:
    """e'(ε_k) = (ρ^s e(ε_k) − e(ε_{k−1}))/(ρ^s − 1), ρ = ε_{k−1}/ε_k, for each s of `orders` in turn.

    Raises InputError if the ratios differ, an s is not positive and finite, or there are as many s as rows.
    """
    require_series(points)
    rest = list(points)
    if not orders:
        return rest
    if len(orders) >= len(points):
        raise InputError(f"{len(orders)} terms cannot be removed from {len(points)} rows")
    ratio = _ratio_of(points)
    for s in orders:
        if not s > 0.0 or not math.isfinite(s):
            raise InputError(f"a further term cannot have order {shortest(s)}")
        rest = _without_term(rest, power(ratio, s))
    return rest
