"""Division and elementary functions by IEEE 754: infinities and NaN where Python raises.

The results are those of `/`, `std::log`, `std::exp`, `std::expm1` and `std::pow` in C++ with the same C library.
"""

from __future__ import annotations

import math

__all__ = ["divide", "exp", "expm1", "invalid", "log", "power"]


def invalid() -> float:
    """The NaN of an invalid operation. Its sign depends on the processor."""
    return math.inf - math.inf


def divide(a: float, b: float) -> float:
    """a / b; ±∞ for a ≠ 0 over ±0, NaN for 0 / 0."""
    if b != 0.0:
        return a / b
    if math.isnan(a):
        return a
    return invalid() if a == 0.0 else math.copysign(math.inf, a) * math.copysign(1.0, b)


def log(x: float) -> float:
    """Natural logarithm; −∞ at 0, NaN below."""
    if x > 0.0 or math.isnan(x):
        return math.log(x)
    return -math.inf if x == 0.0 else invalid()


def exp(x: float) -> float:
    """e^x; ∞ where it overflows."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def expm1(x: float) -> float:
    """e^x − 1; ∞ where it overflows."""
    try:
        return math.expm1(x)
    except OverflowError:
        return math.inf


def power(base: float, exponent: float) -> float:
    """base^exponent; ±∞ where it overflows and at a pole, NaN for a root of a negative number."""
    negative = math.copysign(1.0, base) < 0.0 and math.fmod(exponent, 2.0) in (1.0, -1.0)
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if negative else math.inf
    except ValueError:
        if base == 0.0:
            return -math.inf if negative else math.inf
        return invalid()
