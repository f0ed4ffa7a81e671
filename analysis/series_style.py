"""Style and name of a curve: colour, marker and number by method, dashes by variables.

Many methods share a panel. Methods in contention are drawn strong, with a number at the end of the
curve, readable in black and white. The others are thin and grey; the legend at the foot lists them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .bench_rows import Series
from .theme import edge, ink, marker_at, series_colour

Key = tuple[str, str]  # of a series: method and formulation
# Dashes and name of the variables.
VARIABLES = {"adapted": ("solid", "adapted variables"), "natural": ((0, (4, 2)), "natural variables"),
             "rigid_index2": ((0, (1, 1)), "rigid, index 2"),
             "rigid": ((0, (1, 1)), "ideal rolling"), "-": ("solid", "")}
NAMED = 9  # curves per panel that can be named without crowding


def variables_of(formulation: str) -> tuple[object, str]:
    return VARIABLES.get(formulation, ((0, (6, 2, 1, 2)), formulation.replace("_", " ")))


def marker_of(number: int) -> str:
    """The marker of the method with this number, counted from 1."""
    return marker_at(number - 1)


def numbers_of(everything: Iterable[Series], strong: Collection[Key]) -> dict[str, int]:
    """Numbers from 1 for the methods with a strong curve; both formulations share one."""
    methods = dict.fromkeys(s.method for s in everything if s.key in strong)
    return {method: k + 1 for k, method in enumerate(methods)}


def look_of(series: Series, numbers: dict[str, int], strong: bool) -> dict[str, object]:
    """Line properties of a curve; a method out of contention is grey."""
    dashes, _ = variables_of(series.formulation)
    if not strong:
        return {"color": edge(), "linestyle": dashes, "linewidth": 0.6, "alpha": 0.35, "zorder": 1}
    return {"color": series_colour(numbers[series.method] - 1), "linestyle": dashes, "linewidth": 1.3,
            "zorder": 3}


def legend_of(everything: list[Series], strong: Collection[Key], numbers: dict[str, int]
              ) -> tuple[list[Line2D], tuple[str, ...]]:
    """Handles and names of the legend: methods by number, then variables."""
    named = {s.method: s.library for s in everything}
    entries = [(f"{number}  {method} ({named[method]})",
                {"color": series_colour(number - 1), "linewidth": 1.3, "marker": marker_of(number)})
               for method, number in numbers.items()]
    for formulation in dict.fromkeys(s.formulation for s in everything if s.key in strong):
        dashes, words = variables_of(formulation)
        if words:
            entries.append((words, {"color": ink(), "linewidth": 1.0, "linestyle": dashes}))
    return [Line2D([], [], **{"markersize": 4, **look}) for _, look in entries], tuple(text for text, _ in entries)


def in_contention(lags: dict[Key, float], libraries: dict[Key, str], at_most: int = NAMED) -> set[Key]:
    """The series to draw strong: first the best of each library, then by increasing lag.

    The lag is the least factor between a series and the best one (1: best somewhere; inf: no data).
    """
    order = sorted((key for key in lags if np.isfinite(lags[key])), key=lambda key: lags[key])
    first = list({libraries[key]: key for key in reversed(order)}.values())
    first.sort(key=lambda key: lags[key])
    rest = [key for key in order if key not in first]
    return set((first + rest)[:at_most])


def lag_behind_best(costs: dict[tuple[str, str], np.ndarray]) -> dict[tuple[str, str], float]:
    """The lag of each series: the minimum over all places of its cost divided by the lowest cost there.

    All series have costs at the same places, NaN or inf if missing.
    """
    if not costs:
        return {}
    table = np.array([np.where(np.isfinite(c), c, np.inf) for c in costs.values()])
    best = table.min(axis=0)
    lags = {}
    for key, row in zip(costs, table):
        known = np.isfinite(row) & (best > 0.0)
        lags[key] = float(np.min(row[known] / best[known])) if known.any() else np.inf
    return lags


def spread(positions: list[float], gap: float, low: float, high: float) -> list[float]:
    """The positions moved apart to at least `gap`, in the same order and as little as possible.

    The result lies inside [low, high] if it fits and has the length and order of the input.
    """
    order = np.argsort(positions, kind="stable")
    # Least squares under y[k+1] - y[k] >= gap: with z[k] = y[k] - k gap this is isotonic regression by
    # pooling adjacent violators.
    pools: list[list[float]] = []
    for rank, index in enumerate(order):
        pools.append([positions[index] - rank * gap, 1.0])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            mean, size = pools.pop()
            pools[-1] = [(pools[-1][0] * pools[-1][1] + mean * size) / (pools[-1][1] + size),
                         pools[-1][1] + size]
    settled = np.repeat([p[0] for p in pools], [int(p[1]) for p in pools])
    room = max(0.0, high - low - gap * (len(positions) - 1))
    settled = np.clip(settled, low, low + room) + gap * np.arange(len(positions))
    moved = np.empty(len(positions))
    moved[order] = settled
    return moved.tolist()


def label_ends(axis: Axes, ends: list[tuple[float, float, str, str]], size: float = 8.0) -> None:
    """Labels curves at the right of the panel: (x, y, text, colour), y on the scale of the axis.

    Call it after the limits of the axis are final. A thin line joins the curve and its label.
    """
    if not ends:
        return
    to_axes = axis.transData + axis.transAxes.inverted()
    points = [to_axes.transform((x, y)) for x, y, _, _ in ends]
    height = axis.get_window_extent().height / axis.figure.dpi * 72.0  # points
    heights = spread([float(p[1]) for p in points], 1.25 * size / height, 0.01, 0.99)
    for (_, _, text, colour), point, y in zip(ends, points, heights):
        axis.annotate(text, xy=point, xytext=(1.03, y), xycoords="axes fraction",
                      textcoords="axes fraction", fontsize=size, color=colour, va="center",
                      annotation_clip=False, zorder=5,
                      arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5,
                                  "alpha": 0.6, "shrinkA": 1, "shrinkB": 3})


def thin_note(thin: Iterable[str]) -> list[str]:
    """The note that lists the curves without a number."""
    names = list(dict.fromkeys(thin))
    return ["Thin, grey: further from the best: " + "; ".join(names) + "."] if names else []
