"""The contact that keeps a motion within a wanted distance of ideal rolling."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._core import RunResult

if TYPE_CHECKING:
    import pandas as pd


class Stiffness:
    """The answer of `Study.stiffness_for`.

    Attributes
    ----------
    found : bool
        Whether a contact keeps every wanted error; if not, `reason` says why, and the values below are None.
    reason : str
    epsilon : float or None
        Its epsilon in the study.
    stiffness, damping : array or None
        Of a rolling study, (m, m): C / epsilon**2 [N/m] and D / epsilon**beta [N s/m]. Of a friction study, one
        number for each contact. None without a spring, without a damper.
    diagonal_damping : array or None
        A damper of each row by itself [N s/m] beside a `damping` that couples the rows (docs/stiffness.md); None
        otherwise. `keeps_with_diagonal` tells whether a solve with it kept every wanted error.
    settings : dict
        Of the engine: value by name; empty without an engine, or if its contact has not the rows of the system.
    no_settings : str
        Why the engine has no settings for these rows; else empty.
    decay_time, period : float or None
        Decay time of the initial layer (by 1/e) and period of the contact's oscillation [s]; infinite without damping,
        without oscillation.
    largest_explicit_step : float or None
        The largest stable step [s] of an explicit Runge-Kutta method with four stages and order 4.
    """

    def __init__(self, core: RunResult, kind: str) -> None:
        """`kind`: of the study, "rolling" or "friction"."""
        self._core = core
        self.document: dict[str, Any] = json.loads(core.document())
        self.found: bool = core.held
        self.reason: str = self.document["reason"]
        rows = [row["diagonal_damping"] for row in self.document["contact"] if "diagonal_damping" in row]
        self.diagonal_damping: NDArray[np.float64] | None = np.array(rows, float) if rows else None
        self.keeps_with_diagonal: bool | None = (
            all(row["held"] for row in self.document["diagonal_errors"]) if rows else None)
        self.no_settings: str = self.document["no_settings"]
        self.epsilon: float | None = self.document.get("epsilon")
        self.stiffness = self._values("stiffness", kind)
        self.damping = self._values("damping", kind)
        self.settings: dict[str, float | str] = {one["name"]: one["value"]
                                                 for one in self.document.get("settings", [])}
        self.decay_time = self._time("decay_time")
        self.period = self._time("period")
        self.largest_explicit_step = self._time("largest_explicit_step")

    def _values(self, key: str, kind: str) -> NDArray[np.float64] | None:
        rows = [row[key] for row in self.document["contact"] if key in row]
        values = np.array(rows, float)
        if kind == "rolling" and values.ndim == 1:
            values = np.diag(values)
        return values if rows else None

    def _time(self, key: str) -> float | None:
        if key not in self.document:
            return None
        value = self.document[key]
        return float("inf") if value is None else float(value)  # JSON has no infinity

    @cached_property
    def contact(self) -> pd.DataFrame:
        """A row for each contact row, as in CSV: stiffness and damping with their units, the largest explicit step [s].
        A value is one number, or a list of them where a matrix couples the contact rows."""
        return self._table("contact")

    @cached_property
    def errors(self) -> pd.DataFrame:
        """A row for each solve and wanted error: epsilon, model error with error bar, and whether it is kept."""
        return self._table("errors")

    @cached_property
    def costs(self) -> pd.DataFrame:
        """A row for each method and formulation: loosest tolerance that is accurate enough (NaN: none), steps,
        right-hand sides, Jacobians, factorisations, processor time [s] of one solve, reason if it fails."""
        return self._table("costs")

    def _table(self, name: str) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self._core.table(name) if name in self._core.tables else [])

    def text(self, format: str = "table") -> str:
        """The answer as the command line prints it: "table", "csv", "json", "markdown" or "latex"."""
        return self._core.text(format)

    def __repr__(self) -> str:
        return f"<Stiffness {self._core.verdict}>"

    def _repr_markdown_(self) -> str:
        return self.text("markdown")
