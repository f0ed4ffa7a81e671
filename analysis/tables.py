"""Reads a store through the program's checked reader: tables as DataFrames, samples as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .._core import EVIDENT, StoredTables
from ..errors import InputError

if TYPE_CHECKING:
    import pandas as pd

STORE = "results.db"
RESOLVED = "resolved.toml"  # a file that `rigidlimit run` takes
RECORDS = ("runs", "solves", "findings")  # tables of every store; a run has others in memory
Answer = TypeVar("Answer")


class AnalysisError(ValueError):
    """Requested data is missing or invalid; the message names the place and the reason."""


class UnknownTable(AnalysisError, KeyError):
    __str__ = Exception.__str__  # that of KeyError adds quotes


def imported(module: str) -> Any:
    """The module; ModuleNotFoundError, with the command that installs it, without pandas or matplotlib."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(f"{missing.name} is not installed: pip install 'rigidlimit[plot]'",
                                  name=missing.name) from None


def frame(rows: Any, columns: Sequence[str] | None = None) -> pd.DataFrame:
    return imported("pandas").DataFrame(rows, columns=columns)


def table_of(columns: dict[str, Any]) -> pd.DataFrame:
    """The table of a run or of a store, with equal columns: true and false are 1 and 0, and a column without values
    has NaN."""
    return frame({name: np.array(values, float if None in values else int)
                  if isinstance(values, list) and values and all(x is None or isinstance(x, bool) for x in values)
                  else values for name, values in columns.items()})


def error_bars(rows: pd.DataFrame) -> pd.Series:
    """The bar behind ± of each row of a table of errors, as docs/verdicts.md has it: the largest of solver error,
    reference error, sampling error and the rounding of the compared values; half the width of a proved interval. NaN if
    one of the errors is unknown."""
    parts = ["solver_error", "reference_error", "sampling_error"]
    if "error_bar" in rows:  # the program's: without the sampling error, with the rounding
        parts = ["error_bar", "sampling_error"]
    bars = rows[parts].astype(float).max(axis=1, skipna=False)
    if "proved_lower" in rows:
        bars = (0.5 * (rows["proved_upper"] - rows["proved_lower"])).fillna(bars)
    return bars


def run_again(directory: Path) -> str:
    """The command that makes the result in a folder again."""
    file = directory / RESOLVED if (directory / RESOLVED).is_file() else "EXPERIMENT.toml"
    return f"`rigidlimit run {file}` makes it again"


class Store:
    """A results.db. The program's reader opens it: it checks schema and checksums, and changes no file.

    AnalysisError, with the path, for a file that is missing, damaged or no store.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise AnalysisError(f"{path}: no such file; {run_again(path.parent)}")
        self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._core = self._answer(lambda: StoredTables(str(self.path)))

    def __reduce__(self) -> tuple[type[Store], tuple[Path]]:
        return Store, (self.path,)

    def _answer(self, ask: Callable[[], Answer]) -> Answer:
        try:
            return ask()
        except InputError as problem:
            raise AnalysisError(str(problem)) from None

    def _read(self, ask: Callable[[StoredTables], Answer]) -> Answer:
        if self._process != os.getpid():  # SQLite must not use a connection after a fork
            self._open()
        return self._answer(lambda: ask(self._core))

    def study(self) -> dict[str, Any]:
        """name, resolved, hash, result (JSON or None) and complete of the last run."""
        found = self._read(lambda core: core.study())
        if found is None:
            raise AnalysisError(f"{self.path}: holds no study yet; {run_again(self.path.parent)}")
        return found

    def names(self) -> tuple[str, ...]:
        return tuple(self._read(lambda core: core.names()))

    def table(self, name: str) -> pd.DataFrame:
        """The rows in the order in which they were written; "solves" has those of the plan, in its order."""
        return (frame if name in RECORDS else table_of)(self._read(lambda core: core.table(name)))

    def samples(self, key: str) -> dict[str, np.ndarray]:
        return self._read(lambda core: core.samples(key))

    def times(self, key: str) -> np.ndarray:
        return self._read(lambda core: core.times(key))

    def curves(self) -> pd.DataFrame:
        return frame(self._read(lambda core: core.curves()))

    def curve(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """Times and values of one of curves()."""
        return self._read(lambda core: core.curve(index))


def read_csv(path: Path, needed: Iterable[str], again: str, **options: Any) -> pd.DataFrame:
    """A CSV file with the columns `needed`, read with options of pandas; `again` says what makes such a file."""
    pd = imported("pandas")
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


def matching(rows: pd.DataFrame, **wanted: str | float | None) -> pd.DataFrame:
    """The rows in which every named column has the given value (None: any; numbers to a relative 1e-9)."""
    for name, value in wanted.items():
        if isinstance(value, str):
            rows = rows[rows[name] == value]
        elif value is not None:
            rows = rows[np.isclose(rows[name].astype(float), value, rtol=1e-9, atol=0.0)]
    return rows


def distinct(column: pd.Series) -> list[str]:
    return [str(x) for x in dict.fromkeys(column) if text(x)]


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
