"""Convergence orders of an error in ε: neighbour orders, a fit with its standard error, the trend."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .arithmetic import INFINITY, NAN, divide, exp, expm1, log, log1p, sqrt
from ..errors import InputError
from .exponential import Limit, SequencePoint, growth, limit_of, rate_of, slow_limit_of
from .points import SeriesPoint, require_series
from .series import Series
from .text import shortest

Points = Sequence[SeriesPoint]


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Options of `fit_order`.

    Attributes
    ----------
    max_spread : float
        > 0: neighbour orders may differ this much from the fit.
    min_points : int
        ≥ 3: points of a settled window; a series of 3 rows needs 3.
    """

    max_spread: float = 0.05
    min_points: int = 4


@dataclass(frozen=True, slots=True)
class OrderFit:
    """e = K ε^p over a window of the series; NaN: not available from so few points.

    Attributes
    ----------
    order : float
        p, from 3 points of evidence on.
    standard_error : float
        Of p, from the residuals of the fit.
    floor_error : float
        Largest change of p that the floors of the points allow.
    coefficient : float
        K, in units of the error.
    spread : float
        Largest |neighbour order − p|, neighbours within the window.
    first, last : int
        Rows of the largest and of the smallest ε used.
    count : int
        Points used: the evidence among rows first to last.
    settled : bool
        True: the window is a tail with one order; False: all evidence.
    """

    order: float = NAN
    standard_error: float = NAN
    floor_error: float = NAN
    coefficient: float = NAN
    spread: float = NAN
    first: int = 0
    last: int = 0
    count: int = 0
    settled: bool = False


@dataclass(frozen=True, slots=True)
class OrderDrift:
    """Change of the order towards smaller ε, per unit of log(1/ε), and twice its standard error plus the floors."""

    drift: float = 0.0
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class OrderTrend:
    """Monotone neighbour orders and their extrapolation p(x) = p∞ + a e^{s x}, x = log ε.

    Attributes
    ----------
    orders : tuple of float
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

    orders: tuple[float, ...]
    shrinking: bool
    above_floor: bool
    limit: float
    slow_limit: float
    next: float
    horizon: float


@dataclass(frozen=True, slots=True)
class _LogPoint:
    """A point of evidence in the log-log plane; the floor can move y by `slack`."""

    row: int
    x: float
    y: float
    slack: float


@dataclass(frozen=True, slots=True)
class _PairOrder:
    """The order between two neighbours of the evidence, at the log of the logarithmic mean of their ε."""

    order: float
    slack: float
    x: float

    def in_sequence(self) -> SequencePoint:
        return SequencePoint(exp(self.x), self.order, self.slack)


def _evidence_of(points: Points) -> list[_LogPoint]:
    return [_LogPoint(k, log(p.epsilon), log(p.error), -log1p(divide(-p.floor, p.error)))
            for k, p in enumerate(points) if p.is_evidence]


def _pair_order(a: _LogPoint, b: _LogPoint) -> _PairOrder:
    """At this x, e = K ε^p (1 + a ε) has exactly the neighbour order p + a exp(x), up to a²."""
    h = a.x - b.x
    return _PairOrder(divide(a.y - b.y, h), divide(a.slack + b.slack, h), a.x + log(divide(-expm1(-h), h)))


def _pairs_of(evidence: Sequence[_LogPoint]) -> list[_PairOrder]:
    return [_pair_order(evidence[k - 1], evidence[k]) for k in range(1, len(evidence))]


def _least_squares(points: Sequence[_LogPoint]) -> OrderFit:
    n = len(points)
    if n == 0:
        return OrderFit()
    first, last = points[0].row, points[-1].row
    if n < 3:  # any two points lie on a line
        return OrderFit(first=first, last=last, count=n)
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
    for pair in _pairs_of(points):
        spread = max(spread, abs(pair.order - order))
    return OrderFit(order=order, standard_error=sqrt(divide(squares / (count - 2.0), xx)),
                    floor_error=divide(slack, xx), coefficient=exp(y_mean - order * x_mean), spread=spread,
                    first=first, last=last, count=n)


def _has_one_order(points: Sequence[_LogPoint], fit: OrderFit, max_spread: float) -> bool:
    for pair in _pairs_of(points):
        if not abs(pair.order - fit.order) <= max_spread + pair.slack:
            return False
    return fit.standard_error <= max_spread  # noise must not pass because of slack at every pair


def _may_have_one_order(points: Sequence[_LogPoint], max_spread: float) -> list[bool]:
    """For each k, whether some order lies within reach of all neighbour orders of points[k], ….

    Without one, _has_one_order is false whatever the fit. In long series this decides most tails.
    """
    may = [True] * len(points)
    low, high = -INFINITY, INFINITY
    for k in range(len(points) - 1, 0, -1):
        pair = _pair_order(points[k - 1], points[k])
        rounding = 1e-12
        reach = max_spread + pair.slack + rounding * (1.0 + abs(pair.order))
        low = max(low, pair.order - reach)
        high = min(high, pair.order + reach)
        may[k - 1] = low <= high
    return may


def fit_points(points: Points, options: FitOptions) -> OrderFit:
    """`fit_order` of plain rows."""
    require_series(points)
    if not options.max_spread > 0.0 or options.min_points < 3:
        raise InputError(f"max_spread = {shortest(options.max_spread)} must be > 0 and min_points = "
                         f"{options.min_points} at least 3")
    evidence = _evidence_of(points)
    needed = 3 if len(points) == 3 else options.min_points
    may = _may_have_one_order(evidence, options.max_spread)
    for start in range(len(evidence) - needed + 1):
        if not may[start]:
            continue
        tail = evidence[start:]
        fit = _least_squares(tail)
        if _has_one_order(tail, fit, options.max_spread):
            return replace(fit, settled=True)
    return _least_squares(evidence)


def fit_order(series: Series, options: FitOptions | None = None) -> OrderFit:
    """Fit log e = log K + p log ε by ordinary least squares over the evidence.

    The window is the longest tail of the evidence with at least `min_points` points; it ends at the smallest ε that
    is evidence. In it each neighbour order lies within `max_spread` (and the effect of its two floors) of the fit of
    the tail, and the standard error does not exceed `max_spread`. Without such a tail the fit is over all evidence,
    with ``settled = False``; with no evidence the numbers are NaN.

    Raises
    ------
    InputError
        If max_spread ≤ 0 or min_points < 3.
    """
    return fit_points(series.points, options or FitOptions())


def neighbour_order(a: SeriesPoint, b: SeriesPoint) -> float:
    """p = log(e_a/e_b) / log(ε_a/ε_b); NaN where an error is 0, not finite or not usable, or where ε_a = ε_b."""
    for p in (a, b):
        if not p.usable or not all(math.isfinite(x) and x > 0.0 for x in (p.error, p.epsilon)):
            return NAN
    if a.epsilon == b.epsilon:
        return NAN
    return divide(log(divide(a.error, b.error)), log(divide(a.epsilon, b.epsilon)))


def neighbour_orders(series: Series) -> list[float]:
    """p_k = log(e_{k−1}/e_k) / log(ε_{k−1}/ε_k), one per row; NaN in the first row and beside unusable rows.

    The sign is kept: negative where the error grows. Rows below the floor get a number too, for reading.
    """
    points = series.points
    return [NAN, *(neighbour_order(points[k - 1], points[k]) for k in range(1, len(points)))][:len(points)]


def order_drift(points: Points, fit: OrderFit) -> OrderDrift:
    """The drift of the order over the evidence of a fit, from a parabola in log ε; zeros with fewer than three."""
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
        """The quadratic orthogonal to 1 and x on these points."""
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
    deviation = sqrt(divide(squares / (n - 3.0), qq)) if n > 3.0 else 0.0
    return OrderDrift(divide(-2.0 * qy, qq), 2.0 * (2.0 * deviation + divide(slack, qq)))


def order_limit(series: Series) -> Limit:
    """The order extrapolated to ε → 0: the limit of the neighbour orders of the evidence.

    The limit removes the trend that a fit over finitely many ε keeps: e = K ε^p (1 + a ε) has the fitted order
    p + O(a ε) and the limit p. The error also contains the limit of p∞ − m/(c − log ε), the trend of
    ε^p (log 1/ε)^m, if that trend fits the last neighbour orders at least as well as a power of ε. Both are
    extrapolations: neither bounds the order at smaller ε.
    """
    return limit_of_points(series.points)


def limit_of_points(points: Points) -> Limit:
    """`order_limit` of plain rows."""
    require_series(points)
    orders = [pair.in_sequence() for pair in _pairs_of(_evidence_of(points))]
    limit = limit_of(orders)
    if len(orders) < 3:
        return limit
    slow_now = slow_limit_of(orders[-3:])
    now, before = orders[-1], orders[-2]
    seen = abs(now.value - before.value) > now.floor + before.floor
    if not seen or not math.isfinite(slow_now):
        return limit
    if len(orders) > 3:
        # Each trend gives a limit for each triple: the limit of the better trend changes less.
        moved = abs(slow_now - slow_limit_of(orders[-4:-1]))
        power_moved = abs(limit.value - limit_of(orders[:-1]).value)
        if moved > power_moved:
            return limit
    return replace(limit, error=max(limit.error, abs(slow_now - limit.value)))


def _steps_of(pairs: Sequence[_PairOrder]) -> tuple[bool, bool, bool]:
    """Whether the differences of the orders have the same sign, shrink per log ε, and exceed the floors."""
    same_sign = shrink = above_floor = True
    previous = 0.0
    for k in range(1, len(pairs)):
        a, b = pairs[k - 1], pairs[k]
        slope = divide(a.order - b.order, a.x - b.x)
        if slope == 0.0 or slope * previous < 0.0:
            same_sign = False
        if k > 1 and abs(slope) >= abs(previous):
            shrink = False
        # A floor is an estimate (the distance to a tighter solve omits the error of that solve), so allow twice it.
        if abs(a.order - b.order) <= 2.0 * (a.slack + b.slack):
            above_floor = False
        previous = slope
    return same_sign, shrink, above_floor


def order_trend(points: Points, steps: int = 3) -> OrderTrend | None:
    """The trend in the last `steps` (2 or more) differences of the neighbour orders of the evidence.

    None unless they have the same sign and either shrink or all exceed twice the effect of the floors.
    """
    require_series(points)
    if steps < 2:
        raise InputError(f"steps = {steps} must be at least 2")
    evidence = _evidence_of(points)
    if len(evidence) < steps + 2:
        return None
    pairs = _pairs_of(evidence)[-steps - 1:]
    same_sign, shrink, above_floor = _steps_of(pairs)
    if not same_sign or not (shrink or above_floor):
        return None
    p1, p2, p3 = pairs[-3:]
    near, far = p2.x - p3.x, p1.x - p3.x
    s = rate_of(divide(p1.order - p3.order, p2.order - p3.order), far, near)
    scale = divide(p2.order - p3.order, growth(s, near))
    sequence = [pair.in_sequence() for pair in pairs]
    slow_limit = slow_limit_of(sequence[-3:])
    if steps > 2:
        before = slow_limit_of(sequence[-4:-1])
        if abs(before - p3.order) > abs(slow_limit - p3.order):
            slow_limit = before
    one_more = evidence[-2].x - evidence[-1].x
    span = evidence[0].x - evidence[-1].x
    further = scale * growth(s, -span) if s > 0.0 else divide(-(p2.order - p3.order), near) * span
    return OrderTrend(
        orders=tuple(pair.order for pair in pairs), shrinking=shrink, above_floor=above_floor,
        limit=p3.order - scale / s if s > 0.0 else (-INFINITY if scale > 0.0 else INFINITY),
        slow_limit=slow_limit, next=p3.order + scale * growth(s, -one_more), horizon=p3.order + further)
