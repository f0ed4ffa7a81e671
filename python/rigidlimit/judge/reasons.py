"""The sentence beside a verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .orders import OrderTrend
from .points import evidence_factor
from .text import order_text
from .verdict import HiddenRows, Verdict

if TYPE_CHECKING:
    from .rules import Census, Findings


def _fit_text(f: Findings) -> str:
    text = "order " + order_text(f.fit.order)
    if math.isfinite(f.fit.standard_error):
        text += f" ± {f.fit.standard_error:.1g}"
    return text + (f" over {f.fit.count} of {f.census.rows} ε, {f.points[f.fit.first].epsilon:.3g} … "
                   f"{f.points[f.fit.last].epsilon:.3g}")


def _trend_text(trend: OrderTrend) -> str:
    text = "neighbour orders " + " ".join(map(order_text, trend.orders))
    return text + (f", tending to {order_text(trend.limit)}" if math.isfinite(trend.limit) else ", without a limit")


def _sources_text(hidden: HiddenRows) -> str:
    """ "sampling error 3, solver error 1"; empty if the sources of the floors are unknown."""
    parts = [f"{name} error {getattr(hidden, name)}" for name in ("solver", "reference", "sampling")
             if getattr(hidden, name) > 0]
    if hidden.rounding > 0:
        parts.append(f"equal to rounding {hidden.rounding}")
    return ", ".join(parts)


def _census_text(c: Census) -> str:
    text = f"evidence at {c.evidence} of {c.rows} ε, {c.needed} needed"
    if hidden := c.hidden.all():
        text += f"; {hidden} below {evidence_factor:g} times the floor"
    if sources := _sources_text(c.hidden):
        text += f" ({sources})"
    if c.failed > 0:
        text += f"; {c.failed} failed"
    if c.excluded > 0:
        text += f"; {c.excluded} excluded"
    if c.exact > 0:
        text += f"; {c.exact} with error exactly 0"
    return text


def _inconclusive_text(f: Findings, leaving: bool, expected: bool) -> str:
    if f.census.evidence < f.census.needed:
        return _census_text(f.census)
    if f.trend is not None and f.fit.settled and leaving:
        return _fit_text(f) + ", but the orders drift away from it: " + _trend_text(f.trend)
    if expected:
        return _fit_text(f) + f", but {f.census.failed} {'row' if f.census.failed == 1 else 'rows'} failed"
    if f.fit.settled:
        return _fit_text(f) + ", too uncertain to decide"
    if f.trend is not None:
        return "no settled order: " + _trend_text(f.trend)
    return f"no settled order: neighbour orders up to {f.fit.spread:.2g} away from {_fit_text(f)}"


def reason_for(verdict: Verdict, f: Findings, leaving: bool, expected: bool) -> str:
    """The reason for a verdict: the numbers behind it and the expected order."""
    if verdict == Verdict.PRE_ASYMPTOTIC:
        text = f"{_fit_text(f)}; {f.still_moving}" if f.still_moving or f.trend is None else \
            "orders still move: " + _trend_text(f.trend)
    elif verdict == Verdict.FLOOR_LIMITED:
        text = _census_text(f.census)
    elif verdict == Verdict.DIVERGING:
        text = "the error grows as ε shrinks: " + _fit_text(f)
    elif verdict == Verdict.INCONCLUSIVE:
        text = _inconclusive_text(f, leaving, expected)
    else:
        text = _fit_text(f)
    if f.expectation.order is not None:
        text += f"; expected {f.expectation.order:g} ± {f.within:g}"
    return text
