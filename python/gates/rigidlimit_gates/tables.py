"""Judged series as tables: a line for each row, with a mark beside a row that does not support the claim.

Source: src/rigidlimit/convergence/tables.cpp.
"""

from __future__ import annotations

import math

from .bounds import Bound, judge_bound
from .numbers_text import number, order_text
from .orders import Rows, SeriesPoint, neighbour_orders
from .ratio import Ratios
from .verdict import Expectation
from .words import BoundState

__all__ = ["table_of_distances", "table_of_errors", "table_of_limits", "table_of_orders", "table_of_ratios"]

_NO_EVIDENCE = "<- no evidence"


def _line(epsilon: str, value: str, floor: str, last: str, mark: str = "") -> str:
    """Four right-aligned columns and a mark."""
    return f"  {epsilon:>10}  {value:>12}  {floor:>10}  {last:>10}  {mark}".rstrip(" ")


def _size(x: float) -> str:
    """ "1.234e-05", or "-" for NaN."""
    return "-" if math.isnan(x) else number(x, ".3e")


def _ratio(x: float) -> str:
    return "-" if math.isnan(x) else number(x, ".8g")


def table_of_errors(points: Rows) -> str:
    """Errors and floors; rows that are no evidence have a mark."""
    lines = [_line("ε", "error", "floor", "")]
    lines += (_line(_size(p.epsilon), _size(p.error), _size(p.floor), "", "" if p.is_evidence else _NO_EVIDENCE)
              for p in points)
    return "\n".join(lines)


def table_of_orders(points: Rows, order: float | None, within: float, at_least: bool, confirmed: bool) -> str:
    """Errors, floors and neighbour orders.

    Unless the claim is confirmed, rows with another order than expected have a mark too.
    """
    expectation = Expectation(order, within, at_least)

    def mark(p: SeriesPoint, found: float) -> str:
        if not p.is_evidence:
            return _NO_EVIDENCE
        if confirmed or order is None:
            return ""
        return f"<- not {expectation}" if expectation.distance(found) > within else ""

    lines = [_line("ε", "error", "floor", "order")]
    lines += (_line(_size(p.epsilon), _size(p.error), _size(p.floor), order_text(found), mark(p, found))
              for p, found in zip(points, neighbour_orders(points)))
    return "\n".join(lines)


def table_of_limits(points: Rows, bound: Bound, measured: str) -> str:
    """Errors, floors and limits; rows that do not hold the bound have the word of their state."""
    lines = [_line("ε", measured, "floor", "limit")]
    for p, state in zip(points, judge_bound(points, bound).rows):
        outside = state == BoundState.OUTSIDE
        lines.append(_line(_size(p.epsilon), _size(p.error), _size(p.floor),
                           "-" if outside else _size(bound.limit(p.epsilon)),
                           "" if outside or state == BoundState.HELD else f"<- {state}"))
    return "\n".join(lines)


def table_of_ratios(points: Ratios) -> str:
    """Ratios and floors."""
    lines = [_line("ε", "ratio", "floor", "")]
    lines += (_line(_size(p.epsilon), _ratio(p.ratio), _size(p.floor), "") for p in points)
    return "\n".join(lines)


def table_of_distances(points: Ratios, target: float, within: float, confirmed: bool) -> str:
    """Ratios, floors and distances to the target; marks beside rows that are no evidence or too far away."""
    lines = [_line("ε", "ratio", "floor", "distance")]
    for p in points:
        distance = abs(p.ratio - target)
        far = not confirmed and distance > within
        lines.append(_line(_size(p.epsilon), _ratio(p.ratio), _size(p.floor), _size(distance),
                           _NO_EVIDENCE if not p.is_evidence(within) else "<- too far" if far else ""))
    return "\n".join(lines)
