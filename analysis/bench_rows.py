"""The rows of a benchmark: one per solve and group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .result import Result
from .opening import open_result
from .tables import AnalysisError, STORE, text
from .tidy_csv import BadCsv, Row, read_rows

NUMBERS = (
    "epsilon order rtol atol h count error scd mixed reference_error observed_order seconds "
    "seconds_median repeats steps rejected_steps rhs_evaluations jacobian_evaluations "
    "factorisations linear_solves newton_iterations t_reached last_step"
).split()
TEXTS = "benchmark kind problem system formulation method library group status reason".split()
KINDS = ("work_precision", "order_reduction", "cost_epsilon", "cost_count")
STATUSES = ("ok", "reference_limited", "plateau", "failed")
GROUPS = ("q", "v", "lambda", "all")
ALLOWED = {"kind": KINDS, "status": STATUSES, "group": GROUPS}

GROUP_SYMBOLS = {"q": "$q$", "v": "$v$", "lambda": r"$\lambda$", "all": "all components"}


@dataclass(frozen=True)
class Series:
    """One method in one formulation, in the order of the file."""

    method: str
    library: str
    formulation: str
    rows: list[Row]

    @property
    def name(self) -> str:
        """The method and, if it is not "adapted" or "-", the formulation."""
        unsaid = self.formulation in ("adapted", "-")
        return self.method if unsaid else f"{self.method}, {self.formulation}"

    @property
    def key(self) -> tuple[str, str]:
        return self.method, self.formulation


def read_bench(study: str | Path | Result) -> list[Row]:
    """The rows of a benchmark, from its store or, without one, from its errors.csv; BadCsv for an unknown kind,
    status or group."""
    file = None if isinstance(study, Result) else Path(study, "errors.csv")
    if file is None or (file.parent / STORE).is_file() or not file.is_file():
        found = open_result(study)
        table, place = found.table, found.where
        if found.kind != "benchmark":
            raise AnalysisError(f"{place}: a result of kind {found.kind}, not a benchmark")
        rows: list[Row] = [{name: float(x) if name in NUMBERS else text(x) for name, x in row.items()}
                           for row in table.to_dict("records")]
    else:
        place, rows = str(file), read_rows(file, NUMBERS, TEXTS, "`rigidlimit run`")
    for column, allowed in ALLOWED.items():
        for value in sorted({str(row[column]) for row in rows} - set(allowed)):
            raise BadCsv(f"{place}: {column} must be one of {', '.join(allowed)}, not '{value}'")
    return rows


def arrived(row: Row) -> bool:
    """Whether the solve reached its end, accurate or not."""
    return row["status"] != "failed"


def is_evidence(row: Row) -> bool:
    return row["status"] == "ok"


def costs_known(rows: list[Row], costs: Sequence[str]) -> list[str]:
    """Those of `costs` that some solve has: a benchmark with timing.repeats = 0 has no times. AnalysisError without any."""
    known = [cost for cost in costs if any(row[cost] > 0.0 for row in rows)]
    if not known:
        raise AnalysisError(f"no solve has {' or '.join(costs)}: timing.repeats = 0 measures no times")
    return known


def require_some(rows: list[Row], what: str) -> None:
    """AnalysisError, with the reasons in the file, if no solve reached its end."""
    if any(arrived(row) for row in rows):
        return
    reasons = ", ".join(dict.fromkeys(str(row["reason"]) for row in rows if row["reason"]))
    raise AnalysisError(f"{what}: no solve reached its end" + f" ({reasons})" * bool(reasons))


def values(rows: Iterable[Row], column: str) -> list[str | float]:
    """The distinct values of a column in the order of the file; NaN counts as one value, the last."""
    found = dict.fromkeys(row[column] for row in rows)
    known = [x for x in found if not is_nan(x)]
    return known + [float("nan")] * (len(known) < len(found))


def is_nan(x: str | float) -> bool:
    return isinstance(x, float) and bool(np.isnan(x))


def same(x: str | float, y: str | float) -> bool:
    return x == y or (is_nan(x) and is_nan(y))


def where(rows: Iterable[Row], **wanted: str | float) -> list[Row]:
    """The rows in which every named column has the given value; NaN equals NaN."""
    return [row for row in rows if all(same(row[name], value) for name, value in wanted.items())]


def grouped(rows: Iterable[Row], key: Callable[[Row], Hashable]) -> dict[Hashable, list[Row]]:
    found: dict[Hashable, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def series_of(rows: Iterable[Row]) -> list[Series]:
    """One series per method and formulation, sorted by library, then by name."""
    split = grouped(rows, lambda r: (r["library"], r["method"], r["formulation"]))
    return [Series(str(key[1]), str(key[0]), str(key[2]), split[key]) for key in sorted(split)]


def one_row_a_solve(rows: Iterable[Row]) -> list[Row]:
    """One row per solve, for costs, which all its groups share: the row of group "all", or else the first.
    Its status is the worst of all groups."""
    setting = ("kind problem epsilon formulation method rtol atol h count").split()
    solves = grouped(rows, lambda r: tuple(
        "nan" if is_nan(r[name]) else r[name] for name in setting))
    shared = []
    for groups in solves.values():
        row = next((r for r in groups if r["group"] == "all"), groups[0])
        worst = max((str(r["status"]) for r in groups), key=STATUSES.index)
        shared.append({**row, "status": worst})
    return shared


def epsilon_text(epsilon: float) -> str:
    """epsilon as mathematics, powers of ten as such; empty if the problem has no epsilon, 0 for ideal rolling."""
    if np.isnan(epsilon):
        return ""
    if epsilon == 0.0:
        return "ideal rolling"
    power = np.log10(epsilon)
    if abs(power - round(power)) < 1e-9:
        return rf"$\varepsilon = 10^{{{round(power)}}}$"
    return rf"$\varepsilon$ = {epsilon:.3g}"
