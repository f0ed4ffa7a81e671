"""The wheel between wall, step and floor: positions at equal time intervals, and the path of its centre.

The parameters (edge, height, radius) give only the outline; all positions come from the study.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from .furniture import is_narrow
from .page import Page, canvas, finish, with_furniture
from .friction_histories import line
from .friction_marks import legend_of, shown_events, sign
from .friction_store import FrictionResult
from .opening import friction_point
from .result import Motion, Result
from .tables import AnalysisError
from .theme import edge, ink, ordered_colours, themed

SYSTEM = "wheel_and_curb"
WALL = 0.04  # m: thickness of wall and ground as drawn


def curb_study(study: str | Path | Result) -> FrictionResult:
    study = friction_point(study)
    if study.system != SYSTEM:
        raise AnalysisError(f"{study.where}: the system is '{study.system}', not '{SYSTEM}'")
    return study


def wheel_positions_data(study: str | Path | Result, count: int = 26) -> pd.DataFrame:
    """t, x, y, phi of the rigid motion at `count` equidistant times, both ends included."""
    rigid = curb_study(study).rigid
    t = np.linspace(rigid.times[0], rigid.times[-1], count)
    x, y, phi = (np.interp(t, rigid.times, one) for one in rigid.q)
    return pd.DataFrame({"t": t, "x": x, "y": y, "phi": phi})


def extent(studies: Sequence[FrictionResult]) -> tuple[float, float]:
    """Right end and height of the scene, m."""
    radius = studies[0].parameters["radius"]
    return (max(np.nanmax(s.rigid.q[0]) for s in studies) + 1.6 * radius,
            max(np.nanmax(s.rigid.q[1]) for s in studies) + 1.6 * radius)


def draw_obstacles(axis: Axes, parameters: dict[str, float], right: float, top: float) -> None:
    h, l1 = parameters["height"], parameters["edge"]
    outline = [(0.0, top), (0.0, h), (l1, h), (l1, 0.0), (right, 0.0)]
    behind = [(right, -WALL), (-WALL, -WALL), (-WALL, top)]
    axis.add_patch(Polygon([*outline, *behind], closed=True, facecolor=edge(), alpha=0.25,
                           edgecolor="none", zorder=1))
    axis.plot(*zip(*outline), color=ink(), linewidth=1.4, zorder=4, solid_joinstyle="miter")
    axis.set(xlim=(-WALL, right), ylim=(-WALL, top), aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
    axis.grid(False)


def draw_wheels(axis: Axes, places: pd.DataFrame, radius: float) -> None:
    """Draws circles with a mark from the centre to the rim at the angle phi; the contrast grows with
    time."""
    colours = ordered_colours(len(places))
    axis.add_collection(EllipseCollection(
        np.full(len(places), 2.0 * radius), np.full(len(places), 2.0 * radius), np.zeros(len(places)),
        units="xy", offsets=places[["x", "y"]].to_numpy(), offset_transform=axis.transData,
        facecolor="none", edgecolor=colours, linewidth=0.9, zorder=3))
    angle = places["phi"].to_numpy() - 0.5 * np.pi  # the mark points down at phi = 0
    centre = places[["x", "y"]].to_numpy()
    rim = centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    axis.add_collection(LineCollection(np.stack([centre, rim], axis=1), colors=colours,
                                       linewidth=1.2, zorder=3))
    axis.scatter(places["x"], places["y"], s=5, c=colours, zorder=3)


def scene(studies: Sequence[FrictionResult], style_page: dict[str, object]) -> tuple[Page, float, float]:
    right, top = extent(studies)
    wide = Page(1, 1).panel_width
    return Page(1, 1, above=0.06, panel_height=min(6.0, wide * (top + WALL) / (right + WALL)), **style_page), right, top


@with_furniture
def plot_wheel(study: str | Path | Result, *, count: int | None = None, style: str = "light",
               axes: Axes | Sequence[Axes] | None = None) -> Figure:
    """The wheel at `count` equidistant times (default: 26, or 14 in a narrow figure).

        >>> plot_wheel("results/curb_plastic").savefig("wheel.pdf")
    """
    study = curb_study(study)
    count = count or (14 if is_narrow() else 26)
    places = wheel_positions_data(study, count)
    step = places["t"].iloc[1] - places["t"].iloc[0]
    e = study.parameters["restitution"]
    page, right, top = scene([study], {"heading": f"{study.name}: positions of the wheel, restitution {e:g}",
                                       "note": f"{count} positions, {1e3 * step:.3g} ms apart; later "
                                       "ones are stronger; the mark turns with the wheel. Thin: the "
                                       "path of the centre."})
    with themed(style):
        figure, panels = canvas(page, axes)
        axis = panels[0, 0]
        draw_obstacles(axis, study.parameters, right, top)
        axis.plot(*path_of(study.rigid, study.events), color=edge(), linewidth=0.7, zorder=2)
        draw_wheels(axis, places, study.parameters["radius"])
        finish(figure, page, panels, axes)
    return figure


def trajectory_data(studies: Sequence[str | Path | Result]) -> pd.DataFrame:
    """study, t, x, y of the centre."""
    return pd.concat([pd.DataFrame({"study": s.name, "t": s.rigid.times, "x": s.rigid.q[0],
                                    "y": s.rigid.q[1]}) for s in map(curb_study, studies)],
                     ignore_index=True)


@with_furniture
def plot_trajectories(studies: Sequence[str | Path | Result], *, names: Sequence[str] | None = None,
                      style: str = "light", axes: Axes | Sequence[Axes] | None = None) -> Figure:
    """Paths of the centre of several rigid motions, their events marked.

        >>> plot_trajectories(["results/curb_plastic", "results/curb_elasto_plastic"])
    """
    opened = [curb_study(study) for study in studies]
    events = pd.concat([study.events for study in opened])
    with themed(style):
        handles, kinds = legend_of(events)
        names = tuple(names or (study.name for study in opened))
        page, right, top = scene(opened, {"heading": "path of the centre", "names": (*names, *kinds), "note":
                                          "Dotted: boundary of the reachable set of the centre."})
        figure, panels = canvas(page, axes)
        axis = panels[0, 0]
        draw_obstacles(axis, opened[0].parameters, right, top)
        draw_reach(axis, opened[0].parameters, right, top)
        for position, study in enumerate(opened):
            draw_path(axis, study.rigid, study.events, position)
        lines = [Line2D([], [], **line(k)) for k in range(len(opened))]
        finish(figure, page, panels, axes, [*lines, *handles])
    return figure


def draw_reach(axis: Axes, parameters: dict[str, float], right: float, top: float) -> None:
    """Draws the boundary of the set that contains the centre."""
    r, h, l1 = parameters["radius"], parameters["height"], parameters["edge"]
    turn = np.linspace(0.0, np.arccos((r - h) / r), 60)
    x = np.concatenate([[r, r], l1 + r * np.sin(turn), [right]])
    y = np.concatenate([[top, r + h], h + r * np.cos(turn), [r]])
    axis.plot(x, y, color=edge(), linewidth=0.8, linestyle=(0, (1, 1.5)), zorder=2)


def path_of(rigid: Motion, events: pd.DataFrame) -> np.ndarray:
    """x and y of samples and events in order of time, 2 x K; events keep corners sharp."""
    t = np.concatenate([rigid.times, events["t"]])
    places = np.concatenate([rigid.q[:2], events[["q1", "q2"]].to_numpy(float).T], axis=1)
    return places[:, np.argsort(t, kind="stable")]


def draw_path(axis: Axes, rigid: Motion, events: pd.DataFrame, position: int) -> None:
    axis.plot(*path_of(rigid, events), zorder=3, **line(position))
    shown = shown_events(events, float(rigid.times[-1]))
    for kind, rows in shown.groupby("kind", sort=False):
        axis.plot(rows["q1"], rows["q2"], zorder=5, **sign(str(kind)))
