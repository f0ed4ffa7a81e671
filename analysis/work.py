"""Cost of the solves of a study against epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .page import Page, canvas, finish, with_furniture
from .pairs import MOST_MARKS
from .result import Result
from .opening import rolling
from .tables import AnalysisError, matching
from .theme import DASHES, ink, marked, paper, themed

COUNTERS = ("steps", "rejected_steps", "rhs_evaluations", "jacobian_evaluations", "factorisations",
            "newton_iterations", "seconds")
SHOWN = {"steps": "steps", "rhs_evaluations": "right-hand sides", "seconds": "time of a solve [s]"}


def work_data(study: str | Path | Result, *, law: str | None = None) -> pd.DataFrame:
    """Counters of the rigid and compliant solves (without the tighter ones): one row per solve.

        >>> work_data("results/knife_edge").pivot_table("steps", "epsilon", "solver")
    """
    study = rolling(study)
    study.one_point("each point has its own solves")
    solves = study.solves[study.solves["kind"].isin(("rigid", "compliant"))
                          & ~study.solves["tighter"] & (study.solves["status"] == "finished")]
    if law is not None:
        solves = pd.concat([matching(solves, kind="rigid"),
                            matching(solves, kind="compliant", law=law)])
    if solves.empty:
        raise AnalysisError(f"{study.where}: no finished solves"
                            + (f" of the law '{law}'" if law else ""))
    return solves[["kind", "law", "solver", "epsilon", "outcome", *COUNTERS]].reset_index(drop=True)


@with_furniture
def plot_work(study: str | Path | Result, *, law: str | None = None,
              counters: Sequence[str] = tuple(SHOWN), style: str = "light",
              axes: Sequence[Axes] | None = None) -> Figure:
    """One panel per counter against epsilon, coloured by law and solver. Rigid solves are level lines;
    failed solves are hollow.

        >>> plot_work("results/knife_edge", counters=["factorisations"]).savefig("work.pdf")
    """
    study = rolling(study)
    data = work_data(study, law=law)
    groups = [(kind, its_law, solver, rows) for (kind, its_law, solver), rows
              in data.groupby(["kind", "law", "solver"], sort=False, dropna=False)
              if (rows[list(counters)] > 0).any(axis=None)]  # a closed form has no cost
    groups.sort(key=lambda group: group[0] == "rigid")  # the same colours as in the figure of errors
    several = data["law"].nunique() > 1
    names = tuple(f"{solver}, rigid" if kind == "rigid" else
                  f"{solver}, {its_law}" if several else str(solver)
                  for kind, its_law, solver, _ in groups)
    page = Page(1, len(counters), f"{study.name}: work", left=0.62, gap=0.62, right=0.14, below=0.46, names=names,
                note="Times are of one solve each, beside others that ran." if "seconds" in counters else "")
    with themed(style):
        figure, panels = canvas(page, axes)
        for axis, counter in zip(panels[0], counters):
            axis.set(xscale="log", yscale="log")
            handles = [draw_group(axis, rows, counter, k)
                       for k, (_, _, _, rows) in enumerate(groups)]
            axis.set(xlabel=r"$\varepsilon$",
                     title=SHOWN.get(counter, counter.replace("_", " ")))
        finish(figure, page, panels, axes, handles)
    return figure


def draw_group(axis: Axes, rows: pd.DataFrame, counter: str, place: int) -> Line2D:
    if rows["kind"].iloc[0] == "rigid":
        level = {"color": ink(), "linestyle": DASHES[1 + place % (len(DASHES) - 1)]}
        if rows[counter].iloc[0] > 0:
            axis.axhline(rows[counter].iloc[0], **level)
        return Line2D([], [], **level)
    rows = rows.sort_values("epsilon")
    look = marked(place) | {"linewidth": 1.0}
    rows = rows[rows[counter] > 0]
    axis.plot(rows["epsilon"], rows[counter], **look, markevery=max(1, len(rows) // MOST_MARKS))
    failed = rows[rows["outcome"] != "success"]
    axis.plot(failed["epsilon"], failed[counter], **look | {"linestyle": "none"},
              markerfacecolor=paper(), zorder=4)
    return Line2D([], [], **look)
