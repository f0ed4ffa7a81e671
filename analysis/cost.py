"""Cost of solves against stiffness (epsilon) or size (N) at one tolerance."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .bench_rows import Series, arrived, costs_known, is_evidence, one_row_a_solve, require_some, series_of, where
from .furniture import is_narrow
from .page import Page, canvas, finish
from .series_style import (Key, in_contention, label_ends, lag_behind_best, legend_of, look_of, marker_of,
                           numbers_of, thin_note)
from .theme import paper
from .wording import power_text
from .tidy_csv import Row

COSTS = {"seconds": "time of a solve [s]", "steps": "steps", "rhs_evaluations": "right-hand sides"}


def slope(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The exponent p of y ~ x^p by least squares on logarithms, and its standard error.

    With two points the error is NaN; with fewer both are NaN.
    """
    if len(x) < 2 or np.ptp(np.log(x)) == 0.0:
        return float("nan"), float("nan")
    u, v = np.log(x) - np.mean(np.log(x)), np.log(y) - np.mean(np.log(y))
    p = float(u @ v / (u @ u))
    if len(x) == 2:
        return p, float("nan")
    return p, float(np.sqrt(np.sum((v - p * u) ** 2) / (len(x) - 2) / (u @ u)))


def shown_rows(series: Series, axis_name: str, cost: str) -> list[Row]:
    there = [r for r in series.rows if arrived(r) and r[cost] > 0.0 and r[axis_name] > 0.0]
    return sorted(there, key=lambda r: r[axis_name])


def costs_at(series: Series, axis_name: str, cost: str, places: list[float]) -> np.ndarray:
    """The cost at each place, or inf."""
    known = {r[axis_name]: r[cost] for r in shown_rows(series, axis_name, cost)}
    return np.array([known.get(place, np.inf) for place in places])


def strong_ones(everything: list[Series], axis_name: str) -> set[Key]:
    """The strong series by times, or by steps if no time is known."""
    places = sorted({r[axis_name] for s in everything for r in s.rows})
    for cost in COSTS:
        lags = lag_behind_best({s.key: costs_at(s, axis_name, cost, places) for s in everything})
        if found := in_contention(lags, {s.key: s.library for s in everything}):
            return found
    return set()


def draw_cost(axis: Axes, everything: list[Series], axis_name: str, cost: str, fitted: bool,
              numbers: dict[str, int], strong: set[Key]) -> list[tuple[float, float, str, str]]:
    """Draws all curves of a panel. Returns the ends of the strong ones with their numbers."""
    last = -1 if axis_name == "count" else 0  # the end on the right: epsilon falls to the right
    ends = []
    for series in everything:
        rows = shown_rows(series, axis_name, cost)
        named = series.key in strong
        look = look_of(series, numbers, named)
        x, y = [r[axis_name] for r in rows], [r[cost] for r in rows]
        axis.plot(x, y, label=series.name, **look)
        if named:
            for good in (True, False):
                points = [r for r in rows if is_evidence(r) == good]
                axis.plot([r[axis_name] for r in points], [r[cost] for r in points],
                          linestyle="none", marker=marker_of(numbers[series.method]),
                          markersize=4.5, color=look["color"], zorder=4,
                          markerfacecolor=look["color"] if good else paper(),
                          label="_evidence" if good else "_no evidence")
            name = str(numbers[series.method])
            if fitted:
                p, error = slope(np.array(x), np.array(y))
                name += f": N^{p:.2f}" + (f" ± {error:.1g}" if np.isfinite(error) else "")
            ends.append((x[last], y[last], name, look["color"]))
        failed = [r[axis_name] for r in series.rows if not arrived(r)]
        axis.plot(failed, [1.0] * len(failed), linestyle="none", marker="x", markersize=5,
                  color=look["color"], alpha=1.0 if named else 0.5, clip_on=False, zorder=6,
                  transform=axis.get_xaxis_transform(), label="_failed")
    axis.set(xscale="log", yscale="log")
    axis.grid(color=plt.rcParams["grid.color"])
    return ends


def cost_figure(rows: list[Row], kind: str, problem: str, axes: Sequence[Axes] | None = None) -> Figure:
    """Time, steps and right-hand sides of one problem at one tolerance, as far as they are known."""
    rows = [{**row, "formulation": "rigid"} if row["formulation"] == "-" and row["epsilon"] == 0.0 else row
            for row in one_row_a_solve(where(rows, kind=kind, problem=problem))]
    require_some(rows, problem)
    axis_name = {"cost_epsilon": "epsilon", "cost_count": "count"}[kind]
    fitted = kind == "cost_count"
    everything = series_of(rows)
    strong = strong_ones(everything, axis_name)
    notes = ["Hollow: no evidence; × at the top edge: failed."
             + (" N^p: least squares with standard error." if fitted else "")]
    thin = [s.name for s in everything if s.key not in strong
            and any(shown_rows(s, axis_name, cost) for cost in COSTS)]
    numbers = numbers_of(everything, strong)
    handles, names = legend_of(everything, strong, numbers)
    tolerances = sorted({float(r["rtol"]) for r in rows if np.isfinite(r["rtol"])})
    at = f", rtol = {', '.join(f'${power_text(x)}$' for x in tolerances)}" if tolerances else ""
    beside = 1.25 if fitted else 0.25  # inches, for labels of the curves
    costs = costs_known(rows, tuple(COSTS))
    page = Page(1, len(costs), f"{problem}: cost against {'size' if fitted else 'stiffness'}{at}", left=0.62,
                panel_height=1.4 if fitted else 1.9, gap=beside + 0.5, right=beside, below=0.46,
                least=2.0 if fitted and not is_narrow() else 1.2, names=names,
                note=" ".join(notes + thin_note(thin)))
    figure, panels = canvas(page, axes)
    for axis, cost in zip(panels[0], costs):
        ends = draw_cost(axis, everything, axis_name, cost, fitted, numbers, strong)
        if not fitted:
            axis.invert_xaxis()
        axis.set_xlabel("number of bodies $N$" if fitted else r"$\varepsilon$ (stiffer to the right)", labelpad=1.0)
        axis.set_title(COSTS[cost])
        label_ends(axis, ends)
    finish(figure, page, panels, axes, handles)
    return figure
