"""columns.toml: the key of each table, and the kind and bounds of each column."""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import tomllib
from pathlib import Path

from golden.records import CorpusError, Table, Value

FILE = Path(__file__).resolve().parents[1] / "columns.toml"

SAME, STATUS, WORDS, GIVEN, COUNT, NUMBER = "same", "status", "words", "given", "count", "number"
LISTS = {"same": SAME, "status": STATUS, "words": WORDS, "given": GIVEN, "counts": COUNT}


@dataclasses.dataclass(frozen=True)
class Bound:
    """The allowed difference of a value from the golden one on another platform: the sum of

        relative × |golden| + absolute + scaled × |the column `scale` of the row|
        + times × (the larger of the golden and the found value of each column of `bars`, summed),

    or, with `decades`, a factor of 10^decades in both directions; values below `absolute` are then not
    compared. With `evidence` the bound applies only to rows whose column `status` is "ok", with `free` to
    none.
    """

    relative: float = 0.0
    absolute: float = 0.0
    bars: tuple[str, ...] = ()
    times: float = 1.0
    scale: str = ""
    scaled: float = 0.0
    decades: float = 0.0
    evidence: bool = False
    free: bool = False


@dataclasses.dataclass(frozen=True)
class Rule:
    kind: str
    bound: Bound


@dataclasses.dataclass(frozen=True)
class TableRules:
    name: str
    key: tuple[str, ...]
    columns: dict[str, Rule]  # by name or pattern: q[0-9]* for q1, q2, ...
    left_out: frozenset[str]
    along: str = ""  # of a curve: the column of its parameter; golden rows match the nearest row
    sampled: int = 0  # number of stored rows of a curve

    def rule(self, column: str) -> Rule | None:
        if exact := self.columns.get(column):
            return exact
        return next((rule for pattern, rule in self.columns.items()
                     if fnmatch.fnmatchcase(column, pattern)), None)

    def typed(self, table: Table) -> Table:
        """Strings of a CSV as values, without the columns of `left_out`. Columns without a rule remain; check
        unruled() before writing a corpus."""
        columns = {}
        for name, values in table.columns.items():
            rule = self.rule(name)
            if name not in self.left_out:
                columns[name] = [typed(v, rule.kind if rule else SAME) for v in values]
        return Table(columns)

    def unruled(self, table: Table) -> list[str]:
        return sorted(name for name in table.columns if not self.rule(name))


def typed(value: Value, kind: str) -> Value:
    if kind in (SAME, STATUS, WORDS) or value is None:
        return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    if isinstance(value, str):
        try:
            value = int(value)
        except ValueError:
            try:
                value = float(value)
            except ValueError:
                return value or None
    if isinstance(value, float):
        if value != value:
            return None
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        if kind == COUNT and value.is_integer():
            return int(value)
    return float(value) if kind in (NUMBER, GIVEN) and not isinstance(value, bool) else value


@functools.cache
def all_tables(file: Path = FILE) -> dict[str, TableRules]:
    """All tables by name; CorpusError for errors in `file`."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise CorpusError(f"{file}: {error}") from error
    defaults = {kind: Bound(**entries) for kind, entries in content.pop("elsewhere").items()}
    return {name: table_rules(file, name, entries, defaults) for name, entries in content.items()}


def table_rules(file: Path, name: str, entries: dict, defaults: dict[str, Bound]) -> TableRules:
    try:
        columns = {}
        if own := entries.pop("count", None):
            defaults = defaults | {COUNT: Bound(**own)}
        for words, kind in LISTS.items():
            for column in entries.pop(words, []):
                if column in columns:
                    raise CorpusError(f"{file}: {name}.{column}: named twice")
                columns[column] = Rule(kind, defaults.get(kind, Bound()))
        for column, bound in entries.pop("numbers", {}).items():
            if column in columns:
                raise CorpusError(f"{file}: {name}.{column}: named twice")
            columns[column] = Rule(NUMBER, Bound(**{
                key: tuple(value) if isinstance(value, list) else value for key, value in bound.items()}))
        rules = TableRules(name, tuple(entries.pop("key")), columns,
                           frozenset(entries.pop("left_out", [])), **entries)
    except (TypeError, KeyError) as error:
        raise CorpusError(f"{file}: {name}: {error}") from error
    for column in (*rules.key, *filter(None, [rules.along])):
        if column not in columns:
            raise CorpusError(f"{file}: {name}: key {column} is not one of its columns")
    for column, rule in columns.items():
        for other in (*rule.bound.bars, *filter(None, [rule.bound.scale])):
            if other not in columns:
                raise CorpusError(f"{file}: {name}.{column}: no column {other}")
    return rules
