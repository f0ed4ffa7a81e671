"""Results of rolling: solves, motions and derived curves of the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .result import Motion, Result, described
from .sweep import solves_at
from .tables import AnalysisError, distinct, matching, number, text

if TYPE_CHECKING:
    import pandas as pd

TOLD_APART = ["law", "solver", "epsilon"]  # of several solves with equal ones, the first of the plan is read


@dataclass(frozen=True)
class Curve:
    """A derived curve of the program: rows x K at its times."""

    subject: str
    name: str
    law: str
    solver: str
    epsilon: float  # NaN for a rigid curve
    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, repr=False, eq=False)
class RollingResult(Result):
    """A rolling study, a sweep of them, or one point of a sweep."""

    @cached_property
    def solves(self) -> pd.DataFrame:
        """Those of the plan, in its order. AnalysisError if the solves of a point are unknown."""
        whole = self._whole
        if isinstance(whole, RollingResult) and whole.sweep is not None:
            return solves_at(whole.sweep, whole.table, whole.solves, self.settings, self._point, self.where)
        found = self.database.table("solves")
        return found.assign(tighter=found["tighter"].astype(bool))

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Stored curves, of single studies only: subject, law, solver, epsilon, name."""
        return self.database.curves()

    @property
    def series_keys(self) -> list[str]:
        """The columns that identify a series of a norm, window and quantity."""
        return [*self.columns, "law", "rigid_solver", "compliant_solver"]

    def facts_at(self, judgement: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
        sweep = self.sweep
        return {**super().facts_at(judgement, settings), "after": settings.get("time", {}).get("after"),
                "against": settings.get("study", {}).get("against", "rigid"),
                "swept_columns": dict(zip(sweep.columns, sweep.keys)) if sweep else {}}

    def facts(self) -> Iterator[tuple[str, str]]:
        epsilons = self.table["epsilon"].drop_duplicates().sort_values(ascending=False).tolist()
        yield from super().facts()
        spread = f"{len(epsilons)}, {epsilons[0]:g} to {epsilons[-1]:g}" if epsilons else "none solved"
        yield from [("laws", ", ".join(self.laws())), ("epsilons", spread)]

    @property
    def after(self) -> float:
        """Start of the window "after", s; NaN without verdicts."""
        return number(self.judgement.get("after"))

    @property
    def series(self) -> list[dict[str, Any]]:
        """The fits and verdicts, one per law, solver pair, quantity, norm and window."""
        return list(self.judgement.get("series", []))

    def laws(self) -> list[str]:
        return distinct(self.table["law"])

    def epsilons(self, law: str | None = None, solver: str | None = None) -> list[float]:
        """The epsilons of the stored compliant motions, decreasing."""
        found = matching(self.kept[self.kept["kind"] == "compliant"], law=law, solver=solver)
        return sorted({float(x) for x in found["epsilon"]}, reverse=True)

    @property
    def kept(self) -> pd.DataFrame:
        """The solves whose samples are stored; `[output] samples` of the study chooses them."""
        return self.solves[self.solves["sampled"] == 1]

    def motions_of(self, kind: str, tighter: bool) -> pd.DataFrame:
        found = self.kept
        found = found[(found["kind"] == kind) & (found["status"] == "finished") & (found["tighter"] == tighter)]
        return found.set_index("key")[TOLD_APART]

    def samples_of(self, found: pd.DataFrame) -> Motion:
        motions = (self.motion_of(key) for key in found.index)
        motion = next((one for one in motions if one.samples), None)
        if motion is None:
            raise AnalysisError(f"{self.where}: solve {found.index[0]} has no samples")
        return motion

    def motion_of(self, key: str) -> Motion:
        """The samples of the solve with this key of `solves`."""
        found = matching(self.solves, key=key)
        if found.empty:
            raise AnalysisError(f"{self.where}: no solve with the key {key}")
        row = found.iloc[0]
        return Motion(key, row["kind"], text(row["law"]), text(row["solver"]), number(row["epsilon"]),
                      self.database.times(key), self.database.samples(key))

    def curve(self, subject: str, name: str, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None) -> Curve:
        """A derived curve of the program, e.g. curve("predicted", "lambda", epsilon=1e-3).

        Returns the first match; AnalysisError, with the known curves, if none matches.
        """
        wanted = {"subject": subject, "name": name, "law": law, "solver": solver,
                  "epsilon": epsilon}
        found = matching(self.curves, **wanted)
        if found.empty:
            there = sorted({f"{s} {n}" for s, n in zip(self.curves["subject"], self.curves["name"])})
            raise AnalysisError(f"{self.where}: no curve with {described(wanted)}; known are "
                                f"{', '.join(there) or 'none'}")
        row = found.iloc[0]
        times, values = self.database.curve(int(found.index[0]))
        return Curve(subject, name, text(row["law"]), text(row["solver"]), number(row["epsilon"]), times, values)

    def has_curve(self, subject: str, name: str, **wanted: str | float | None) -> bool:
        return not matching(self.curves, subject=subject, name=name, **wanted).empty
