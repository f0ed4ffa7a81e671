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
from .furniture import is_narrow
from .page import Page, canvas, finish, with_furniture
from .friction_marks import legend_of, mark_times
from .friction_store import FrictionResult
from .opening import friction_point
from .result import Motion, Result
from .scales import ROUND_OFF, limit_zoom, magnitude
from .tables import AnalysisError
from .theme import dashes_at, edge, ordered_lines, series_colour, themed
from .wording import epsilon_text

MOST = 4  # coordinates shown: those with the largest range
MOST_PANELS = 6  # in a narrow figure, where they are below one another
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


def moving(rigid: Motion, most: int = MOST) -> list[int]:
    """The components of v with the largest ranges, at most `most`, in their order."""
    ranges = np.nan_to_num(np.ptp(rigid.v, axis=1))
    order = np.argsort(-ranges, kind="stable")[:most]
    return sorted(int(k) for k in order if ranges[k] > ROUND_OFF * ranges.max()) or [0]


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
def plot_histories(study: str | Path | Result, *, most: int = 3,
                   components: Sequence[int] | None = None, style: str = "light",
                   axes: Sequence[Axes] | None = None) -> Figure:
    """A row of panels per coordinate, with its velocity: rigid broad and pale, compliant thin.

    If the compliant histories look like the rigid one, a row of panels with the differences follows.
    `components`, counted from 1, or else those with the largest ranges: four, or fewer in a narrow figure.

        >>> plot_histories("results/curb_plastic").savefig("histories.pdf")
    """
    study = friction_point(study)
    rigid, others = study.rigid, study.compliant(most)
    quantities = "qv" if len(rigid.q) == len(rigid.v) else "v"

    def lines_of(shown: list[int]) -> list[tuple[int, bool]]:
        return [(k, is_difference) for k in shown for is_difference in (False, True) if not is_difference
                or any(look_alike(others, rigid, x, k) for x in quantities)]

    shown = moving(rigid) if components is None else [k - 1 for k in components]
    if not all(0 <= k < len(rigid.v) for k in shown):
        raise AnalysisError(f"components must be from 1 to {len(rigid.v)}, not {[k + 1 for k in shown]}")
    lines = lines_of(shown)
    most_shown = MOST
    while components is None and axes is None and is_narrow() and most_shown > 1 and (
            len(lines) * len(quantities) > MOST_PANELS):
        most_shown -= 1
        lines = lines_of(moving(rigid, most_shown))
    with themed(style):
        handles, kinds = legend_of(study.events)
    names = ("rigid", *(epsilon_text(c.epsilon) for c in others), *kinds)
    page = Page(len(lines), len(quantities), f"{study.name}: coordinates and velocities",
                panel_height=0.95, above=0.32, below=0.22, last=0.2, names=names, gap=0.7, left=0.65, least=1.5,
                note="Of impacts in quick succession only the first is marked."
                if len(study.events) > 12 else "")
    with themed(style):
        figure, panels = canvas(page, axes, sharex=True)
        looks = [{"linewidth": 0.9, "zorder": 3} | one for one in ordered_lines(len(others))]
        for line, (k, is_difference) in zip(panels, lines):
            for axis, quantity in zip(line, quantities):
                draw = draw_differences if is_difference else draw_histories
                draw(axis, study, others, looks, quantity, k)
                mark_times(axis, study.events, float(rigid.times[-1] - rigid.times[0]))
                axis.margins(x=0.0)
        page.label(panels, axes, "$t$ [s]")
        entries = [*(Line2D([], [], **one) for one in (rigid_look(), *looks)), *handles]
        finish(figure, page, panels, axes, entries)
    return figure


def draw_histories(axis: Axes, study: FrictionResult, others: Sequence[Motion],
                   looks: Sequence[dict[str, object]], quantity: str, k: int) -> None:
    for curve, look in [(study.rigid, rigid_look()), *zip(others, looks)]:
        t, values = ((curve.times, curve.q[k]) if quantity == "q" else with_jumps(curve, study.events, k))
        axis.plot(t, values, **look)
    limit_zoom(axis, [line.get_ydata() for line in axis.lines], magnitude_of(study, [study.rigid, *others], quantity, k))
    axis.set_title(component(study, quantity, k), loc="left", pad=7)


def magnitude_of(study: FrictionResult, curves: Sequence[Motion], quantity: str, k: int) -> float:
    """The magnitude of the components that have the unit of component k, in all motions of the figure."""
    units = [str(one["unit"]) for one in components_of(study, quantity)]
    same = [j for j, unit in enumerate(units) if unit == units[k]]
    values = [getattr(curve, quantity) for curve in curves]
    return magnitude(np.hstack([one[same] for one in values]), np.hstack(values))


def components_of(study: FrictionResult, quantity: str) -> list[dict[str, object]]:
    return study.judgement["system"]["coordinates" if quantity == "q" else "velocities"]


def draw_differences(axis: Axes, study: FrictionResult, others: Sequence[Motion],
                     looks: Sequence[dict[str, object]], quantity: str, k: int) -> None:
    for curve, look in zip(others, looks):
        axis.plot(*difference(curve, study.rigid, quantity, k), label="_difference", **look)
    axis.ticklabel_format(axis="y", scilimits=(-2, 3), useMathText=True)
    axis.set_title(component(study, quantity, k) + ", minus rigid", loc="right", pad=7)


def component(study: FrictionResult, quantity: str, k: int) -> str:
    """The name of a component with its unit; short names are set as mathematics."""
    one = components_of(study, quantity)[k]
    return label(str(one["name"])) + bracket([unit(str(one["unit"]))])


def rigid_look() -> dict[str, object]:
    return {"color": edge(), "linewidth": 3.4, "alpha": 0.42, "solid_capstyle": "butt", "zorder": 2}


@with_furniture
def plot_rigid_histories(studies: Sequence[str | Path | Result], *, quantity: str = "q",
                         names: Sequence[str] | None = None, style: str = "light",
                         axes: Sequence[Axes] | None = None) -> Figure:
    """Rigid motions of one system, overlaid: the first solid, the second dashed, …; a panel for each of the
    components with the largest ranges, at most four.

        >>> plot_rigid_histories(["results/curb_plastic", "results/curb_elastic"], quantity="v")
    """
    opened = [friction_point(study) for study in studies]
    names = tuple(names or (study.name for study in opened))
    shown = moving(opened[0].rigid)
    page = Page(len(shown), 1, "coordinates" if quantity == "q" else "velocities", panel_height=1.3, above=0.26,
                below=0.24, last=0.2, names=names)
    with themed(style):
        figure, panels = canvas(page, axes, sharex=True)
        for position, study in enumerate(opened):
            for axis, k in zip(panels[:, 0], shown):
                t, values = ((study.rigid.times, study.rigid.q[k]) if quantity == "q" else
                             with_jumps(study.rigid, study.events, k))
                axis.plot(t, values, **line(position))
                axis.set_title(component(study, quantity, k), loc="left")
                axis.margins(x=0.0)
        rigid = [study.rigid for study in opened]
        for axis, k in zip(panels[:, 0], shown):
            limit_zoom(axis, [one.get_ydata() for one in axis.lines], magnitude_of(opened[0], rigid, quantity, k))
        page.label(panels, axes, "$t$ [s]")
        handles = [Line2D([], [], **line(k)) for k in range(len(opened))]
        finish(figure, page, panels, axes, handles)
    return figure


def line(position: int) -> dict[str, object]:
    return {"color": series_colour(position), "linewidth": 1.3, "linestyle": dashes_at(position)}
