"""A parameter sweep: one file that defines a product of studies. Its tables have one column per swept
key, and each point is a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .tables import AnalysisError, enumerated, imported, number, shown

if TYPE_CHECKING:
    import pandas as pd

Values = Mapping[str, object]  # {"contact.damping_ratio": 0.5}
WORK = ("steps", "rejected_steps", "rhs_evaluations", "jacobian_evaluations", "factorisations",
        "newton_iterations")


@dataclass(frozen=True)
class Sweep:
    """The swept keys as in the file, their columns in the tables, and the points in the order of the file:
    one value per column."""

    keys: tuple[str, ...]
    columns: tuple[str, ...]
    points: tuple[tuple[object, ...], ...]

    def values(self) -> list[dict[str, object]]:
        return [dict(zip(self.keys, point)) for point in self.points]

    def text(self, point: Sequence[object], places: Sequence[int] | None = None) -> str:
        """"contact.damping_ratio = 0.5", of all keys or of those at `places`."""
        return ", ".join(f"{key} = {shown(value)}" for k, (key, value) in enumerate(zip(self.keys, point))
                         if places is None or k in places)

    def listed(self, points: Iterable[Sequence[object]] | None = None, places: Sequence[int] | None = None) -> str:
        return enumerated([self.text(point, places) for point in (self.points if points is None else points)])

    def place(self, name: str) -> int | None:
        """The place of a swept key, of its column, or of the only key that ends so; None without one."""
        ends = [k for k, key in enumerate(self.keys) if name in (key, self.columns[k]) or key.endswith(f".{name}")]
        exact = [k for k in ends if name in (self.keys[k], self.columns[k])]
        return (exact or ends)[0] if len(exact or ends) == 1 else None

    def has(self, name: str) -> bool:
        return self.place(name) is not None

    def find(self, wanted: Values, where: object) -> tuple[object, ...]:
        """The only point with these values; keys may be omitted if the others suffice. AnalysisError, with
        the points, if no point or several points match."""
        for key in wanted:
            if not self.has(key):
                raise AnalysisError(f"{where}: '{key}' is not swept; swept keys are {', '.join(self.keys)}")
        at = {self.place(key): value for key, value in wanted.items()}
        found = [point for point in self.points if all(same(value, point[k]) for k, value in at.items())]
        if len(found) != 1:
            differ = [k for k in range(len(self.keys)) if len({str(point[k]) for point in found or self.points}) > 1]
            have = "no point has" if not found else f"{len(found)} points have"
            raise AnalysisError(f"{where}: {have} {dict(wanted)}; the points are "
                                f"{self.listed(found or None, places=differ)}")
        return found[0]

    def name_one(self, where: object, what: str, points: Iterable[Sequence[object]] | None = None) -> str:
        """The message if a point must be chosen, with the points and an example."""
        among = list(self.points if points is None else points)
        return (f"{where}: a sweep, in which {what}: {self.listed(among)}. Choose one: "
                f"at({dict(zip(self.keys, among[0]))})")

    def rows_at(self, rows: pd.DataFrame, point: Sequence[object]) -> pd.DataFrame:
        """The rows of the point, without the columns of the swept keys."""
        for column, value in zip(self.columns, point):
            if column in rows:  # [[least]] lacks the key over which it takes the least
                numeric = isinstance(value, (int, float)) and rows[column].dtype != object
                chosen = np.isclose(rows[column], value, rtol=1e-9, atol=0.0) if numeric else rows[column] == value
                rows = rows.loc[chosen]  # also of an empty table
        return rows.drop(columns=list(self.columns), errors="ignore").reset_index(drop=True)

    def records_at(self, value: Any, point: Sequence[object]) -> Any:
        """A part of the JSON with only the records of this point, at any depth."""
        if isinstance(value, dict):
            return {name: self.records_at(one, point) for name, one in value.items() if name != "swept"}
        if isinstance(value, list):
            wanted = dict(zip(self.columns, point))
            return [self.records_at(one, point) for one in value
                    if not (isinstance(one, dict) and "swept" in one)
                    or all(same(one["swept"].get(name), x) for name, x in wanted.items())]
        return value

    def set_at(self, swept: Mapping[str, Any], point: Sequence[object]) -> list[tuple[str, object]]:
        """The keys of the file with their values at a point; the name of a zip stands for its keys."""
        zips = {zipped["name"]: zipped for zipped in swept.get("zip", []) if "name" in zipped}
        found: list[tuple[str, object]] = []
        for key, value in zip(self.keys, point):
            if key in zips:
                row = zips[key]["values"][zips[key]["labels"].index(value)]
                found += zip(zips[key]["keys"], row)
            else:
                found.append((key, value))
        return found

    def resolved_at(self, settings: Mapping[str, Any], point: Sequence[object]) -> dict[str, Any]:
        """The resolved study of a point: the resolved sweep with the values of the point."""
        found = {name: part for name, part in settings.items() if name != "sweep"}
        for key, value in self.set_at(settings.get("sweep", {}), point):
            *path, last = key.split(".")
            at = found
            for name in path:
                inner = at.get(name)
                at[name] = dict(inner) if isinstance(inner, dict) else {}
                at = at[name]
            at[last] = value
        return found


def same(one: object, other: object) -> bool:
    """Equality; of numbers to a relative 1e-9."""
    if isinstance(one, (int, float, np.number)) and isinstance(other, (int, float, np.number)):
        return bool(np.isclose(float(one), float(other), rtol=1e-9, atol=0.0))
    return one == other


def sweep_of(settings: Mapping[str, Any], result: Mapping[str, Any]) -> Sweep | None:
    """The sweep of a resolved file and its result; None for a single study."""
    swept = settings.get("sweep")
    return sweep_from(keys_in(swept), result) if isinstance(swept, dict) else None


def sweep_from(keys: Sequence[str], result: Mapping[str, Any]) -> Sweep | None:
    """The sweep of a result; the columns take the place of unknown keys."""
    records = [point["swept"] for point in result.get("points") or []
               if isinstance(point, dict) and isinstance(point.get("swept"), dict)]
    if not records:
        return None
    columns = tuple(records[0])
    named = {key.replace(".", "_"): key for key in keys}
    return Sweep(tuple(named.get(column, column) for column in columns), columns,
                 tuple(tuple(record.get(column) for column in columns) for record in records))


def keys_in(swept: Mapping[str, Any], before: str = "") -> list[str]:
    """The values by dotted key, from dotted strings or nested tables."""
    found = []
    for name, value in swept.items():
        if not before and name == "zip" and isinstance(value, list):
            for zipped in value:
                found += [zipped["name"]] if "name" in zipped else zipped["keys"]
            continue
        grid = isinstance(value, dict) and {"from", "to"} <= set(value)
        found += (keys_in(value, f"{before}{name}.") if isinstance(value, dict) and not grid
                  else [before + name])
    return found


def flat(value: Any) -> Any:
    """Records of the JSON with the swept values as separate columns, at any depth."""
    if isinstance(value, dict):
        return {**{name: flat(one) for name, one in value.items()}, **value.get("swept", {})}
    return [flat(one) for one in value] if isinstance(value, list) else value


# --- The solves of a point in the store

HASHED = ("physics", "contact", "steps", "max_steps")  # in the column `determinants` of a solve
SHARED = ["physics", "contact", "of.steps", "of.max_steps", "formulation", "precision", "rtol", "atol"]


def solves_at(sweep: Sweep, table: pd.DataFrame, solves: pd.DataFrame, settings: Mapping[str, Any],
              point: Sequence[object], where: object) -> pd.DataFrame:
    """The solves of a point. The store only has hashes of the inputs of a solve. A compliant solve belongs
    to the point whose table rows have its work counters. AnalysisError if several points have the same
    counters."""
    rows = sweep.rows_at(table, point).rename(columns={"compliant_solver": "solver"})
    rows = rows[["law", "solver", "epsilon", *WORK]].dropna(subset=["steps"]).drop_duplicates()
    known = solves.assign(place=np.arange(len(solves)), **{
        name if name in SHARED else f"of.{name}": solves["determinants"].str.extract(
            rf"\b{name}=(\S+)", expand=False).fillna("") for name in HASHED})
    known = known.fillna({"formulation": "", "precision": ""})
    compliant = known[known["kind"] == "compliant"]
    kept: list[pd.DataFrame] = []
    for (law, solver), wanted in rows.groupby(["law", "solver"], sort=False):
        fitting = [found for _, found in compliant[~compliant["tighter"]].merge(wanted).groupby(SHARED)
                   if found["epsilon"].nunique() == len(wanted)]
        if len(fitting) != 1:
            why = ("solves of several points have the same work counters" if fitting
                   else "no solves of the plan have the work counters of the table")
            raise AnalysisError(f"{where}: {sweep.text(point)}: {why}; run this point as a separate study")
        its = fitting[0].iloc[0]
        tighter = compliant[compliant["tighter"] & (compliant["law"] == law) & (compliant["solver"] == solver)]
        for name in SHARED[:-2]:
            tighter = tighter[tighter[name] == its[name]]
        tightest = number(settings.get("solvers", {}).get("tighten", 0.1)) * its["rtol"]
        kept += [fitting[0], tighter[np.isclose(tighter["rtol"], tightest, rtol=1e-9, atol=0.0)]]
    if not kept:
        raise AnalysisError(f"{where}: {sweep.text(point)}: no compliant solve")
    found = imported("pandas").concat(kept)
    along = known[(known["kind"] != "compliant") & known["physics"].isin(set(found["physics"]))
                  & known["contact"].isin({"", *found["contact"]})]
    asked = settings.get("solvers", {})
    if "rigid_rtol" in asked:  # all reference solves, whose tolerances differ
        along = along[(along["kind"] != "rigid") | ~along["solver"].isin(asked.get("rigid", []))
                      | np.isclose(along["rtol"], asked["rigid_rtol"], rtol=1e-9, atol=0.0)]
    return solves.iloc[sorted({*found["place"], *along["place"]})].reset_index(drop=True)
