"""Order reduction: the observed order of a fixed-step method over the (h, epsilon) plane."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator

from .bench_rows import (GROUP_SYMBOLS, Series, arrived, grouped, is_nan, require_some, values,
                         where)
from .figures import edges
from .page import LETTER, LINE, Page, canvas, finish, scale_beside, width_of
from .theme import diverging, is_mono
from .tidy_csv import Row

WRITTEN, DECIMAL = 0.16, 0.27  # inches: the width of a cell with space for a whole number, or for a decimal
SEAMLESS = {"edgecolors": "face", "linewidth": 0.1}  # a map in vectors without pale lines between its cells


def order_plane(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, list[list[Row | None]]]:
    """h and epsilon, increasing, and the row of each cell or None (one list per epsilon)."""
    h = np.array(sorted({float(r["h"]) for r in rows}))
    epsilon = np.array(sorted({float(r["epsilon"]) for r in rows}))
    cells: list[list[Row | None]] = [[None] * len(h) for _ in epsilon]
    for row in rows:
        cells[np.searchsorted(epsilon, row["epsilon"])][np.searchsorted(h, row["h"])] = row
    return h, epsilon, cells


def colours_about(order: float) -> Normalize:
    """White at the classical order, with both ends at the same distance; the lower end is -1."""
    return Normalize(-1.0, 2.0 * order + 1.0)


def observed(cells: list[list[Row | None]]) -> np.ndarray:
    """Orders; NaN for failed or missing solves and for the largest h."""
    return np.array([[r["observed_order"] if r and arrived(r) else np.nan for r in line]
                     for line in cells])


def mark_cell(axis: Axes, row: Row | None, box: tuple[float, float, float, float], decimals: int | None,
              luminance: float) -> None:
    """Marks a cell: the number with these decimals or none, × for failures, hatching for a plateau, brackets
    for no evidence."""
    x0, x1, y0, y1 = box
    centre = np.sqrt(x0 * x1), np.sqrt(y0 * y1)
    if row is None:
        return
    if not arrived(row):
        axis.plot(*centre, marker="x", color="0.35", markersize=5, label="_failed")
        return
    if row["status"] == "plateau":
        axis.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, hatch="////",
                                 edgecolor="0.45", linewidth=0.0, label="_plateau"))
    if decimals is not None and not is_nan(row["observed_order"]):
        text = f"{round(row['observed_order'], decimals) + 0.0:.{decimals}f}"  # + 0.0: turns -0.0 into 0.0
        axis.text(*centre, f"({text})" if row["status"] == "reference_limited" else text, label="_order",
                  ha="center", va="center", fontsize=8, zorder=6,
                  color="white" if luminance < 0.45 else "black")


def shade(axis: Axes) -> None:
    """The background of cells without an order; the panel may be the caller's and keeps its own colour."""
    axis.add_patch(Rectangle((0.0, 0.0), 1.0, 1.0, transform=axis.transAxes, facecolor="0.88", edgecolor="none",
                             zorder=0, label="_shade"))
    axis.grid(False)


def draw_map(axis: Axes, rows: list[Row], zero: float, norm: Normalize
             ) -> tuple[ScalarMappable, np.ndarray, np.ndarray, list[list[Row | None]]]:
    """Draws the observed orders minus `zero` as colours: the mappable for the colour bar, the edges of the cells and
    their rows."""
    h, epsilon, cells = order_plane(rows)
    x, y = edges(h), edges(epsilon)
    axis.set(xscale="log", yscale="log", xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    shade(axis)
    return axis.pcolormesh(x, y, observed(cells) - zero, cmap=diverging(), norm=norm, **SEAMLESS), x, y, cells


def draw_plane(axis: Axes, rows: list[Row], order: float) -> ScalarMappable:
    """Draws one heat map with the line h = epsilon. Returns the mappable for the colour bar."""
    norm, colours = colours_about(order), diverging()
    mesh, x, y, cells = draw_map(axis, rows, 0.0, norm)
    orders = observed(cells)
    cell = width_of(axis) / len(orders[0])
    decimals = 1 if cell >= DECIMAL else 0 if cell >= WRITTEN else None
    for i, line in enumerate(cells):
        for j, row in enumerate(line):
            red, green, blue, _ = colours(norm(orders[i, j])) if np.isfinite(orders[i, j]) else (1,) * 4
            mark_cell(axis, row, (x[j], x[j + 1], y[i], y[i + 1]), decimals,
                      0.2126 * red + 0.7152 * green + 0.0722 * blue)
    ends = np.array([max(x[0], y[0]), min(x[-1], y[-1])])
    if ends[0] < ends[1]:
        axis.plot(ends, ends, color="black", linestyle="--", linewidth=1.5, label="$h = \\varepsilon$")
    return mesh


def groups_of(rows: list[Row]) -> list[str]:
    return [g for g in GROUP_SYMBOLS if g in values(rows, "group")]


NOTE = "Dashed: h = ε; hatched: plateau; in brackets: no evidence; ×: failed; grey: no order."


def order_reduction(rows: list[Row], problem: str, method: str, group: str | None = None,
                    axes: Sequence[Axes] | None = None) -> Figure:
    """One method on one problem: a column per group or the given one, a row per formulation."""
    rows = where(rows, kind="order_reduction", problem=problem, method=method)
    require_some(rows, f"{problem}, {method}")
    order = float(rows[0]["order"])
    groups, formulations = [group] if group else groups_of(rows), values(rows, "formulation")
    page = Page(len(formulations), len(groups), f"{problem}, {method}: observed order", left=0.6, gap=0.5, right=0.75,
                least=WRITTEN * len(values(rows, "h")),
                tallest=0.5, note=NOTE)
    figure, panels = canvas(page, axes)
    for line, formulation in zip(panels, formulations):
        for axis, group in zip(line, groups):
            plane = where(rows, formulation=formulation, group=group)
            if plane:
                mesh = draw_plane(axis, plane, order)
            axis.set_title(f"{GROUP_SYMBOLS[group]}{'' if formulation == '-' else f', {formulation}'}")
    lowest, first = page.outer(panels, axes)
    for axis in first:
        axis.set_ylabel(r"$\varepsilon$", labelpad=1.0)
    for axis in lowest:
        axis.set_xlabel("step size $h$ [s]", labelpad=1.0)
    bar = scale_beside(panels[0, min(page.across, page.columns) - 1 if axes is None else -1], mesh,
                       f"order (white: {order:g})" if not is_mono() else "order")
    bar.set_ylim(-1.0, order + 3.0)  # the map extends to 2 order + 1, beyond all orders
    finish(figure, page, panels, axes)
    return figure


def overview(rows: list[Row], problem: str, group: str, axes: Sequence[Axes] | None = None) -> Figure:
    """All methods, one panel per formulation, without numbers. The colour is the observed minus
    the classical order. The note lists methods without a finished solve, with the reason in the file."""
    rows = where(rows, kind="order_reduction", problem=problem, group=group)
    require_some(rows, f"{problem}, {group}")
    planes = grouped(rows, lambda r: (r["library"], r["method"], r["formulation"]))
    without = [key for key, plane in planes.items() if not any(map(arrived, plane))]
    shown = sorted(set(planes) - set(without))
    series = [Series(str(key[1]), str(key[0]), str(key[2]), planes[key]) for key in shown]
    sizes = {"left": 0.55, "gap": 0.45, "right": 0.8, "panel_height": 0.7, "least": 0.6, "tallest": 1.1}
    wide = int((Page(1, len(shown), "", **sizes).panel_width + sizes["gap"]) / LETTER) - 1
    names = [textwrap.fill(f"{one.name.replace(', ', ' ')} [{one.rows[0]['order']:g}]", wide) for one in series]
    note = not_shown({str(key[1]): planes[key] for key in without})
    page = Page(1, len(shown), f"{problem}, {GROUP_SYMBOLS[group]}: order lost and gained", **sizes, below=0.36,
                above=0.1 + LINE * max(1 + name.count("\n") for name in names),
                note=" ".join(("In brackets: classical order; dashed: h = ε; grey: no order.", *note)))
    figure, panels = canvas(page, axes)
    for axis, one, name in zip(panels[0], series, names):
        mesh = draw_small(axis, one, name)
    lowest, first = page.outer(panels, axes)
    for axis in first:
        axis.set_ylabel(r"$\varepsilon$", labelpad=1.0)
    for axis in lowest:
        axis.set_xlabel("$h$ [s]", labelpad=1.0)
    scale_beside(panels[0, page.across - 1 if axes is None else -1], mesh, "order −\nclassical")
    finish(figure, page, panels, axes)
    return figure


def draw_small(axis: Axes, series: Series, name: str) -> ScalarMappable:
    """Draws one panel of the overview. Returns the mappable for the colour bar."""
    order = float(series.rows[0]["order"])
    mesh, x, _, _ = draw_map(axis, series.rows, order, Normalize(-4.0, 4.0))
    axis.plot([x[0], x[-1]], [x[0], x[-1]], color="black", linestyle="--", linewidth=1.0)
    axis.set_title(name, fontsize=8, pad=3.0, linespacing=1.0)
    for one in (axis.xaxis, axis.yaxis):
        one.set_major_locator(LogLocator(numticks=2))
    axis.minorticks_off()
    axis.tick_params(pad=1.5, length=2.0)
    return mesh


def not_shown(planes: dict[str, list[Row]]) -> list[str]:
    """Sentences of the note: methods without a panel, grouped by reason."""
    reasons = {name: ", ".join(dict.fromkeys(str(r["reason"]) for r in rows)) or "no reason given"
               for name, rows in planes.items()}
    return [f"Not shown, {reason}: " + ", ".join(n for n, r in reasons.items() if r == reason) + "."
            for reason in dict.fromkeys(reasons.values())]
