"""Rows of a series: one measured error or ratio at one ε, and which of them are evidence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .arithmetic import NAN
from ..errors import InputError
from .text import shortest

#: A model error must exceed the other errors this many times to be evidence.
evidence_factor = 10.0


class FloorSource(StrEnum):
    """Origin of the floor of a row: the error to reduce where the floor hides the row."""

    UNNAMED = "unnamed"
    ROUNDING = "rounding"
    SOLVER = "solver"
    REFERENCE = "reference"
    SAMPLING = "sampling"


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """One measurement of a convergence series.

    Attributes
    ----------
    epsilon : float
        The refined parameter, > 0: a stiffness parameter, a step size.
    error : float
        Model error ≥ 0; NaN or infinite where the solve failed.
    floor : float
        Largest of the other errors that `error` contains, ≥ 0; NaN: unknown.
    usable : bool
        False: ignore the row.
    source : FloorSource
        Origin of the floor.
    predicted : float
        Error that a theory predicts, K ε^p > 0; NaN: none. A fit does not use it.
    """

    epsilon: float
    error: float
    floor: float = 0.0
    usable: bool = True
    source: FloorSource = FloorSource.UNNAMED
    predicted: float = NAN

    @property
    def is_failed(self) -> bool:
        """Usable, but without a finite error. Fits skip the row, but a series with it confirms nothing."""
        return self.usable and not math.isfinite(self.error)

    @property
    def is_evidence(self) -> bool:
        """Usable, finite, > 0 and ≥ evidence_factor × floor; an unknown floor (NaN) is not evidence."""
        return (self.usable and math.isfinite(self.error) and self.error > 0.0
                and self.error >= evidence_factor * self.floor)


@dataclass(frozen=True, slots=True)
class RatioPoint:
    """One measured value over the predicted one: `ratio` of any sign, known to within `floor`."""

    epsilon: float
    ratio: float
    floor: float = 0.0
    usable: bool = True

    def is_evidence(self, within: float) -> bool:
        """Usable, finite, and known to within the tolerance: floor ≤ within."""
        return self.usable and math.isfinite(self.ratio) and self.floor <= within


def require_series(points: Sequence[SeriesPoint]) -> None:
    """Raise InputError unless ε is > 0 and strictly decreases, and no error or floor is negative."""
    for k, p in enumerate(points):
        if not p.epsilon > 0.0 or not math.isfinite(p.epsilon):
            raise InputError(f"row {k}: epsilon = {shortest(p.epsilon)} is not > 0")
        if k > 0 and not p.epsilon < points[k - 1].epsilon:
            raise InputError(f"row {k}: epsilon = {shortest(p.epsilon)} after {shortest(points[k - 1].epsilon)}; "
                             "must decrease")
        if p.error < 0.0 or p.floor < 0.0:
            raise InputError(f"row {k}: negative error {shortest(p.error)} or floor {shortest(p.floor)}")
