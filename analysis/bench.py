"""Pictures of `rigidlimit bench`: from results/NAME/bench.csv to PNG and SVG beside it.

What the file holds is drawn: work-precision diagrams (a problem and group), maps of the observed
order (a problem and method, and all methods on a page), cost against epsilon, cost against N.
"""

from __future__ import annotations

from pathlib import Path

from analysis.bench_rows import read_bench, values, where
from analysis.cost import cost_figure
from analysis.figures import file_name, save
from analysis.order_reduction import order_reduction, overview
from analysis.tidy_csv import Row
from analysis.work_precision import work_precision


def draw_work_precision(rows: list[Row], directory: Path) -> list[Path]:
    written = []
    for problem in values(rows, "problem"):
        for group in values(where(rows, problem=problem), "group"):
            name = file_name("work_precision", problem, group)
            written += save(work_precision(rows, problem, group), directory / name)
    return written


def draw_order_reduction(rows: list[Row], directory: Path) -> list[Path]:
    written = []
    for problem in values(rows, "problem"):
        here = where(rows, problem=problem)
        for group in values(here, "group"):
            name = file_name("order_reduction", problem, group)
            written += save(overview(rows, problem, group), directory / name)
        for method in values(here, "method"):
            name = file_name("order_reduction", problem, method)
            written += save(order_reduction(rows, problem, method), directory / name)
    return written


def draw_cost(rows: list[Row], directory: Path) -> list[Path]:
    kind = str(rows[0]["kind"])
    written = []
    for problem in values(rows, "problem"):
        written += save(cost_figure(rows, kind, problem), directory / file_name(kind, problem))
    return written


DRAWERS = {"work_precision": draw_work_precision, "order_reduction": draw_order_reduction,
           "cost_epsilon": draw_cost, "cost_count": draw_cost}


def draw(directory: Path) -> list[Path]:
    """Draws all pictures of results/NAME into it; the files written."""
    rows = read_bench(directory)
    return [path for kind in values(rows, "kind")
            for path in DRAWERS[kind](where(rows, kind=kind), directory)]
