"""Results of a friction study in results/NAME: friction.json, and its tables as DataFrames."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.json_files import read_object
from analysis.kinds import SWEEP, is_sweep_of_friction, no_such_file
from analysis.store import in_html
from analysis.sweep import Sweep, Values, keys_in, sweep_from
from analysis.tables import AnalysisError

CURVE = ["motion", "tangential_power", "solver", "epsilon"]  # the columns that identify a curve of motions.csv
NEEDED = {
    "events": ["t", "kind", "contacts", "modes", "q1", "v1_after"],
    "motions": [*CURVE, "t", "q1", "v1", "modes"],
    "errors": ["law", "tangential_power", "compliant_solver", "epsilon", "quantity", "events", "norm", "window",
               "model_error", "solver_error", "reference_error", "sampling_error", "status"],
    "event_times": ["event", "kind", "contacts", "t_rigid", "law", "tangential_power",
                    "compliant_solver", "epsilon", "difference", "solver_error"],
}
SIDES = {"q": ("",), "v": ("_before", "_after")}  # columns of events.csv for each component
TEXTS = frozenset("kind contacts modes motion solver rigid_solver compliant_solver law quantity events norm window status".split())
COMPONENT = {"name": str, "unit": str}
RESULT = {"study": str, "series": [{"law": str, "tangential_power": float, "compliant_solver": str, "quantity": str,
                                    "events": str, "norm": str, "window": str}],
          "system": {"name": str, "parameters": {str: float}, "coordinates": [COMPONENT],
                     "velocities": [COMPONENT]}}
SWEPT = {"study": str, "points": [{"swept": {}, "verdict": str}],
         "system": {"coordinates": [COMPONENT], "velocities": [COMPONENT]}}


@dataclass
class FrictionCurve:
    """One motion: K samples."""

    name: str  # "rigid", or the law
    tangential_power: float
    solver: str
    epsilon: float  # 0: rigid
    t: np.ndarray
    q: np.ndarray  # nq x K
    v: np.ndarray  # n x K


@dataclass(repr=False)
class FrictionData:
    directory: Path
    result: dict  # friction.json
    events: pd.DataFrame
    motions: pd.DataFrame
    errors: pd.DataFrame
    event_times: pd.DataFrame
    sweep: Sweep | None = None  # the tables then have one column per swept key

    @property
    def columns(self) -> list[str]:
        """The columns of the swept keys; empty for a single study."""
        return list(self.sweep.columns) if self.sweep else []

    def __repr__(self) -> str:
        return f"<FrictionData {'; '.join(f'{name}: {value}' for name, value in self.facts())}>"

    def _repr_html_(self) -> str:
        """The summary in a notebook; every text of the file is escaped."""
        return in_html(f"Study of friction {self.name}", self.facts())

    def facts(self) -> list[tuple[str, str]]:
        """The summary of the study: names and values."""
        return [("study", self.name), ("system", self.system),
                ("verdict", "held" if self.result.get("held") else "not held"),
                ("events", str(len(self.events))), ("motions", str(len(self.curves()))),
                ("errors", str(len(self.errors))), ("folder", str(self.directory))]

    @property
    def name(self) -> str:
        return str(self.result["study"])

    @property
    def system(self) -> str:
        return str(self.result["system"]["name"])

    @property
    def parameters(self) -> dict[str, float]:
        return self.result["system"]["parameters"]

    def labels(self, what: str) -> list[str]:
        """Names with units; what = "coordinates" or "velocities"."""
        return [f"{one['name']} [{one['unit']}]" if one["unit"] not in ("", "1") else one["name"]
                for one in self.result["system"][what]]

    def curves(self, name: str | None = None) -> list[FrictionCurve]:
        """The curves in the order of the file: rigid first, then the laws with decreasing epsilon."""
        found = []
        for key, rows in self.motions.groupby(CURVE, sort=False):
            q, v = (rows[numbered(rows, letter)].to_numpy(float).T for letter in "qv")
            found.append(FrictionCurve(str(key[0]), float(key[1]), str(key[2]), float(key[3]),
                                   rows["t"].to_numpy(float), q, v))
        return [curve for curve in found if name in (None, curve.name)]

    @property
    def rigid(self) -> FrictionCurve:
        curves = self.curves("rigid")
        if not curves:
            raise AnalysisError(f"{self.directory}: motions.csv has no rigid motion")
        return curves[0]

    def compliant(self, most: int = 3) -> list[FrictionCurve]:
        """Curves of the first law that differ most from the rigid one: the `most` largest epsilons."""
        curves = [curve for curve in self.curves() if curve.epsilon > 0.0]
        if not curves:
            return []
        law = (curves[0].name, curves[0].tangential_power, curves[0].solver)
        same = [c for c in curves if (c.name, c.tangential_power, c.solver) == law]
        return sorted(same, key=lambda c: -c.epsilon)[:most]


def numbered(table: pd.DataFrame, letter: str) -> list[str]:
    """The columns letter1, letter2, … in this order."""
    names = [name for name in table.columns if name[:1] == letter and name[1:].isdigit()]
    return sorted(names, key=lambda name: int(name[1:]))


def read(path: Path, needed: list[str], texts: Collection[str] = ()) -> pd.DataFrame:
    """A CSV file with the columns `needed`; all hold numbers except `texts`."""
    try:
        table = pd.read_csv(path, keep_default_na=False, na_values=["nan"],
                            dtype=dict.fromkeys(texts, str))
    except FileNotFoundError:
        raise AnalysisError(no_such_file(path, "`rigidlimit run`")) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as problem:
        raise AnalysisError(f"{path}: {problem}") from None
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise AnalysisError(f"{path}: no column '{missing[0]}'")
    for name in needed:
        if name not in texts:
            table[name] = numbers(table[name], path)
    return table


def numbers(column: pd.Series, path: Path) -> pd.Series:
    found = pd.to_numeric(column, errors="coerce")
    for place in np.flatnonzero(found.isna() & column.notna())[:1]:
        raise AnalysisError(f"{path}:{place + 2}: {column.name} = '{column.iloc[place]}' is not a number")
    return found


def open_friction(directory: str | Path | FrictionData, point: Values | None = None) -> FrictionData:
    """Opens a friction study, or one point of a sweep. AnalysisError, with the file, for missing or invalid
    data; for a sweep without `point`, with the points.

        >>> open_friction("results/wheel_sweep", point={"system.radius": 0.1}).rigid.q
    """
    study = open_whole(directory)
    if study.sweep is None:
        if point is not None:
            raise AnalysisError(f"{study.directory}: a single study, without points")
        return study
    if point is None:
        raise AnalysisError(study.sweep.name_one(study.directory, "each point has its own motions"))
    return at_point(study, study.sweep.find(point, study.directory))


def points_of(study: FrictionData) -> list[FrictionData]:
    """Every point of a sweep, or the single study."""
    return [at_point(study, point) for point in study.sweep.points] if study.sweep else [study]


def at_point(study: FrictionData, point: tuple[object, ...]) -> FrictionData:
    sweep = study.sweep
    assert sweep is not None
    result = sweep.records_at(study.result, point)
    settings = sweep.resolved_at(study.result["resolved"], point)
    its_system = settings.get("system", {})
    result |= {"study": f"{study.name}, {sweep.text(point)}",
               "held": result["points"][0].get("verdict") in ("held", "nothing expected"),
               "system": result["system"] | {"name": str(its_system.get("name", "")), "parameters": {
                   name: float(x) for name, x in its_system.items()
                   if isinstance(x, (int, float)) and not isinstance(x, bool)}}}
    return FrictionData(study.directory, result, **{
        name: sweep.rows_at(getattr(study, name), point) for name in NEEDED})


def read_sweep(directory: Path) -> tuple[dict[str, Any], Sweep | None]:
    """sweep.json; the key "resolved" holds the resolved file of the sweep."""
    try:
        resolved = tomllib.loads((directory / "sweep.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        resolved = {}  # the columns of the tables take the place of the keys
    result = read_object(directory / SWEEP, SWEPT, "`rigidlimit run`")
    swept = resolved.get("sweep")
    result.setdefault("series", [])  # a sweep that compares modes only has none
    result |= {"resolved": resolved, "system": {
        "name": str(resolved.get("system", {}).get("name", "")), "parameters": {}, **result["system"]}}
    return result, sweep_from(keys_in(swept) if isinstance(swept, dict) else [], result)


def open_whole(directory: str | Path | FrictionData) -> FrictionData:
    """A friction study, or all points of a sweep in the same tables."""
    if isinstance(directory, FrictionData):
        return directory
    directory = Path(directory)
    sweep = None
    if is_sweep_of_friction(directory):
        result, sweep = read_sweep(directory)
    else:
        result = read_object(directory / "friction.json", RESULT, "`rigidlimit run`")
    tables = {name: read(directory / f"{name}.csv", needed, TEXTS) for name, needed in NEEDED.items()}
    for what, letter in (("coordinates", "q"), ("velocities", "v")):
        count = len(numbered(tables["motions"], letter))
        named = len(result["system"][what]) / (len(sweep.points) if sweep else 1)
        if count != named:
            raise AnalysisError(f"{directory}: motions.csv has {count} {what}, "
                                f"{SWEEP if sweep else 'friction.json'} names {named:g}")
        for name in (f"{letter}{k + 1}{side}" for k in range(count) for side in SIDES[letter]):
            if name not in tables["events"].columns:
                raise AnalysisError(f"{directory / 'events.csv'}: no column '{name}'")
    return FrictionData(directory, result, **tables, sweep=sweep)
