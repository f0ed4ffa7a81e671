"""Numbers in the sentences and tables on a series."""

from __future__ import annotations

import math

__all__ = ["fixed_text", "number", "order_text", "shortest", "with_bar"]


def number(x: float, form: str) -> str:
    """`x` in a format of one float ("g", ".3e"); NaN keeps its sign."""
    text = format(x, form)
    return "-" + text if math.isnan(x) and math.copysign(1.0, x) < 0.0 else text


def shortest(x: float) -> str:
    """The shortest decimal that is read as `x`: "0.1", "1", "1e-05"."""
    if not math.isfinite(x):
        return number(x, "g")
    text = repr(x)
    return text[:-2] if text.endswith(".0") else text


def with_bar(value: float, bar: float) -> str:
    """ "1.024 ± 4e-03": as many decimals as show the first digit of the bar, at least 2 and at most 9. Without a bar,
    0 or NaN, six digits of the value."""
    if not bar > 0.0:
        return number(value, ".6g")
    rounded = number(bar, ".0e")
    decimals = -int(rounded.split("e")[1]) if math.isfinite(bar) else 0
    return f"{fixed_text(value, min(max(decimals, 2), 9))} ± {rounded}"


def fixed_text(x: float, digits: int) -> str:
    """A fixed number of decimals, without "-0.00"."""
    text = number(x, f".{digits}f")
    return text[1:] if text.startswith("-") and not any(digit in text for digit in "123456789") else text


def order_text(order: float) -> str:
    """An order with three decimals; an order of 0 has no sign, NaN is "-"."""
    text = format(order, ".3f")
    return "-" if math.isnan(order) else "0.000" if text == "-0.000" else text
