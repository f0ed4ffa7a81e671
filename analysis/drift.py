"""The sliding velocity G v of each motion over time: its distance from rolling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .page import Page, canvas, finish, with_furniture
from .names import bracket, unit
from .pairs import chosen, sampled_epsilons
from .result import Result
from .store import Curve, RollingResult
from .opening import rolling
from .tables import AnalysisError, matching
from .theme import dashes_at, edge, ordered_lines, themed
from .wording import epsilon_text

FIRST = 1e-2  # tau: earlier values grow like t
DEEPEST = 1e-18  # of the largest value: smaller values count as zero


def drift_data(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
               epsilons: Sequence[float] | None = None, count: int = 5) -> pd.DataFrame:
    """sliding = max |G v| over the contacts: one row per time and motion, rigid motions included.

        >>> drift_data("results/knife_edge").groupby("subject")["sliding"].max()
    """
    study = rolling(study)
    law, solver = chosen(study, law, solver)
    parts = []
    for rigid in matching(study.curves, subject="rigid", name="sliding")["solver"]:
        parts.append(rows_of(study.curve("rigid", "sliding", solver=rigid)))
    for epsilon in sampled_epsilons(study, law, solver, epsilons, count):
        wanted = {"law": law, "solver": solver, "epsilon": epsilon}
        if study.has_curve("compliant", "sliding", **wanted):
            parts.append(rows_of(study.curve("compliant", "sliding", **wanted)))
    if not parts:
        raise AnalysisError(f"{study.where}: no sliding velocities of law {law} by {solver}")
    return pd.concat(parts, ignore_index=True)


def rows_of(curve: Curve) -> pd.DataFrame:
    return pd.DataFrame({"subject": curve.subject, "law": curve.law, "solver": curve.solver,
                         "epsilon": curve.epsilon, "t": curve.times,
                         "sliding": np.max(np.abs(curve.values), axis=0)})


@with_furniture
def plot_drift(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
               epsilons: Sequence[float] | None = None, style: str = "light",
               axes: Sequence[Axes] | None = None) -> Figure:
    """|G v| over t on logarithmic scales (without zeros): left in seconds, right in tau. For a rigid
    motion the largest value up to t is drawn: it is round-off, or the drift of a method.

        >>> plot_drift("results/knife_edge").savefig("drift.pdf")
    """
    study = rolling(study)
    data = drift_data(study, law=law, solver=solver, epsilons=epsilons)
    top = data["sliding"].max()
    if not top > 0.0:
        raise AnalysisError(f"{study.where}: every sliding velocity is 0")
    shown = sorted(data["epsilon"].dropna().unique(), reverse=True)
    rigid = list(data[data["subject"] == "rigid"].groupby("solver", sort=False))
    names = [f"{solver}, rigid, largest up to t" for solver, _ in rigid] + [epsilon_text(x) for x in shown]
    page = Page(1, 2, f"{study.name}: sliding velocity, {chosen(study, law, solver)[0]}", left=0.8, gap=0.7, least=1.7,
                above=0.1, below=0.5, names=tuple(names))
    with themed(style):
        figure, grid = canvas(page, axes, sharey=True)
        panels = grid[0]
        handles: list[Line2D] = []
        for k, (_, rows) in enumerate(rigid):
            noise = rows.assign(sliding=np.fmax.accumulate(rows["sliding"]))  # else a smear
            handles += draw_motion(panels[0], noise, rows["t"], color=edge(), linewidth=2.2, linestyle=dashes_at(k))
        for epsilon, look in zip(shown, ordered_lines(len(shown))):
            rows = data[data["epsilon"] == epsilon]
            handles += draw_motion(panels[0], rows, rows["t"], **look)
            draw_motion(panels[1], rows, rows["t"] / epsilon, **look)
        for axis, label in zip(panels, ("$t$ [s]", r"$\tau = t / \varepsilon$ [s]")):
            axis.set(xscale="log", yscale="log", xlabel=label)
            axis.yaxis.set_tick_params(labelleft=True)
        if shown:
            panels[0].set_xlim(left=FIRST * shown[-1])
            panels[1].set_xlim(left=FIRST)
        panels[0].set_ylim(bottom=max(panels[0].get_ylim()[0], DEEPEST * top))
        page.label(grid, axes, y="$\\max |G v|$" + sliding_units(study))
        finish(figure, page, panels[:1], axes, handles)
    return figure


def sliding_units(study: RollingResult) -> str:
    """The distinct units of the contact velocities; "" if the store has none."""
    contacts = study.description.get("contacts", [])
    return bracket(unit(str(c.get("unit", ""))) for c in contacts)


def draw_motion(axis: Axes, rows: pd.DataFrame, place: pd.Series, **look: object) -> list[Line2D]:
    seen = (rows["sliding"] > 0.0) & (place > 0.0)
    return axis.plot(place[seen], rows["sliding"][seen], **look)
