"""Division and functions that return NaN and infinities where `math` raises, as in C++ (IEEE 754)."""

import math

NAN = math.nan
INFINITY = math.inf


def divide(a: float, b: float) -> float:
    """a/b; ±∞ or NaN for b = 0."""
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return NAN
    return math.copysign(INFINITY, a) * math.copysign(1.0, b)


def log(x: float) -> float:
    """log x; -∞ at 0, NaN below."""
    if x > 0.0:
        return math.log(x)
    return -INFINITY if x == 0.0 else NAN


def log1p(x: float) -> float:
    """log(1 + x); -∞ at -1, NaN below."""
    if x > -1.0:
        return math.log1p(x)
    return -INFINITY if x == -1.0 else NAN


def exp(x: float) -> float:
    """e^x; ∞ on overflow."""
    try:
        return math.exp(x)
    except OverflowError:
        return INFINITY


def expm1(x: float) -> float:
    """e^x − 1; ∞ on overflow."""
    try:
        return math.expm1(x)
    except OverflowError:
        return INFINITY


def power(base: float, exponent: float) -> float:
    """base^exponent of a base > 0; ∞ on overflow."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return INFINITY


def sqrt(x: float) -> float:
    """√x; NaN below 0."""
    return math.sqrt(x) if x >= 0.0 else NAN
