"""Tidy CSV files of rigidlimit: one number a line, every column named."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from analysis.tables import AnalysisError

Row = dict[str, str | float]


class BadCsv(AnalysisError):
    """A file that is not what its name promises; the message says where and why."""


def read_rows(path: Path, numbers: Iterable[str], texts: Iterable[str]) -> list[Row]:
    """The rows of `path` with these columns, the `numbers` as floats ("nan" where there is none).

    Raises BadCsv, with file and line, for a column that is missing, a line of another length, a
    number that is none, and a file without rows.
    """
    numbers, texts = list(numbers), list(texts)
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        for name in [*numbers, *texts]:
            if name not in header:
                raise BadCsv(f"{path}:1: no column '{name}'")
        rows: list[Row] = []
        for fields in reader:
            where = f"{path}:{reader.line_num}"
            if len(fields) != len(header):
                raise BadCsv(f"{where}: {len(fields)} fields where the header has {len(header)}")
            named = dict(zip(header, fields))
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
