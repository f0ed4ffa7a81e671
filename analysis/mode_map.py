"""The mode map of a ball in a groove: rolling (R) and slipping (S) on the left and the right wall, over
slope, half angle and friction; thresholds of rolling; internal forces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from analysis.figures import file_name, save, styled
from analysis.page import Page, canvas, furnish, with_furniture
from analysis.friction_store import read
from analysis.tables import AnalysisError
from analysis.theme import DASHES, MARKERS, edge, ink, is_dark, paper, series_colour, themed

MODES = ("RR", "RS", "SR", "SS")
WORDS = {"RR": "rolls on both", "RS": "rolls left, slips right", "SR": "slips left, rolls right",
         "SS": "slips on both"}
# Pale enough for letters, distinct in grey and for all common kinds of colour vision.
LIGHT = ("#bfe3f5", "#f5c77e", "#d68cb5", "#8a8a8a")
DARK = ("#1f5f86", "#8a5a00", "#8c3f6b", "#6b6b6b")
NEEDED = ["start", "slope", "half_angle", "friction_left", "unloaded_threshold", "wedged_threshold",
          "rigid", "rigid_notes", "compliant"]
TEXTS = ("start", "rigid", "compliant")
THRESHOLDS = ["slope", "half_angle", "unloaded", "wedged"]
MEASURED = {  # thresholds and their formulas
    "compliant": "unloaded", "rigid_slips_below": "unloaded", "rigid_rolls_from": "wedged"}
FORCES = ["stiffness_ratio", "predicted", "compliant", "rigid"]


def last_mode(sequence: str) -> str:
    """The last mode: "RR" of "SS > RR"; empty if `modes` is empty."""
    return str(sequence).split(">")[-1].strip()


def mode_map_data(directory: str | Path) -> pd.DataFrame:
    """modes.csv with rigid_final and compliant_final, "" if there was no motion."""
    data = read(Path(directory) / "modes.csv", NEEDED, TEXTS).fillna({"rigid": "", "compliant": ""})
    for side in ("rigid", "compliant"):
        data[f"{side}_final"] = [last_mode(x) for x in data[side]]
        wrong = set(data[f"{side}_final"]) - {*MODES, ""}
        if wrong:
            raise AnalysisError(f"{directory}/modes.csv: unknown mode '{min(wrong)}'")
    return data


def cells(rows: pd.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Increasing frictions (X), half angles (Y), and the index in MODES (Y x X; NaN: no motion)."""
    frictions, angles = (np.sort(rows[c].unique()) for c in ("friction_left", "half_angle"))
    numbers = np.full((len(angles), len(frictions)), np.nan)
    for row in rows[["friction_left", "half_angle", column]].itertuples(index=False):
        if row[2]:
            numbers[np.searchsorted(angles, row[1]), np.searchsorted(frictions, row[0])] = (
                MODES.index(row[2]))
    return frictions, angles, numbers


def borders(centres: np.ndarray) -> np.ndarray:
    """Edges of cells around increasing centres, halfway between them."""
    if len(centres) == 1:
        return centres[0] + np.array([-0.5, 0.5]) * max(abs(centres[0]), 1e-3)
    middle = 0.5 * (centres[1:] + centres[:-1])
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])


@with_furniture
def plot_mode_map(directory: str | Path, start: str, *, style: str = "light") -> Figure:
    """Last modes of the compliant motions from one start, one panel per slope.

        >>> plot_mode_map("results/groove_modes", "rest").savefig("modes.pdf")
    """
    data = mode_map_data(directory)
    data = data[data["start"] == start]
    if data.empty:
        raise AnalysisError(f"{directory}/modes.csv: unknown start '{start}'")
    slopes = np.sort(data["slope"].unique())
    columns = 2 if len(slopes) in (2, 4) else min(len(slopes), 3)
    lines = -(-len(slopes) // columns)
    page = Page(lines, columns, panel_height=1.9, gap=0.3, below=0.4,
                names=(*(f"{mode}: {words}" for mode, words in WORDS.items()), "rigid: otherwise",
                       "rigid: several motions", "threshold, no internal force", "threshold, wedged"),
                note="Colour: last mode of the compliant ball, over the friction of the left wall "
                "and the half angle in degrees. Thresholds are formulas for rolling from rest.")
    with themed(style):
        figure, panels = canvas(page, sharex=True, sharey=True)
        colours = DARK if is_dark() else LIGHT
        for axis, slope in zip(panels.flat, slopes):
            draw_slope(axis, data[data["slope"] == slope], colours)
            axis.set_title(rf"$\alpha = {np.degrees(slope):.3g}°$")
        for axis in panels.flat[len(slopes):]:
            axis.set_axis_off()
        for axis in panels[:, 0]:
            axis.set_ylabel(r"$\gamma$ [°]")
        for axis in panels[-1]:
            axis.set_xlabel(r"$\mu$", labelpad=1)
        handles = [*(Patch(facecolor=c, edgecolor=edge(), linewidth=0.5) for c in colours),
                   Line2D([], [], **sign(ink(), "x")), Line2D([], [], **sign(ink(), "."))]
        handles += [Line2D([], [], color=ink(), linewidth=1.3, linestyle=d) for d in (DASHES[0], DASHES[1])]
        furnish(figure, page, f"{Path(directory).name}: modes from the start '{start}'", handles)
    return figure


def sign(colour: str, marker: str) -> dict[str, object]:
    return {"marker": marker, "color": colour, "linestyle": "none", "markersize": 3.5,
            "markeredgewidth": 0.8}


def draw_slope(axis: Axes, rows: pd.DataFrame, colours: tuple[str, ...]) -> None:
    frictions, angles, numbers = cells(rows, "compliant_final")
    x, y = borders(frictions), borders(np.degrees(angles))
    axis.pcolormesh(x, y, np.ma.masked_invalid(numbers), cmap=ListedColormap(colours), vmin=-0.5,
                    vmax=3.5, edgecolors=paper(), linewidth=0.3)
    for chosen, marker in ((rows["rigid_final"] != rows["compliant_final"], "x"),
                           ((rows["rigid_final"] == rows["compliant_final"])
                            & (rows["rigid_notes"] > 0), ".")):
        axis.plot(rows["friction_left"][chosen], np.degrees(rows["half_angle"][chosen]),
                  label="_sign", **sign(ink(), marker))
    formulas = rows.drop_duplicates("half_angle").sort_values("half_angle")
    for column, dashes in (("unloaded_threshold", DASHES[0]), ("wedged_threshold", DASHES[1])):
        axis.plot(formulas[column], np.degrees(formulas["half_angle"]), color=ink(), linewidth=1.3,
                  linestyle=dashes, label=f"_{column}")
    axis.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    axis.xaxis.set_major_locator(MaxNLocator(5))
    axis.grid(False)


def threshold_data(directory: str | Path) -> pd.DataFrame:
    """thresholds.csv with the relative distances of the measured thresholds from the formulas."""
    data = read(Path(directory) / "thresholds.csv", [*THRESHOLDS, *MEASURED])
    for name, formula in MEASURED.items():
        data[f"{name}_off"] = (data[name] / data[formula] - 1.0).abs()
    return data


@with_furniture
def plot_groove(directory: str | Path, *, style: str = "light") -> Figure:
    """Relative distance of measured thresholds from the closed form, and the internal force that the
    springs select.

        >>> plot_groove("results/groove_modes").savefig("groove.pdf")
    """
    thresholds = threshold_data(directory)
    forces = read(Path(directory) / "internal_forces.csv", FORCES)
    kinds = {"compliant": "compliant, no internal force",
             "rigid_slips_below": "rigid slipping, no internal force",
             "rigid_rolls_from": "rigid rolling, wedged"}
    page = Page(1, 2, panel_height=2.5, left=0.72, gap=0.75, names=(*kinds.values(), "formula", "springs",
                                                                   "rigid, with C⁻¹"))
    with themed(style):
        figure, panels = canvas(page)
        left, right = panels[0]
        for place, name in enumerate(kinds):
            shown = thresholds[thresholds[f"{name}_off"] > 0.0]
            left.plot(np.degrees(shown["half_angle"]), shown[f"{name}_off"],
                      **dot(place))
        left.set(yscale="log", xlabel=r"$\gamma$ [°]", title="| threshold / closed form − 1 |")
        left.axhline(1e-6, color=edge(), linewidth=0.8, linestyle=DASHES[2], zorder=1)
        forces = forces.sort_values("stiffness_ratio")
        right.plot(forces["stiffness_ratio"], forces["predicted"], color=ink(), linewidth=1.2)
        for place, name in ((3, "compliant"), (4, "rigid")):
            right.plot(forces["stiffness_ratio"], forces[name],
                       **dot(place, hollow=name == "rigid"))
        right.set(xscale="log", xlabel=r"$C_l / C_r$", title=r"internal force: $\lambda_l$ [N]")
        ratios = forces["stiffness_ratio"].unique()
        right.set_xticks(ratios, [f"{ratio:g}" for ratio in ratios])
        right.set_xticks([], minor=True)
        handles = [*(Line2D([], [], **dot(k)) for k in range(3)),
                   Line2D([], [], color=ink(), linewidth=1.2),
                   Line2D([], [], **dot(3)), Line2D([], [], **dot(4, hollow=True))]
        furnish(figure, page, f"{Path(directory).name}: thresholds of rolling and internal force", handles)
    return figure


def dot(place: int, hollow: bool = False) -> dict[str, object]:
    return {"color": series_colour(place), "marker": MARKERS[place], "linestyle": "none",
            "markerfacecolor": "none" if hollow else series_colour(place),
            "markersize": 6.5 if hollow else 4.0}


def draw(directory: Path, style: str = "light") -> list[Path]:
    """Draws one map per start, and thresholds with internal forces if measured. Returns the files."""
    written = []
    for start in dict.fromkeys(mode_map_data(directory)["start"]):
        written += save(plot_mode_map(directory, start, style=style),
                        directory / styled(file_name("modes", start), style))
    if all((directory / name).is_file() for name in ("thresholds.csv", "internal_forces.csv")):
        written += save(plot_groove(directory, style=style), directory / styled("groove", style))
    return written
