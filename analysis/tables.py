"""Reads a store: opens it read only, returns tables as DataFrames and BLOBs as arrays."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

APPLICATION_ID = 0x52474C4D  # "RGLM"
VERSION = 3  # of the schema that this module reads
STORE = "results.db"
PROJECT = "rigidlimit-analysis" if __package__ == "analysis" else "rigidlimit"  # with this package, for pip
RESOLVED = "resolved.toml"  # a file that `rigidlimit run` takes
TEXTS = frozenset((  # columns of text; all others are numbers
    "study system law rigid_solver compliant_solver quantity norm window verdict status key kind "
    "solver formulation precision outcome message finished determinants started ended host shard "
    "provenance found what subject name grid motion events contacts modes modes_at_end benchmark "
    "problem method library group reason samples_hash checksum").split())
EVIDENT = ("ok", "proved")  # the status of a row that takes part in fits
KILLED = ("its last writer was killed while writing; the next `rigidlimit run` of the study rolls "
          "the half-written part back")


class AnalysisError(ValueError):
    """Requested data is missing or invalid; the message names the place and the reason."""


def run_again(directory: Path) -> str:
    """The command that makes the result in a folder again."""
    file = directory / RESOLVED if (directory / RESOLVED).is_file() else "EXPERIMENT.toml"
    return f"`rigidlimit run {file}` makes it again"


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection; SQLite errors become AnalysisErrors with the path."""
    if not path.is_file():
        raise AnalysisError(f"{path}: no such file; {run_again(path.parent)}")
    try:
        db = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
    except sqlite3.Error as problem:
        raise AnalysisError(f"{path}: cannot be opened ({problem})") from None
    try:
        yield db
    except sqlite3.Error as problem:
        killed = getattr(problem, "sqlite_errorname", "") == "SQLITE_READONLY_ROLLBACK"
        raise AnalysisError(f"{path}: " + (KILLED if killed else str(problem))) from None
    finally:
        db.close()


def check_schema(db: sqlite3.Connection, path: Path) -> None:
    """AnalysisError unless the file is a store with the schema of this package."""
    kind, = db.execute("PRAGMA application_id").fetchone()
    version, = db.execute("PRAGMA user_version").fetchone()
    if kind != APPLICATION_ID:
        raise AnalysisError(f"{path}: an SQLite file, but not a store of rigidlimit "
                            f"(application_id {kind:#x}); {run_again(path.parent)}")
    if version > VERSION:
        raise AnalysisError(f"{path}: schema version {version} is newer than {VERSION}, which is "
                            "the newest that this package reads; update it")
    if version < VERSION:
        raise AnalysisError(f"{path}: written by an older rigidlimit (schema {version}); {run_again(path.parent)}")


def read_table(db: sqlite3.Connection, query: str) -> pd.DataFrame:
    """The rows of a query; NULL becomes NaN in columns of numbers and None in columns of text."""
    cursor = db.execute(query)
    columns = [name for name, *_ in cursor.description]
    table = pd.DataFrame(cursor.fetchall(), columns=columns)
    for name in columns:
        if name not in TEXTS and not any(isinstance(x, str) for x in table[name]):
            table[name] = pd.to_numeric(table[name])  # a swept key may also hold text
    return table


def read_csv(path: Path, needed: Iterable[str], again: str, **options: Any) -> pd.DataFrame:
    """A CSV file with the columns `needed`, read with options of pandas; `again` says what makes such a file."""
    try:
        table = pd.read_csv(path, **options)
    except FileNotFoundError:
        raise AnalysisError(f"{path}: no such file; {again}") from None
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as problem:
        raise AnalysisError(f"{path}: {problem}") from None
    for name in needed:
        if name not in table:
            raise AnalysisError(f"{path}: no column '{name}'; {again}")
    return table


def read_grid(db: sqlite3.Connection, grid: str) -> np.ndarray:
    times, = db.execute("SELECT times FROM grids WHERE id = ?", (grid,)).fetchone()
    return np.frombuffer(times, "<f8")


def read_samples(db: sqlite3.Connection, key: str) -> dict[str, np.ndarray]:
    found = db.execute("SELECT name, rows, columns, data FROM samples WHERE key = ?", (key,))
    return {name: matrix(data, rows, columns) for name, rows, columns, data in found}


def matrix(data: bytes, rows: int, columns: int) -> np.ndarray:
    return np.frombuffer(data, "<f8").reshape((rows, columns), order="F")


def matching(rows: pd.DataFrame, **wanted: str | float | None) -> pd.DataFrame:
    """The rows in which every named column has the given value (None: any; numbers to a relative 1e-9)."""
    for name, value in wanted.items():
        if isinstance(value, str):
            rows = rows[rows[name] == value]
        elif value is not None:
            rows = rows[np.isclose(rows[name].astype(float), value, rtol=1e-9, atol=0.0)]
    return rows


def distinct(column: pd.Series) -> list[str]:
    return [str(x) for x in dict.fromkeys(column) if x is not None]


def number(x: object) -> float:
    """A float; NaN for None."""
    return float("nan") if x is None else float(x)  # type: ignore[arg-type]


def shown(x: object) -> str:
    """A value in a message: six digits of a number."""
    return f"{x:g}" if isinstance(x, float) else text(x)


def enumerated(words: Sequence[str], most: int = 12) -> str:
    """The first `most` of the words, and the number of the others."""
    return "; ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


def text(x: object) -> str:
    """Text; "" for missing values of pandas."""
    return "" if x is None or x != x else str(x)
