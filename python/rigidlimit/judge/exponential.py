"""Limit of a sequence that converges like a power of ε: r(x) = r∞ + a e^{s x}, x = log ε."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .arithmetic import INFINITY, NAN, divide, expm1, log


@dataclass(frozen=True, slots=True)
class SequencePoint:
    """A member of a sequence, known to within its floor."""

    epsilon: float
    value: float
    floor: float


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit for ε → 0 and its error; NaN: none."""

    value: float = NAN
    error: float = NAN


def growth(s: float, d: float) -> float:
    """∫_0^d e^{s u} du."""
    return d if s == 0.0 else expm1(s * d) / s


def rate_of(ratio: float, far: float, near: float) -> float:
    """The s with growth(s, far) / growth(s, near) = ratio, which increases with s; far > near > 0."""
    low, high = divide(-40.0, near), divide(40.0, near)
    for _ in range(100):
        s = 0.5 * (low + high)
        if divide(growth(s, far), growth(s, near)) < ratio:
            low = s
        else:
            high = s
    return 0.5 * (low + high)


def _limit_through(a: SequencePoint, b: SequencePoint, c: SequencePoint) -> float:
    first, second = a.value - b.value, b.value - c.value
    if abs(second) <= b.floor + c.floor:
        return c.value
    if not first * second > 0.0:
        return NAN
    near, far = log(divide(b.epsilon, c.epsilon)), log(divide(a.epsilon, c.epsilon))
    s = rate_of((a.value - c.value) / second, far, near)
    return c.value - divide(divide(second, growth(s, near)), s) if s > 0.0 else NAN


def slow_limit_of(points: Sequence[SequencePoint]) -> float:
    """r∞ of r∞ − m/(c − log ε) through three points by decreasing ε, the trend of ε^p (log 1/ε)^m.

    Returns
    -------
    float
        ±∞ in the direction of the last step where the steps do not shrink per log ε; NaN where they change sign.
    """
    a, b, c = points
    first, second = b.value - a.value, c.value - b.value
    if first == 0.0 and second == 0.0:
        return c.value
    if not first * second > 0.0:
        return NAN
    far, near = log(divide(a.epsilon, b.epsilon)), log(divide(b.epsilon, c.epsilon))
    # With A = c − log ε at a: first = m far/(A (A + far)), second = m near/((A + far)(A + far + near)).
    slopes = divide(divide(first, far), divide(second, near))
    if not slopes > 1.0:
        return math.copysign(INFINITY, second)
    at_a = divide(far + near, slopes - 1.0)
    return c.value + divide(second * (at_a + far), near)


def limit_of(points: Sequence[SequencePoint]) -> Limit:
    """r∞ of r∞ + a ε^s through the last three points, by decreasing ε.

    The limit is the last value where the steps are below the floors, and NaN where the steps do not shrink or with
    fewer than three points. The error is the difference to the limit through the three points before, or to the last
    value if those have none; it is at least the floors of the three.
    """
    if len(points) < 3:
        return Limit()
    value, error = _limit_through(*points[-3:]), 0.0
    for p in points[-3:]:
        error = max(error, p.floor)
    # An alternating or stalling start has no limit: compare with the last value instead.
    before = _limit_through(*points[-4:-1]) if len(points) > 3 else NAN
    other = points[-1].value if math.isnan(before) else before
    return Limit(value, max(error, abs(value - other)))
