"""Order reduction: the observed order of a fixed-step method over the (h, epsilon) plane."""

from __future__ import annotations

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from .bench_rows import (GROUP_SYMBOLS, Series, arrived, grouped, is_nan, require_some, values,
                         where)
from .figures import Panel, edges, panels, scale_axis, title
from .tidy_csv import Row

MAP = plt.get_cmap("PuOr")  # lightness decreases evenly to both sides: orange below, violet above
MOST_WRITTEN = 14  # maximum number of columns whose cells have space for a number


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


def mark_cell(axis: Axes, row: Row | None, box: tuple[float, float, float, float], written: bool,
              luminance: float, size: float) -> None:
    """Marks a cell: the number, × for failures, hatching for a plateau, brackets for no evidence."""
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
    if written and not is_nan(row["observed_order"]):
        text = f"{round(row['observed_order'], 1) + 0.0:.1f}"  # + 0.0: turns -0.0 into 0.0
        axis.text(*centre, f"({text})" if row["status"] == "reference_limited" else text,
                  ha="center", va="center", fontsize=size, zorder=6,
                  color="white" if luminance < 0.45 else "black")


def draw_plane(axis: Axes, rows: list[Row], order: float):
    """Draws one heat map with the line h = epsilon. Returns the mappable for the colour bar."""
    h, epsilon, cells = order_plane(rows)
    x, y = edges(h), edges(epsilon)
    axis.set(xscale="log", yscale="log", xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    axis.set_facecolor("0.88")  # cells without an order
    norm, orders = colours_about(order), observed(cells)
    mesh = axis.pcolormesh(x, y, orders, cmap=MAP, norm=norm, rasterized=True)
    for i, line in enumerate(cells):
        for j, row in enumerate(line):
            red, green, blue, _ = MAP(norm(orders[i, j])) if np.isfinite(orders[i, j]) else (1,) * 4
            mark_cell(axis, row, (x[j], x[j + 1], y[i], y[i + 1]), len(h) <= MOST_WRITTEN,
                      0.2126 * red + 0.7152 * green + 0.0722 * blue, 7.0 if len(h) < 11 else 5.5)
    ends = np.array([max(x[0], y[0]), min(x[-1], y[-1])])
    if ends[0] < ends[1]:
        axis.plot(ends, ends, color="black", linestyle="--", linewidth=1.5, label="$h = \\varepsilon$")
    return mesh


def groups_of(rows: list[Row]) -> list[str]:
    return [g for g in GROUP_SYMBOLS if g in values(rows, "group")]


def order_reduction(rows: list[Row], problem: str, method: str) -> Figure:
    """One method on one problem: a column per group, a row per formulation."""
    rows = where(rows, kind="order_reduction", problem=problem, method=method)
    require_some(rows, f"{problem}, {method}")
    order = float(rows[0]["order"])
    groups, formulations = groups_of(rows), values(rows, "formulation")
    figure, axes = panels(len(formulations), len(groups), Panel(left=0.75, right=0.1), top=0.55,
                          right=1.0)
    for line, formulation in zip(axes, formulations):
        for axis, group in zip(line, groups):
            plane = where(rows, formulation=formulation, group=group)
            if plane:
                mesh = draw_plane(axis, plane, order)
            variables = "" if formulation == "-" else f", {formulation} variables"
            axis.set_title(f"{GROUP_SYMBOLS[group]}{variables}", fontsize="medium")
        line[0].set_ylabel(r"$\varepsilon$")
    for axis in axes[-1]:
        axis.set_xlabel("step size $h$ [s]")
    bar = figure.colorbar(mesh, cax=scale_axis(figure))
    bar.set_label(f"observed order (white: {order:g}, the classical one)", fontsize="small")
    bar.ax.set_ylim(-1.0, order + 3.0)  # the map extends to 2 order + 1, beyond all orders
    title(figure, f"{problem}, {method}: observed order",
          r"(dashed: $h = \varepsilon$; hatched: plateau; in brackets: no evidence; "
          "×: failed; grey: no order)")
    return figure


SMALL = Panel(1.5, 1.3, 0.55, 0.1, 0.34, 0.42)  # of the overview
LONG = 30  # letters of 7 pt above a panel: a name with "natural variables" takes two lines


def overview(rows: list[Row], problem: str, group: str) -> Figure:
    """All methods on one page, one panel per formulation, without numbers. The colour is the observed minus
    the classical order. The title lists methods without a finished solve, with the reason in the file."""
    rows = where(rows, kind="order_reduction", problem=problem, group=group)
    require_some(rows, f"{problem}, {group}")
    planes = grouped(rows, lambda r: (r["library"], r["method"], r["formulation"]))
    without = [key for key, plane in planes.items() if not any(map(arrived, plane))]
    shown = sorted(set(planes) - set(without))
    columns = min(8, max(3, len(shown)))
    lines = -(-len(shown) // columns)
    note = not_shown({str(key[1]): planes[key] for key in without}, 24 * columns)
    figure, axes = panels(lines, columns, SMALL, top=0.5 + 0.16 * len(note), right=1.0)
    for axis in axes.flat[len(shown):]:
        axis.axis("off")
    for place, (axis, key) in enumerate(zip(axes.flat, shown)):
        mesh = draw_small(axis, Series(str(key[1]), str(key[0]), str(key[2]), planes[key]))
        if place % columns == 0:
            axis.set_ylabel(r"$\varepsilon$", fontsize=8.0, labelpad=1.0)
        if place + columns >= len(shown):  # the lowest of its column
            axis.set_xlabel("$h$ [s]", fontsize=8.0, labelpad=1.0)
    bar = figure.colorbar(mesh, cax=scale_axis(figure, least=SMALL.height), extend="both")
    bar.set_label("observed − classical\norder", fontsize=7.5)
    bar.ax.tick_params(labelsize=7.0)
    title(figure, f"{problem}, {GROUP_SYMBOLS[group]}: order lost and gained over step size $h$ and "
          "$\\varepsilon$", "\n".join((
              r"(in brackets: classical order; dashed: $h = \varepsilon$; grey: no order)", *note)))
    return figure


def draw_small(axis: Axes, series: Series):
    """Draws one panel of the overview. Returns the mappable for the colour bar."""
    order = float(series.rows[0]["order"])
    h, epsilon, cells = order_plane(series.rows)
    x, y = edges(h), edges(epsilon)
    axis.set(xscale="log", yscale="log", xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    axis.set_facecolor("0.88")
    mesh = axis.pcolormesh(x, y, observed(cells) - order, cmap=MAP, norm=Normalize(-4.0, 4.0),
                           rasterized=True)
    axis.plot([x[0], x[-1]], [x[0], x[-1]], color="black", linestyle="--", linewidth=1.0)
    name = f"{series.name} [{order:g}]"
    axis.set_title(name if len(name) <= LONG else name.replace(", ", ",\n"), fontsize=7.0, pad=3.0)
    axis.minorticks_off()
    axis.tick_params(labelsize=6.5, pad=1.5, length=2.0)
    return mesh


def not_shown(planes: dict[str, list[Row]], width: int) -> list[str]:
    """Lines of the title: methods without a panel, grouped by reason."""
    reasons = {name: ", ".join(dict.fromkeys(str(r["reason"]) for r in rows)) or "no reason given"
               for name, rows in planes.items()}
    words = [f"not shown, {reason}: " + ", ".join(n for n, r in reasons.items() if r == reason)
             for reason in dict.fromkeys(reasons.values())]
    return [line for one in words for line in textwrap.wrap(one, width)]
