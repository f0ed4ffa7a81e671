"""Tidy CSV files of rigidlimit: one number a line, every column named."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from analysis.kinds import no_such_file
from analysis.tables import AnalysisError

Row = dict[str, str | float]


class BadCsv(AnalysisError):
    """A file that is not what its name promises; the message says where and why."""


def read_rows(path: Path, numbers: Iterable[str], texts: Iterable[str], made_by: str) -> list[Row]:
    """The rows of `path` with these columns, the `numbers` as floats ("nan" where there is none).

    Raises BadCsv, with file and line, for a column that is missing, a line of another length, a
    number that is none, a file without rows, one that is no text, and one that is not there, which
    `made_by` would have made.
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
                raise BadCsv(f"{where}: {name} = '{named[name]}' is no number") from None
        rows.append(row)
    if not rows:
        raise BadCsv(f"{path}: no rows")
    return rows


def lines_of(path: Path, made_by: str) -> list[tuple[int, list[str]]]:
    """Where each record ends, counted in lines from 1, and its fields."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            return [(reader.line_num, fields) for fields in reader]
    except FileNotFoundError:
        raise BadCsv(no_such_file(path, made_by)) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise BadCsv(f"{path}: {problem}") from None
