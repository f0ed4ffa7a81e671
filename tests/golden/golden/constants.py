"""docs/constants.md: the constants of all rolling, friction and impact studies.

The numbers come from the golden files. The regime comes from the experiment files. Nothing is solved.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

from golden import records
from golden.figures import Row, fixed, found, with_bar
from golden.program import ROOT, SHORTENED, STEPS, Experiment, all_experiments
from golden.records import CorpusError, Record, Table, Value
from golden.settings import Tables, settings, value

PAGE = ROOT / "docs/constants.md"

HEAD = """\
# Constants of all studies

Each quantity that a shipped rolling, friction or impact study judges, with its measured order and, where the theory
predicts one, its leading constant. This table counts studies by class, and in brackets their quantities. A study counts
once in a regime: in the first class that one of its quantities is in. [The columns](#the-columns) of the tables below
follow.

"""

COLUMNS = """
## The columns

The numbers are those of the golden files ([tests/golden](../tests/golden/README.md)), without benchmarks.
`scripts/golden constants` writes the page, and a test fails if it is out of date.

* *Quantity*: with its norm, if it is not the sup norm, and its window, if it is not all t. Quantities of a study whose
  other cells are equal share a line. The small parameter is ε. With "ε_t = ε^1.5" the tangential softness is that power
  of the normal one, ε. "Expansion of order 3" is the distance to the composite expansion with the terms up to ε³.
* *Order*: fitted order ± its standard error, then the expected order. *K predicted* and *K measured*: error/ε^p, with
  the predicted order p (the expected one without a prediction). K is measured at the smallest ε at which the error
  exceeds its error bars ten times; a gated ratio is taken at the ε that its gate judged.
* *Measured/predicted* has the error bar of its row: the larger one of solver error and reference error, over the
  predicted error.
* *Gate*: `ratio` requires measured/predicted = 1 within the given tolerance, and the order. *Order only* claims no
  constant, with the reason if the study states one. A bound claims error ≤ K ε^p.
* A study with several compliant solvers is shown with the first one; its claims concern all. A sweep has one line for
  all points of a regime, with the smallest and the largest value.
"""

SYMBOLS = {"lambda": "λ", "event_time": "event time"}
FACTS = "Claims on the history only"
GROWTH = "Growth of the number of steps"
COMPOSITES = "against composite expansions"
GATED, PREDICTED, ORDER, NONE = "gated", "predicted, not gated", "order only", "no order"
CLASSES = {GATED: "constant gated", PREDICTED: "constant predicted, not gated", ORDER: "order only",
           NONE: "other claims only"}


@dataclasses.dataclass
class Line:
    """One quantity of one study."""

    study: str
    file: str
    regime: str
    category: str
    cells: list[str]


def studies() -> list[Experiment]:
    """Rolling, friction and impact studies and their sweeps, each once and unabridged."""
    return [one for name, one in all_experiments().items()
            if one.kind != "bench" and name not in SHORTENED and name not in STEPS]


# --- regimes


def composite_order(tables: Tables, row: Row) -> float | None:
    """The order of the composite expansion that the motion is compared with, or None."""
    if value(tables, "study.against", "rigid") == "rigid":
        return None
    return float(swept_values(row.get("point")).get("composite_order", value(tables, "composite.order", 2)))


def rolling_regime(tables: Tables, row: Row, slides: bool) -> str:
    """ "viscoelastic law, β = 1, rolling start, against the rigid motion"."""
    swept = swept_values(row.get("point"))
    words = [f"{row['law']} law"]
    if row["law"] == "viscoelastic":
        beta = swept.get("contact_damping_exponent", value(tables, "contact.damping_exponent", 1.0))
        words.append(f"β = {float(beta):g}")
    prepared = value(tables, "contact.preparation") == "prepared"
    words.append("sliding start" if slides else "rolling start with a loaded spring" if prepared else "rolling start")
    words.append("against the rigid motion" if composite_order(tables, row) is None else COMPOSITES)
    if value(tables, "time.stretch", 0.0):
        words.append("on [0, T/ε]")
    return ", ".join(words)


def friction_regime(experiment: Experiment, tables: Tables, row: Row) -> str:
    law = f"{row['law']} friction"
    if Path(experiment.file).parent.name == "impacts":
        restitution = value(tables, "system.restitution", 0.0)
        return f"impacts {'with' if restitution else 'without'} restitution, {law}"
    unilateral = value(tables, "contact.normal_stiffness") is not None
    return f"{law}, {'unilateral' if unilateral else 'bilateral'} contact"


def swept_values(point: Value) -> dict[str, str]:
    """ "a = 1.0, b = x" as {"a": "1.0", "b": "x"}."""
    return dict(re.findall(r"(\w+) = ([^,\]]+|\[.*?\])", point)) if isinstance(point, str) else {}


# --- rows


def rows_of(table: Table | None) -> list[Row]:
    return [dict(zip(table.columns, values)) for values in zip(*table.columns.values())] if table else []


MEASURE = ("point", "law", "tangential_power", "rigid_solver", "compliant_solver", "quantity", "events", "norm",
           "window")


def agree(one: Row, other: Row, columns: tuple[str, ...] = MEASURE) -> bool:
    return all(one.get(c) == other.get(c) for c in columns)


def smallest(series: Row, errors: list[Row]) -> Row | None:
    """The row of the smallest ε: of the gate, or that is evidence."""
    mine = [row for row in errors if agree(row, series) and row["model_error"] is not None]
    found = series.get("ratio.found")
    chosen = [row for row in mine if found is not None and row.get("ratio") == found] or [
        row for row in mine if row["status"] == "ok"]
    return min(chosen, key=lambda row: row["epsilon"], default=None)


def first_solver(series: list[Row]) -> list[Row]:
    """Of each quantity the series of the compliant solver that comes first."""
    rest = tuple(c for c in MEASURE if c != "compliant_solver")
    kept: list[Row] = []
    for row in series:
        if not any(agree(row, one, rest) for one in kept):
            kept.append(row)
    return kept


def judged(row: Row) -> bool:
    return any(row.get(c) is not None for c in ("expected_order", "expected_convergence", "ratio.expected"))


# --- cells


def span(values: list[float], text: str = ".4g") -> str:
    """One number, or the smallest and the largest of several."""
    texts = list(dict.fromkeys(format(x, text) for x in (min(values), max(values)))) if values else []
    return " … ".join(re.sub("^-", "−", one) for one in texts) if values else "–"


def order_cell(series: list[Row]) -> str:
    first = series[0]
    orders = [row["order"] for row in series if row["order"] is not None]
    if first.get("expected_order") is None or not orders:
        return "–"
    bar = max(row["standard_error"] or 0.0 for row in series)
    text = (found(orders[0], bar) if len(series) == 1 else
            f"{fixed(min(orders), 3)} … {fixed(max(orders), 3)} ± {bar:.0e}")
    return f"{text} ({first['expected_order']:g})"


def gate_cell(row: Row, bounds: list[Row]) -> str:
    parts = []
    if row.get("ratio.expected") is not None:
        parts.append(f"ratio {row['ratio.expected']:g} ± {row['ratio.within']:g}")
    elif row.get("expected_order") is not None:
        parts.append("order only" + (f": {row['order_only']}" if row.get("order_only") else ""))
    word = row.get("expected_convergence")
    if word == "none":
        parts.append("no convergence")
    elif word is not None:
        parts.append(f"{word}: error ≤ {row['within']:g}")
    parts += dict.fromkeys(
        f"bound {one['constant']:g} ε^{one['power']:g}" for one in bounds
        if one["of"] == "model_error" and agree(one, row, ("law", "compliant_solver", "quantity", "norm", "window")))
    return "; ".join(parts)


def measured(series: list[Row], errors: list[Row]) -> tuple[str, str, str, str, bool]:
    """Cells of ε, the predicted and the measured constant and their ratio, and whether one is predicted."""
    rows = [(one, row) for one in series if (row := smallest(one, errors)) is not None]
    if not rows or series[0].get("expected_order", series[0].get("ratio.expected")) is None:
        return "–", "–", "–", "–", False
    epsilons = span([row["epsilon"] for _, row in rows], ".3g")
    constants = []
    for one, row in rows:
        order = one.get("predicted_order")
        order = one.get("expected_order") if order is None else order
        constants.append(row["model_error"] / row["epsilon"]**order)
    known = [row for _, row in rows if row.get("ratio") is not None]
    if not known:
        return epsilons, "–", span(constants), "–", False
    ratio = (with_bar(known[0]["ratio"], known[0]["ratio_error"]) if len(known) == 1 else
             span([row["ratio"] for row in known], ".6g") + f" ± {max(row['ratio_error'] for row in known):.0e}")
    return epsilons, span([row["predicted_coefficient"] for row in known], ".5g"), span(constants, ".5g"), ratio, True


def quantity_cell(row: Row) -> str:
    words = [SYMBOLS.get(row["quantity"], row["quantity"])]
    if row.get("events"):
        words.append(str(row["events"]))
    norm = {"sup": "", "l2": "L2", "l1": "L1"}[row["norm"]] if row["quantity"] != "event_time" else ""
    window = {"all": "", "after": "after the layer", "away": "away from events"}[row["window"]]
    return ", ".join([" ".join(words), *(word for word in (norm, window) if word)])


def parameter_words(row: Row) -> str:
    """The small parameters, if they are not ε alone."""
    power = row.get("tangential_power")
    return "" if power in (None, 1.0) else f", ε_t = ε^{power:g}"


# --- lines


def lines_of(experiment: Experiment, record: Record) -> Iterator[Line]:
    tables = settings(ROOT / experiment.file)
    friction = "friction_series" in record.tables
    before = "friction_" if friction else ""
    errors, bounds = rows_of(record.tables.get(f"{before}errors")), rows_of(record.tables.get("bounds"))
    (reason,) = record.tables["outcome"].columns.get("no_prediction", [""])
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in first_solver([row for row in rows_of(record.tables.get(f"{before}series")) if judged(row)]):
        regime = (friction_regime(experiment, tables, row) if friction else
                  rolling_regime(tables, row, reason == "the start slides"))
        order = None if friction else composite_order(tables, row)
        quantity = (quantity_cell(row) + parameter_words(row) +
                    ("" if order is None else f", expansion of order {order:g}"))
        groups.setdefault((regime, quantity, gate_cell(row, bounds)), []).append(row)
    for (regime, quantity, gate), series in groups.items():
        *cells, predicted = measured(series, errors)
        with_order = series[0].get("expected_order") is not None
        category = (GATED if series[0].get("ratio.expected") is not None else PREDICTED if predicted else
                    ORDER if with_order else NONE)
        points = f" ({len(series)} points)" if len(series) > 1 else ""
        yield Line(experiment.name, experiment.file, regime, category,
                   [quantity + points, order_cell(series), *cells, gate])
    for row in rows_of(record.tables.get("growth")):
        limits = [f"{sign} {row[key]:g}" for sign, key in (("≥", "growth_at_least"), ("≤", "growth_at_most"))
                  if row[key] is not None]
        yield Line(experiment.name, experiment.file, GROWTH, NONE,
                   [f"steps, {row['compliant_solver']}, {row['formulation']}",
                    f"{row['growth']:.3g} per decade", f"{row['smallest_epsilon']:g}", "–", "–", "–",
                    f"growth {' and '.join(limits)}"])
    if not groups and "growth" not in record.tables:
        held = [fact for fact in record.tables.get("claims", Table({})).columns.get("held", [])
                ] or record.tables.get("points", Table({})).columns.get("claims_held", [])
        count = sum(int(fact) for fact in held if fact is not None)
        yield Line(experiment.name, experiment.file, FACTS, NONE,
                   ["modes, events, energy", "–", "–", "–", "–", "–", f"{count} facts hold"])


HEADERS = ["study", "quantity", "order (expected)", "at ε", "K predicted", "K measured",
           "measured/predicted", "gate"]


def page_text(corpus: Path) -> str:
    """The text of docs/constants.md. CorpusError if a golden file is missing."""
    lines: list[Line] = []
    for experiment in studies():
        path = corpus / f"{experiment.name}{records.ENDING}"
        if not path.is_file():
            raise CorpusError(f"{path} is missing: scripts/golden make {experiment.name}")
        lines += lines_of(experiment, records.read(path))
    regimes: dict[str, list[Line]] = {}
    for line in sorted(lines, key=lambda one: rank(one.regime)):
        regimes.setdefault(line.regime, []).append(line)
    parts = [HEAD, summary(regimes), COLUMNS]
    for regime, group in regimes.items():
        parts.append(f"\n## {heading(regime)}\n\n{table(HEADERS, rows_of_table(group))}")
    return "".join(parts)


def heading(regime: str) -> str:
    return regime[0].upper() + regime[1:]


def rows_of_table(group: list[Line]) -> list[list[str]]:
    """One row for the quantities of a study that agree in all other cells; the first row of a study links it."""
    quantities: dict[tuple[str, ...], list[str]] = {}
    for line in group:
        quantities.setdefault((line.study, line.file, *line.cells[1:]), []).append(line.cells[0])
    linked: set[str] = set()
    rows = []
    for (study, file, *cells), names in quantities.items():
        rows.append([study if study in linked else f"[{study}](../{file})", "; ".join(names), *cells])
        linked.add(study)
    return rows


def rank(regime: str) -> int:
    """Rolling before friction before impacts, then other claims; within them, as in the experiments."""
    order = ("viscoelastic law, β = 1, rolling", "viscoelastic", " law", " friction, bilateral",
             " friction, unilateral", "impacts", GROWTH, FACTS)
    return next((k for k, text in enumerate(order) if text in regime), len(order))


def summary(regimes: dict[str, list[Line]]) -> str:
    """How many studies of each regime are in each class; a study counts once, in its first class."""
    rows = []
    for regime, group in regimes.items():
        best: dict[str, str] = {}
        for line in group:
            known = best.get(line.study, NONE)
            best[line.study] = min(known, line.category, key=list(CLASSES).index)
        counts = [str(list(best.values()).count(one)) for one in CLASSES]
        lines = [str(sum(line.category == one for line in group)) for one in CLASSES]
        rows.append([heading(regime), *(f"{a} ({b})" for a, b in zip(counts, lines))])
    return table(["regime", *CLASSES.values()], rows)


def table(headers: list[str], rows: list[list[str]]) -> str:
    lines = [headers, ["---"] * len(headers), *rows]
    return "".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines)
