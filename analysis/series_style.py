"""How a curve looks and is named: colour by library, marker by method, dashes by formulation.

Many methods share a panel. Those in contention are drawn strong and are named at their ends; the
others are thin and nameless, and the caption says so (`in_contention`, `caption`).
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from analysis.bench_rows import Series
from analysis.theme import edge, is_dark

# Okabe and Ito (2008): told apart by all common kinds of colour vision.
COLOURS = {"own": "#D55E00", "sundials": "#0072B2", "odeint": "#E69F00", "scipy": "#009E73",
           "solve_dae": "#CC79A7"}
ON_BLACK = {"sundials": "#56B4E9"}  # their blue is too dark there
MARKERS = "osD^vP*X<>ph8d"
# Adapted variables, Gear's impulse form and "-" are solid.
DASHES = {"natural": (0, (4, 2)), "rigid_index2": (0, (1, 1))}
NAMED = 9  # curves a panel that can be named without crowding


def colour_of(series: Series) -> str:
    if is_dark() and series.library in ON_BLACK:
        return ON_BLACK[series.library]
    return COLOURS.get(series.library, edge())


def dashes_of(series: Series) -> object:
    return DASHES.get(series.formulation, "solid")


def markers_of(everything: list[Series]) -> dict[tuple[str, str], str]:
    """A marker for each method: the two formulations share it, methods of a library do not (up to
    fourteen)."""
    markers: dict[str, str] = {}
    used: dict[str, int] = {}
    for series in everything:
        if series.method not in markers:
            count = used.get(series.library, 0)
            used[series.library] = count + 1
            markers[series.method] = MARKERS[count % len(MARKERS)]
    return {series.key: markers[series.method] for series in everything}


def in_contention(lags: dict[tuple[str, str], float], libraries: dict[tuple[str, str], str],
                  at_most: int = NAMED) -> set[tuple[str, str]]:
    """Whom to draw strong, by the least factor that each lags behind the best anywhere (1: best
    somewhere, inf: nowhere in the running). First the best of each library, then by lag.
    """
    order = sorted((key for key in lags if np.isfinite(lags[key])), key=lambda key: lags[key])
    first = list({libraries[key]: key for key in reversed(order)}.values())
    first.sort(key=lambda key: lags[key])
    rest = [key for key in order if key not in first]
    return set((first + rest)[:at_most])


def lag_behind_best(costs: dict[tuple[str, str], np.ndarray]) -> dict[tuple[str, str], float]:
    """For each series the least of its costs over the best cost of all, place by place.

    Costs at the same places for all, NaN or inf where there is none.
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
    """The positions moved apart to at least `gap`, order kept, none moved more than need be.

    Inside [low, high] where they fit; the same length and order as given.
    """
    order = np.argsort(positions, kind="stable")
    # Least squares under y[k+1] - y[k] >= gap: with z[k] = y[k] - k gap this is isotonic regression,
    # done by pooling neighbours that are out of order.
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


def label_ends(axis: Axes, ends: list[tuple[float, float, str, str]], size: float = 7.5) -> None:
    """Names curves right of the panel: (x, y, text, colour), y on the scale of the axis.

    Needs the final limits of the axis. A thin line leads from the end of the curve to its name.
    """
    if not ends:
        return
    to_axes = axis.transData + axis.transAxes.inverted()
    points = [to_axes.transform((x, y)) for x, y, _, _ in ends]
    height = axis.get_window_extent().height / axis.figure.dpi * 72.0  # points
    heights = spread([float(p[1]) for p in points], 1.25 * size / height, 0.01, 0.99)
    for (_, _, text, colour), point, y in zip(ends, points, heights):
        axis.annotate(text, xy=point, xytext=(1.04, y), xycoords="axes fraction",
                      textcoords="axes fraction", fontsize=size, color=colour, va="center",
                      annotation_clip=False, zorder=5,
                      arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5,
                                  "alpha": 0.6, "shrinkA": 1, "shrinkB": 3})


def caption(thin: int, extra: str = "") -> str:
    """What the picture leaves out, in words."""
    words = ["colour: library; solid: adapted variables, dashed: natural",
             "hollow: no evidence; ×: failed"]
    if thin:
        words.append(f"thin and nameless: {thin} further from the best")
    return "; ".join(words + [extra] * bool(extra))
