"""Numbers and tables as texts, in the formats of the C++ reports."""

import math
from collections.abc import Iterable


def shortest(x: float) -> str:
    """The shortest text that reads back as x, without a final ".0"."""
    return repr(float(x)).removesuffix(".0")


def number(x: float) -> str:
    """A cell of a table: 1.234e-05, or "-" for NaN."""
    return "-" if math.isnan(x) else f"{x:.3e}"


def order_text(order: float) -> str:
    """Three decimals; an order of 0 has no sign."""
    text = f"{order:.3f}"
    return "0.000" if text == "-0.000" else text


def with_bar(value: float, bar: float) -> str:
    """Value ± bar, with one digit beyond the first of the bar, at most six."""
    if not bar > 0.0:
        return f"{value:.6g}"
    digits = min(max(1 - math.floor(math.log10(bar)), 1), 6) if math.isfinite(bar) else 1
    return f"{value:.{digits}f} ± {bar:.1g}"


def table_line(epsilon: str, value: str, floor: str, last: str, mark: str = "") -> str:
    """One line of a table of a series: four right-aligned columns and a mark."""
    return f"  {epsilon:>10}  {value:>12}  {floor:>10}  {last:>10}  {mark}".rstrip()


def named(name: str, rows: int) -> str:
    """Short name of a series: "midpoint rule of 6 ε"."""
    return f"{name or 'a series'} of {rows} ε"


def lines(parts: Iterable[str]) -> str:
    """The nonempty parts, one a line."""
    return "\n".join(part for part in parts if part)
