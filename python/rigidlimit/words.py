"""The words of judgements: origins of floors, verdicts and states of rows."""

from __future__ import annotations

from enum import Enum, IntEnum

__all__ = ["BoundState", "FloorSource", "Verdict", "Word"]


class Word(str, Enum):
    """A member equals its text, as of enum.StrEnum, which Python 3.9 and 3.10 lack."""

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, form: str) -> str:
        return format(str(self.value), form)


class FloorSource(Word):
    """Origin of the floor of a row: the error to reduce where the floor hides the row."""

    UNNAMED = "unnamed"
    ROUNDING = "rounding"
    SOLVER = "solver"
    REFERENCE = "reference"
    SAMPLING = "sampling"


class Verdict(Word):
    """Possible verdicts; each equals its word in the tables. p: fitted order, p*: the expected one."""

    CONFIRMED = "confirmed"  #: settled tail, |p − p*| ≤ within
    REFUTED = "refuted"  #: settled tail of another (also a higher) order, and no trend leads to p*
    SETTLED = "settled"  #: settled tail, no expected order
    PRE_ASYMPTOTIC = "pre-asymptotic"  #: the orders still change, towards p* if one is expected
    FLOOR_LIMITED = "floor-limited"  #: too few points of evidence because floors hide others
    DIVERGING = "diverging"  #: the error grows as ε shrinks, without expected growth
    INCONCLUSIVE = "inconclusive"  #: anything else


class BoundState(IntEnum):
    """State of one row with respect to a bound, by increasing weight."""

    OUTSIDE = 0  #: not in the interval
    HELD = 1  #: error + floor ≤ K ε^p
    UNDECIDED = 2  #: the limit lies within the error bar
    UNKNOWN = 3  #: a failed row, or an unknown error bar (NaN)
    BROKEN = 4  #: error − floor > K ε^p

    def __str__(self) -> str:
        return self.name.lower()
