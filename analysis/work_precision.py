"""Work-precision diagrams: seconds and right-hand sides against the error.

The error decreases to the right and the cost increases upwards: the lower of two curves is better.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .bench_rows import (GROUP_SYMBOLS, Series, arrived, costs_known, epsilon_text, is_evidence, require_some,
                         series_of, values, where)
from .page import LETTER, LINE, Page, canvas, finish
from .points import Series as Curve
from .points import record
from .series_style import (Key, in_contention, label_ends, lag_behind_best, legend_of, look_of, marker_of,
                           numbers_of, thin_note)
from .theme import paper
from .tidy_csv import Row

COSTS = {"seconds": "time of a solve [s]", "rhs_evaluations": "right-hand sides"}
BANDS = 10.0 ** -np.arange(2.0, 13.0)  # errors at which the methods are compared


def drawn(rows: list[Row], cost: str) -> list[Row]:
    """The solves with finite error and cost, from the loosest to the tightest."""
    there = [r for r in rows if arrived(r) and r["error"] > 0.0 and r[cost] > 0.0]
    return sorted(there, key=lambda r: -r["rtol"])


def cost_of_bands(rows: list[Row], cost: str) -> np.ndarray:
    """The cheapest solve with an error within each band, or inf. No interpolation, and only evidence
    counts, as in the generated page."""
    evidence = [r for r in drawn(rows, cost) if is_evidence(r)]
    return np.array([min((r[cost] for r in evidence if r["error"] <= band), default=np.inf)
                     for band in BANDS])


def strong_ones(everything: list[Series]) -> set[Key]:
    """The strong series by times, or by right-hand sides if no time is known."""
    for cost in COSTS:
        costs = {s.key: cost_of_bands(s.rows, cost) for s in everything}
        if found := in_contention(lag_behind_best(costs), {s.key: s.library for s in everything}):
            return found
    return set()


def draw_series(axis: Axes, series: Series, cost: str, numbers: dict[str, int],
                strong: bool) -> Line2D | None:
    """Draws a curve with markers; solves that failed at a known cost are at the left edge."""
    look = look_of(series, numbers, strong)
    shown = drawn(series.rows, cost)
    line = None
    if shown:
        line, = axis.plot([r["error"] for r in shown], [r[cost] for r in shown], **look,
                          marker="." if len(shown) == 1 and not strong else None,  # otherwise it is invisible
                          label=series.name)
    if strong:
        marker = marker_of(numbers[series.method])
        for good in (True, False):
            points = [r for r in shown if is_evidence(r) == good]
            axis.plot([r["error"] for r in points], [r[cost] for r in points], linestyle="none",
                      marker=marker, markersize=4, color=look["color"],
                      markerfacecolor=look["color"] if good else paper(), zorder=4,
                      label="_evidence" if good else "_no evidence")
    if shown:
        notes = [f"rtol {r['rtol']:.3g}" * bool(np.isfinite(r["rtol"])) + f", {r['status']}" * (not is_evidence(r)) for r in shown]
        record(axis, Curve(series.name, (("library", series.library),), ("error", COSTS[cost]),
                           [r["error"] for r in shown], [r[cost] for r in shown], [x.strip(", ") for x in notes]))
    heights = [r[cost] for r in series.rows if not arrived(r) and r[cost] > 0.0]
    if heights:
        axis.plot([0.0] * len(heights), heights, transform=axis.get_yaxis_transform(),
                  linestyle="none", marker="x", markersize=5, color=look["color"], clip_on=False,
                  alpha=1.0 if strong else 0.5, zorder=6, label="_failed")
    return line


def without_cost(everything: list[Series], cost: str) -> list[str]:
    """The names of the series with a failed solve of unknown cost."""
    return [s.name for s in everything if any(not arrived(r) and not r[cost] > 0.0 for r in s.rows)]


def never_arrived(everything: list[Series]) -> list[str]:
    """The names of the series without a solve that reached its end; a method without any appears once."""
    lost = [s for s in everything if not any(arrived(r) for r in s.rows)]
    whole = {s.method for s in lost} - {s.method for s in everything if s not in lost}
    return list(dict.fromkeys(s.method if s.method in whole else s.name for s in lost))


def draw_panel(axis: Axes, everything: list[Series], cost: str, numbers: dict[str, int],
               strong: set[Key]) -> list[tuple[float, float, str, str]]:
    """Draws the curves. Returns the ends of the strong ones, to be labelled when the limits are final."""
    ends = []
    for series in everything:
        line = draw_series(axis, series, cost, numbers, series.key in strong)
        if line is not None and series.key in strong:
            tightest = min(range(len(line.get_xdata())), key=lambda k: line.get_xdata()[k])
            ends.append((line.get_xdata()[tightest], line.get_ydata()[tightest],
                         str(numbers[series.method]), line.get_color()))
    axis.set(xscale="log", yscale="log")
    axis.grid(color=plt.rcParams["grid.color"])
    return ends


def notes_of(everything: list[Series], drawn_strong: set[Key], costs: Sequence[str]) -> str:
    """The note below the panels, with the curves that have no number."""
    lost = set(never_arrived(everything))
    thin = [s.name for s in everything if s.key not in drawn_strong and not {s.name, s.method} & lost]
    unknown = without_cost(everything, "seconds") if "seconds" in costs else []
    notes = ["Hollow: no evidence; ×: failed at this cost."
             + (" Failed after an unknown time: " + "; ".join(unknown) + "." if unknown else "")]
    return " ".join(notes + thin_note(thin))


def head_of(epsilon: float, everything: list[Series], wide: int) -> str:
    """Title of a column: its epsilon, and the methods without a solve that reached its end."""
    lost = never_arrived(everything)
    rigid = all(s.formulation.startswith("rigid") for s in everything)
    text = textwrap.fill("never arrived: " + ", ".join(lost), wide) if lost else ""
    return "\n".join(filter(None, ("rigid" if rigid else epsilon_text(epsilon), text)))


def work_precision(rows: list[Row], problem: str, group: str, axes: Sequence[Axes] | None = None,
                   costs: Sequence[str] | None = None) -> Figure:
    """One problem and one group: a column per epsilon, a row for each of the costs (default: those that are known)."""
    rows = where(rows, kind="work_precision", problem=problem, group=group)
    require_some(rows, f"{problem}, {group}")
    costs = [known for cost in costs or () for known in costs_known(rows, [cost])] or costs_known(rows, tuple(COSTS))
    epsilons = [float(x) for x in values(rows, "epsilon")]
    columns = {epsilon: series_of(where(rows, epsilon=epsilon)) for epsilon in epsilons}
    strong = {epsilon: strong_ones(columns[epsilon]) for epsilon in epsilons}
    everything, drawn_strong = series_of(rows), set().union(*strong.values())
    numbers = numbers_of(everything, drawn_strong)
    handles, names = legend_of(everything, drawn_strong, numbers)
    page = Page(len(costs), len(epsilons), f"{problem}: work against the error of {GROUP_SYMBOLS[group]}",
                panel_height=2.1, left=0.66, gap=0.8, right=0.3, least=1.6, below=0.46, last=0.06, names=names,
                note=notes_of(everything, drawn_strong, costs))
    wide = int((page.panel_width + 0.5 * page.gap) / LETTER)
    heads = {epsilon: head_of(epsilon, columns[epsilon], wide) for epsilon in epsilons}
    page = replace(page, above=page.above + LINE * max(head.count("\n") for head in heads.values()))
    figure, panels = canvas(page, axes)
    errors = [r["error"] for r in rows if arrived(r) and r["error"] > 0.0]
    for column, epsilon in zip(panels.T, epsilons):
        for axis, cost in zip(column, costs):
            ends = draw_panel(axis, columns[epsilon], cost, numbers, strong[epsilon])
            if errors:  # the same in all panels for comparison; small errors at the right
                axis.set_xlim(3.0 * max(errors), min(errors) / 3.0)
            axis.set_ylabel(COSTS[cost])
            label_ends(axis, ends)
            if axis is column[0] or page.folded:
                axis.set_title(heads[epsilon], fontsize=8)
            if axis is column[-1] or page.folded:
                axis.set_xlabel(f"error of {GROUP_SYMBOLS[group]}", labelpad=1.0)
    finish(figure, page, panels, axes, handles)
    return figure
