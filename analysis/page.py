"""The page of a figure: panels of a given size, a title above, a legend and a note below.

A figure has the width in which it is printed, so 8 pt are 8 pt in print. No layout engine is used: it gives
panels no width if a name is longer than a panel.
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
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.legend import Legend
from matplotlib.textpath import text_to_path
from matplotlib.ticker import MaxNLocator

from .figures import settle
from .furniture import furnished, has_footer, has_title, is_strip, page_width
from .tables import AnalysisError
from .theme import edge, ink, paper

LINE = 0.155  # of text in 8 pt
LETTER = 0.062  # mean width of a letter in 8 pt
OUTSIDE, HANDLE = 0.15, 0.3  # inches: a legend below a panel begins left of it, with the handles
STRIP = 1.3  # inches: the height of a panel of a strip
SMALLEST = 5.0  # points, of a legend or title in the caller's figure


def letters(text: str) -> int:
    """The number of visible letters: a TeX command counts as one, braces do not count."""
    return len(re.sub(r"[${}^_ ]", "", re.sub(r"\\[a-zA-Z]+", "x", text))) + text.count(" ")


def width_of_text(text: str) -> float:
    """The width of a line of 8 pt without mathematics, in inches."""
    return text_to_path.get_text_width_height_descent(text, FontProperties(size=8.0), ismath=False)[0] / 72.0


def with_furniture(plot: Callable[..., Figure]) -> Callable[..., Figure]:
    """Adds four keywords to `plot`: title=False omits the title, footer=False the footer, width= is the
    width of the figure in inches, "two-column" (6.3, the default) or "one-column" (3.1), and strip=True gives low
    panels without title and footer. Drawings into the caller's axes stay inside the caller's figure."""
    @wraps(plot)
    def drawn(*arguments: object, title: bool = True, footer: bool = True, width: float | str | None = None,
              strip: bool = False, **named: object) -> Figure:
        with furnished(title, footer, width, strip):
            figure = plot(*arguments, **named)
        if named.get("axes") is not None:
            keep_on_sheet(figure, np.atleast_1d(np.array(named["axes"], dtype=object)))
        return figure

    signature = inspect.signature(plot)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, default, annotation in (("title", True, "bool"), ("footer", True, "bool"),
                                              ("width", None, "float | str | None"),
                                              ("strip", False, "bool"))]
    drawn.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *more])
    return drawn


@dataclass(frozen=True)
class Page:
    """Panels, margins and texts of a figure; sizes in inches. Panels narrower than `least` are placed below one
    another: a row of panels then takes several lines."""

    lines: int
    columns: int
    heading: str = ""  # the title of the figure
    panel_height: float = 1.9
    left: float = 0.62  # of the first panel: tick labels and axis label
    gap: float = 0.52  # between panels
    right: float = 0.12
    above: float = 0.26  # each row of panels: its titles
    below: float = 0.42  # each row of panels: tick labels, axis label, a legend
    belows: tuple[float, ...] = ()  # of each column, if they differ: a row takes the largest of its panels
    tallest: float = 0.66  # of the width of a panel: its height if panels are placed below one another
    last: float = 0.0  # more below the last row
    least: float = 1.25  # the width of a panel
    names: tuple[str, ...] = ()  # in a legend at the foot
    note: str = ""

    @property
    def width(self) -> float:
        return page_width()

    @property
    def across(self) -> int:
        """The number of panels side by side."""
        fit = int((self.width - self.left - self.right + self.gap) / (self.least + self.gap) + 1e-9)
        rows = -(-self.columns // max(1, min(self.columns, fit)))
        return -(-self.columns // rows)

    @property
    def rows(self) -> int:
        """The number of rows of panels on the page."""
        return self.lines * -(-self.columns // self.across)

    @property
    def folded(self) -> bool:
        return self.across < self.columns

    @property
    def panel_width(self) -> float:
        return (self.width - self.left - self.right - (self.across - 1) * self.gap) / self.across

    @property
    def high(self) -> float:
        """The height of a panel."""
        if is_strip():
            return min(self.panel_height, STRIP)
        return min(self.panel_height, self.tallest * self.panel_width) if self.folded else self.panel_height

    @property
    def beside_handle(self) -> float:
        """The width of the text of a legend below a panel."""
        return self.panel_width + min(self.gap, self.right) + OUTSIDE - HANDLE

    @property
    def letters_across(self) -> int:
        """Letters of 8 pt in the text of a legend below a panel."""
        return int(self.beside_handle / LETTER)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Row and column on the page."""
        return line * (self.rows // self.lines) + column // self.across, column % self.across

    def below_row(self, row: int) -> float:
        if not self.belows:
            return self.below
        first = row % (self.rows // self.lines) * self.across
        return max(self.belows[first:first + self.across])

    @property
    def names_across(self) -> int:
        widest = max((0.45 + LETTER * letters(name) for name in self.names), default=self.width)
        return max(1, min(len(self.names), int((self.width - 0.2) / widest)))

    @property
    def note_lines(self) -> list[str]:
        return textwrap.wrap(self.note, int((self.width - 0.1) / LETTER)) if has_footer() else []

    @property
    def heading_lines(self) -> list[str]:
        return textwrap.wrap(self.heading, int((self.width - 0.1) / (1.2 * LETTER))) if has_title() else []

    @property
    def head(self) -> float:
        return 0.08 + 0.17 * len(self.heading_lines) + 0.04 * bool(self.heading_lines)

    @property
    def note_height(self) -> float:
        return LINE * len(self.note_lines) + 0.06 * bool(self.note_lines)

    @property
    def foot(self) -> float:
        rows = -(-len(self.names) // self.names_across) if self.names else 0
        return self.note_height + (LINE + 0.02) * rows + 0.06 + self.last

    @property
    def height(self) -> float:
        return (self.head + self.rows * (self.above + self.high) + sum(map(self.below_row, range(self.rows)))
                + self.foot)

    def box(self, line: int, column: int) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of a panel as shares of the figure."""
        row, place = self.place(line, column)
        left = self.left + place * (self.panel_width + self.gap)
        bottom = (self.height - self.head - (row + 1) * (self.above + self.high)
                  - sum(map(self.below_row, range(row))))
        return left / self.width, bottom / self.height, self.panel_width / self.width, self.high / self.height

    def outer(self, panels: np.ndarray, axes: object) -> tuple[list[Axes], list[Axes]]:
        """The panels that need labels of x, and those that need labels of y: the lowest of each column and the
        first of each row, or all of the caller's."""
        if axes is not None:
            return list(panels.flat), list(panels.flat)
        at = {self.place(i, j): panels[i, j] for i in range(self.lines) for j in range(self.columns)}
        lowest = {column: row for row, column in sorted(at)}
        return ([axis for (row, column), axis in at.items() if lowest[column] == row],
                [axis for (_, column), axis in at.items() if column == 0])

    def label(self, panels: np.ndarray, axes: object, x: str = "", y: str = "") -> None:
        """Labels the panels that need it."""
        lowest, first = self.outer(panels, axes)
        for axis in lowest if x else ():
            axis.set_xlabel(x, labelpad=1.0)
        for axis in first if y else ():
            axis.set_ylabel(y)


def canvas(page: Page, axes: Axes | Sequence[Axes] | None = None, sharex: bool = False,
           sharey: bool = False) -> tuple[Figure, np.ndarray]:
    """The panels to draw in, lines x columns: new ones, or the caller's `axes` in the same number. New panels may
    share scales; then the inner ones have no tick labels.

    Ticks keep the colours of the current style, even if the figure is saved under another.
    """
    if axes is None:
        figure = plt.figure(figsize=(page.width, page.height))
        panels = np.empty((page.lines, page.columns), dtype=object)
        for line, column in np.ndindex(panels.shape):
            panels[line, column] = figure.add_axes(page.box(line, column), sharex=panels[0, 0] if sharex else None,
                                                   sharey=panels[0, 0] if sharey else None)
        with_x, with_y = page.outer(panels, axes)
        for axis in panels.flat:
            if sharex and axis not in with_x:
                axis.tick_params(axis="x", which="both", labelbottom=False)
            if sharey and axis not in with_y:
                axis.tick_params(axis="y", which="both", labelleft=False)
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
        colour, label = plt.rcParams[f"{name}tick.color"], plt.rcParams[f"{name}tick.labelcolor"]
        axis.tick_params(axis=name, which="both", color=colour, labelcolor=colour if label == "inherit" else label,
                         grid_color=plt.rcParams["grid.color"])


def furnish(figure: Figure, page: Page, handles: Sequence[Artist] = ()) -> None:
    """Adds the title, the legend of page.names at the foot, and the note below it."""
    settle(figure.axes)
    if page.heading_lines:
        figure.suptitle("\n".join(page.heading_lines), y=1.0 - 0.08 / page.height, va="top")
    if page.names:
        figure.legend(handles, page.names, loc="lower center", ncols=page.names_across,
                      bbox_to_anchor=(0.5, (page.note_height + 0.03) / page.height),
                      borderaxespad=0.0, columnspacing=1.2)
    if page.note_lines:
        figure.text(0.5, 0.05 / page.height, "\n".join(page.note_lines), ha="center", va="bottom",
                    fontsize=8, color=edge(), linespacing=1.25)


def finish(figure: Figure, page: Page, panels: np.ndarray, axes: object, handles: Sequence[Artist] = ()) -> None:
    """Adds what surrounds new panels; the last of the caller's `axes` gets the legend of page.names."""
    if axes is None:
        furnish(figure, page, handles)
    elif page.names:
        legend_inside(panels, handles, page.names)
    else:
        settle(panels.flat)


def scale_beside(axis: Axes, mesh: ScalarMappable, text: str) -> Axes:
    """Adds a colour bar at the right of a panel, which keeps its size."""
    bar = axis.figure.colorbar(mesh, cax=axis.inset_axes((1.0 + 0.06 / width_of(axis), 0.0, 0.1 / width_of(axis), 1.0)))
    bar.set_label(text, fontsize=plt.rcParams["axes.labelsize"])
    bar.outline.set_linewidth(0.5)
    bar.solids.set(rasterized=False, edgecolor="face", linewidth=0.1)
    bar.locator = MaxNLocator(5)
    bar.update_ticks()
    dress(bar.ax)
    bar.ax.tick_params(labelsize=plt.rcParams["ytick.labelsize"])
    return bar.ax


def legend_inside(panels: np.ndarray, handles: Sequence[Artist] | None = None,
                  names: Sequence[str] | None = None, loc: str = "best") -> None:
    """Adds the legend to the last of the caller's panels, where it covers least. It fits under every
    layout engine; a caption can say the rest."""
    settle(panels.flat)
    axis = panels.flat[-1]
    entries = axis.get_legend_handles_labels() if handles is None else (handles, names)
    if entries[0]:
        axis.legend(*entries, loc=loc, fontsize=8.0, frameon=True, framealpha=0.8,
                    facecolor=paper(), edgecolor="none", handlelength=1.1, markerscale=0.7,
                    handletextpad=0.5, borderpad=0.2, labelcolor=ink()).set_in_layout(False)


def height_of(axis: Axes) -> float:
    """Height of a panel in inches."""
    return axis.get_position().height * axis.figure.get_size_inches()[1]


def width_of(axis: Axes) -> float:
    """Width of a panel in inches."""
    return axis.get_position().width * axis.figure.get_size_inches()[0]


def legend_below(axis: Axes, handles: Sequence[Artist] | None = None,
                 names: Sequence[str] | None = None, ncols: int = 1) -> None:
    """Adds the legend under the panel, below the tick labels, where it covers no point."""
    entries = axis.get_legend_handles_labels() if handles is None else (handles, names)
    if entries[0]:
        axis.legend(*entries, loc="upper left", borderaxespad=0.0, handlelength=1.5, handletextpad=0.4, borderpad=0.1,
                    ncols=ncols, columnspacing=0.8,
                    bbox_to_anchor=(-OUTSIDE / width_of(axis), -0.38 / height_of(axis)))


def legend(axis: Axes, axes: object, handles: Sequence[Artist] | None = None, names: Sequence[str] | None = None,
           ncols: int = 1) -> None:
    """Adds the legend under a new panel, or inside one of the caller's `axes`."""
    if axes is None:
        legend_below(axis, handles, names, ncols)
    else:
        legend_inside(np.array([axis]), handles, names)


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
