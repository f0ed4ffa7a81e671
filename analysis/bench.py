"""Figures of benchmarks: from results/NAME to files beside its store.

The kinds of rows in the file select the figures: work-precision diagrams (per problem and group), maps of
the observed order (per problem and method, and all methods on a page), cost against epsilon or N.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import order_reduction as planes
from . import work_precision as diagrams
from .bench_rows import costs_known, read_bench, values, where
from .cost import cost_figure
from .figures import draw_each, file_name, save, styled
from .furniture import is_narrow
from .page import with_furniture
from .result import Result
from .tables import AnalysisError
from .theme import themed
from .tidy_csv import Row


def rows_of_kind(study: str | Path | Result, kind: str) -> list[Row]:
    rows = where(read_bench(study), kind=kind)
    if not rows:
        raise AnalysisError(f"{getattr(study, 'where', study)}: a benchmark without rows of kind {kind}")
    return rows


def only(rows: list[Row], **wanted: str | None) -> dict[str, str]:
    """The given values, or the first of the file. AnalysisError, with the known values, for others."""
    found = {}
    for name, value in wanted.items():
        there = [str(x) for x in values(rows, name)]
        if value is not None and value not in there:
            raise AnalysisError(f"{name} must be one of {', '.join(there)}, not '{value}'")
        found[name] = there[0] if value is None else value
        rows = where(rows, **{name: found[name]})
    return found


def in_style(style: str, draw: Callable[..., Figure], *arguments: object) -> Figure:
    with themed(style):
        return draw(*arguments)


def work_precision_data(study: str | Path | Result) -> pd.DataFrame:
    """The work-precision rows of a benchmark: one per solve and group.

        >>> work_precision_data("results/contact_work_precision").query("library == 'own'")
    """
    return pd.DataFrame(rows_of_kind(study, "work_precision"))


@with_furniture
def plot_work_precision(study: str | Path | Result, *, problem: str | None = None, group: str | None = None,
                        costs: Sequence[str] | None = None, style: str = "light",
                        axes: Sequence[Axes] | None = None) -> Figure:
    """Work-precision diagram of one problem and group of components (default: the first of the file): seconds and
    right-hand sides against the error, in a column per epsilon.

    `costs`: "seconds", "rhs_evaluations", or both in this order (the default; a narrow figure has the first alone, and without
    times there are no seconds). `axes`: a row for each of them.

        >>> plot_work_precision("results/contact_work_precision", group="lambda")
    """
    rows = rows_of_kind(study, "work_precision")
    which = only(rows, problem=problem, group=group)
    if costs is None:
        known = costs_known(where(rows, **which), tuple(diagrams.COSTS))
        costs = known[:1 if axes is None and is_narrow() else 2]
    if unknown := [cost for cost in costs or [""] if cost not in diagrams.COSTS]:
        raise AnalysisError(f"costs must be of {', '.join(diagrams.COSTS)}, not '{unknown[0]}'")
    return in_style(style, diagrams.work_precision, rows, *which.values(), axes, costs)


def order_reduction_data(study: str | Path | Result) -> pd.DataFrame:
    """The order-reduction rows of a benchmark: one per solve and group.

        >>> order_reduction_data("results/order_reduction").query("method == 'radau_iia_5'")
    """
    return pd.DataFrame(rows_of_kind(study, "order_reduction"))


@with_furniture
def plot_order_reduction(study: str | Path | Result, *, problem: str | None = None,
                         method: str | None = None, methods: Sequence[str] | None = None, group: str | None = None,
                         style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """The observed order over (h, epsilon): the groups of one `method` (or one `group`) with numbers, or all
    `methods` of one group as colours.

        >>> plot_order_reduction("results/order_reduction", method="radau_iia_5").savefig("o.pdf")
    """
    rows = rows_of_kind(study, "order_reduction")
    for name in methods or ():
        only(rows, method=name)
    if methods:
        rows = [row for row in rows if row["method"] in methods]
    if method is None:
        return in_style(style, planes.overview, rows,
                        *only(rows, problem=problem, group=group).values(), axes)
    return in_style(style, planes.order_reduction, rows,
                    *only(rows, problem=problem, method=method).values(),
                    None if group is None else only(rows, group=group)["group"], axes)


COSTS = ("cost_epsilon", "cost_count")


def cost_data(study: str | Path | Result) -> pd.DataFrame:
    """The rows of a benchmark of cost against epsilon or the number of bodies: one per solve and group.

        >>> cost_data("results/cost_epsilon").pivot_table("steps", "epsilon", "method")
    """
    rows = [row for row in read_bench(study) if row["kind"] in COSTS]
    if not rows:
        raise AnalysisError(f"{getattr(study, 'where', study)}: a benchmark without rows of kind {' or '.join(COSTS)}")
    return pd.DataFrame(rows)


@with_furniture
def plot_cost(study: str | Path | Result, *, problem: str | None = None, kind: str | None = None,
              style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """Time, steps and right-hand sides of one problem (default: the first of the file) against epsilon
    (kind="cost_epsilon") or the number of bodies (kind="cost_count").

        >>> plot_cost("results/chain").savefig("cost.pdf")
    """
    rows: list[Row] = cost_data(study).to_dict("records")
    which = only(rows, kind=kind, problem=problem)
    return in_style(style, cost_figure, rows, *which.values(), axes)


# A figure and the name of its file without style and suffix.
Figures = Iterator[tuple[str, Callable[[], Figure]]]


def work_precision_figures(rows: list[Row], style: str) -> Figures:
    for problem in values(rows, "problem"):
        for group in values(where(rows, problem=problem), "group"):
            yield (file_name("work_precision", problem, group),
                   partial(in_style, style, diagrams.work_precision, rows, problem, group))


def order_reduction_figures(rows: list[Row], style: str) -> Figures:
    for problem in values(rows, "problem"):
        here = where(rows, problem=problem)
        for group in values(here, "group"):
            yield (file_name("order_reduction", problem, group),
                   partial(in_style, style, planes.overview, rows, problem, group))
        for method in values(here, "method"):
            yield (file_name("order_reduction", problem, method),
                   partial(in_style, style, planes.order_reduction, rows, problem, method))


def cost_figures(rows: list[Row], style: str) -> Figures:
    kind = str(rows[0]["kind"])
    for problem in values(rows, "problem"):
        yield file_name(kind, problem), partial(in_style, style, cost_figure, rows, kind, problem)


FIGURES = {"work_precision": work_precision_figures, "order_reduction": order_reduction_figures,
           "cost_epsilon": cost_figures, "cost_count": cost_figures}


def draw(directory: Path, style: str = "light", left_out: list[str] | None = None,
         into: Path | None = None) -> list[Path]:
    """Draws all figures of results/NAME `into` a folder (default: its own) and returns the files. Reasons for omitted
    figures go to `left_out`; AnalysisError if there is no figure at all."""
    def files(name: str, figure: Callable[[], Figure]) -> list[Path]:
        return save(figure(), (into or directory) / styled(name, style))

    rows = read_bench(directory)
    return draw_each({name: partial(files, name, figure) for kind in values(rows, "kind")
                      for name, figure in FIGURES[kind](where(rows, kind=kind), style)},
                     [] if left_out is None else left_out)
