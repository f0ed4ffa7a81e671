"""Writes numbers of the golden files into docs/findings.md and docs/theory.md.

In a table after a line `<!-- scripts/golden figures: NAME -->` the columns of numbers come from the golden
files; the other columns are written by hand. The first cell identifies a row.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from golden import records
from golden.program import ROOT
from golden.records import CorpusError, Table, Value

sys.path.append(str(ROOT / "python/gates"))

from rigidlimit_gates.numbers_text import with_bar  # noqa: E402

PAGES = (ROOT / "docs/findings.md", ROOT / "docs/theory.md")
MARK = re.compile(r"<!-- scripts/golden figures: (\w+) -->")
Row = dict[str, Value]
Cells = dict[str, str]  # by column header
NAMES = {"knife edge": "knife_edge", "Chaplygin sleigh": "chaplygin_sleigh", "rolling disc": "rolling_disk"}


class Corpus:
    """Rows of the golden files."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._read = cache(self._from_file)

    def _from_file(self, name: str) -> dict[str, Table]:
        path = self._place / f"{name}{records.ENDING}"
        if not path.is_file():
            raise CorpusError(f"{path} is missing: scripts/golden make {name}")
        return records.read(path).tables

    def rows(self, name: str, table: str, **wanted: Value) -> list[Row]:
        """The rows in which every named column has the given value; at least one."""
        columns = self._read(name)[table].columns
        found = [row for row in (dict(zip(columns, values)) for values in zip(*columns.values()))
                 if all(same(row[column], value) for column, value in wanted.items())]
        if not found:
            raise CorpusError(f"{name}, {table}: no row with {wanted}")
        return found


def same(one: Value, other: Value) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return one == other


# --- Formats of numbers

def minus(text: str) -> str:
    return text.replace("-", "−") if re.fullmatch(r"-[\d.]+(e[+-]\d+)?", text) else text


def fixed(x: Value, digits: int) -> str:
    if x is None:
        return "–"
    text = f"{x:.{digits}f}"
    return minus(text) if float(text) else f"{0.0:.{digits}f}"


def found(x: float, bar: float) -> str:
    """with_bar() with a minus sign."""
    return re.sub("^-", "−", with_bar(x, bar))


def short(x: float) -> str:
    """8.6e-4."""
    mantissa, exponent = f"{x:.1e}".split("e")
    return f"{'−' if x < 0.0 else ''}{mantissa.lstrip('-')}e{int(exponent)}"


SUP = {"norm": "sup", "window": "all"}


# --- The tables

def system_cells(corpus: Corpus, first: str) -> Cells:
    name = re.search(r"`(\w+)`", first)[1] + "_prediction"
    rigid = corpus.rows(name, "rigid")[0]
    orders = [fixed(corpus.rows(name, "series", **SUP, quantity=x)[0]["order"], 3) for x in ("q", "v", "lambda")]
    known = [row for row in corpus.rows(name, "errors", **SUP, quantity="q") if row["ratio"] is not None]
    last = min(known, key=lambda row: row["epsilon"])
    return {"rigid motion apart from it, in q, v, Λ": ", ".join(
                f"{rigid[f'{x}_error']:.0e}" for x in ("q", "v", "lambda")),
            "order of q, v, λ": ", ".join(orders),
            "measured/predicted of q": f"{with_bar(last['ratio'], last['ratio_error'])} at {last['epsilon']:g}"}


def law_cells(corpus: Corpus, first: str) -> Cells:
    law = first.strip("` ")
    series = {x: corpus.rows("realisations", "series", **SUP, law=law, quantity=x)[0]
              for x in ("q", "v", "lambda")}
    errors = {x: corpus.rows("realisations", "errors", **SUP, law=law, quantity=x, epsilon=1e-3)[0]
              for x in ("q", "v")}
    size = {x: (f"{row['model_error']:.1e}" if row["model_error"] < 1.0 else f"{row['model_error']:.1f}")
            for x, row in errors.items()}

    def order(row: Row) -> str:
        word = row["expected_convergence"]
        if word == "exact":
            return "– / exact"
        return f"{fixed(row['order'], 2)} / {word or format(row['expected_order'], 'g')}"

    return {"order of q": order(series["q"]), "v": order(series["v"]), "λ": order(series["lambda"]),
            "q error": size["q"], "v error": size["v"], "steps": str(errors["q"]["work.steps"])}


def constant_cells(corpus: Corpus, first: str) -> Cells:
    name = NAMES[first] + "_prediction"

    def row(quantity: str, epsilon: float) -> Row:
        return corpus.rows(name, "errors", **SUP, quantity=quantity, epsilon=epsilon)[0]

    cells = {"K of q, v, λ": ", ".join(f"{row(x, 1e-3)['predicted_coefficient']:.5g}"
                                       for x in ("q", "v", "lambda"))}
    for quantity, heads in (("q", ("q: ε = 1e-2", "1e-3", "1e-4")),
                            ("v", ("v: ε = 1e-2", "1e-3 ", "1e-4 "))):  # a blank: the second of its name
        for head, epsilon in zip(heads, (1e-2, 1e-3, 1e-4)):
            cells[head] = short(row(quantity, epsilon)["ratio"] - 1.0)
    return cells


def composite_cells(corpus: Corpus, first: str) -> Cells:
    return {head: found(row["order"], row["standard_error"])
            for head, quantity in (("q", "q"), ("v", "v"), ("λ", "lambda"))
            for row in corpus.rows(NAMES[first] + "_composite", "series", **SUP, quantity=quantity)[:1]}


STEPS = {"ε = 1e-2": 1e-2, "1e-4": 1e-4, "1e-6": 1e-6, "1e-8": 1e-8}


def step_cells(corpus: Corpus, first: str) -> Cells:
    name, solver, variables = re.fullmatch(r"(.*), `(\w+)` \((.*)\)", first).groups()
    formulation = "natural" if variables == "q, v, η" else "adapted"
    cells = {}
    for head, epsilon in STEPS.items():
        row = corpus.rows(f"{NAMES[name]}_steps", "steps", compliant_solver=solver, formulation=formulation,
                          epsilon=epsilon)[0]
        cells[head] = (f"{row['work.steps']} ({row['work.rejected_steps']})" if row["outcome"] == "success"
                       else "fails")
    return cells


def damping_cells(corpus: Corpus, first: str) -> Cells:
    quantity, norm, window = first.split(", ", 2)
    row = next(row for row in corpus.rows("knife_edge_damping", "least", epsilon=1e-3, norm=norm,
                                          quantity={"λ": "lambda"}.get(quantity, quantity),
                                          window="all" if window == "all t" else "after")
               if row["point"] == "contact_damping_exponent = 1.0")
    return {"error there": f"{row['error']:.2e}", "at ζ = 1": f"{row['error_beside']:.2e}",
            "gain": f"{row['gain']:.3g}"}


WHEEL_ARM = 0.05  # m: κ r of experiments/friction/wheel_slip_to_roll.toml, docs/theory.md, section 10.4


def wheel_cells(corpus: Corpus, first: str) -> Cells:
    """The sup norms of q and v are those of φ and φ', the larger components."""
    error = {x: corpus.rows("wheel_slip_to_roll", "friction_errors", **SUP, quantity=x,
                            epsilon=float(first))[0]["model_error"]
             for x in ("q", "v")}
    return {"error of φ [rad]": f"{error['q']:.3e}", "of φ' [rad/s]": f"{error['v']:.3e}",
            "of x [m]": f"{WHEEL_ARM * error['q']:.3e}", "of x' [m/s]": f"{WHEEL_ARM * error['v']:.3e}"}


def fitted_slope(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Slope and standard error of the least squares line through the logarithms of (x, y)."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    x_mean, y_mean = (sum(column) / len(logs) for column in zip(*logs))
    spread = sum((x - x_mean) ** 2 for x, _ in logs)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in logs) / spread
    rest = sum((y - y_mean - slope * (x - x_mean)) ** 2 for x, y in logs)
    return slope, math.sqrt(rest / (len(logs) - 2) / spread)


def reduction_cells(corpus: Corpus, first: str) -> Cells:
    """The order at h >= 10 epsilon of the smallest epsilon, and the least order of two neighbouring steps."""
    cells = {}
    for head, group in (("q", "q"), ("v", "v"), ("λ", "lambda")):
        rows = [row for row in corpus.rows("order_reduction", "trials", method=first.strip("` "), formulation="adapted",
                                           group=group, status="ok")]
        stiffest = min(row["epsilon"] for row in rows)
        slope, error = fitted_slope([(row["h"], row["error"]) for row in rows
                                     if row["epsilon"] == stiffest and row["h"] >= 10 * stiffest])
        least = min((row for row in rows if row["observed_order"] is not None), key=lambda row: row["observed_order"])
        cells["order"] = str(rows[0]["order"])
        cells[f"{head}, h ≫ ε"] = found(slope, error)
        cells[f"{head}, least"] = f"{fixed(least['observed_order'], 2)} ({least['h'] / least['epsilon']:.2g})"
    return cells


def friction_cells(corpus: Corpus, first: str) -> Cells:
    """Orders of a friction study; its first cell is `NAME`, `NAME`, LAW or `NAME`, κ = NUMBER."""
    name, law, kappa = re.fullmatch(r"`(\w+)`(?:, (\w+))?(?:, κ = ([\d.]+))?", first).groups()
    wanted = {**({"law": law} if law else {}), **({"tangential_power": float(kappa)} if kappa else {})}

    def order(quantity: str, norm: str) -> str:
        try:
            row = corpus.rows(name, "friction_series", quantity=quantity, norm=norm, window="all", events="", **wanted)[0]
        except CorpusError:  # a motion without events
            return "–"
        return "none" if row.get("expected_convergence") == "none" else fixed(row["order"], 3)

    return {"q": order("q", "sup"), "v": order("v", "sup"), "v, L¹": order("v", "l1"), "λ": order("lambda", "sup"),
            "times": order("event_time", "sup")}


def surface_cells(corpus: Corpus, first: str) -> Cells:
    """Orders and constants on a surface that moves; its first cell is `NAME`."""
    name = first.strip("` ")
    wanted = {"norm": "sup", "window": "all"}
    try:
        corpus.rows(name, "friction_series")
        kind = "friction_"
    except KeyError:
        kind = ""
    cells = {}
    for head, quantity in (("q", "q"), ("v", "v"), ("λ", "lambda"), ("times", "event_time")):
        try:
            series = corpus.rows(name, kind + "series", **wanted, quantity=quantity)[0]
            rows = corpus.rows(name, kind + "errors", **wanted, quantity=quantity)
        except CorpusError:  # no events, or no claim
            cells[head] = "–"
            continue
        known = [row for row in rows if row["ratio"] is not None and row["ratio_error"] < 0.01]
        if not known:
            cells[head] = "none" if series.get("expected_convergence") == "none" else fixed(series["order"], 3)
            continue
        last = min(known, key=lambda row: row["epsilon"])
        cells[head] = (f"{fixed(series['order'], 3)}, {last['predicted_coefficient']:.4g}, "
                       f"{with_bar(last['ratio'], last['ratio_error'])}")
    return cells


TABLES: dict[str, Callable[[Corpus, str], Cells]] = {
    "systems": system_cells, "realisations": law_cells, "constants": constant_cells,
    "composite": composite_cells, "steps": step_cells, "damping": damping_cells,
    "wheel": wheel_cells, "reduction": reduction_cells, "friction": friction_cells,
    "surfaces": surface_cells}


# --- The page

def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def page_text(text: str, corpus: Corpus) -> str:
    """The page with the numbers of the corpus. CorpusError for an unknown mark, row or column."""
    return "\n".join(lines_of(text.split("\n"), corpus))


def lines_of(lines: list[str], corpus: Corpus) -> Iterator[str]:
    fill, headers, place = None, [], 0
    for number, line in enumerate(lines, 1):
        mark = MARK.fullmatch(line.strip())
        if mark:
            if mark[1] not in TABLES:
                raise CorpusError(f"line {number}: no table '{mark[1]}'; known are {', '.join(TABLES)}")
            fill, headers, place = partial(TABLES[mark[1]], corpus), [], 0
        elif fill is not None and line.startswith("|"):
            place += 1
            if place == 1:
                for header in cells_of(line):
                    headers.append(header + " " * (header in headers))
            elif place > 2:
                line = filled(line, headers, fill, number)
        elif place:
            fill, place = None, 0
        yield line


def filled(line: str, headers: list[str], fill: Callable[[str], Cells], number: int) -> str:
    cells = cells_of(line)
    try:
        found = fill(cells[0])
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise CorpusError(f"line {number}: no numbers for the row '{cells[0]}' ({problem!r})") from None
    unknown = [head for head in found if head not in headers]
    if unknown or len(cells) != len(headers):
        raise CorpusError(f"line {number}: " + (f"no column '{unknown[0]}'" if unknown else
                                                f"{len(cells)} cells for {len(headers)} columns"))
    return "| " + " | ".join(found.get(head, cell) for head, cell in zip(headers, cells)) + " |"
