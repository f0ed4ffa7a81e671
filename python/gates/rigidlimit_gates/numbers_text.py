"""Numbers in the sentences and tables on a series."""

from __future__ import annotations

import math

__all__ = ["fixed_text", "number", "order_text", "shortest", "with_bar"]

FEWEST_DECIMALS, MOST_DECIMALS = 2, 9


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
    """ "1.024 ± 4e-03": as many decimals as show the first digit of the bar, at least 2 and at most 9. A value that
    rounds to nothing there is "0 ± 4e-03"; one below 9 decimals with a smaller bar has an exponent,
    "3.2000e-12 ± 1e-16". Without a bar, 0 or NaN, six digits of the value."""
    if not bar > 0.0:
        return number(value or 0.0, ".6g")
    rounded = number(bar, ".0e")
    text = rounded_at(-int(rounded.split("e")[1]), value) if math.isfinite(bar) else fixed_text(value, FEWEST_DECIMALS)
    return f"{text} ± {rounded}"


def rounded_at(decimals: int, value: float) -> str:
    """`value` to the decimal in which its error bar has its first digit."""
    if abs(value) < 0.5 * math.pow(10.0, -decimals):
        return "0"
    text = fixed_text(value, min(max(decimals, FEWEST_DECIMALS), MOST_DECIMALS))
    if math.isnan(value) or any(digit in text for digit in "123456789") or math.isinf(value):
        return text
    exponent = math.floor(math.log10(abs(value)))  # smaller than the last decimal, and known
    return number(value, f".{min(max(decimals + exponent, 0), MOST_DECIMALS)}e")


def fixed_text(x: float, digits: int) -> str:
    """A fixed number of decimals, without "-0.00"."""
    text = number(x, f".{digits}f")
    return text[1:] if text.startswith("-") and not any(digit in text for digit in "123456789") else text


def order_text(order: float) -> str:
    """An order with three decimals; an order of 0 has no sign, NaN is "-"."""
    text = format(order, ".3f")
    return "-" if math.isnan(order) else "0.000" if text == "-0.000" else text
