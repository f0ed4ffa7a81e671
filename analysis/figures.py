"""Layout of grids of panels, and figures as files."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .furniture import has_footer, has_title
from .tables import AnalysisError


@dataclass(frozen=True)
class Panel:
    """A panel and its margins, in inches; sizes do not depend on the length of names."""

    width: float = 4.2
    height: float = 3.4
    left: float = 0.95
    right: float = 0.2
    above: float = 0.3
    below: float = 0.5


def panels(lines: int, columns: int, panel: Panel, top: float, right: float = 0.0,
           foot: float = 0.0, **options: object) -> tuple[Figure, np.ndarray]:
    """A grid of equal panels with `top` inches for a title, `right` inches for a scale, and `foot` inches
    for a legend.

    A layout engine would take minutes for sixty panels.
    """
    wide = columns * (panel.left + panel.width + panel.right) + right
    high = lines * (panel.above + panel.height + panel.below) + top + foot
    figure, axes = plt.subplots(lines, columns, figsize=(wide, high), squeeze=False, **options)
    figure.subplots_adjust(
        left=panel.left / wide, right=1.0 - (panel.right + right) / wide,
        bottom=(panel.below + foot) / high, top=1.0 - (panel.above + top) / high,
        wspace=(panel.left + panel.right) / panel.width,
        hspace=(panel.above + panel.below) / panel.height)
    return figure, axes


def settle(axes: Iterable[Axes]) -> None:
    """Gives logarithmic scales without data a range: otherwise matplotlib has no ticks for them."""
    for axis in axes:
        for one, set_limits in ((axis.xaxis, axis.set_xlim), (axis.yaxis, axis.set_ylim)):
            if one.get_scale() == "log" and not min(one.get_view_interval()) > 0.0:
                set_limits(0.1, 1.0)


def title(figure: Figure, heading: str, notes: str = "") -> None:
    """Adds the heading, if figures have titles, and the notes, if they have footers, a tenth of an inch
    below the top edge."""
    lines = [heading] * has_title() + [notes] * (has_footer() and bool(notes))
    if lines:
        at = {} if figure.get_layout_engine() else {  # which reserves the space itself
            "y": 1.0 - 0.1 / figure.get_size_inches()[1], "va": "top"}
        figure.suptitle("\n".join(lines), fontsize=9.5, **at)


def scale_axis(figure: Figure, height: float = 3.0, least: float = 1.0) -> Axes:
    """Axes for a colour bar at the right edge of a figure made with right = 1: `height` inches, or the
    available height, but at least `least`."""
    wide, high = figure.get_size_inches()
    height = max(least, min(height, high - 1.6))
    return figure.add_axes((1.0 - 0.9 / wide, 0.5 - 0.5 * height / high, 0.15 / wide, height / high))


# fontTools warns at each PDF about the date in matplotlib's fonts.
logging.getLogger("fontTools.ttLib.tables._h_e_a_d").setLevel(logging.ERROR)
FORMATS = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}  # no time stamps


def save(figure: Figure, path: Path, formats: Iterable[str] = tuple(FORMATS)) -> list[Path]:
    """Writes `path` with the suffixes .png, .svg and .pdf; the same data give the same bytes."""
    written = []
    for suffix in formats:
        file = path.with_name(path.name + suffix)
        with plt.rc_context({"svg.hashsalt": "rigidlimit", "pdf.fonttype": 42}):
            figure.savefig(file, dpi=150, metadata=FORMATS[suffix])
        figure.set_layout_engine("none")  # the first save computed the layout, which takes seconds
        written.append(file)
    plt.close(figure)
    return written


def save_with_data(figure: Figure, data: pd.DataFrame, directory: Path, name: str,
                   style: str) -> list[Path]:
    """Writes the figure in its style as NAME.png, .svg and .pdf, and its data as NAME.csv."""
    written = save(figure, directory / styled(name, style))
    table = directory / f"{name}.csv"
    data.to_csv(table, index=False, lineterminator="\n")
    return [*written, table]


def draw_each(drawers: Mapping[str, Callable[[], list[Path]]], left_out: list[str]) -> list[Path]:
    """The files of every drawer that has data. Reasons of the others go to `left_out`, with their names.
    AnalysisError if no drawer has data."""
    written, problems = [], {}
    for name, draw in drawers.items():
        try:
            written += draw()
        except AnalysisError as problem:
            problems[name] = str(problem)
    if not written:
        raise AnalysisError("; ".join(dict.fromkeys(problems.values())))
    left_out += [f"{name} omitted: {problem}" for name, problem in problems.items()]
    return written


def styled(name: str, style: str) -> str:
    """The file name of a figure in a style; the light style adds no suffix."""
    return name if style == "light" else f"{name}_{style}"


def file_name(*parts: str) -> str:
    """The parts joined by '_', without characters that are unsafe in file names or links; dots in numbers
    remain."""
    return "_".join(re.sub(r"(?<!\d)\.|\.(?!\d)|[^A-Za-z0-9+.-]+", "_", part).strip("_")
                    for part in parts if part)


def edges(centres: np.ndarray) -> np.ndarray:
    """Edges of cells around positive increasing centres, halfway on the logarithmic scale."""
    logs = np.log(centres)
    if len(logs) == 1:
        return np.exp([logs[0] - 0.5, logs[0] + 0.5])
    middle = 0.5 * (logs[1:] + logs[:-1])
    return np.exp([2.0 * logs[0] - middle[0], *middle, 2.0 * logs[-1] - middle[-1]])
