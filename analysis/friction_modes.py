"""The modes in which the motions of a friction sweep end: which contact sticks, slips or opens, over two or
more swept values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .opening import friction_result
from .furniture import is_narrow
from .result import Result
from .page import Page, canvas, finish, width_of, with_furniture
from .tables import AnalysisError, shown
from .theme import edge, ink, is_dark, is_mono, paper, themed

# Pale enough for letters, distinct in grey and for all common kinds of colour vision.
LIGHT = ("#bfe3f5", "#f5c77e", "#d68cb5", "#8a8a8a", "#9fd6b5", "#fff2ae", "#c9b3e6", "#555555")
DARK = ("#1f5f86", "#8a5a00", "#8c3f6b", "#6b6b6b", "#1d6b45", "#6f6416", "#59427d", "#b0b0b0")
MONO = ("#f4f4f4", "#cfcfcf", "#a6a6a6", "#e2e2e2", "#bbbbbb", "#919191", "#7c7c7c", "#666666")
MOST_PANELS = 40


def modes_data(directory: str | Path | Result) -> pd.DataFrame:
    """A row for each point: the swept columns; `rigid` and `compliant`, the last modes of the rigid motion and of
    the first compliant solver at the smallest epsilon, "" without a motion; `several_solutions` of the rigid
    laws.

        >>> modes_data("results/two_point_ball").groupby("start")["rigid"].value_counts()
    """
    study = friction_result(directory)
    if study.sweep is None or "modes" not in study.tables:
        raise AnalysisError(f"{study.where}: no sweep with claims on modes")
    swept = study.columns
    table = study.tables["modes"]
    rigid = table[table["motion"] == "rigid"].drop_duplicates(swept)
    compliant = table[table["motion"] == "compliant"]
    compliant = compliant[compliant["epsilon"] == compliant["epsilon"].min()].drop_duplicates(swept)
    data = rigid[[*swept, "modes_at_end", "several_solutions"]].rename(columns={"modes_at_end": "rigid"})
    data = data.merge(compliant[[*swept, "modes_at_end"]].rename(columns={"modes_at_end": "compliant"}),
                      on=swept, how="outer", sort=False)
    data["several_solutions"] = data["several_solutions"].fillna(0.0).astype(bool)
    return data.fillna({"rigid": "", "compliant": ""})


@dataclass(frozen=True)
class Axis:
    """The swept columns and what each shows: x and y within a panel, and columns and rows of panels."""

    x: str
    y: str
    panels: tuple[str, ...]  # one column of panels for each combination
    rows: tuple[str, ...]  # one row of panels for each combination


def axes_of(data: pd.DataFrame, swept: list[str]) -> Axis:
    """x has most values, y and the columns of panels follow in the order of the sweep; texts make rows. A
    column that changes with an earlier one is left out."""
    own: list[str] = []
    for column in swept:
        if not any(data.groupby(other)[column].nunique().max() == 1
                   and data[other].nunique() == data[column].nunique() for other in own):
            own.append(column)
    numeric = [c for c in own if pd.api.types.is_numeric_dtype(data[c]) and data[c].nunique() > 1]
    if len(numeric) < 2:
        raise AnalysisError("modes are drawn over two swept numbers or more")
    x = max(numeric, key=lambda column: data[column].nunique())
    y, *panels = [column for column in numeric if column != x]
    return Axis(x, y, tuple(panels), tuple(c for c in own if c not in numeric and data[c].nunique() > 1))


def combinations(data: pd.DataFrame, columns: tuple[str, ...]) -> list[dict[str, object]]:
    return [dict(zip(columns, values))
            for values in product(*(list(dict.fromkeys(data[c])) for c in columns))]


def chosen(data: pd.DataFrame, values: dict[str, object]) -> pd.DataFrame:
    for column, value in values.items():
        data = data[data[column] == value]
    return data


def cells(data: pd.DataFrame, axis: Axis, modes: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Increasing x and y, and the index in `modes` of the compliant motion (y × x; NaN: no motion)."""
    xs, ys = np.sort(data[axis.x].unique()), np.sort(data[axis.y].unique())
    numbers = np.full((len(ys), len(xs)), np.nan)
    for x, y, mode in data[[axis.x, axis.y, "compliant"]].itertuples(index=False):
        if mode:
            numbers[np.searchsorted(ys, y), np.searchsorted(xs, x)] = modes.index(mode)
    return xs, ys, numbers


@with_furniture
def plot_modes(directory: str | Path | Result, *, style: str = "light",
               axes: Sequence[Axes] | None = None) -> Figure:
    """The last modes of the compliant motions, over two swept numbers; the cells are equally wide, with the values
    at their centres. Crosses: the rigid motion ends in other modes; dots: the rigid laws have several solutions.

        >>> plot_modes("results/two_point_ball").savefig("modes.pdf")
    """
    study = friction_result(directory)
    data = modes_data(study)
    axis = axes_of(data, study.columns)
    modes = sorted(set(data["compliant"]) - {""}, key=lambda mode: (-mode.count("stick"), mode))
    if len(modes) > len(LIGHT):
        raise AnalysisError(f"{study.where}: {len(modes)} different modes; at most {len(LIGHT)} are drawn")
    rows, columns = combinations(data, axis.rows), combinations(data, axis.panels)
    if len(rows) * len(columns) > MOST_PANELS:
        raise AnalysisError(f"{study.where}: {len(rows) * len(columns)} panels; at most {MOST_PANELS} are drawn")
    narrow = is_narrow()
    page = Page(len(rows), len(columns), f"{study.name}: modes at the end", panel_height=0.7 if narrow else 1.1,
                gap=0.25 if narrow else 0.3, below=0.14, last=0.42 if narrow else 0.3, left=0.68 if narrow else 0.75,
                least=(0.11 if narrow else 0.29) * data[axis.x].nunique(),
                above=0.1 + 0.15 * max(1, len(axis.rows + axis.panels)),
                names=(*modes, "rigid: other modes", "rigid: several solutions"),
                note="Colour: last modes of the compliant motion, a mode for each contact.")
    key_of = dict(zip(study.columns, study.sweep.keys)) if study.sweep else {}
    with themed(style):
        figure, panels = canvas(page, axes, sharex=True, sharey=True)
        colours = (DARK if is_dark() else MONO if is_mono() else LIGHT)[:max(len(modes), 1)]
        for line, row in enumerate(rows):
            for place, column in enumerate(columns):
                panel = panels[line, place]
                draw_cells(panel, chosen(chosen(data, row), column), axis, modes, colours)
                panel.set_title("\n".join(f"{key_of[c].split('.')[-1]} = {shown(v)}"
                                          for c, v in (row | column).items()))
        lowest, first = page.outer(panels, axes)
        for panel in first:
            panel.set_ylabel(key_of[axis.y].split(".")[-1])
        for panel in lowest:
            panel.set_xlabel(key_of[axis.x].split(".")[-1], labelpad=1)
            if width_of(panel) < 0.29 * data[axis.x].nunique():
                panel.tick_params(axis="x", labelrotation=90)
        handles = [*(Patch(facecolor=c, edgecolor=edge(), linewidth=0.5) for c in colours),
                   Line2D([], [], **sign("x")), Line2D([], [], **sign("."))]
        finish(figure, page, panels, axes, handles)
    return figure


def sign(marker: str) -> dict[str, object]:
    return {"marker": marker, "color": ink(), "linestyle": "none", "markersize": 3.5, "markeredgewidth": 0.8}


def draw_cells(panel: Axes, data: pd.DataFrame, axis: Axis, modes: list[str],
               colours: tuple[str, ...]) -> None:
    """Cells of equal size: swept values may span decades."""
    xs, ys, numbers = cells(data, axis, modes)
    panel.pcolormesh(np.arange(len(xs) + 1) - 0.5, np.arange(len(ys) + 1) - 0.5, np.ma.masked_invalid(numbers),
                     cmap=ListedColormap(colours), vmin=-0.5, vmax=len(colours) - 0.5, edgecolors=paper(),
                     linewidth=0.3)
    other = (data["rigid"] != data["compliant"]) & (data["compliant"] != "")
    for rows, marker in ((data[other], "x"), (data[~other & data["several_solutions"]], ".")):
        panel.plot(np.searchsorted(xs, rows[axis.x]), np.searchsorted(ys, rows[axis.y]), label="_sign",
                   **sign(marker))
    panel.set_xticks(np.arange(len(xs)), [f"{x:.3g}" for x in xs])
    panel.set_yticks(np.arange(len(ys)), [f"{y:.3g}" for y in ys])
    panel.grid(False)
