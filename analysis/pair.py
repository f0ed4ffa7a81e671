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

from .names import Component, bracket, components
from .page import Page, canvas, furnish, legend, with_furniture
from .pairs import chosen, partner
from .result import StoredResult
from .opening import rolling
from .theme import DASHES, edge, marked, themed
from .wording import QUANTITIES, check_quantities, epsilon_text, symbol

MARKS = 8  # of a component, along its compliant line
MOST = 6  # components in a panel: those with the largest range


def pair_data(study: str | Path | StoredResult, *, law: str | None = None, solver: str | None = None,
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
        "quantity": quantity, "component": k + 1, "t": motion.times, "rigid": rigid[quantity][k],
        "compliant": motion[quantity][k]})
        for quantity in quantities for k in range(len(motion[quantity]))], ignore_index=True)


@with_furniture
def plot_pair(study: str | Path | StoredResult, *, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None, quantities: Sequence[str] = QUANTITIES,
              style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """One panel and legend per quantity, one colour per component: rigid broad and pale, compliant thin
    and dashed.

        >>> plot_pair("results/rolling_disk", epsilon=0.03).savefig("pair.pdf")
    """
    study = rolling(study)
    data = pair_data(study, law=law, solver=solver, epsilon=epsilon, quantities=quantities)
    shown = {quantity: moving(data[data["quantity"] == quantity]) for quantity in quantities}
    named = {quantity: components(study.description, quantity,
                                  data[data["quantity"] == quantity]["component"].max())
             for quantity in quantities}
    wide = Page(1, len(quantities)).letters_across
    belows = tuple(0.56 + 0.165 * sum(1 + text.count("\n") for text in labels_of(
        [named[quantity][number - 1] for number in numbers], wide)) for quantity, numbers in shown.items())
    first = data.iloc[0]
    names = ("rigid", f"{first['law']}, {epsilon_text(first['epsilon'])}")
    left_out = [f"{symbol(q)}: {len(c)} of {len(named[q])}" for q, c in shown.items()
                if len(c) < len(named[q])]
    page = Page(1, len(quantities), f"{study.name}: the pair", belows=belows, names=names,
                note="Components with the largest range, " + "; ".join(left_out) + "." if left_out else "")
    with themed(style):
        figure, panels = canvas(page, axes)
        handles = [Line2D([], [], color=edge(), linewidth=4.0, alpha=0.4),
                   Line2D([], [], color=edge(), linewidth=1.1, linestyle=DASHES[1])]
        for axis, quantity in zip(panels[0], quantities):
            rows = data[data["quantity"] == quantity]
            looks = [marked(place) for place in places_of(quantity, shown)]
            its = [named[quantity][number - 1] for number in shown[quantity]]
            labels = labels_of(its, wide)
            for number, look in zip(shown[quantity], looks):
                draw_component(axis, rows[rows["component"] == number], **look)
            axis.set_xlabel("$t$ [s]", labelpad=1.0)
            axis.set_title(f"{symbol(quantity)}{bracket(c.unit for c in its)}")
            axis.margins(x=0.0)
            swatches = [Line2D([], [], markersize=3.6, **look) for look in looks]
            if axes is not None and axis is panels[0, -1]:
                swatches, labels = [*swatches, *handles], [*labels, *names]
            legend(axis, axes, swatches, labels)
        if axes is None:
            furnish(figure, page, handles)
    return figure


def labels_of(shown: list[Component], wide: int) -> list[str]:
    """Names, with units if these differ; names of more than `wide` letters take several lines."""
    several = len({component.unit for component in shown}) > 1
    return [textwrap.fill(c.label, wide) + bracket([c.unit] if several else []) for c in shown]


def places_of(quantity: str, shown: dict[str, list[int]]) -> list[int]:
    """Places in the lists of colours and markers. q_k and v_k share one, because v_k is mostly the rate of q_k;
    the unrelated lambda start after them."""
    moved = [shown[x] for x in ("q", "v") if x in shown]
    if quantity == "lambda":
        return [max(map(len, moved), default=0) + k for k in range(len(shown[quantity]))]
    return [number - 1 for number in shown[quantity]]


def moving(rows: pd.DataFrame) -> list[int]:
    """The components with the largest ranges, at most MOST, in their order."""
    ranges = rows.groupby("component")["rigid"].agg(lambda x: np.ptp(x.to_numpy()))
    return sorted(int(k) for k in ranges.sort_values(ascending=False, kind="stable").index[:MOST])


def draw_component(axis: Axes, rows: pd.DataFrame, color: str, marker: str) -> None:
    """The marks are evenly spaced in time; the times of a layer are dense."""
    t = rows["t"].to_numpy()
    at = np.searchsorted(t, np.linspace(t[0], t[-1], MARKS + 2)[1:-1]).tolist()
    axis.plot(t, rows["rigid"], color=color, linewidth=4.0, alpha=0.4, solid_capstyle="butt", label="_rigid")
    axis.plot(t, rows["compliant"], color=color, linewidth=1.1, linestyle=DASHES[1], marker=marker,
              markersize=3.0, markevery=at, label="_compliant")
