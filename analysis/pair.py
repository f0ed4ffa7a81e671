"""Trajectories of the rigid and the compliant motion, overlaid."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .furniture import is_narrow
from .names import bracket, components, visible_rows
from .page import Page, canvas, furnish, legend, with_furniture
from .pairs import chosen, partner
from .result import Result
from .opening import rolling
from .scales import limit_zoom, magnitude, range_of
from .theme import DASHES, edge, marked, themed
from .wording import QUANTITIES, check_quantities, epsilon_text, symbol

MARKS = 8  # of a component, along its compliant line
MOST = 4  # components in a panel: those with the largest range
FLAT = 0.1  # of the largest range in a panel: components of smaller range are flat lines
LEAST = 1.5  # inches: the width of a panel
MOTIONS = ["rigid", "compliant"]
RIGID = 3.0  # points: the width of a rigid line


def pair_data(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None, quantities: Sequence[str] = QUANTITIES) -> pd.DataFrame:
    """Both motions at the times of the compliant one: one row per time, quantity and component.

    `epsilon` defaults to the largest of the study, where the motions differ most.

        >>> pair_data("results/knife_edge", epsilon=1e-2).query("quantity == 'q'")
    """
    study = rolling(study)
    check_quantities(quantities)
    law, solver = chosen(study, law, solver)
    motion = study.motion("compliant", law=law, solver=solver,
                          epsilon=study.epsilons(law, solver)[0] if epsilon is None else epsilon)
    rigid = partner(study).at(motion.times)
    return pd.concat([pd.DataFrame({
        "law": law, "solver": solver, "rigid_solver": rigid.solver, "epsilon": motion.epsilon,
        "quantity": quantity, "component": k, "t": motion.times, "rigid": rigid[quantity][row],
        "compliant": motion[quantity][row]})
        for quantity in quantities
        for k, row in enumerate(visible_rows(study.description, quantity, len(motion[quantity])), 1)],
        ignore_index=True)


@with_furniture
def plot_pair(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None, quantities: Sequence[str] | None = None,
              style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """One panel and legend per quantity and unit, one colour per component: rigid broad and pale, compliant thin
    and dashed. `quantities` are q, v and lambda; a narrow figure shows q and lambda.

        >>> plot_pair("results/rolling_disk", epsilon=0.03).savefig("pair.pdf")
    """
    study = rolling(study)
    if quantities is None:
        quantities = ("q", "lambda") if axes is None and is_narrow() else QUANTITIES
    data = pair_data(study, law=law, solver=solver, epsilon=epsilon, quantities=quantities)
    named = {quantity: components(study.description, quantity,
                                  data[data["quantity"] == quantity]["component"].max())
             for quantity in quantities}
    drawn = {quantity: [(k, c.unit) for k, c in enumerate(named[quantity], 1)]
             for quantity in quantities}
    units = [(quantity, unit) for quantity in quantities for unit in dict.fromkeys(unit for _, unit in drawn[quantity])]
    kinds = {(quantity, unit): [k for k, its in drawn[quantity] if its == unit] for quantity, unit in units}
    groups = {kind: data[(data["quantity"] == kind[0]) & data["component"].isin(numbers)]
              for kind, numbers in kinds.items()}
    sizes = {kind: magnitude(rows[MOTIONS], data[data["quantity"] == kind[0]][MOTIONS])
             for kind, rows in groups.items()}
    shown = {kind: moving(rows, sizes[kind]) for kind, rows in groups.items()}
    wide = Page(1, len(units), least=LEAST).letters_across
    labels = {(quantity, unit): [textwrap.fill(named[quantity][k - 1].label, wide) for k in numbers]
              for (quantity, unit), numbers in shown.items()}
    belows = tuple(0.56 + 0.165 * sum(1 + text.count("\n") for text in labels[kind]) for kind in units)
    first = data.iloc[0]
    names = ("rigid", f"{first['law']}, {epsilon_text(first['epsilon'])}")
    flat = [named[kind[0]][k - 1].label for kind in units for k in kinds[kind] if k not in shown[kind]]
    page = Page(1, len(units), f"{study.name}: the pair", belows=belows, least=LEAST, names=names,
                note=f"Not drawn, of small range: {', '.join(flat)}." if flat else "")
    # q_k and v_k share a colour, because v_k is mostly the rate of q_k; the unrelated lambda start after them.
    moved = max((k for (quantity, _), numbers in shown.items() if quantity != "lambda" for k in numbers), default=0)
    with themed(style):
        figure, panels = canvas(page, axes)
        handles = [Line2D([], [], color=edge(), linewidth=RIGID, alpha=0.4),
                   Line2D([], [], color=edge(), linewidth=1.1, linestyle=DASHES[1])]
        for axis, kind in zip(panels[0], units):
            rows = data[data["quantity"] == kind[0]]
            looks = [marked(k - 1 + moved * (kind[0] == "lambda")) for k in shown[kind]]
            for number, look in zip(shown[kind], looks):
                draw_component(axis, rows[rows["component"] == number], **look)
            limit_zoom(axis, [rows[rows["component"].isin(shown[kind])][MOTIONS]], sizes[kind])
            axis.set_xlabel("$t$ [s]", labelpad=1.0)
            axis.set_title(f"{symbol(kind[0])}{bracket([kind[1]])}")
            axis.margins(x=0.0)
            swatches, texts = [Line2D([], [], markersize=3.6, **look) for look in looks], labels[kind]
            if axes is not None and axis is panels[0, -1]:
                swatches, texts = [*swatches, *handles], [*texts, *names]
            legend(axis, axes, swatches, texts)
        if axes is None:
            furnish(figure, page, handles)
    return figure


def moving(rows: pd.DataFrame, size: float) -> list[int]:
    """The components whose ranges, rigid or compliant, are at least FLAT of the largest, at most MOST, in their
    order. Ranges of round-off of the magnitude `size` are 0."""
    ranges = rows.groupby("component")[MOTIONS].agg(range_of, size).max(axis=1)
    ranges = ranges[~(ranges < FLAT * ranges.max())].sort_values(ascending=False, kind="stable")
    return sorted(int(k) for k in ranges.index[:MOST])


def draw_component(axis: Axes, rows: pd.DataFrame, color: str, marker: str) -> None:
    """The marks are evenly spaced in time; the times of a layer are dense."""
    t = rows["t"].to_numpy()
    at = np.searchsorted(t, np.linspace(t[0], t[-1], MARKS + 2)[1:-1]).tolist()
    axis.plot(t, rows["rigid"], color=color, linewidth=RIGID, alpha=0.4, solid_capstyle="butt", label="_rigid")
    axis.plot(t, rows["compliant"], color=color, linewidth=1.1, linestyle=DASHES[1], marker=marker,
              markersize=3.0, markevery=at, label="_compliant")
