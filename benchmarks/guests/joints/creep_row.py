"""A row of the table of creep."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Creep:
    """Creep, m/s, of a body that friction holds, beside that of `settings.creep`. `cone`: elliptic or pyramidal."""

    version: str
    cone: str
    impratio: float
    timeconst: float
    impedance: float
    measured: float
    predicted: float

    @property
    def ratio(self) -> float:
        return self.measured / self.predicted
