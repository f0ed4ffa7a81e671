"""Styles: colours and sizes of figures, on paper and on screens; "mono" has greys only.

The styles are sets of matplotlib rcParams. Drawing code calls `ink()` or `paper()` and is the same
for all styles. The colours of Okabe and Ito (2008) are distinct for all common kinds of colour
vision; markers and dashes distinguish the same series in grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_rgb
from numpy.typing import ArrayLike

from .tables import AnalysisError

MARKERS = "osD^vP*X<>ph"
DASHES: tuple[object, ...] = ("solid", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2)),
                              (0, (5, 1.2, 1, 1.2, 1, 1.2)), (0, (2.5, 2.5)))

SIZES = {
    "font.size": 8.5, "axes.titlesize": 9.0, "axes.labelsize": 8.5, "legend.fontsize": 8.0,
    "xtick.labelsize": 8.0, "ytick.labelsize": 8.0, "figure.titlesize": 9.5,
    "lines.linewidth": 1.2, "lines.markersize": 4.0, "axes.linewidth": 0.7, "grid.linewidth": 0.5,
    "axes.grid": True, "legend.frameon": False, "pdf.fonttype": 42,
    "legend.handlelength": 1.8, "legend.borderaxespad": 0.2, "legend.labelspacing": 0.3,
}


def theme(ink: str, paper: str, edge: str, grid: str, colours: Sequence[str]) -> dict[str, object]:
    return {
        "text.color": ink, "axes.labelcolor": ink, "axes.titlecolor": ink, "xtick.color": edge,
        "ytick.color": edge, "xtick.labelcolor": ink, "ytick.labelcolor": ink,
        "axes.edgecolor": edge, "axes.facecolor": paper, "figure.facecolor": paper,
        "savefig.facecolor": paper, "grid.color": grid, "hatch.color": edge,
        "axes.prop_cycle": cycler(color=list(colours)), "axes.axisbelow": True,
    }


# On black paper blue and black are too dark: sky blue comes first and white last. On white paper
# yellow is too light.
STYLES = {
    "light": theme("#111111", "#ffffff", "#444444", "#e3e3e3",
                   ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")),
    "dark": theme("#eeeeee", "#14171c", "#aaaaaa", "#2f343c",
                  ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#FFFFFF")),
    "mono": theme("#000000", "#ffffff", "#444444", "#e3e3e3",
                  ("#000000", "#808080", "#3a3a3a", "#9a9a9a", "#1e1e1e", "#6a6a6a", "#555555")),
}
BOTH = ("light", "dark")


def check(style: str) -> None:
    if style not in STYLES:
        raise AnalysisError(f"style must be one of {', '.join(STYLES)}, not '{style}'")


@contextmanager
def themed(style: str) -> Iterator[None]:
    """Sets matplotlib to a style of STYLES while the block runs."""
    check(style)
    with plt.rc_context(STYLES[style] | SIZES):
        yield


def ink() -> str:
    return plt.rcParams["text.color"]


def paper() -> str:
    return plt.rcParams["axes.facecolor"]


def edge() -> str:
    return plt.rcParams["axes.edgecolor"]


def series_colour(position: int) -> str:
    colours = plt.rcParams["axes.prop_cycle"].by_key()["color"]
    return colours[position % len(colours)]


def marker_at(position: int) -> str:
    return MARKERS[position % len(MARKERS)]


def dashes_at(position: int) -> Any:
    return DASHES[position % len(DASHES)]


def marked(position: int) -> dict[str, Any]:
    """Colour and marker of a series."""
    return {"color": series_colour(position), "marker": marker_at(position)}


def draw_points(axis: Axes, x: ArrayLike, y: ArrayLike, bars: ArrayLike, filled: bool, look: dict[str, Any],
                label: str = "_points") -> None:
    """Draws points with error bars (NaN: none), filled or hollow."""
    axis.errorbar(x, y, yerr=np.nan_to_num(bars), linestyle="none", elinewidth=0.8, capsize=1.8, zorder=3, label=label,
                  markerfacecolor=look["color"] if filled else paper(), **look)


def is_dark() -> bool:
    return bool(np.mean(to_rgb(paper())) < 0.5)


def is_mono() -> bool:
    """Whether the style has greys only."""
    return all(len(set(to_rgb(colour))) == 1 for colour in plt.rcParams["axes.prop_cycle"].by_key()["color"])


def ordered_colours(count: int) -> list[tuple[float, float, float, float]]:
    """Colours of an ordered family (of epsilons): the contrast to the paper rises evenly."""
    if is_mono():
        return [(grey, grey, grey, 1.0) for grey in np.linspace(0.6, 0.0, max(count, 2))[-count:].tolist()]
    low, high = (0.35, 1.0) if is_dark() else (0.82, 0.0)
    return [plt.get_cmap("viridis")(x) for x in np.linspace(low, high, max(count, 2))[-count:]]


def ordered_lines(count: int) -> list[dict[str, object]]:
    """Colour and dashes of the lines of an ordered family; the last is solid."""
    return [{"color": colour, "linestyle": dashes_at(count - 1 - k)}
            for k, colour in enumerate(ordered_colours(count))]


def sequential() -> Colormap:
    """Colours of a map from small to large values."""
    return plt.get_cmap("Greys_r" if is_mono() else "cividis")


def diverging() -> Colormap:
    """Colours of a map with a middle value: lightness decreases evenly to both sides, orange below, violet
    above. Greys only decrease from small to large values."""
    return plt.get_cmap("Greys" if is_mono() else "PuOr")
