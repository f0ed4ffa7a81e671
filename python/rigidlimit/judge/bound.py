"""Check whether a series stays below K ε^p: a gate for a known constant and order."""

import math
from dataclasses import dataclass
from enum import IntEnum

from .arithmetic import INFINITY, NAN, divide, power
from ..errors import InputError
from .points import SeriesPoint
from .series import Series
from .text import lines, named, number, table_line


@dataclass(frozen=True, slots=True)
class Bound:
    """The claim e(ε) ≤ K ε^p for every ε of an interval, its ends included.

    Attributes
    ----------
    constant : float
        K > 0, in units of the error.
    power : float
        p, any finite number; 0: a ceiling.
    from_, to : float
        Ends of the interval in ε, ≥ 0, in either order.
    """

    constant: float
    power: float = 0.0
    from_: float = 0.0
    to: float = INFINITY

    def limit(self, epsilon: float) -> float:
        """K ε^p."""
        return self.constant * power(epsilon, self.power)

    def covers(self, epsilon: float) -> bool:
        """Whether ε lies within the interval, with a tolerance of 1e-9 ε, because the ε of a series are rounded."""
        rounding = 1e-9
        low, high = self._interval()
        return low * (1.0 - rounding) <= epsilon <= high * (1.0 + rounding)

    def _interval(self) -> tuple[float, float]:
        return (self.to, self.from_) if self.to < self.from_ else (self.from_, self.to)

    def require(self) -> None:
        """Raise InputError unless K > 0 and finite, p is finite, and both ends are ≥ 0."""
        if not self.constant > 0.0 or not math.isfinite(self.constant) or not math.isfinite(self.power):
            raise InputError(f"bound {self.constant:g} eps^{self.power:g}: the constant must be > 0 and finite, the "
                             "power finite")
        if not self.from_ >= 0.0 or not self.to >= 0.0:
            raise InputError(f"bound for eps from {self.from_:g} to {self.to:g}: not an interval")

    def __str__(self) -> str:
        """ "10 ε^2.5", "0.91" (p = 0), "10 ε^2.5 for 0.0001 ≤ ε ≤ 0.01"."""
        text = f"{self.constant:.6g}"
        if self.power == 1.0:
            text += " ε"
        elif self.power == 2.0:
            text += " ε²"
        elif self.power != 0.0:
            text += f" ε^{self.power:.6g}"
        low, high = self._interval()
        if low > 0.0 and math.isfinite(high):
            return text + f" for {low:.6g} ≤ ε ≤ {high:.6g}"
        if low > 0.0:
            return text + f" for ε ≥ {low:.6g}"
        return text + f" for ε ≤ {high:.6g}" if math.isfinite(high) else text


class BoundState(IntEnum):
    """State of one row with respect to a bound, by increasing weight."""

    OUTSIDE = 0  #: not in the interval
    HELD = 1  #: error + floor ≤ K ε^p
    UNDECIDED = 2  #: the limit lies within the error bar
    UNKNOWN = 3  #: a failed row, or an unknown error bar (NaN)
    BROKEN = 4  #: error − floor > K ε^p

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class BoundJudgement:
    """The state of a series with respect to a bound; its text shows the series as a table.

    Attributes
    ----------
    state : BoundState
        Of the worst row; outside: no row in the interval.
    rows : tuple of BoundState
        One for each row of the series.
    worst : int or None
        Row of greatest weight; among equals, of largest factor.
    limit : float
        K ε^p of the worst row.
    factor : float
        Its error over that limit.
    reason : str
        "error 1.766e-05 ± 3e-10 is 55.8 times the limit 3.162e-07", of the worst row.
    """

    state: BoundState
    rows: tuple[BoundState, ...]
    worst: int | None
    limit: float
    factor: float
    reason: str
    series: Series
    bound: Bound
    measured: str = "error"

    @property
    def held(self) -> bool:
        """True only for decided rows: undecided, unknown and an empty interval do not hold."""
        return self.state == BoundState.HELD

    def table(self) -> str:
        """The series and its limits, with marks beside the rows that do not hold."""
        rows = [table_line("ε", self.measured, "floor", "limit")]
        for p, state in zip(self.series.points, self.rows, strict=True):
            outside = state == BoundState.OUTSIDE
            rows.append(table_line(number(p.epsilon), number(p.error), number(p.floor),
                                   "-" if outside else number(self.bound.limit(p.epsilon)),
                                   "" if outside or state == BoundState.HELD else f"<- {state}"))
        return "\n".join(rows)

    def __str__(self) -> str:
        at = "" if self.worst is None else f"{self.state} at ε = {self.series.points[self.worst].epsilon:.4g}: "
        return lines([at + self.reason, self.table()])


def _state_of(p: SeriesPoint, bound: Bound) -> BoundState:
    if not bound.covers(p.epsilon):
        return BoundState.OUTSIDE
    if not p.usable or not math.isfinite(p.error) or not math.isfinite(p.floor):
        return BoundState.UNKNOWN
    limit = bound.limit(p.epsilon)
    if p.error + p.floor <= limit:
        return BoundState.HELD
    return BoundState.BROKEN if p.error - p.floor > limit else BoundState.UNDECIDED


def _reason_for(state: BoundState, p: SeriesPoint, limit: float, measured: str) -> str:
    if not p.usable or not math.isfinite(p.error):
        return f"{measured}: no value, because the row failed"
    text = f"{measured} {p.error:.3e}"
    if not math.isfinite(p.floor):
        return text + ": its error bar is unknown"
    if p.floor > 0.0:
        text += f" ± {p.floor:.0e}"
    factor = divide(p.error, limit)
    # "1.00 times the limit" would not show the side of the limit.
    digits = 6 if abs(factor - 1.0) < 5e-3 else 3
    text += f" is {factor:.{digits}g} times the limit {limit:.3e}"
    return text + ": the error bar is too large to decide" if state == BoundState.UNDECIDED else text


def judge_bound(series: Series, bound: Bound, measured: str = "error") -> BoundJudgement:
    """Judge error + floor ≤ K ε^p row by row, each with its own error bar.

    Parameters
    ----------
    series : Series
        Errors by decreasing ε.
    bound : Bound
        K, p and the interval in ε.
    measured : str
        Name of the numbers in the reason.

    Raises
    ------
    InputError
        If K is not positive and finite, p is not finite, or the interval has a negative or NaN end.
    """
    bound.require()
    states = tuple(_state_of(p, bound) for p in series.points)
    found, worst, worst_limit, worst_factor = BoundState.OUTSIDE, None, NAN, NAN
    for k, (p, state) in enumerate(zip(series.points, states, strict=True)):
        if state == BoundState.OUTSIDE:
            continue
        limit = bound.limit(p.epsilon)
        factor = divide(p.error, limit)
        as_bad = state == found and not factor <= worst_factor
        if state < found or (state == found and worst is not None and not as_bad):
            continue
        found, worst, worst_limit, worst_factor = state, k, limit, factor
    reason = (f"none of {len(states)} rows lies in the interval" if worst is None
              else _reason_for(found, series.points[worst], worst_limit, measured))
    return BoundJudgement(found, states, worst, worst_limit, worst_factor, reason, series, bound, measured)


def solver_errors(series: Series) -> Series:
    """The floors of a series as errors without floors: a series of solver errors."""
    return Series.of_points([SeriesPoint(p.epsilon, p.floor) for p in series.points],
                            f"solver error of {named(series.name, len(series))}")
