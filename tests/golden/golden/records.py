"""The neutral format of an experiment's results: tables of named columns in one compressed file.

A file is gzip-compressed JSON, UTF-8, with one line per column, so that `zdiff` is readable:

    {"format": 1, "experiment": NAME, "kind": KIND, "file": FILE, "with": [OVERRIDE, ...],
     "platform": {NAME: TEXT, ...},
     "tables": {TABLE: {COLUMN: [VALUE, ...], ...}, ...}}

A value is a string, a boolean, an integer, a number with enough digits to restore its bits, or null for
missing values (NaN). All columns of a table have the same length.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
from pathlib import Path

FORMAT = 1
ENDING = ".json.gz"

Value = str | bool | int | float | None


class CorpusError(Exception):
    """An error with its place, printed as one line."""


@dataclasses.dataclass
class Table:
    columns: dict[str, list[Value]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def rows(self, indices: list[int]) -> Table:
        return Table({name: [column[i] for i in indices] for name, column in self.columns.items()})


@dataclasses.dataclass
class Record:
    experiment: str
    kind: str
    file: str
    overrides: list[str]
    platform: dict[str, str]
    tables: dict[str, Table]

    def cells(self) -> int:
        return sum(len(t) * len(t.columns) for t in self.tables.values())


def text_of(record: Record) -> str:
    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    head = [f'"format":{FORMAT}'] + [
        f"{line(name)}:{line(value)}"
        for name, value in (("experiment", record.experiment), ("kind", record.kind),
                            ("file", record.file), ("with", record.overrides),
                            ("platform", dict(sorted(record.platform.items()))))]
    tables = [
        f"{line(name)}:{{\n" + ",\n".join(
            f" {line(column)}:{line(values)}" for column, values in sorted(table.columns.items())) + "}"
        for name, table in sorted(record.tables.items())]
    return "{" + ",\n".join([*head, '"tables":{\n' + ",\n".join(tables) + "}"]) + "}\n"


def write(record: Record, path: Path) -> None:
    """Writes a record; equal records give equal files, without time or file name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text_of(record).encode(), compresslevel=9, mtime=0))


def read(path: Path) -> Record:
    try:
        content = json.loads(gzip.decompress(path.read_bytes()))
        if content["format"] != FORMAT:
            raise CorpusError(f"{path}: format {content['format']}, supported is {FORMAT}")
        tables = {name: Table(dict(columns)) for name, columns in content["tables"].items()}
        for name, table in tables.items():
            if len({len(column) for column in table.columns.values()}) > 1:
                raise CorpusError(f"{path}: the columns of table {name} differ in length")
        return Record(content["experiment"], content["kind"], content["file"], content["with"],
                      content["platform"], tables)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{path}: cannot be read as a golden file: {error!r}") from error
