"""Tidy CSV files of rigidlimit: one number a line, every column named."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from .tables import AnalysisError

Row = dict[str, str | float]


class BadCsv(AnalysisError):
    """The file is not a valid table; the message names the place and the reason."""


def read_rows(path: Path, numbers: Iterable[str], texts: Iterable[str], made_by: str) -> list[Row]:
    """The rows of `path` with these columns, the `numbers` as floats (NaN for "nan").

    Raises BadCsv, with file and line, for a missing column, a line of the wrong length or an invalid number.
    Raises it also for a file without rows, a file that is not text, and a missing file (`made_by` writes it).
    """
    numbers, texts = list(numbers), list(texts)
    header, *lines = lines_of(path, made_by) or [(1, [])]
    for name in [*numbers, *texts]:
        if name not in header[1]:
            raise BadCsv(f"{path}:1: no column '{name}'")
    rows: list[Row] = []
    for line, fields in lines:
        where = f"{path}:{line}"
        if len(fields) != len(header[1]):
            raise BadCsv(f"{where}: {len(fields)} fields where the header has {len(header[1])}")
        named = dict(zip(header[1], fields))
        row: Row = {name: named[name] for name in texts}
        for name in numbers:
            try:
                row[name] = float(named[name])
            except ValueError:
                raise BadCsv(f"{where}: {name} = '{named[name]}' is not a number") from None
        rows.append(row)
    if not rows:
        raise BadCsv(f"{path}: no rows")
    return rows


def lines_of(path: Path, made_by: str) -> list[tuple[int, list[str]]]:
    """The last line (counted from 1) and the fields of each record."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            return [(reader.line_num, fields) for fields in reader]
    except FileNotFoundError:
        raise BadCsv(f"{path}: no such file; {made_by} makes one") from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise BadCsv(f"{path}: {problem}") from None
