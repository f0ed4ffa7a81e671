"""What `rigidlimit slip` wrote to results/NAME: slip.json and its tables, as DataFrames."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.tables import AnalysisError

CURVE = ["motion", "tangential_power", "solver", "epsilon"]  # tells the curves of motions.csv apart
NEEDED = {
    "events": ["t", "kind", "contacts", "modes", "q1", "v1_after"],
    "motions": [*CURVE, "t", "q1", "v1", "modes"],
    "errors": ["law", "tangential_power", "solver", "epsilon", "quantity", "events", "norm", "window",
               "model_error", "solver_error", "reference_error", "sampling_error", "status"],
    "event_times": ["event", "kind", "contacts", "t_rigid", "law", "tangential_power", "solver",
                    "epsilon", "difference", "solver_error"],
}


@dataclass
class SlipCurve:
    """One motion: K samples."""

    name: str  # "rigid", or the law
    tangential_power: float
    solver: str
    epsilon: float  # 0: rigid
    t: np.ndarray
    q: np.ndarray  # nq x K
    v: np.ndarray  # n x K


@dataclass
class SlipData:
    directory: Path
    result: dict  # slip.json
    events: pd.DataFrame
    motions: pd.DataFrame
    errors: pd.DataFrame
    event_times: pd.DataFrame

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

    def curves(self, name: str | None = None) -> list[SlipCurve]:
        """In the order of the file: rigid first, then the laws with falling epsilon."""
        found = []
        for key, rows in self.motions.groupby(CURVE, sort=False):
            q, v = (rows[numbered(rows, letter)].to_numpy(float).T for letter in "qv")
            found.append(SlipCurve(str(key[0]), float(key[1]), str(key[2]), float(key[3]),
                                   rows["t"].to_numpy(float), q, v))
        return [curve for curve in found if name in (None, curve.name)]

    @property
    def rigid(self) -> SlipCurve:
        curves = self.curves("rigid")
        if not curves:
            raise AnalysisError(f"{self.directory}: motions.csv has no rigid motion")
        return curves[0]

    def compliant(self, most: int = 3) -> list[SlipCurve]:
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


def read(path: Path, needed: list[str]) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, keep_default_na=False, na_values=["nan"])
    except FileNotFoundError:
        raise AnalysisError(f"{path}: there is no such file; `rigidlimit slip` makes one") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as problem:
        raise AnalysisError(f"{path}: {problem}") from None
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise AnalysisError(f"{path}: no column '{missing[0]}'")
    return table


def open_slip(directory: str | Path | SlipData) -> SlipData:
    """AnalysisError, with the file, for what is missing or is not what its name promises."""
    if isinstance(directory, SlipData):
        return directory
    directory = Path(directory)
    path = directory / "slip.json"
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise AnalysisError(f"{path}: there is no such file; `rigidlimit slip` makes one") from None
    except ValueError as problem:
        raise AnalysisError(f"{path}: {problem}") from None
    tables = {name: read(directory / f"{name}.csv", needed) for name, needed in NEEDED.items()}
    return SlipData(directory, result, **tables)
