"""Event times and end states of several methods, from the table of `scripts/guests impacts`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .figures import save, styled
from .page import Page, canvas, finish, legend, with_furniture
from .tables import AnalysisError, read_csv
from .theme import dashes_at, edge, marked, themed


def methods_data(directory: str | Path) -> pd.DataFrame:
    """One row per event or component of the end state ("what") and method: the time or value of the first
    method, the difference of this method, and the step [s] in its name."""
    path = Path(directory) / "comparison.csv"
    table = read_csv(path, ["what"], "scripts/guests impacts makes one")
    first = table.columns[1]
    rows = []
    for column in table.columns[2:]:
        method = column.removesuffix(f" minus {first}")
        step = re.search(r"h = (\S+)$", method)
        for number, (what, value, difference) in enumerate(zip(table["what"], table[first],
                                                               table[column])):
            rows.append({"number": number, "what": what, "first": first, "value": value,
                         "method": re.sub(r",? h = \S+$", "", method),
                         "step": float(step[1]) if step else np.nan, "difference": difference})
    return pd.DataFrame(rows)


@with_furniture
def plot_methods(directory: str | Path, *, most: int = 7, style: str = "light",
                 axes: Sequence[Axes] | None = None) -> Figure:
    """Differences between the methods with steps and the first method over the step. Left: times of the
    first `most` events; right: end state.

        >>> plot_methods("results/siconos/curb_e0.3_down").savefig("methods.pdf")
    """
    data = methods_data(directory)
    data = data[np.isfinite(data["step"]) & np.isfinite(data["difference"])]
    if data.empty:
        raise AnalysisError(f"{directory}: comparison.csv has no method with steps")
    at_end = data["what"].str.endswith(" at the end")
    kept = [list(dict.fromkeys(data[~at_end]["number"]))[:most], list(dict.fromkeys(data[at_end]["number"]))]
    methods = list(dict.fromkeys(data["method"]))
    legend_lines = max(map(len, kept))
    page = Page(1, 2, f"{Path(directory).name}: {' and '.join(methods)} against {data['first'].iloc[0]}",
                panel_height=2.1, left=0.65, gap=0.65, least=1.7, below=0.5 + 0.165 * legend_lines,
                note="Against the step in s; grey: slope 1. " +
                (f"Solid: {methods[0]}, dashed: {methods[1]}." if len(methods) > 1 else ""))
    with themed(style):
        figure, panels = canvas(page, axes)
        for axis, numbers, title in zip(panels[0], kept, ("times of events [s]", "end state [m, rad, s]")):
            axis.set(xscale="log", yscale="log", title=title)
            handles, names = [], []
            for place, number in enumerate(numbers):
                rows = data[(data["number"] == number) & (data["difference"].abs() > 1e-12)]
                if rows.empty:
                    continue
                look = marked(place) | {"linewidth": 0.8}
                for turn, method in enumerate(methods):
                    one = rows[rows["method"] == method].sort_values("step")
                    axis.plot(one["step"], one["difference"].abs(), **look, linestyle=dashes_at(turn))
                handles.append(Line2D([], [], **look))
                value = rows["value"].iloc[0]
                names.append(rows["what"].iloc[0] + (f", {value:.6f}" if title.startswith("t") else ""))
            slope(axis, data)
            legend(axis, axes, handles, names)
        finish(figure, page, panels, axes)
    return figure


def slope(axis: Axes, data: pd.DataFrame) -> None:
    steps = np.sort(data["step"].unique())
    top = axis.get_ylim()[1]
    if len(steps) > 1 and axis.lines:
        axis.plot(steps, top * steps / steps[-1], color=edge(), linewidth=2.5, alpha=0.4, zorder=1, label="_slope")


def draw(directory: Path, style: str = "light") -> list[Path]:
    return save(plot_methods(directory, style=style), directory / styled("methods", style))
