"""Compares a record with the golden one: rows by key, columns by name."""

from __future__ import annotations

import bisect
import dataclasses
import math
import struct
from collections import Counter, defaultdict

from golden import rules
from golden.records import Record, Table, Value
from golden.rules import Bound, Rule, TableRules

NEAR = 1e-9  # of a curve's length: samples within this distance are the same sample


@dataclasses.dataclass(frozen=True)
class Demand:
    """The required agreement of numbers and counts. Strings, verdicts and booleans must always agree; texts
    for readers need not.

    bits      equal bits (0 equals -0): on the platform of the golden file
    bounds    within the bounds of columns.toml: for another compiler, libm or SUNDIALS
    relative  numbers within this relative distance, equal counts: for a build with different rounding
    """

    name: str
    relative: float = 0.0

    def __str__(self) -> str:
        return f"relative {self.relative:g}" if self.name == "relative" else self.name


BITS, BOUNDS = Demand("bits"), Demand("bounds")


def within(relative: float) -> Demand:
    return Demand("relative", relative)


@dataclasses.dataclass
class Worst:
    where: str
    golden: Value
    found: Value
    fraction: float  # of the allowed difference; inf if none is allowed

    @property
    def relative(self) -> float:
        """|found - golden|/|golden|; NaN if one of them is not a number."""
        if not (is_number(self.golden) and is_number(self.found)):
            return math.nan
        difference = abs(self.found - self.golden)
        return difference / abs(self.golden) if self.golden else (math.inf if difference else 0.0)

    @property
    def ulps(self) -> int | None:
        if not (is_number(self.golden) and is_number(self.found)):
            return None
        return abs(ordinal(self.found) - ordinal(self.golden))


@dataclasses.dataclass
class ColumnReport:
    table: str
    column: str
    kind: str
    cells: int
    differing: int = 0
    beyond: int = 0
    worst: Worst | None = None

    @property
    def agrees(self) -> bool:
        return self.beyond == 0


@dataclasses.dataclass
class TableReport:
    table: str
    rows: int
    found_rows: int
    missing: list[str] = dataclasses.field(default_factory=list)  # rows, by their keys
    extra: list[str] = dataclasses.field(default_factory=list)
    lost: list[str] = dataclasses.field(default_factory=list)  # columns
    new: list[str] = dataclasses.field(default_factory=list)  # columns: reported, but not a failure
    columns: list[ColumnReport] = dataclasses.field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not (self.missing or self.extra or self.lost) and all(c.agrees for c in self.columns)


@dataclasses.dataclass
class RecordReport:
    experiment: str
    kind: str
    demand: Demand
    tables: list[TableReport]
    lost: list[str]  # tables
    new: list[str]

    @property
    def agrees(self) -> bool:
        return not self.lost and all(t.agrees for t in self.tables)

    @property
    def columns(self) -> list[ColumnReport]:
        return [c for t in self.tables for c in t.columns]

    @property
    def worst(self) -> ColumnReport | None:
        """The column with the largest fraction of its allowed difference."""
        differing = [c for c in self.columns if c.differing and c.kind != rules.WORDS]
        return max(differing, key=lambda c: (c.beyond > 0, weight(c.worst)), default=None)


def is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def ordinal(x: float) -> int:
    """The index of a double among all doubles; 0 and -0 share one."""
    (bits,) = struct.unpack("<q", struct.pack("<d", float(x)))
    return bits if bits >= 0 else -(bits + 2**63)


def key_text(value: Value) -> str:
    """A key as text; numbers come from files, so the last digits do not matter."""
    return f"{float(value):.12g}" if is_number(value) else "-" if value is None else str(value)


def keys_of(table: Table, key: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The key of every row; rows with equal keys are numbered."""
    count: Counter[tuple[str, ...]] = Counter()
    keys = []
    for i in range(len(table)):
        texts = tuple(key_text(table.columns[name][i]) for name in key if name in table.columns)
        count[texts] += 1
        keys.append(texts if count[texts] == 1 else (*texts, f"#{count[texts]}"))
    return keys


def matched(golden: Table, found: Table, table: TableRules) -> tuple[list, list[str], list[str]]:
    """(row of golden, row of found, key) of all rows in both; keys of the missing and of the extra rows."""
    at = {k: j for j, k in enumerate(keys_of(found, table.key))}
    pairs, missing = [], []
    for i, key in enumerate(keys_of(golden, table.key)):
        j = at.pop(key, None)
        text = " ".join(key)
        if j is None:
            missing.append(text)
        else:
            pairs.append((i, j, text))
    return pairs, missing, [" ".join(key) for key in at]


def curves_of(table: Table, table_rules: TableRules) -> dict[str, list[int]]:
    """The rows of each curve."""
    curves = defaultdict(list)
    for i, values in enumerate(zip(*(table.columns[name] for name in table_rules.key))):
        curves[" ".join(map(key_text, values))].append(i)
    return curves


def matched_curves(golden: Table, found: Table, table: TableRules) -> tuple[list, list[str], list[str]]:
    """Like matched(), for the samples of each curve in the golden record."""
    golden_curves, found_curves = curves_of(golden, table), curves_of(found, table)
    times, found_times = golden.columns[table.along], found.columns[table.along]
    pairs, missing = [], []
    for name, rows in golden_curves.items():
        among = sorted((j for j in found_curves.get(name, []) if is_number(found_times[j])),
                       key=lambda j: found_times[j])
        near = NEAR * max(abs(times[i]) for i in rows)
        sampled = [found_times[j] for j in among]
        for i in rows:
            place = bisect.bisect_left(sampled, times[i])
            nearest = min(among[max(place - 1, 0):place + 1], default=None,
                          key=lambda j: abs(found_times[j] - times[i]))
            text = f"{name} {table.along} {times[i]:.9g}"
            if nearest is None or abs(found_times[nearest] - times[i]) > near:
                missing.append(text)
            else:
                pairs.append((i, nearest, text))
    return pairs, missing, sorted(set(found_curves) - set(golden_curves))


def sampled(table: Table, table_rules: TableRules) -> Table:
    """The rows of each curve thinned to table_rules.sampled, including the first and the last."""
    if not table_rules.sampled:
        return table
    kept = []
    for rows in curves_of(table, table_rules).values():
        most = table_rules.sampled - 1
        kept += sorted({rows[round(k * (len(rows) - 1) / most)] for k in range(most + 1)})
    return table.rows(kept)


def allowance(bound: Bound, golden: Table, found: Table, i: int, j: int, value: float) -> float:
    """The allowed difference of the value of row i."""
    allowed = bound.relative * abs(value) + bound.absolute
    if bound.scale:
        allowed += bound.scaled * abs(golden.columns[bound.scale][i] or 0.0)
    for bar in bound.bars:
        values = [t.columns[bar][k] for t, k in ((golden, i), (found, j)) if bar in t.columns]
        allowed += bound.times * max((abs(x) for x in values if is_number(x)), default=0.0)
    return allowed


def fraction_of(rule: Rule, demand: Demand, golden: Table, found: Table, i: int, j: int, a: Value,
                b: Value) -> float:
    """The difference of a and b as a fraction of the allowed one; above 1 the comparison fails."""
    if a == b and isinstance(a, bool) == isinstance(b, bool):
        return 0.0
    if rule.kind == rules.WORDS:
        return 0.0
    if rule.kind == rules.SAME or demand.name == "bits":
        return math.inf
    bound = rule.bound
    if demand.name == "bounds":
        if bound.free or bound.evidence and golden.columns["status"][i] != "ok":
            return 0.0
        if rule.kind == rules.STATUS:
            return 0.0 if all(str(x).endswith("_limited") for x in (a, b)) else math.inf
    if not (is_number(a) and is_number(b)):
        return math.inf
    if demand.name == "relative":
        allowed = demand.relative * abs(a) if rule.kind != rules.COUNT else 0.0
    elif bound.decades:
        small = max(abs(a), abs(b)) <= bound.absolute
        if small or a * b <= 0.0:
            return 0.0 if small else math.inf
        least = bound.absolute or 5e-324
        return abs(math.log10(max(abs(a), least) / max(abs(b), least))) / bound.decades
    else:
        allowed = allowance(bound, golden, found, i, j, a)
    difference = abs(b - a)
    return difference / allowed if allowed > 0.0 else math.inf


def compared_column(name: str, rule: Rule, demand: Demand, golden: Table, found: Table, pairs: list,
                    table: str) -> ColumnReport:
    report = ColumnReport(table, name, rule.kind, len(pairs))
    a_column, b_column = golden.columns[name], found.columns[name]
    for i, j, where in pairs:
        a, b = a_column[i], b_column[j]
        if a == b and type(a) is type(b):
            continue
        fraction = fraction_of(rule, demand, golden, found, i, j, a, b)
        if a == b and fraction == 0.0:
            continue
        report.differing += 1
        report.beyond += fraction > 1.0
        worst = Worst(where, a, b, fraction)
        if report.worst is None or weight(worst) > weight(report.worst):
            report.worst = worst
    return report


def weight(worst: Worst) -> tuple[float, float]:
    relative = worst.relative
    return worst.fraction, math.inf if math.isnan(relative) else relative


def compared_table(name: str, golden: Table, found: Table, demand: Demand,
                   table: TableRules) -> TableReport:
    report = TableReport(name, len(golden), len(found))
    if not (len(golden) and len(found)):  # an empty table may have no columns
        report.missing = [" ".join(key) for key in keys_of(golden, table.key)]
        report.extra = [" ".join(key) for key in keys_of(found, table.key)]
        return report
    report.lost = [c for c in golden.columns if c not in found.columns]
    report.new = [c for c in found.columns if c not in golden.columns and c not in table.left_out]
    if any(c in report.lost for c in (*table.key, *filter(None, [table.along]))):
        return report  # rows cannot be matched
    match = matched_curves if table.along else matched
    pairs, report.missing, report.extra = match(golden, found, table)
    report.columns = [
        compared_column(c, rule, demand, golden, found, pairs, name)
        for c in golden.columns if c in found.columns and (rule := table.rule(c))]
    return report


def compared(golden: Record, found: Record, demand: Demand) -> RecordReport:
    """Compares two records; the curves of `found` are complete, not thinned."""
    known = rules.all_tables()
    return RecordReport(
        golden.experiment, golden.kind, demand,
        [compared_table(name, table, found.tables[name], demand, known[name])
         for name, table in golden.tables.items() if name in found.tables],
        lost=sorted(set(golden.tables) - set(found.tables)),
        new=sorted(set(found.tables) - set(golden.tables)))
