"""The points of a figure: their numbers and places, for pages that show the numbers of a point.

A figure records its points with record(); the drawing itself does not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure


@dataclass(frozen=True)
class Series:
    """The points of one curve of a panel; `facts` are names and values that all of them share. Numbers are in SI units;
    NaN if unknown."""

    name: str
    facts: tuple[tuple[str, str], ...]
    labels: tuple[str, str]  # of x and y
    x: Sequence[float]
    y: Sequence[float]
    notes: Sequence[str]  # of each point, or ""
    bars: Sequence[float] = ()  # error bars of y, or none


_RECORDED: WeakKeyDictionary[Axes, list[Series]] = WeakKeyDictionary()


def record(axis: Axes, series: Series) -> None:
    """Adds a curve to the panel's points."""
    _RECORDED.setdefault(axis, []).append(series)


Places = list[tuple[Series, list[tuple[float, float]]]]
_COLLECTED: ContextVar[dict[str, Places] | None] = ContextVar("collected", default=None)


@contextmanager
def collected() -> Iterator[dict[str, Places]]:
    """The places of the points of each figure that is saved while the block runs, by the name of its files."""
    found: dict[str, Places] = {}
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)


def collect(figure: Figure, name: str) -> None:
    """Called for each saved figure; does nothing outside of collected()."""
    found = _COLLECTED.get()
    if found is not None:
        found[name] = places(figure)


def places(figure: Figure) -> Places:
    """Every recorded curve with the places of its points, as shares of the figure's width from the left and of its
    height from the top. Points outside of their panel have NaN."""
    found = []
    figure.draw_without_rendering()  # sets the limits of the panels
    for axis in figure.axes:
        for series in _RECORDED.get(axis, ()):
            pixels = axis.transData.transform(np.column_stack([series.x, series.y]).astype(float))
            box = axis.get_window_extent().padded(1.0)
            inside = [box.contains(*pixel) for pixel in pixels]
            shares = figure.transFigure.inverted().transform(pixels)
            found.append((series, [(float(x), float(1.0 - y)) if good else (np.nan, np.nan)
                                   for (x, y), good in zip(shares, inside)]))
    return found
