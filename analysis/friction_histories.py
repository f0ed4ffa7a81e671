"""Coordinates and velocities against time, events marked: one study with its compliant motions, or
several rigid motions one over the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.furniture import with_furniture
from analysis.page import Page, canvas, furnish
from analysis.friction_marks import legend_of, mark_times
from analysis.friction_store import FrictionCurve, FrictionData, open_friction
from analysis.theme import DASHES, edge, ordered_colours, series_colour, themed
from analysis.wording import epsilon_text

MOST = 4  # coordinates, those that move most
STILL = 1e-9  # of the largest range: rounding, no motion


def histories_data(study: str | Path | FrictionData, *, most: int = 3) -> pd.DataFrame:
    """One row a motion, quantity, component and time: the rigid one and `most` compliant ones."""
    study = open_friction(study)
    return pd.concat([pd.DataFrame({
        "motion": curve.name, "tangential_power": curve.tangential_power, "epsilon": curve.epsilon,
        "quantity": quantity, "component": k + 1, "t": curve.t, "value": data[k]})
        for curve in [study.rigid, *study.compliant(most)]
        for quantity, data in (("q", curve.q), ("v", curve.v)) for k in range(len(data))],
        ignore_index=True)


def moving(rigid: FrictionCurve) -> list[int]:
    """At most MOST components of v, those of the largest range among their like."""
    ranges = np.nan_to_num(np.ptp(rigid.v, axis=1))
    order = np.argsort(-ranges, kind="stable")[:MOST]
    return sorted(int(k) for k in order if ranges[k] > STILL * ranges.max()) or [0]


def with_jumps(curve: FrictionCurve, events: pd.DataFrame, k: int) -> tuple[np.ndarray, np.ndarray]:
    """t and v_k with both limits at each event, so that a jump is drawn where it is."""
    if curve.epsilon > 0.0 or events.empty:
        return curve.t, curve.v[k]
    times = np.concatenate([curve.t, events["t"], events["t"]])
    values = np.concatenate([curve.v[k], events[f"v{k + 1}_before"], events[f"v{k + 1}_after"]])
    side = np.concatenate([np.full(len(curve.t), 2), np.zeros(len(events)), np.ones(len(events))])
    order = np.lexsort((side, times))
    return times[order], values[order]


@with_furniture
def plot_histories(study: str | Path | FrictionData, *, most: int = 3, style: str = "light") -> Figure:
    """A line of panels a coordinate, its velocity beside it: rigid broad and pale, compliant thin.

        >>> plot_histories("results/curb_plastic").savefig("histories.pdf")
    """
    study = open_friction(study)
    rigid, others = study.rigid, study.compliant(most)
    same = len(rigid.q) == len(rigid.v)
    shown = moving(rigid)
    with themed(style):
        handles, kinds = legend_of(study.events)
    names = ("rigid", *(epsilon_text(c.epsilon) for c in others), *kinds)
    page = Page(len(shown), 2 if same else 1, panel_height=1.25, above=0.3, below=0.2, names=names,
                gap=0.62, titled=0.34, note="Time in s. Of impacts that come fast one after the other the first is "
                "marked." if len(study.events) > 12 else "Time in s.")
    with themed(style):
        figure, panels = canvas(page, sharex=True)
        colours = ordered_colours(len(others) + 1)[1:]
        for line, k in zip(panels, shown):
            for axis, quantity in zip(line, "qv" if same else "v"):
                for curve, colour in [(rigid, None), *zip(others, colours)]:
                    t, values = ((curve.t, curve.q[k]) if quantity == "q" else
                                 with_jumps(curve, study.events, k))
                    axis.plot(t, values, **look(colour))
                mark_times(axis, study.events, float(rigid.t[-1] - rigid.t[0]))
                label = study.labels("coordinates" if quantity == "q" else "velocities")[k]
                axis.set_title(label, loc="left", pad=7)
                axis.margins(x=0.0)
        lines = [Line2D([], [], **look(None)), *(Line2D([], [], **look(c)) for c in colours)]
        furnish(figure, page, f"{study.name}: coordinates and velocities", [*lines, *handles])
    return figure


def look(colour: object) -> dict[str, object]:
    if colour is None:
        return {"color": edge(), "linewidth": 3.4, "alpha": 0.42, "solid_capstyle": "butt", "zorder": 2}
    return {"color": colour, "linewidth": 0.9, "zorder": 3}


@with_furniture
def plot_rigid_histories(studies: Sequence[str | Path | FrictionData], *, quantity: str = "q",
                         names: Sequence[str] | None = None, style: str = "light") -> Figure:
    """Rigid motions of one system one over the other: first solid, second dashed, …

        >>> plot_rigid_histories(["results/curb_plastic", "results/curb_elastic"], quantity="v")
    """
    opened = [open_friction(study) for study in studies]
    names = tuple(names or (study.name for study in opened))
    shown = moving(opened[0].rigid)
    page = Page(len(shown), 1, panel_height=1.45, above=0.26, below=0.2, names=names, note="Time in s.")
    with themed(style):
        figure, panels = canvas(page, sharex=True)
        for position, study in enumerate(opened):
            rigid = study.rigid
            for axis, k in zip(panels[:, 0], shown):
                t, values = ((rigid.t, rigid.q[k]) if quantity == "q" else
                             with_jumps(rigid, study.events, k))
                axis.plot(t, values, **line(position))
                axis.set_title(study.labels("coordinates" if quantity == "q" else "velocities")[k],
                               loc="left")
                axis.margins(x=0.0)
        furnish(figure, page, "coordinates" if quantity == "q" else "velocities",
                [Line2D([], [], **line(k)) for k in range(len(opened))])
    return figure


def line(position: int) -> dict[str, object]:
    return {"color": series_colour(position), "linewidth": 1.3,
            "linestyle": DASHES[position % len(DASHES)]}
