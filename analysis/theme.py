"""Styles: colours and sizes of figures, on paper and on screens; "mono" has greys only.

The styles are sets of matplotlib rcParams. Drawing code calls `ink()` or `paper()` and is the same
for all styles. The colours of Okabe and Ito (2008) are distinct for all common kinds of colour
vision; markers and dashes distinguish the same series in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.colors import Colormap, to_rgb
from matplotlib.ticker import Formatter, LogLocator, MaxNLocator, NullFormatter
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


def log_ticks(axis: Axis) -> None:
    """The ticks of every logarithmic axis, unless the figure has set its own: labels of one kind, powers of ten or,
    if the limits hold less than two of them, multiples such as 0.2, 0.5, 1."""
    if axis.get_scale() == "log" and axis.isDefault_majloc:
        axis.set_major_locator(UniformLogLocator())
        axis.set_major_formatter(UniformLogFormatter())
        axis.set_minor_locator(LogLocator(subs=range(2, 10)))
        axis.set_minor_formatter(NullFormatter())


class UniformLogLocator(LogLocator):
    """Powers of ten; multiples of them if the limits hold less than two."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        low, high = np.log10([min(vmin, vmax), max(vmin, vmax)])
        if np.floor(high + 1e-9) - np.ceil(low - 1e-9) >= 1.0:
            return super().tick_values(vmin, vmax)
        decades = 10.0 ** np.arange(np.floor(low), np.ceil(high) + 1.0)
        for digits in ((1, 2, 5), (1, 3), (2, 5), range(1, 10)):
            values = [d * k for d in decades for k in digits if low - 1e-9 <= np.log10(d * k) <= high + 1e-9]
            if len(values) > 1 and (self.fits(values) or len(digits) == 9):
                return values if self.fits(values) else [values[0], values[-1]]
        return MaxNLocator(3).tick_values(10.0**low, 10.0**high)

    def fits(self, values: Sequence[float]) -> bool:
        """Whether the labels have space; matplotlib's tick of x has five letters."""
        if not isinstance(self.axis, Axis):
            return True
        if not isinstance(self.axis, XAxis):
            return len(values) <= max(self.axis.get_tick_space(), 3)
        return sum(1 + min(len(text), 8) for text in multiples(values)) <= 5 * max(self.axis.get_tick_space(), 3)


class UniformLogFormatter(Formatter):
    """Powers of ten if all ticks are; else multiples."""

    def format_ticks(self, values: Any) -> list[str]:
        powers = np.log10(values)
        if len(values) > 1 and np.allclose(powers, np.round(powers), atol=1e-9):
            return [rf"$\mathdefault{{10^{{{round(p)}}}}}$" for p in powers]
        return multiples(values)

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.format_ticks([x])[0]


def multiples(values: Iterable[float]) -> list[str]:
    """Plain decimals if all values have few digits, else all as mantissa and power."""
    values = list(values)
    if 1e-3 <= min(values) and max(values) < 1e4:
        return [f"{x:.6g}" for x in values]
    parts = [f"{x:.5e}".split("e") for x in values]
    return [rf"${float(m):g} \times 10^{{{int(e)}}}$" for m, e in parts]


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
