"""The page of a figure: panels of a given size, a title above, a legend and a note below.

Sizes are inches in a figure as wide as the text of an A4 page, so 8 pt are 8 pt in print. No layout
engine is used: it gives panels no width if a name is longer than a panel.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from .figures import settle, title
from .furniture import furnished, has_footer, has_title
from .tables import AnalysisError
from .theme import edge, ink, paper

WIDTH = 7.2
LINE = 0.155  # of text in 8 pt
LETTER = 0.062  # mean width of a letter in 8 pt
WRAPPED = 116  # letters across the page
SMALLEST = 5.0  # points, of a legend or title in the caller's figure


def letters(text: str) -> int:
    """The number of visible letters: a TeX command counts as one, braces do not count."""
    return len(re.sub(r"[${}^_ ]", "", re.sub(r"\\[a-zA-Z]+", "x", text))) + text.count(" ")


def with_furniture(plot: Callable[..., Figure]) -> Callable[..., Figure]:
    """Adds two keywords to `plot`: title=False omits the title, footer=False the footer. Drawings into
    the caller's axes stay inside the caller's figure."""
    @wraps(plot)
    def drawn(*arguments: object, title: bool = True, footer: bool = True, **named: object) -> Figure:
        with furnished(title, footer):
            figure = plot(*arguments, **named)
        if named.get("axes") is not None:
            keep_on_sheet(figure, np.atleast_1d(np.array(named["axes"], dtype=object)))
        return figure

    signature = inspect.signature(plot)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=True, annotation="bool")
            for name in ("title", "footer")]
    drawn.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *more])
    return drawn


@dataclass(frozen=True)
class Page:
    """Panels, margins and texts of a figure; sizes in inches."""

    lines: int
    columns: int
    panel_height: float = 2.1
    left: float = 0.62  # of the first panel: tick labels and axis label
    gap: float = 0.52  # between panels
    right: float = 0.12
    above: float = 0.26  # each row of panels: its titles
    below: float = 0.42  # each row of panels: tick labels, axis label, a legend
    titled: float = 0.28  # the title of the figure
    names: tuple[str, ...] = ()  # in a legend at the foot
    note: str = ""

    @property
    def names_across(self) -> int:
        widest = max((0.45 + LETTER * letters(name) for name in self.names), default=WIDTH)
        return max(1, min(len(self.names), int((WIDTH - 0.2) / widest)))

    @property
    def note_lines(self) -> list[str]:
        return textwrap.wrap(self.note, WRAPPED) if has_footer() else []

    @property
    def head(self) -> float:
        return self.titled if has_title() else 0.08

    @property
    def note_height(self) -> float:
        return LINE * len(self.note_lines) + 0.06 * bool(self.note)

    @property
    def foot(self) -> float:
        rows = -(-len(self.names) // self.names_across) if self.names else 0
        return self.note_height + (LINE + 0.02) * rows + 0.06

    @property
    def height(self) -> float:
        return self.head + self.lines * (self.above + self.panel_height + self.below) + self.foot


def canvas(page: Page, axes: Axes | Sequence[Axes] | None = None,
           **options: object) -> tuple[Figure, np.ndarray]:
    """The panels to draw in, lines x columns: new ones, or the caller's `axes` in the same number.

    Ticks keep the colours of the current style, even if the figure is saved under another.
    """
    if axes is None:
        width = ((WIDTH - page.left - page.right - (page.columns - 1) * page.gap) / page.columns)
        figure, panels = plt.subplots(page.lines, page.columns, squeeze=False,
                                      figsize=(WIDTH, page.height), **options)
        figure.subplots_adjust(
            left=page.left / WIDTH, right=1.0 - page.right / WIDTH,
            bottom=(page.foot + page.below) / page.height,
            top=1.0 - (page.head + page.above) / page.height, wspace=page.gap / width,
            hspace=(page.above + page.below) / page.panel_height)
        plt.close(figure)  # not registered with pyplot's open figures
    else:
        panels = np.atleast_1d(np.array(axes, dtype=object))
        if panels.size != page.lines * page.columns or not all(
                isinstance(a, Axes) for a in panels.flat):
            raise AnalysisError(f"axes: {page.lines * page.columns} matplotlib Axes are needed, "
                                f"not {panels.size} of {type(panels.flat[0]).__name__}")
        panels = panels.reshape(page.lines, page.columns)
        figure = panels[0, 0].figure
    for axis in panels.flat:
        dress(axis)
        for name in ("x", "y"):
            axis.tick_params(axis=name, which="both", grid_linewidth=plt.rcParams["grid.linewidth"],
                             labelsize=plt.rcParams[f"{name}tick.labelsize"])
    return figure, panels


def dress(axis: Axes) -> None:
    """Fixes the colours of ticks now: matplotlib creates ticks later, maybe under another style."""
    for name in ("x", "y"):
        axis.tick_params(axis=name, which="both", color=plt.rcParams[f"{name}tick.color"],
                         labelcolor=plt.rcParams[f"{name}tick.labelcolor"],
                         grid_color=plt.rcParams["grid.color"])


def furnish(figure: Figure, page: Page, heading: str, handles: Sequence[Artist] = ()) -> None:
    """Adds the title, the legend of page.names at the foot, and the note below it."""
    settle(figure.axes)
    title(figure, heading)
    if page.names:
        figure.legend(handles, page.names, loc="lower center", ncols=page.names_across,
                      bbox_to_anchor=(0.5, (page.note_height + 0.03) / page.height),
                      borderaxespad=0.0, columnspacing=1.6)
    if page.note_lines:
        figure.text(0.5, 0.05 / page.height, "\n".join(page.note_lines), ha="center", va="bottom",
                    fontsize=8, color=edge(), linespacing=1.25)


def legend_inside(panels: np.ndarray, handles: Sequence[Artist] | None = None,
                  names: Sequence[str] | None = None, loc: str = "best") -> None:
    """Adds the legend to the last of the caller's panels, where it covers least. It fits under every
    layout engine; a caption can say the rest."""
    settle(panels.flat)
    axis = panels.flat[-1]
    entries = axis.get_legend_handles_labels() if handles is None else (handles, names)
    if entries[0]:
        axis.legend(*entries, loc=loc, fontsize=7.0, frameon=True, framealpha=0.8,
                    facecolor=paper(), edgecolor="none", handlelength=1.1, markerscale=0.7,
                    handletextpad=0.5, borderpad=0.2, labelcolor=ink())


def height_of(axis: Axes) -> float:
    """Height of a panel in inches."""
    return axis.get_position().height * axis.figure.get_size_inches()[1]


def width_of(axis: Axes) -> float:
    """Width of a panel in inches."""
    return axis.get_position().width * axis.figure.get_size_inches()[0]


def legend_below(axis: Axes, handles: Sequence[Artist] | None = None,
                 names: Sequence[str] | None = None) -> None:
    """Adds the legend under the panel, below the tick labels, where it covers no point."""
    entries = axis.get_legend_handles_labels() if handles is None else (handles, names)
    axis.legend(*entries, loc="upper left", borderaxespad=0.0, handlelength=1.6,
                bbox_to_anchor=(-0.06, -0.36 / height_of(axis)))


def keep_on_sheet(figure: Figure, panels: np.ndarray) -> None:
    """Shrinks legends in the caller's figure to fit their panels. Without a layout engine, moves labels
    into their panels and shrinks titles to fit the figure."""
    figure.draw_without_rendering()
    for axis in panels.flat:
        if axis.get_legend() is not None:
            shrink_into(axis.get_legend(), axis)
        if figure.get_layout_engine() is not None:
            continue
        behind = {"facecolor": paper(), "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
        if axis.xaxis.label.get_window_extent().y0 < 0.0:
            axis.xaxis.set_label_coords(0.98, 0.03)
            axis.xaxis.label.set(ha="right", va="bottom", bbox=behind)
        if axis.yaxis.label.get_window_extent().x0 < 0.0:
            axis.yaxis.set_label_coords(0.03, 0.97)
            axis.yaxis.label.set(ha="right", va="top", bbox=behind)
        while axis.title.get_window_extent().y1 > figure.bbox.y1 and axis.title.get_fontsize() > SMALLEST:
            axis.title.set_fontsize(axis.title.get_fontsize() - 0.5)


def shrink_into(legend: Legend, axis: Axes) -> None:
    """Shrinks the legend to the width of the panel, to SMALLEST points at least."""
    words = legend.get_texts()
    while (legend.get_window_extent().width > 0.97 * axis.get_window_extent().width
           and words and words[0].get_fontsize() > SMALLEST):
        for word in words:
            word.set_fontsize(word.get_fontsize() - 0.25)
        axis.figure.draw_without_rendering()
