"""Properties of every figure: widths, greys, the caller's axes, files in vectors."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import LogFormatterSciNotation

from rigidlimit import analysis
import figure_kinds
from rigidlimit.analysis import AnalysisError, figures

Plots = dict[str, Callable[..., Figure]]
each = pytest.mark.parametrize("name", figure_kinds.NAMES)


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory, orders_map: Path, plane_map: Path) -> Plots:
    return figure_kinds.made(tmp_path_factory.mktemp("all"), orders_map, plane_map)


@pytest.fixture(scope="module")
def narrow(plots: Plots) -> dict[str, Figure]:
    """The figures of one column, in greys, drawn once."""
    return {name: drawn(plot(width="one-column", style="mono")) for name, plot in plots.items()}


@pytest.fixture(scope="module")
def wide(plots: Plots) -> dict[str, Figure]:
    return {name: drawn(plot()) for name, plot in plots.items()}


@pytest.fixture(scope="module")
def strip(plots: Plots) -> dict[str, Figure]:
    return {name: drawn(plot(strip=True)) for name, plot in plots.items()}


def drawn(figure: Figure) -> Figure:
    figure.draw_without_rendering()  # texts have their places
    return figure


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    before, windows = dict(plt.rcParams), plt.get_fignums()
    yield
    assert dict(plt.rcParams) == before and plt.get_fignums() == windows


def test_every_plot_function_has_a_figure_here(plots: Plots) -> None:
    functions = {plot.func.__name__ for plot in plots.values()}  # type: ignore[attr-defined]
    assert functions == {name for name in analysis.__all__ if name.startswith("plot_")}
    assert tuple(plots) == figure_kinds.NAMES


# --- Widths


def texts_of(figure: Figure) -> list[Text]:
    """All visible texts that are not empty: also of legends, ticks and colour bars."""
    return [x for x in figure.findobj(Text) if x.get_text().strip() and x.get_visible()]


def axes_of(figure: Figure) -> list[Axes]:
    return [x for x in figure.findobj(Axes) if x.get_visible() and x.axison]


def ticks_of(axis: Axes, name: str) -> list[Text]:
    """The tick labels that are drawn: on the axis, within its limits."""
    one = getattr(axis, f"{name}axis")
    low, high = sorted(one.get_view_interval())
    slack = 1e-9 * (high - low)
    return [tick.label1 for tick in (*one.get_major_ticks(), *one.get_minor_ticks())
            if tick.label1.get_visible() and tick.label1.get_text().strip()
            and low - slack <= tick.get_loc() <= high + slack]


@each
@pytest.mark.parametrize("width", ["wide", "narrow", "strip"])
def test_text_is_on_the_page_in_the_printed_size(request: pytest.FixtureRequest, name: str, width: str) -> None:
    figure: Figure = request.getfixturevalue(width)[name]
    assert figure.get_size_inches()[0] == pytest.approx({"wide": 6.3, "narrow": 3.1, "strip": 6.3}[width])
    ticks = [x for axis in axes_of(figure) for one in "xy" for x in ticks_of(axis, one)]
    every_tick = tick_labels(figure)
    words = [*ticks, *(x for x in texts_of(figure) if id(x) not in every_tick)]
    assert len(words) > 8
    for word in words:
        assert 8.0 <= word.get_fontsize() <= 10.0, word.get_text()
        box = word.get_window_extent()
        assert box.x0 >= -0.5 and box.x1 <= figure.bbox.x1 + 0.5, f"cut off: {word.get_text()}"
        assert box.y0 >= -0.5 and box.y1 <= figure.bbox.y1 + 0.5, f"cut off: {word.get_text()}"


def tick_labels(figure: Figure) -> set[int]:
    """All of them, drawn or not."""
    return {id(label) for axis in figure.findobj(Axes) for one in (axis.xaxis, axis.yaxis)
            for tick in (*one.get_major_ticks(), *one.get_minor_ticks()) for label in (tick.label1, tick.label2)}


@each
@pytest.mark.parametrize("width", ["wide", "narrow", "strip"])
def test_labels_do_not_collide(request: pytest.FixtureRequest, name: str, width: str) -> None:
    """Tick labels of an axis, titles, axis labels, legends and notes are apart."""
    figure: Figure = request.getfixturevalue(width)[name]
    for axis in axes_of(figure):
        for one, start, end in (("x", "x0", "x1"), ("y", "y0", "y1")):
            boxes = sorted((x.get_window_extent() for x in ticks_of(axis, one)), key=lambda box: getattr(box, start))
            assert all(getattr(a, end) <= getattr(b, start) + 0.6 for a, b in pairwise(boxes)), f"ticks of {one}"
    legends = [*figure.legends, *(a.get_legend() for a in axes_of(figure) if a.get_legend())]
    blocks = {f"legend {k}": x.get_window_extent() for k, x in enumerate(legends)}
    for k, axis in enumerate(axes_of(figure)):
        blocks[f"panel {k}"] = axis.get_window_extent()
        for what, text in (("title", axis.title), ("left title", axis._left_title), ("right title", axis._right_title),
                           ("x label", axis.xaxis.label), ("y label", axis.yaxis.label)):
            if text.get_text() and text.get_visible():
                blocks[f"{what} {k}: {text.get_text()}"] = text.get_window_extent()
    blocks |= {f"note {k}": x.get_window_extent() for k, x in enumerate(figure.texts)}
    for (a, one), (b, other) in combinations(blocks.items(), 2):
        shared = np.minimum([one.x1, one.y1], [other.x1, other.y1]) - np.maximum([one.x0, one.y0], [other.x0, other.y0])
        assert min(shared) <= 1.0, f"{a} and {b} overlap"


def test_a_strip_is_one_low_row_without_words_around(strip: dict[str, Figure], plots: Plots) -> None:
    for name in ("convergence", "convergence_laws", "layer", "work"):
        figure = strip[name]
        assert len(figure.axes) == 3 and len({axis.get_position().y0 for axis in figure.axes}) == 1
        assert figure.get_figheight() < 2.7 < plots[name]().get_figheight()
        assert not figure.texts and figure._suptitle is None and all(axis.get_legend() is None for axis in figure.axes)
        assert figure.legends, "the curves have names at the foot"
    with pytest.raises(AnalysisError, match="a strip needs a width of at least 4.5 inches"):
        plots["layer"](strip=True, width="one-column")


KINDS_OF_LABELS = (r"\$\\mathdefault\{10\^\{[-−]?\d+\}\}\$", r"[\d.]+", r"\$[\d.]+ \\times 10\^\{-?\d+\}\$")


def is_uniform(axis: Axes, name: str) -> bool:
    """All tick labels are powers of ten, or all plain decimals, or all multiples of powers."""
    texts = [x.get_text() for x in ticks_of(axis, name)]
    return any(all(re.fullmatch(kind, text) for text in texts) for kind in KINDS_OF_LABELS)


@each
@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_labels_of_a_logarithmic_axis_are_of_one_kind(request: pytest.FixtureRequest, name: str, width: str) -> None:
    for axis in axes_of(request.getfixturevalue(width)[name]):
        for one in "xy":
            if getattr(axis, f"get_{one}scale")() == "log":
                assert is_uniform(axis, one), [x.get_text() for x in ticks_of(axis, one)]


@pytest.mark.parametrize(("low", "high", "labels"), [
    (0.15, 3.0, ["0.2", "0.5", "1", "2"]), (0.9, 11.0, [rf"$\mathdefault{{10^{{{k}}}}}$" for k in (0, 1)]),
    (2.5, 4.5, ["3", "4"]), (1.1e-6, 6e-6, [rf"${k} \times 10^{{-6}}$" for k in (2, 5)])])
def test_a_short_logarithmic_axis_has_multiples(low: float, high: float, labels: list[str]) -> None:
    figure, (axis, own) = plt.subplots(1, 2, figsize=(6.3, 2.4))
    plt.close(figure)
    for one in (axis, own):
        one.set(yscale="log", ylim=(low, high))
    figures.settle([axis])
    drawn(figure)
    assert [x.get_text() for x in ticks_of(axis, "y")] == labels and is_uniform(axis, "y")
    if (low, high) == (0.15, 3.0):
        own.yaxis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(np.inf, np.inf)))
        assert not is_uniform(drawn(figure).axes[1], "y"), "negative control: 2 × 10^-1 beside 10^0"


def test_a_width_is_a_name_or_inches(plots: Plots) -> None:
    assert plots["drift"](width=5.0).get_size_inches()[0] == pytest.approx(5.0)
    assert plots["drift"](width="two-column").get_size_inches()[0] == pytest.approx(6.3)
    for wrong in ("wide", 0.5, float("nan")):
        with pytest.raises(AnalysisError, match="width must be two-column, one-column, or 3 to 40 inches"):
            plots["drift"](width=wrong)
    assert plots["drift"]().get_size_inches()[0] == pytest.approx(6.3), "no width remains set"


# --- Black and white


def signs(line: Line2D) -> tuple[object, object]:
    """Dashes and marker."""
    return line._unscaled_dash_pattern, str(line.get_marker())


@each
def test_series_differ_by_dash_or_marker_in_greys(narrow: dict[str, Figure], name: str) -> None:
    """The style "mono" has greys alone. Entries of a legend differ by dash, marker or width, not by the grey."""
    figure = narrow[name]
    for line in figure.findobj(Line2D):
        for colour in (line.get_color(), line.get_markerfacecolor()):
            if str(colour) != "none":
                assert np.ptp(to_rgb(colour)) < 1e-9, f"{line.get_label()}: {colour}"
    for legend in figure.findobj(lambda x: type(x).__name__ == "Legend"):
        entries = [x for x in legend.get_lines()]
        looks = [(signs(x), round(x.get_linewidth() * (x.get_linestyle() != "None"), 1),
                  to_rgb(x.get_markerfacecolor()) == to_rgb(x.get_color()) if x.get_marker() != "None" else None)
                 for x in entries]
        assert len(set(looks)) == len(looks), [x.get_label() for x in entries]


def test_two_greys_alone_are_found(narrow: dict[str, Figure]) -> None:
    """Negative control: without dashes and markers the lines of the layer look alike."""
    lines = narrow["layer"].axes[0].lines
    assert len({signs(x) for x in lines}) == len(lines)
    for line in lines:
        line.set(linestyle="solid", marker="None")
    assert len({signs(x) for x in lines}) == 1


# --- The caller's axes


@each
def test_every_figure_draws_into_the_axes_of_its_caller(plots: Plots, narrow: dict[str, Figure], name: str) -> None:
    """The figure is the caller's, with its size, title, style and places of the panels."""
    with pytest.raises(AnalysisError, match=r"axes: \d+ matplotlib Axes are needed, not 1 of str") as said:
        plots[name](axes="none")
    count = int(re.findall(r"axes: (\d+)", str(said.value))[0])
    lines = -(-count // 3)
    figure, panels = plt.subplots(lines, min(count, 3), figsize=(8.0, 2.4 * lines), squeeze=False)
    plt.close(figure)
    figure.suptitle("Mine")
    for k in range(lines * min(count, 3) - count):
        panels.flat[-1 - k].set_label("unused")
    before = [axis.get_position().bounds for axis in panels.flat]
    colours = [axis.get_facecolor() for axis in panels.flat]
    texts = len(figure.texts)
    with pytest.raises(AnalysisError, match=f"axes: {count} matplotlib Axes are needed, not {count + 1} of Axes"):
        plots[name](axes=[*panels.flat[:count], panels.flat[0]])
    assert plots[name](axes=panels.flat[:count], style="dark") is figure
    assert tuple(figure.get_size_inches()) == (8.0, 2.4 * lines) and figure.get_suptitle() == "Mine"
    assert [axis.get_facecolor() for axis in panels.flat] == colours
    assert len(figure.axes) == panels.size and len(figure.texts) == texts and not figure.legends
    figure.draw_without_rendering()
    after = [axis.get_position().bounds for axis in panels.flat]
    assert all(axis.has_data() for axis in panels.flat[:count])
    if name not in ("wheel", "trajectories"):  # of equal scales, so that circles are round
        assert after == before


# --- Files


@pytest.mark.parametrize("name", ["layer", "damping_plane"])
def test_vector_files_hold_text_as_text_and_no_bitmap(plots: Plots, tmp_path: Path, name: str) -> None:
    svg, pdf = figures.save(plots[name](), tmp_path / name, [".svg", ".pdf"])
    drawn, page = svg.read_text(encoding="utf-8"), pdf.read_bytes()
    assert "<text" in drawn and (name != "layer" or ">lateral sliding<" in drawn)
    assert "<image" not in drawn and b"/Subtype /Image" not in page, "nor in maps and colour bars"
    assert b"/Subtype /CIDFontType2" in page or b"/FontFile2" in page, "Type 42: embedded TrueType"
    assert b"/Subtype /Type3" not in page


def fonts_of(figure: Figure) -> set[str]:
    """The first font of each text of the SVG file."""
    drawn = io.StringIO()
    with plt.rc_context(figures.VECTORS):
        figure.savefig(drawn, format="svg")
    return set(re.findall(r"font(?:-family: |: [^;\"]*px )'([^']*)'", drawn.getvalue()))


@each
def test_vector_files_need_no_font_of_tex(wide: dict[str, Figure], name: str) -> None:
    """A browser has a substitute for DejaVu Sans with the same letters, but shows the prime of cmsy10 as 0."""
    assert fonts_of(wide[name]) == {"DejaVu Sans"}


def test_a_prime_in_mathematics_needs_a_font_of_tex() -> None:
    """The control of the test above: matplotlib's own prime."""
    figure = plt.figure()
    plt.close(figure)
    figure.text(0.5, 0.5, "$x'$")
    assert "cmsy10" in fonts_of(figure)


# --- Choices of what is shown


def panels_of(figure: Figure) -> int:
    return len(figure.axes)


def test_a_narrow_figure_shows_less_unless_asked(plots: Plots) -> None:
    """Each choice: panels in two columns, in one, in one with the choice; and an unknown value."""
    one = {"width": "one-column"}
    for name, by_default, narrow_default, choice, chosen, wrong in (
            ("convergence_laws", 6, 3, {"windows": ["all", "after"]}, 6, {"windows": ["early"]}),
            ("pair", 5, 3, {"quantities": ["v"]}, 2, {"quantities": ["w"]}),
            ("expansion", 6, 2, {"quantities": ["v", "q"]}, 4, {"quantities": ["w"]}),
            ("friction_convergence", 2, 2, {"quantities": ["v"]}, 1, {"quantities": ["lambda"]}),
            ("histories", 4, 4, {"components": [1, 2]}, 8, {"components": [0]}),
            ("damping_errors", 9, 3, {"measures": [("l2", "all"), ("sup", "all")]}, 6, {"measures": [("l1", "all")]}),
            ("work_precision", 4, 2, {"costs": ["rhs_evaluations", "seconds"]}, 4, {"costs": ["money"]}),
            ("order_reduction_method", 6, 6, {"group": "v"}, 2, {"group": "w"})):
        assert panels_of(plots[name]()) == by_default, name
        assert panels_of(plots[name](**one)) == narrow_default, name
        assert panels_of(plots[name](**one, **choice)) == chosen, name
        with pytest.raises(AnalysisError, match=f"{next(iter(wrong))} must be"):
            plots[name](**wrong)
    shown = plots["order_reduction"](methods=["quick"])
    assert [axis.get_title() for axis in shown.axes] == ["quick [9]", "quick natural [9]"]
