"""Coordinates and velocities against time, with events: one study with its compliant motions, or
several rigid motions overlaid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .names import bracket, label, unit
from .page import Page, canvas, furnish, with_furniture
from .friction_marks import legend_of, mark_times
from .friction_store import FrictionResult, friction_point
from .result import Motion, Result
from .theme import DASHES, edge, ordered_colours, series_colour, themed
from .wording import epsilon_text

MOST = 4  # coordinates shown: those with the largest range
STILL = 1e-9  # of the largest range: below this a range is round-off
ALIKE = 0.01  # of the range: 0.9 pt in a panel of 1.25 in, the width of a thin line


def histories_data(study: str | Path | Result, *, most: int = 3) -> pd.DataFrame:
    """The rigid motion and `most` compliant ones: one row per motion, quantity, component and time."""
    study = friction_point(study)
    return pd.concat([pd.DataFrame({
        "motion": curve.law or "rigid", "tangential_power": curve.tangential_power,
        "epsilon": np.nan_to_num(curve.epsilon),
        "quantity": quantity, "component": k + 1, "t": curve.times, "value": data[k]})
        for curve in [study.rigid, *study.compliant(most)]
        for quantity, data in (("q", curve.q), ("v", curve.v)) for k in range(len(data))],
        ignore_index=True)


def moving(rigid: Motion) -> list[int]:
    """The components of v with the largest ranges, at most MOST, in their order."""
    ranges = np.nan_to_num(np.ptp(rigid.v, axis=1))
    order = np.argsort(-ranges, kind="stable")[:MOST]
    return sorted(int(k) for k in order if ranges[k] > STILL * ranges.max()) or [0]


def with_jumps(curve: Motion, events: pd.DataFrame, k: int) -> tuple[np.ndarray, np.ndarray]:
    """t and v_k with both one-sided limits at each event, so that jumps are drawn as jumps."""
    if curve.epsilon > 0.0 or events.empty:
        return curve.times, curve.v[k]
    times = np.concatenate([curve.times, events["t"], events["t"]])
    values = np.concatenate([curve.v[k], events[f"v{k + 1}_before"], events[f"v{k + 1}_after"]])
    side = np.concatenate([np.full(len(curve.times), 2), np.zeros(len(events)), np.ones(len(events))])
    order = np.lexsort((side, times))
    return times[order], values[order]


def difference(curve: Motion, rigid: Motion, quantity: str, k: int
               ) -> tuple[np.ndarray, np.ndarray]:
    """Common times of both motions, and compliant - rigid there."""
    t, at, of_rigid = np.intersect1d(curve.times, rigid.times, return_indices=True)
    return t, getattr(curve, quantity)[k][at] - getattr(rigid, quantity)[k][of_rigid]


def look_alike(curves: Sequence[Motion], rigid: Motion, quantity: str, k: int) -> bool:
    """Whether every compliant history is within a line width of the rigid one."""
    size = np.ptp(getattr(rigid, quantity)[k])
    return bool(curves) and all(np.nanmax(np.abs(difference(c, rigid, quantity, k)[1]), initial=0.0)
                                <= ALIKE * size for c in curves)


@with_furniture
def plot_histories(study: str | Path | Result, *, most: int = 3, style: str = "light") -> Figure:
    """A row of panels per coordinate, with its velocity: rigid broad and pale, compliant thin.

    If the compliant histories look like the rigid one, a row of panels with the differences follows.

        >>> plot_histories("results/curb_plastic").savefig("histories.pdf")
    """
    study = friction_point(study)
    rigid, others = study.rigid, study.compliant(most)
    quantities = "qv" if len(rigid.q) == len(rigid.v) else "v"
    shown = moving(rigid)
    lines = [(k, is_difference) for k in shown for is_difference in (False, True) if not is_difference
             or any(look_alike(others, rigid, x, k) for x in quantities)]
    with themed(style):
        handles, kinds = legend_of(study.events)
    names = ("rigid", *(epsilon_text(c.epsilon) for c in others), *kinds)
    page = Page(len(lines), len(quantities), panel_height=1.25, above=0.3, below=0.3, names=names,
                gap=0.7, left=0.7, titled=0.34,
                note="Of impacts in quick succession only the first is marked."
                if len(study.events) > 12 else "")
    with themed(style):
        figure, panels = canvas(page, sharex=True)
        colours = ordered_colours(len(others) + 1)[1:]
        for line, (k, is_difference) in zip(panels, lines):
            for axis, quantity in zip(line, quantities):
                draw = draw_differences if is_difference else draw_histories
                draw(axis, study, others, colours, quantity, k)
                mark_times(axis, study.events, float(rigid.times[-1] - rigid.times[0]))
                axis.margins(x=0.0)
        for axis in panels[-1]:
            axis.set_xlabel("$t$ [s]", labelpad=1.0)
        entries = [Line2D([], [], **look(None)), *(Line2D([], [], **look(c)) for c in colours)]
        furnish(figure, page, f"{study.name}: coordinates and velocities", [*entries, *handles])
    return figure


def draw_histories(axis: Axes, study: FrictionResult, others: Sequence[Motion],
                   colours: Sequence[object], quantity: str, k: int) -> None:
    for curve, colour in [(study.rigid, None), *zip(others, colours)]:
        t, values = ((curve.times, curve.q[k]) if quantity == "q" else with_jumps(curve, study.events, k))
        axis.plot(t, values, **look(colour))
    axis.set_title(component(study, quantity, k), loc="left", pad=7)


def draw_differences(axis: Axes, study: FrictionResult, others: Sequence[Motion],
                     colours: Sequence[object], quantity: str, k: int) -> None:
    for curve, colour in zip(others, colours):
        axis.plot(*difference(curve, study.rigid, quantity, k), label="_difference", **look(colour))
    axis.ticklabel_format(axis="y", scilimits=(-2, 3), useMathText=True)
    axis.set_title(component(study, quantity, k) + ", less rigid", loc="right", pad=7)


def component(study: FrictionResult, quantity: str, k: int) -> str:
    """The name of a component with its unit; short names are set as mathematics."""
    one = study.judgement["system"]["coordinates" if quantity == "q" else "velocities"][k]
    return label(str(one["name"])) + bracket([unit(str(one["unit"]))])


def look(colour: object) -> dict[str, object]:
    if colour is None:
        return {"color": edge(), "linewidth": 3.4, "alpha": 0.42, "solid_capstyle": "butt", "zorder": 2}
    return {"color": colour, "linewidth": 0.9, "zorder": 3}


@with_furniture
def plot_rigid_histories(studies: Sequence[str | Path | Result], *, quantity: str = "q",
                         names: Sequence[str] | None = None, style: str = "light") -> Figure:
    """Rigid motions of one system, overlaid: the first solid, the second dashed, …

        >>> plot_rigid_histories(["results/curb_plastic", "results/curb_elastic"], quantity="v")
    """
    opened = [friction_point(study) for study in studies]
    names = tuple(names or (study.name for study in opened))
    shown = moving(opened[0].rigid)
    page = Page(len(shown), 1, panel_height=1.45, above=0.26, below=0.3, names=names)
    with themed(style):
        figure, panels = canvas(page, sharex=True)
        for position, study in enumerate(opened):
            rigid = study.rigid
            for axis, k in zip(panels[:, 0], shown):
                t, values = ((rigid.times, rigid.q[k]) if quantity == "q" else
                             with_jumps(rigid, study.events, k))
                axis.plot(t, values, **line(position))
                axis.set_title(component(study, quantity, k), loc="left")
                axis.margins(x=0.0)
        panels[-1, 0].set_xlabel("$t$ [s]", labelpad=1.0)
        furnish(figure, page, "coordinates" if quantity == "q" else "velocities",
                [Line2D([], [], **line(k)) for k in range(len(opened))])
    return figure


def line(position: int) -> dict[str, object]:
    return {"color": series_colour(position), "linewidth": 1.3,
            "linestyle": DASHES[position % len(DASHES)]}
