"""Errors of an ensemble against epsilon: the median, bands of quantiles, and the study itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .convergence import make_room
from .figures import two_decades
from .furniture import is_narrow, is_strip
from .names import units_of
from .opening import rolling
from .page import Page, canvas, furnish, legend_below, legend_inside, with_furniture
from .pairs import chosen_windows, of_quantities, thinned
from .points import Series, record
from .result import Result
from .store import RollingResult
from .tables import EVIDENT, AnalysisError, error_bars, matching
from .theme import draw_points, edge, paper, series_colour, themed
from .wording import QUANTITIES, power_text, symbol, verdict_text, window_text

TABLE = "ensemble"
NORM = "sup"  # of the members
BAND, RANGE = 0.35, 0.14  # opacities: quantiles, least to largest
GUIDE: dict[str, Any] = {"linestyle": (0, (5, 1.5)), "linewidth": 0.9}
NEAR = 10.0  # an error bar that is smaller than the lower limit by more has a note
NAMES = ("median", "5 to 95 % of the members", "least to largest", "the study (member 0)", "slope of the median order",
         "largest error bar")
NOTE = "Points: errors of the study by its own solvers, with error bars; hollow: no evidence."


def has_ensemble(study: RollingResult) -> bool:
    """Whether the study, or every point of the sweep, has members."""
    return TABLE in study.tables and not study.tables[TABLE].empty


def ensemble_data(study: str | Path | Result, *, quantities: Sequence[str] = QUANTITIES) -> pd.DataFrame:
    """The errors of the members of an ensemble in the sup norm: a row for each epsilon, quantity and window, with
    members, least, quantile_05, median, quantile_95, largest, largest_bar and worst_member.

    Errors are in the units of the quantity. AnalysisError for a study without the table [ensemble], and for a sweep,
    whose points have one each.

        >>> ensemble_data("results/knife_edge_ensemble").query("window == 'all'")
    """
    study = rolling(study)
    study.one_point("each point has its own ensemble")
    if not has_ensemble(study):
        raise AnalysisError(f"{study.where}: a study without an ensemble; the table [ensemble] of its file adds one")
    rows = of_quantities(study.tables[TABLE], quantities).reset_index(drop=True)
    if rows.empty:
        raise AnalysisError(f"{study.where}: the ensemble has no errors of {', '.join(quantities)}")
    return rows


@with_furniture
def plot_ensemble(study: str | Path | Result, *, quantities: Sequence[str] = QUANTITIES,
                  windows: Sequence[str] | None = None, style: str = "light",
                  axes: Sequence[Axes] | None = None) -> Figure:
    """Errors of an ensemble against epsilon: a row of panels per window, a column per quantity.

    The line is the median of the members, the dark band holds 5 to 95 % of them, the pale band all. Points are the
    study itself, member 0, by the solvers of its file. The dashed line has the median of the fitted orders as its slope;
    its height means nothing. The dotted line is the largest error bar of a member; a note gives it if it is far below the members.
    `windows`: "all", "after" or both (the default; a narrow figure shows the first alone).

        >>> plot_ensemble("results/knife_edge_ensemble", windows=["all"]).savefig("ensemble.pdf")
    """
    study = rolling(study)
    data = ensemble_data(study, quantities=quantities)
    windows = chosen_windows(data, windows, axes is None and (is_narrow() or is_strip()))
    orders = orders_of_members(study)
    drawn = {(window, quantity): matching(data, quantity=quantity, window=window).sort_values("epsilon")
             for window in windows for quantity in quantities}
    names = NAMES if any(map(shows_bar, drawn.values())) else NAMES[:-1]
    page = Page(len(windows), len(quantities),
                f"{study.name}: {verdict_text(study)}, ensemble of {data['members'].max()} members",
                below=0.46 if is_strip() else 0.8, names=names, note=NOTE)
    with themed(style):
        figure, panels = canvas(page, axes, sharex=True)
        for line, window in zip(panels, windows):
            for axis, quantity in zip(line, quantities):
                rows = drawn[window, quantity]
                fits = matching(orders, quantity=quantity, window=window)
                draw_members(axis, rows, fits)
                draw_study(axis, study, quantity, window)
                words = order_words(fits)
                record_medians(axis, rows, words, f"{quantity}, {window_text(study, window)}")
                axis.set_title(f"{symbol(quantity)}{units_of(study.description, quantity)}, {window_text(study, window)}")
                axis.set_xlabel(r"$\varepsilon$", labelpad=1.0)
                axis.xaxis.set_tick_params(labelbottom=True)
                if axes is None and not is_strip() and words:
                    legend_below(axis, [Line2D([], [], **GUIDE, color=edge())], ["\n".join(words)])
        page.label(panels, axes, y=f"error, {NORM} norm")
        if axes is None:
            furnish(figure, page, handles()[:len(names)])
        else:
            make_room(panels.flat[-1], len(names))
            legend_inside(panels, handles()[:len(names)], names, loc="upper left")
    return figure


def orders_of_members(study: RollingResult) -> pd.DataFrame:
    """The quantiles of the fitted orders, a row for each quantity and window; empty without the table."""
    if "ensemble_orders" in study.tables:
        return study.tables["ensemble_orders"]
    return pd.DataFrame({name: [] for name in ("quantity", "window", "median")}).astype({"quantity": str, "window": str})


def order_words(fits: pd.DataFrame) -> list[str]:
    """["median order 1.996", "5 to 95 %: 1.993 to 1.998"]; empty without a fit."""
    if fits.empty or not np.isfinite(fits.iloc[0]["median"]):
        return []
    low, middle, high = (f"{round(x, 3) + 0.0:.3f}" for x in fits.iloc[0][["quantile_05", "median", "quantile_95"]])  # + 0: no -0
    return [f"median order {middle}", "5 to 95 %: " + (low if low == high else f"{low} to {high}")]


def handles() -> list[Artist]:
    """The handles of NAMES."""
    colour = series_colour(0)
    return [Line2D([], [], color=colour, linewidth=1.5), Patch(facecolor=colour, alpha=BAND, linewidth=0.0),
            Patch(facecolor=colour, alpha=RANGE, linewidth=0.0), Line2D([], [], linestyle="none", **look_of_study(True)),
            Line2D([], [], color=edge(), **GUIDE), Line2D([], [], color=edge(), linewidth=1.0, linestyle=":")]


def look_of_study(good: bool) -> dict[str, Any]:
    """Of the points; an edge in the colour of the paper sets those with evidence off from the bands."""
    edge_of = {"markeredgecolor": paper(), "markeredgewidth": 0.6} if good else {}
    return {"color": series_colour(1), "marker": "o", "markersize": 4.6, **edge_of}


def draw_members(axis: Axes, rows: pd.DataFrame, fits: pd.DataFrame) -> None:
    """Draws the bands, the median, the guide line and the largest error bar of one panel."""
    axis.set(xscale="log", yscale="log")
    if rows.empty:
        return
    colour, epsilon = series_colour(0), rows["epsilon"].to_numpy()
    axis.fill_between(epsilon, rows["least"], rows["largest"], color=colour, alpha=RANGE, linewidth=0.0, zorder=1,
                      label="_range")
    axis.fill_between(epsilon, rows["quantile_05"], rows["quantile_95"], color=colour, alpha=BAND, linewidth=0.0, zorder=2,
                      label="_band")
    for name in ("least", "largest"):  # the pale band has an edge in print
        axis.plot(epsilon, rows[name], color=colour, linewidth=0.5, zorder=2, label=f"_{name}")
    axis.plot(epsilon, rows["median"], color=colour, linewidth=1.5, zorder=2.5, label="_median")
    axis.set_ylim(*limits_of(rows))
    draw_guide(axis, rows, fits)
    draw_bar(axis, rows)


def limits_of(rows: pd.DataFrame) -> tuple[float, float]:
    """The limits around all members, at least two decades; the largest error bar is included if it is near."""
    known = rows[["least", "largest"]].to_numpy()
    known = known[known > 0.0]
    if not known.size:
        return 0.1, 1.0
    low, high = known.min() / 6.0, known.max() * 3.0
    if rows["largest_bar"].max() > low / NEAR:
        low = min(low, rows["largest_bar"][rows["largest_bar"] > 0.0].min() / 3.0)
    return two_decades(low, high)


def shows_bar(rows: pd.DataFrame) -> bool:
    """Whether the panel reaches down to the largest error bar."""
    return bool(not rows.empty and rows["largest_bar"].max() > limits_of(rows)[0])


def draw_guide(axis: Axes, rows: pd.DataFrame, fits: pd.DataFrame) -> None:
    """Draws the slope of the median order below all members."""
    if not order_words(fits):
        return
    rows = rows[rows["least"] > 0.0]
    slope = rows["epsilon"] ** float(fits.iloc[0]["median"])
    axis.plot(rows["epsilon"], 0.5 * (rows["least"] / slope).min() * slope, color=edge(), zorder=2, label="_guide", **GUIDE)


def draw_bar(axis: Axes, rows: pd.DataFrame) -> None:
    """Draws the largest error bar at each epsilon, or a note if all are below the panel."""
    bars = rows["largest_bar"].where(rows["largest_bar"] > 0.0)
    if shows_bar(rows):
        axis.plot(rows["epsilon"], bars, color=edge(), linewidth=1.0, linestyle=":", zorder=2, label="_bar")
    elif bars.notna().any():
        axis.text(0.98, 0.02, rf"error bars $\leq {power_text(bars.max())}$", ha="right", va="bottom",
                  transform=axis.transAxes, fontsize=8, color=edge())


def draw_study(axis: Axes, study: RollingResult, quantity: str, window: str) -> None:
    """Draws the errors of the study itself, of all its pairs of solvers."""
    rows = matching(study.table, norm=NORM, quantity=quantity, window=window).sort_values("epsilon")
    rows = rows.assign(bar=error_bars(rows))
    for good in (True, False):
        shown = thinned(rows[(rows["status"].isin(EVIDENT) == good) & (rows["model_error"] > 0.0)])
        draw_points(axis, shown["epsilon"], shown["model_error"], shown["bar"], good, look_of_study(good), "_study")


def record_medians(axis: Axes, rows: pd.DataFrame, words: list[str], name: str) -> None:
    """The medians, for pages: each with its quantiles and the member of the largest error."""
    shown = thinned(rows[rows["median"] > 0.0])
    if shown.empty:
        return
    notes = [f"5 to 95 %: {low:.3g} to {high:.3g}; largest {most:.3g}, member {member}" for low, high, most, member in zip(
        shown["quantile_05"], shown["quantile_95"], shown["largest"], shown["worst_member"])]
    record(axis, Series(name, tuple(zip(("orders", "of the members"), words)), ("ε", "median error"), shown["epsilon"].tolist(), shown["median"].tolist(), notes))
