"""What `rigidlimit run` wrote to results/NAME: friction.json and its tables, as DataFrames."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.json_files import read_object
from analysis.kinds import no_such_file
from analysis.store import in_html
from analysis.tables import AnalysisError

CURVE = ["motion", "tangential_power", "solver", "epsilon"]  # tells the curves of motions.csv apart
NEEDED = {
    "events": ["t", "kind", "contacts", "modes", "q1", "v1_after"],
    "motions": [*CURVE, "t", "q1", "v1", "modes"],
    "errors": ["law", "tangential_power", "compliant_solver", "epsilon", "quantity", "events", "norm", "window",
               "model_error", "solver_error", "reference_error", "sampling_error", "status"],
    "event_times": ["event", "kind", "contacts", "t_rigid", "law", "tangential_power",
                    "compliant_solver", "epsilon", "difference", "solver_error"],
}
SIDES = {"q": ("",), "v": ("_before", "_after")}  # what events.csv has of each component
TEXTS = frozenset("kind contacts modes motion solver rigid_solver compliant_solver law quantity events norm window status".split())
COMPONENT = {"name": str, "unit": str}
RESULT = {"study": str, "series": [{"law": str, "tangential_power": float, "compliant_solver": str, "quantity": str,
                                    "events": str, "norm": str, "window": str}],
          "system": {"name": str, "parameters": {str: float}, "coordinates": [COMPONENT],
                     "velocities": [COMPONENT]}}


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

    def __repr__(self) -> str:
        return f"<FrictionData {'; '.join(f'{name}: {value}' for name, value in self.facts())}>"

    def _repr_html_(self) -> str:
        """What a notebook shows; every text of the file is escaped."""
        return in_html(f"Study of friction {self.name}", self.facts())

    def facts(self) -> list[tuple[str, str]]:
        """What one wants to know of a study at a glance, in words."""
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
        """Names with units of what = "coordinates" or "velocities"."""
        return [f"{one['name']} [{one['unit']}]" if one["unit"] not in ("", "1") else one["name"]
                for one in self.result["system"][what]]

    def curves(self, name: str | None = None) -> list[FrictionCurve]:
        """In the order of the file: rigid first, then the laws with falling epsilon."""
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
        """Those of the first law that are told apart best: its largest epsilons, at most `most`."""
        curves = [curve for curve in self.curves() if curve.epsilon > 0.0]
        if not curves:
            return []
        law = (curves[0].name, curves[0].tangential_power, curves[0].solver)
        same = [c for c in curves if (c.name, c.tangential_power, c.solver) == law]
        return sorted(same, key=lambda c: -c.epsilon)[:most]


def numbered(table: pd.DataFrame, letter: str) -> list[str]:
    """Columns letter1, letter2, … in this order."""
    names = [name for name in table.columns if name[:1] == letter and name[1:].isdigit()]
    return sorted(names, key=lambda name: int(name[1:]))


def read(path: Path, needed: list[str], texts: Collection[str] = ()) -> pd.DataFrame:
    """A CSV file with the columns `needed`, all of which hold numbers but for `texts`."""
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
        raise AnalysisError(f"{path}:{place + 2}: {column.name} = '{column.iloc[place]}' is no number")
    return found


def open_friction(directory: str | Path | FrictionData) -> FrictionData:
    """AnalysisError, with the file, for what is missing or is not what its name promises."""
    if isinstance(directory, FrictionData):
        return directory
    directory = Path(directory)
    result = read_object(directory / "friction.json", RESULT, "`rigidlimit run`")
    tables = {name: read(directory / f"{name}.csv", needed, TEXTS) for name, needed in NEEDED.items()}
    for what, letter in (("coordinates", "q"), ("velocities", "v")):
        count = len(numbered(tables["motions"], letter))
        if count != len(result["system"][what]):
            raise AnalysisError(f"{directory}: motions.csv has {count} {what}, friction.json names "
                                f"{len(result['system'][what])}")
        for name in (f"{letter}{k + 1}{side}" for k in range(count) for side in SIDES[letter]):
            if name not in tables["events"].columns:
                raise AnalysisError(f"{directory / 'events.csv'}: no column '{name}'")
    return FrictionData(directory, result, **tables)
