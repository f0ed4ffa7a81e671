"""Numbers in the sentences and tables on a series."""

from __future__ import annotations

import math

__all__ = ["number", "order_text", "shortest", "with_bar"]


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
    """ "1.023 ± 0.004": one digit beyond the first of the bar, at most six decimals. Without a bar six digits."""
    if not bar > 0.0:
        return number(value, ".6g")
    digits = min(max(1 - math.floor(math.log10(bar)), 1), 6) if math.isfinite(bar) else 1
    return f"{number(value, f'.{digits}f')} ± {number(bar, '.1g')}"


def order_text(order: float) -> str:
    """An order with three decimals; an order of 0 has no sign, NaN is "-"."""
    text = format(order, ".3f")
    return "-" if math.isnan(order) else "0.000" if text == "-0.000" else text
