"""Checks whether a series stays below K ε^p: a gate for a known constant and order.

Source: src/rigidlimit/convergence/bound.cpp, with the same operations in the same order.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .errors import InputError
from .ieee import divide, power
from .numbers_text import number
from .orders import Rows, SeriesPoint, require_series
from .words import BoundState

__all__ = ["Bound", "BoundParts", "judge_bound"]


class Bound(NamedTuple):
    """The claim e(ε) ≤ K ε^p for every ε of an interval, as rigidlimit_gates.Bound."""

    constant: float
    power: float
    from_: float
    to: float

    def limit(self, epsilon: float) -> float:
        """K ε^p."""
        return self.constant * power(epsilon, self.power)

    def _ends(self) -> tuple[float, float]:
        return (self.to, self.from_) if self.to < self.from_ else (self.from_, self.to)

    def covers(self, epsilon: float) -> bool:
        """Whether ε lies within the interval, with a tolerance of 1e-9 ε, because the ε of a series are rounded."""
        low, high = self._ends()
        return epsilon >= low * (1.0 - 1e-9) and epsilon <= high * (1.0 + 1e-9)

    def require(self) -> None:
        """Raise InputError unless K > 0 and finite, p is finite, and both ends are ≥ 0."""
        if not self.constant > 0.0 or not math.isfinite(self.constant) or not math.isfinite(self.power):
            raise InputError(f"bound {number(self.constant, 'g')} eps^{number(self.power, 'g')}: "
                             "the constant must be > 0 and finite, the power finite")
        if not self.from_ >= 0.0 or not self.to >= 0.0:
            raise InputError(f"bound for eps from {number(self.from_, 'g')} to {number(self.to, 'g')}: not an interval")

    def __str__(self) -> str:
        text = number(self.constant, ".6g")
        if self.power == 1.0:
            text += " ε"
        elif self.power == 2.0:
            text += " ε²"
        elif self.power != 0.0:
            text += f" ε^{number(self.power, '.6g')}"
        low, high = self._ends()
        below, above = low > 0.0, math.isfinite(high)
        if below and above:
            return f"{text} for {number(low, '.6g')} ≤ ε ≤ {number(high, '.6g')}"
        if below:
            return f"{text} for ε ≥ {number(low, '.6g')}"
        return f"{text} for ε ≤ {number(high, '.6g')}" if above else text


class BoundParts(NamedTuple):
    """The parts of a rigidlimit_gates.BoundJudgement that depend on the rows."""

    state: BoundState
    rows: list[BoundState]
    worst: int | None
    limit: float
    factor: float
    reason: str


def _state_of(p: SeriesPoint, bound: Bound) -> BoundState:
    if not bound.covers(p.epsilon):
        return BoundState.OUTSIDE
    if not p.usable or not math.isfinite(p.error) or not math.isfinite(p.floor):
        return BoundState.UNKNOWN
    limit = bound.limit(p.epsilon)
    if p.error + p.floor <= limit:
        return BoundState.HELD
    return BoundState.BROKEN if p.error - p.floor > limit else BoundState.UNDECIDED


def _reason(state: BoundState, p: SeriesPoint, limit: float, measured: str) -> str:
    if not p.usable or not math.isfinite(p.error):
        return f"{measured}: no value, because the row failed"
    text = f"{measured} {number(p.error, '.3e')}"
    if not math.isfinite(p.floor):
        return text + ": its error bar is unknown"
    if p.floor > 0.0:
        text += f" ± {number(p.floor, '.0e')}"
    factor = divide(p.error, limit)
    digits = 6 if abs(factor - 1.0) < 5e-3 else 3  # "1.00 times the limit" would not show the side of the limit
    text += f" is {number(factor, f'.{digits}g')} times the limit {number(limit, '.3e')}"
    return text + ": the error bar is too large to decide" if state == BoundState.UNDECIDED else text


def judge_bound(points: Rows, bound: Bound, measured: str = "error") -> BoundParts:
    """Judge error + floor ≤ K ε^p row by row. Raises InputError for a bound that `Bound.require` refuses."""
    require_series(points)
    bound.require()
    rows: list[BoundState] = []
    state, worst, worst_limit, worst_factor = BoundState.OUTSIDE, None, math.nan, math.nan
    for k, p in enumerate(points):
        of_row = _state_of(p, bound)
        rows.append(of_row)
        if of_row == BoundState.OUTSIDE:
            continue
        limit = bound.limit(p.epsilon)
        factor = divide(p.error, limit)
        as_bad = of_row == state and not factor <= worst_factor
        if of_row < state or (of_row == state and worst is not None and not as_bad):
            continue
        state, worst, worst_limit, worst_factor = of_row, k, limit, factor
    reason = f"none of {len(points)} rows lies in the interval" if worst is None else \
        _reason(state, points[worst], worst_limit, measured)
    return BoundParts(state, rows, worst, worst_limit, worst_factor, reason)
