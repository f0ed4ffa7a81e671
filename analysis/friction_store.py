"""Results of friction: events, errors and event times of the store, and the motions of motions.csv beside it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .result import Motion, Result
from .tables import AnalysisError, imported, read_csv, run_again

if TYPE_CHECKING:
    import pandas as pd

MOTION = ["law", "tangential_power", "solver", "epsilon"]  # the columns that identify a motion of motions.csv
TEXTS = ("motion", "solver", "modes")


@dataclass(frozen=True, repr=False, eq=False)
class FrictionResult(Result):
    """A friction study, a sweep of them, or one point of a sweep."""

    @property
    def events(self) -> pd.DataFrame:
        return self.tables["events"]

    @cached_property
    def motions(self) -> pd.DataFrame:
        """The rows of motions.csv, by motion and time: the solves of the store do not say their point."""
        whole = self._whole
        return (whole.sweep.rows_at(whole.motions, self._point)
                if isinstance(whole, FrictionResult) and whole.sweep else self.motions_csv())

    def motions_csv(self) -> pd.DataFrame:
        path = self.directory / "motions.csv"
        found = read(path, [*self.columns, "motion", *MOTION[1:], "t", "q1", "v1"], [*TEXTS, *self.text_columns()])
        for what, letter in (("coordinates", "q"), ("velocities", "v")):
            named = len(self.judgement["system"][what]) / (len(self.sweep.points) if self.sweep else 1)
            if len(numbered(found, letter)) != named:
                raise AnalysisError(f"{path}: {len(numbered(found, letter))} {what}, {self.database.path.name} names {named:g}; "
                                    f"{run_again(self.directory)}")
        return found.rename(columns={"motion": "law"})

    def text_columns(self) -> list[str]:
        return [name for name, value in zip(self.columns, self.sweep.points[0]) if isinstance(value, str)
                ] if self.sweep else []

    @property
    def system(self) -> str:
        return str(self.description["name"])

    @property
    def parameters(self) -> dict[str, float]:
        return {one["name"]: one["value"] for one in self.description["parameters"]}

    def labels(self, what: str) -> list[str]:
        """Names with units; what = "coordinates" or "velocities"."""
        return [f"{one['name']} [{one['unit']}]" if one["unit"] not in ("", "1") else one["name"]
                for one in self.judgement["system"][what]]

    def motions_of(self, kind: str, tighter: bool) -> pd.DataFrame:
        found = self.motions[MOTION].drop_duplicates()
        return found[(found["law"] == "rigid") == (kind == "rigid")] if not tighter else found.iloc[:0]

    def samples_of(self, found: pd.DataFrame) -> Motion:
        law, power, solver, epsilon = found.iloc[0]
        rows = self.motions[(self.motions[MOTION] == found.iloc[0]).all(axis=1)]
        samples = {name: rows[numbered(rows, letter)].to_numpy(float).T
                   for name, letter in (("q", "q"), ("v", "v"), ("lambda", "lambda"), ("p", "p"))}
        kind = "rigid" if law == "rigid" else "compliant"
        return Motion("", kind, "" if law == "rigid" else law, solver, epsilon if epsilon > 0.0 else np.nan,
                      rows["t"].to_numpy(float), samples, power)

    @property
    def rigid(self) -> Motion:
        found = self.motions_of("rigid", False)
        if found.empty:
            raise AnalysisError(f"{self.directory}: motions.csv has no rigid motion")
        return self.samples_of(found)

    def compliant(self, most: int = 3) -> list[Motion]:
        """Motions of the first law that differ most from the rigid one: the `most` largest epsilons."""
        there = self.motions_of("compliant", False)
        there = there[(there[MOTION[:3]] == there[MOTION[:3]].iloc[0]).all(axis=1)] if len(there) else there
        return [self.samples_of(there.iloc[k:k + 1]) for k in np.argsort(-there["epsilon"], kind="stable")[:most]]


def numbered(table: pd.DataFrame, letter: str) -> list[str]:
    """The columns letter1, letter2, … in this order."""
    names = [name for name in table.columns if name[:1] == letter and name[1:].isdigit()]
    return sorted(names, key=lambda name: int(name[1:]))


def read(path: Path, needed: list[str], texts: Collection[str] = ()) -> pd.DataFrame:
    """A CSV file with the columns `needed`; all hold numbers except `texts`."""
    table = read_csv(path, needed, run_again(path.parent), keep_default_na=False, na_values=["nan"],
                     dtype=dict.fromkeys(texts, str))
    for name in needed:
        if name not in texts:
            table[name] = numbers(table[name], path)
    return table


def numbers(column: pd.Series, path: Path) -> pd.Series:
    found = imported("pandas").to_numeric(column, errors="coerce")
    for place in np.flatnonzero(found.isna() & column.notna())[:1]:
        raise AnalysisError(f"{path}:{place + 2}: {column.name} = '{column.iloc[place]}' is not a number")
    return found
