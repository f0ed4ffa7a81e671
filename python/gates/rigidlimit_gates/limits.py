"""Limit of a sequence that converges like a power of ε: r(x) = r∞ + a e^{s x}, x = log ε.

Source: src/rigidlimit/convergence/exponential.cpp, with the same operations in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .ieee import divide, expm1, log

__all__ = ["Limit", "SequencePoint", "growth", "limit_of", "rate_of", "slow_limit_of"]


class SequencePoint(NamedTuple):
    """A member of the sequence, known to within its floor ≥ 0, at ε > 0."""

    epsilon: float
    value: float
    floor: float


class Limit(NamedTuple):
    """A limit for ε → 0 and its error; NaN: none found."""

    value: float = math.nan
    error: float = math.nan


def growth(s: float, d: float) -> float:
    """∫_0^d e^{s u} du = (e^{s d} − 1)/s."""
    return d if s == 0.0 else divide(expm1(s * d), s)


def rate_of(ratio: float, far: float, near: float) -> float:
    """The s for which growth(s, far) / growth(s, near) = ratio, which increases with s; far > near > 0.

    By 100 bisections of |s| ≤ 40/near: e^40 between neighbouring orders is beyond any data.
    """
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
        return math.nan
    near, far = log(divide(b.epsilon, c.epsilon)), log(divide(a.epsilon, c.epsilon))
    s = rate_of(divide(a.value - c.value, second), far, near)
    return c.value - divide(divide(second, growth(s, near)), s) if s > 0.0 else math.nan


def slow_limit_of(a: SequencePoint, b: SequencePoint, c: SequencePoint) -> float:
    """r∞ of r∞ − m/(c − log ε) through three points by decreasing ε, the trend of the orders of ε^p (log 1/ε)^m.

    ±∞ in the direction of the last step where the steps do not shrink per log ε; NaN where they change sign.
    """
    first, second = b.value - a.value, c.value - b.value
    if first == 0.0 and second == 0.0:
        return c.value
    if not first * second > 0.0:
        return math.nan
    far, near = log(divide(a.epsilon, b.epsilon)), log(divide(b.epsilon, c.epsilon))
    # With A = c − log ε at a: first = m far/(A (A + far)), second = m near/((A + far)(A + far + near)). The quotient
    # of the slopes is 1 + (far + near)/A, and the remainder is m/(A + far + near).
    slopes = divide(divide(first, far), divide(second, near))
    if not slopes > 1.0:
        return math.copysign(math.inf, second)
    at_a = divide(far + near, slopes - 1.0)
    return c.value + divide(second * (at_a + far), near)


def limit_of(points: Sequence[SequencePoint]) -> Limit:
    """r∞ of r∞ + a ε^s through the last three points, by decreasing ε.

    It is the last value where the steps are below the floors, and NaN where the steps do not shrink or with fewer
    than three points. The error is the difference to the limit through the three points before, or to the last value
    if those have none; it is at least the floors of the three.
    """
    if len(points) < 3:
        return Limit()
    value = _limit_through(*points[-3:])
    error = 0.0
    for p in points[-3:]:
        error = max(error, p.floor)
    # An alternating or stalling start has no limit: compare with the last value instead.
    before = _limit_through(*points[-4:-1]) if len(points) > 3 else math.nan
    other = points[-1].value if math.isnan(before) else before
    return Limit(value, max(error, abs(value - other)))
