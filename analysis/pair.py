"""The pair itself: trajectories of the rigid and the compliant motion, one over the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.page import Page, canvas, furnish
from analysis.pairs import chosen, partner
from analysis.store import StudyData, open_study
from analysis.theme import DASHES, edge, series_colour, themed
from analysis.wording import QUANTITIES, UNITS, epsilon_text, symbol

MOST = 6  # components in a panel, those that move most


def pair_data(study: str | Path | StudyData, *, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None, quantities: Sequence[str] = QUANTITIES) -> pd.DataFrame:
    """Both motions on the times of the compliant one: one row a time, quantity and component.

    `epsilon`: the largest of the study if not given, where the two can be told apart best.

        >>> pair_data("results/knife_edge", epsilon=1e-2).query("quantity == 'q'")
    """
    study = open_study(study)
    law, solver = chosen(study, law, solver)
    motion = study.motion("compliant", law=law, solver=solver,
                          epsilon=study.epsilons(law, solver)[0] if epsilon is None else epsilon)
    rigid = partner(study).at(motion.times)
    return pd.concat([pd.DataFrame({
        "law": law, "solver": solver, "rigid_solver": rigid.solver, "epsilon": motion.epsilon,
        "quantity": quantity, "component": k + 1, "t": motion.times, "rigid": rigid[quantity][k],
        "compliant": motion[quantity][k]})
        for quantity in quantities for k in range(len(motion[quantity]))], ignore_index=True)


def plot_pair(study: str | Path | StudyData, *, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None, quantities: Sequence[str] = QUANTITIES,
              style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """A panel a quantity, a colour a component: rigid broad and pale, compliant thin and dashed.

        >>> plot_pair("results/rolling_disk", epsilon=0.03).savefig("pair.pdf")
    """
    study = open_study(study)
    data = pair_data(study, law=law, solver=solver, epsilon=epsilon, quantities=quantities)
    shown = {quantity: moving(data[data["quantity"] == quantity]) for quantity in quantities}
    most = max(max(components) for components in shown.values())
    first = data.iloc[0]
    names = ("rigid", f"{first['law']}, {epsilon_text(first['epsilon'])}",
             *(f"component {k + 1}" for k in range(most)))
    left_out = [f"{symbol(q)}: {len(c)} of {data[data['quantity'] == q]['component'].max()}"
                for q, c in shown.items() if len(c) == MOST]
    page = Page(1, len(quantities), names=names,
                note="The components that move most, " + "; ".join(left_out) + "." if left_out else "")
    with themed(style):
        figure, panels = canvas(page, axes)
        for axis, quantity in zip(panels[0], quantities):
            rows = data[data["quantity"] == quantity]
            for number in shown[quantity]:
                draw_component(axis, rows[rows["component"] == number], series_colour(number - 1))
            axis.set(xlabel="$t$ [s]", title=f"{symbol(quantity)} [{UNITS[quantity]}]")
            axis.margins(x=0.0)
        handles = [Line2D([], [], color=edge(), linewidth=4.5, alpha=0.4),
                   Line2D([], [], color=edge(), linewidth=1.1, linestyle=DASHES[1]),
                   *(Line2D([], [], color=series_colour(k)) for k in range(most))]
        if axes is None:
            furnish(figure, page, f"{study.name}: the pair", handles)
        else:
            panels[0, -1].legend(handles, names)
    return figure


def moving(rows: pd.DataFrame) -> list[int]:
    """At most MOST components, in their order: those of the largest range."""
    ranges = rows.groupby("component")["rigid"].agg(lambda x: np.ptp(x.to_numpy()))
    return sorted(int(k) for k in ranges.sort_values(ascending=False, kind="stable").index[:MOST])


def draw_component(axis: Axes, rows: pd.DataFrame, colour: str) -> None:
    axis.plot(rows["t"], rows["rigid"], color=colour, linewidth=4.5, alpha=0.4,
              solid_capstyle="butt", label="_rigid")
    axis.plot(rows["t"], rows["compliant"], color=colour, linewidth=1.1, linestyle=DASHES[1],
              label="_compliant")
