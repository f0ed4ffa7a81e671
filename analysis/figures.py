"""Figures as files, in vectors with their text as text."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .points import collect
from .tables import AnalysisError
from .theme import log_ticks


def settle(axes: Iterable[Axes]) -> None:
    """Sets the ticks of logarithmic scales, and a range if they have no data: otherwise matplotlib has no ticks for
    them."""
    for axis in axes:
        for one, set_limits in ((axis.xaxis, axis.set_xlim), (axis.yaxis, axis.set_ylim)):
            if one.get_scale() == "log" and not min(one.get_view_interval()) > 0.0:
                set_limits(0.1, 1.0)
            log_ticks(one)


def two_decades(low: float, high: float) -> tuple[float, float]:
    """These limits, or those of two decades about their middle."""
    middle = np.sqrt(low * high)
    return (low, high) if high >= 100.0 * low else (middle / 10.0, middle * 10.0)


# fontTools warns at each PDF about the date in matplotlib's fonts.
logging.getLogger("fontTools.ttLib.tables._h_e_a_d").setLevel(logging.ERROR)
VECTORS = {"svg.hashsalt": "rigidlimit", "svg.fonttype": "none", "pdf.fonttype": 42}  # text stays text
DPI = 150  # of a PNG, unless matplotlib has a number
FORMATS = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}  # no time stamps


_WANTED: ContextVar[tuple[str, ...]] = ContextVar("formats", default=tuple(FORMATS))


@contextmanager
def only_formats(formats: tuple[str, ...]) -> Iterator[None]:
    """Writes figures in these of FORMATS while the block runs."""
    token = _WANTED.set(formats)
    try:
        yield
    finally:
        _WANTED.reset(token)


def save(figure: Figure, path: Path, formats: Iterable[str] | None = None) -> list[Path]:
    """Writes `path` with the suffixes .png, .svg and .pdf; the same data give the same bytes."""
    formats = _WANTED.get() if formats is None else formats
    dpi = plt.rcParams["savefig.dpi"]
    dpi = DPI if dpi == "figure" else dpi
    written = []
    for suffix in formats:
        file = path.with_name(path.name + suffix)
        with plt.rc_context(VECTORS):
            figure.savefig(file, dpi=dpi, metadata=FORMATS[suffix])
        written.append(file)
    collect(figure, path.name)
    plt.close(figure)
    return written


def save_with_data(figure: Figure, data: pd.DataFrame, directory: Path, name: str,
                   style: str) -> list[Path]:
    """Writes the figure in its style as NAME.png, .svg and .pdf, and its data as NAME.csv."""
    written = save(figure, directory / styled(name, style))
    table = directory / f"{name}.csv"
    data.to_csv(table, index=False, lineterminator="\n")
    return [*written, table]


@dataclass(frozen=True)
class FigureKind:
    """plot(study, style=...), data(study) and description of one kind of figure."""

    plot: Callable[..., Figure]
    data: Callable[..., pd.DataFrame]
    about: str = ""
    of_sweep: bool = False  # one figure for all points of a sweep; else one per point
    needs: str = ""  # "sweep" or "ensemble": other studies have none

    def draw(self, study: object, directory: Path, name: str, style: str) -> list[Path]:
        """Writes the figure of a study and its data; the names of the files begin with `name`."""
        return save_with_data(self.plot(study, style=style), self.data(study), directory, name, style)


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
