"""A store as files for other programs: tables as Parquet, CSV or JSON, trajectories as HDF5."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

from .result import Motion, Result
from .store import RollingResult
from .opening import rolling
from .tables import AnalysisError, text

TABLES = ("errors", "solves")
KINDS = ("rigid", "compliant")


def table_of(study: RollingResult, name: str) -> pd.DataFrame:
    """"errors": the table of errors and verdicts; "solves": one row per solve of the plan."""
    if name not in TABLES:
        raise AnalysisError(f"table must be one of {', '.join(TABLES)}, not '{name}'")
    return study.table if name == "errors" else study.solves


def needed(module: str, what: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError:
        raise AnalysisError(f"{what} needs the package {module}: "
                            f"pip install 'rigidlimit[export]'") from None


def to_parquet(table: pd.DataFrame, path: Path) -> None:
    needed("pyarrow", "Parquet")
    table.to_parquet(path, index=False, engine="pyarrow")


def to_csv(table: pd.DataFrame, path: Path) -> None:
    """17 digits, "nan" for missing numbers, as in the program's errors.csv."""
    table.to_csv(path, index=False, float_format="%.17g", na_rep="nan", lineterminator="\n")


def to_json(table: pd.DataFrame, path: Path) -> None:
    """A list of objects, null for missing numbers. Numbers are read back as the same double."""
    rows = [{name: plain(value) for name, value in row.items()} for row in table.to_dict("records")]
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
                    encoding="utf-8")


def plain(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value


WRITERS: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    "parquet": to_parquet, "csv": to_csv, "json": to_json}


def export_tables(study: str | Path | Result, form: str, path: Path,
                  tables: Sequence[str] = TABLES) -> list[Path]:
    """Writes each table in the format "parquet", "csv" or "json" and returns the files.

    A single table is written to `path`. Several tables get their names before the suffix:
    -o knife_edge.csv gives knife_edge.errors.csv and knife_edge.solves.csv.

        >>> export_tables("results/knife_edge", "parquet", Path("knife_edge.parquet"))
    """
    study = rolling(study)
    written = []
    for name in tables:
        file = path if len(tables) == 1 else path.with_name(f"{path.stem}.{name}{path.suffix}")
        WRITERS[form](table_of(study, name), file)
        written.append(file)
    return written


def export_motions(study: str | Path | Result, path: Path, *, kinds: Sequence[str] = KINDS,
                   epsilons: Sequence[float] | None = None, tighter: bool = False) -> list[Path]:
    """Trajectories as HDF5: one group per solve, named by its key, with its row of `solves` as
    attributes and the datasets times (K), q, v, lambda, ... (rows x K).

    epsilons=None: all; tighter=True: the tighter solves too. AnalysisError if no solve matches.

        >>> export_motions("results/knife_edge", Path("k.h5"), kinds=["compliant"], epsilons=[1e-2])
    """
    study = rolling(study)
    h5py = needed("h5py", "HDF5")
    for kind in kinds:
        if kind not in KINDS:
            raise AnalysisError(f"kind must be one of {', '.join(KINDS)}, not '{kind}'")
    rows = selected(study, kinds, epsilons, tighter)
    with h5py.File(path, "w") as file:
        file.attrs.update({"study": study.name, "hash": study.hash, "resolved": study.resolved})
        for row in rows:
            write_motion(file.create_group(str(row["key"])), row, study)
    return [path]


def selected(study: RollingResult, kinds: Sequence[str], epsilons: Sequence[float] | None,
             tighter: bool) -> list[dict[str, object]]:
    solves = study.solves
    solves = solves[solves["kind"].isin(kinds) & (solves["status"] == "finished")]
    if not tighter:
        solves = solves[~solves["tighter"]]
    if epsilons is not None:
        near = [np.isclose(solves["epsilon"], x, rtol=1e-9, atol=0.0) for x in epsilons]
        lost = [x for x, found in zip(epsilons, near) if not found.any()]
        if lost:
            raise AnalysisError(f"{study.where}: no compliant solve at epsilon = {lost[0]:g}; known "
                                f"are {', '.join(f'{x:.17g}' for x in study.epsilons())}")
        solves = solves[np.any(near, axis=0) | solves["epsilon"].isna()]
    if solves.empty:
        raise AnalysisError(f"{study.where}: no finished solve of kind {' or '.join(kinds)}")
    return solves.to_dict("records")


def write_motion(group: object, row: dict[str, object], study: RollingResult) -> None:
    motion: Motion = study.motion_of(str(row["key"]))
    group.attrs.update({name: value for name, value in row.items()  # type: ignore[attr-defined]
                        if text(value) and name not in ("key", "grid")})
    group.create_dataset("times", data=motion.times)  # type: ignore[attr-defined]
    for name, values in motion.samples.items():
        group.create_dataset(name, data=values, compression="gzip")  # type: ignore[attr-defined]
