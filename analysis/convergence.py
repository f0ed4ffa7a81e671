"""Errors against epsilon: measured values, their error bars, and the prediction."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .figures import two_decades
from .furniture import is_narrow, is_strip
from .names import units_of
from .page import (Page, canvas, furnish, height_of, legend_below, legend_inside, width_of,
                   with_furniture)
from .pairs import thinned
from .points import Series, record
from .result import Result
from .opening import rolling
from .tables import EVIDENT, AnalysisError, error_bars, matching, number
from .theme import dashes_at, draw_points, edge, ink, marked, paper, series_colour, themed
from .wording import QUANTITIES, check_quantities, order_text, pair_text, power_text, symbol, verdict_text, window_text

MEASURE = ["quantity", "norm", "window"]
NOTE = ("Thin lines: fits; broad pale lines: prediction; dark band: error bars; pale band: ten times that; "
        "hollow: no evidence; ×: failed.")
SAME = 1.05  # ratio of errors whose markers cover each other
SIGNS = {"lambda": "λ"}
FAR = 3.0  # factor between a point and the fit: the point is drawn hollow
EVIDENCE = 10.0  # a model error below this many error bars is not evidence (docs/architecture.md, 4)


def convergence_data(study: str | Path | Result, *, norm: str = "sup", law: str | None = None,
                     quantities: Sequence[str] = QUANTITIES) -> pd.DataFrame:
    """The errors of one norm with error bars, fit and prediction: one row per point.

    error_bar is that behind ± in the tables (tables.error_bars); fitted is coefficient epsilon^order, predicted is
    predicted_coefficient epsilon^predicted_order, or NaN. The table of a sweep has a column for each swept key. A quantity may be a component that a claim of the study names, "x".

        >>> convergence_data("results/knife_edge").to_csv("convergence.csv", index=False)
    """
    study = rolling(study)
    rows = matching(study.table, norm=norm, law=law)
    if not quantities or not set(quantities) <= {*rows["quantity"], *QUANTITIES}:
        check_quantities(quantities)
    rows = rows[rows["quantity"].isin(quantities)]
    if rows.empty:
        raise AnalysisError(f"{study.where}: no errors in the norm '{norm}'"
                            + (f" of the law '{law}'" if law else ""))
    key = [*study.series_keys, *MEASURE]
    fits = pd.DataFrame([{**{name: s[name] for name in key}, "fitted_order": number(s["order"]),
                          "standard_error": number(s["standard_error"]),
                          "coefficient": number(s["coefficient"]),
                          "predicted_order": number(s["predicted_order"])}
                         for s in study.series], columns=[
                             *key, "fitted_order", "standard_error", "coefficient",
                             "predicted_order"])
    wanted = [*key, "epsilon", "model_error", "solver_error", "reference_error", "sampling_error", "error_bar", "status",
              "verdict", "predicted_coefficient"]
    data = rows.assign(error_bar=error_bars(rows))[wanted].merge(fits, on=key, how="left").rename(
        columns={"model_error": "error"})
    numbers = ["fitted_order", "standard_error", "coefficient", "predicted_order"]
    data[numbers] = data[numbers].astype(float)  # no series, no type
    data["fitted"] = data["coefficient"] * data["epsilon"] ** data["fitted_order"]
    data["predicted"] = (data["predicted_coefficient"]
                         * data["epsilon"] ** data["predicted_order"])
    return data


@with_furniture
def plot_convergence(study: str | Path | Result, *, norm: str = "sup", law: str | None = None,
                     quantities: Sequence[str] = QUANTITIES, windows: Sequence[str] | None = None,
                     style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """Error against epsilon, one column per quantity.

    `windows`: "all", "after" or both (the default; of several curves a narrow figure shows the first alone).

    With one pair of solvers both windows share a panel. With several pairs, laws or points of a sweep
    each window has its own row of panels.
    Error bars are the largest of solver, reference and sampling error; hollow points do not count as evidence.
    The dark band covers these errors, the pale band ten times as much. Thin lines are fits, thick pale
    lines the prediction. `axes`: one per panel; their legends are inside the panels, give the verdict
    only if it is not "confirmed", and can be moved or removed.

        >>> plot_convergence("results/knife_edge").savefig("convergence.pdf")
    """
    study = rolling(study)
    data = convergence_data(study, norm=norm, law=law, quantities=quantities)
    keys = study.series_keys
    pairs = list(data.groupby(keys, sort=False).groups)
    several = len(pairs) > 1
    windows = chosen_windows(data, windows, several and axes is None and (is_narrow() or is_strip()))
    shown = [[w] for w in windows] if several else [windows]
    curves = [pair_text(study, pair) for pair in pairs] if several else [
        window_text(study, window) for window in windows]
    wanted = [dict(zip(keys, pair)) for pair in pairs] if several else [{"window": window} for window in windows]
    drawn = {(q, *here): data[(data["quantity"] == q) & data["window"].isin(here)]
             for here in shown for q in quantities}
    wide = Page(len(shown), len(quantities)).letters_across
    same = {panel: textwrap.wrap(coincidence(rows, wanted), wide) if several and not is_strip() else []
            for panel, rows in drawn.items()}
    named = list(curves)
    if any(same.values()):
        curves = [f"{number}: {name}" for number, name in enumerate(curves, 1)]
    lines = 0 if is_strip() else len(curves) + max(len(same[panel]) + bool(far_from_fit(rows).any())
                                                   for panel, rows in drawn.items())
    page = Page(len(shown), len(quantities), f"{study.name}: {verdict_text(study)}", names=tuple(curves), note=NOTE,
                below=0.46 if is_strip() else 0.5 + 0.165 * lines)
    with themed(style):
        figure, panels = canvas(page, axes, sharex=True)
        for line, here in zip(panels, shown):
            for axis, quantity in zip(line, quantities):
                panel = (quantity, *here)
                handles = draw_panel(axis, drawn[panel], wanted, None if axes is None else curves, same[panel])
                also = f", {window_text(study, here[0])}" if several else ""
                record_points(axis, drawn[panel], wanted,
                              [f"{SIGNS.get(quantity, quantity)}, {name}{also}" for name in named])
                where = f", {window_text(study, here[0])}" if several else ""
                axis.set_title(f"{symbol(quantity)}{units_of(study.description, quantity)}{where}")
                axis.set_xlabel(r"$\varepsilon$", labelpad=1.0)
                axis.xaxis.set_tick_params(labelbottom=True)
        page.label(panels, axes, y=f"error, {norm} norm")
        if axes is None:
            furnish(figure, page, handles)
    return figure


def chosen_windows(data: pd.DataFrame, wanted: Sequence[str] | None, one: bool) -> list[str]:
    known = list(dict.fromkeys(data["window"]))
    for window in wanted or []:
        if window not in known:
            raise AnalysisError(f"windows must be of {', '.join(known)}, not '{window}'")
    return list(wanted) if wanted else known[:1] if one else known


def coincidence(rows: pd.DataFrame, curves: list[dict[str, Any]]) -> str:
    """"1–3, 4 = 5 coincide, ε ≤ 0.01": the curves whose points of the smallest ε, at least half of all, agree to
    SAME; the bound holds for all of them."""
    errors = [matching(rows, **wanted).set_index("epsilon")["error"] for wanted in curves]
    groups: list[list[int]] = []
    below, least = np.inf, np.inf
    for place, its in enumerate(errors):
        for group in groups:
            both = pd.concat([errors[group[0]], its], axis=1, join="inner").sort_index()
            both = both[(both > 0.0).all(axis=1)]
            near = np.abs(np.log(both.iloc[:, 0] / both.iloc[:, 1])) <= np.log(SAME)
            agree = int(near.cumprod().sum())
            if agree >= max(2, 0.5 * len(both)):
                group.append(place)
                below, least = min(below, both.index[agree - 1]), min(least, agree - len(both))
                break
        else:
            groups.append([place])
    words = [f"{group[0] + 1}–{group[-1] + 1}" if len(group) == group[-1] - group[0] + 1 > 2 else
             "\u00a0=\u00a0".join(str(place + 1) for place in group) for group in groups if len(group) > 1]
    return f"{', '.join(words)} coincide" + (f", ε\u00a0≤\u00a0{below:.2g}" if least < 0 else "") if words else ""


def draw_panel(axis: Axes, data: pd.DataFrame, curves: list[dict[str, Any]], names: list[str] | None,
               same: list[str]) -> list[Artist]:
    """Draws all curves of a panel. The legend with order, verdict and the curves that are the `same` is below the
    panel, of a strip in the caption; in the caller's axes it is inside and has the `names` of the curves."""
    axis.set(xscale="log", yscale="log")
    handles, labels = [], []
    for place, wanted in enumerate(curves):
        rows = matching(data, **wanted).sort_values("epsilon")
        handles.append(draw_series(axis, rows, place, len(curves)))
        words = judgement(rows)
        labels.append(f"{names[place]}: {words.removesuffix(', confirmed')}" if names else words)
    set_limits(axis, data)
    shade_floor(axis, data)
    extra = [Line2D([], [], linestyle="none", color=edge()) for _ in same]
    if far_from_fit(data).any():
        extra.append(Line2D([], [], linestyle="none", marker="o", markersize=4.0, color=edge(),
                            markerfacecolor=paper()))
        same = [*same, f"over {FAR:g} × off the fit"]
    if names:
        make_room(axis, len(labels) + len(same))
        legend_inside(np.array([axis]), [*handles, *extra], [*labels, *same], loc="upper left")
    elif not is_strip():
        legend_below(axis, [*handles, *extra], [*labels, *same])
    return handles


def record_points(axis: Axes, data: pd.DataFrame, curves: list[dict[str, Any]], names: list[str]) -> None:
    """The points that draw_panel draws, for pages: a series for each curve, with its order and verdict."""
    for name, wanted in zip(names, curves):
        rows = matching(data, **wanted).sort_values("epsilon")
        shown = thinned(rows[rows["error"] > 0.0])
        if shown.empty:
            continue
        fit = shown.iloc[0]
        order = order_text(fit["fitted_order"], fit["standard_error"]) if np.isfinite(fit["fitted_order"]) else "–"
        notes = np.where(shown["status"].isin(EVIDENT), "", "no evidence: " + shown["status"].astype(str))
        record(axis, Series(name, (("fitted order", order), ("verdict", str(fit["verdict"]))), ("ε", "error"),
                            shown["epsilon"].tolist(), shown["error"].tolist(), notes.tolist(),
                            shown["error_bar"].tolist()))


def make_room(axis: Axes, lines: int) -> None:
    """Extends the panel above its errors for a legend of that many lines."""
    share = min(0.45, (0.05 + 0.14 * lines) / height_of(axis))
    low, high = axis.get_ylim()
    axis.set_ylim(low, low * (high / low) ** (1.0 / (1.0 - share)))


def draw_series(axis: Axes, rows: pd.DataFrame, place: int, count: int) -> Line2D:
    """Draws points with error bars, the fit, the prediction, and × for failed solves. Returns the
    legend handle."""
    colour, epsilon = series_colour(place), rows["epsilon"].to_numpy()
    # Earlier markers are larger, so that they stay visible where errors coincide.
    look = marked(place) | {"linewidth": 0.9, "markersize": 6.6 - min(1.5, 4.2 / max(1, count - 1)) * place}
    dashes = dashes_at(place)
    if np.isfinite(rows["predicted"]).any():
        axis.plot(epsilon, rows["predicted"], color=colour, linewidth=4.0, alpha=0.3, zorder=1,
                  solid_capstyle="butt", label="_predicted")
    if np.isfinite(rows["fitted"]).any():
        axis.plot(epsilon, rows["fitted"], color=colour, linewidth=0.9, zorder=2, label="_fitted",
                  linestyle=dashes)
    evidence = rows["status"].isin(EVIDENT) & ~far_from_fit(rows)
    for good in (True, False):
        shown = thinned(rows[(evidence == good) & (rows["error"] > 0.0)])
        draw_points(axis, shown["epsilon"], shown["error"], shown["error_bar"], good, look,
                    "_evidence" if good else "_no evidence")
    failed = rows[rows["status"].str.startswith("failed")]
    if not failed.empty:  # an empty unclipped line would take space at the corner of the figure
        axis.plot(failed["epsilon"], np.ones(len(failed)), linestyle="none", marker="x", color=colour,
                  transform=axis.get_xaxis_transform(), clip_on=False, zorder=4, label="_failed")
    return Line2D([], [], linestyle=dashes, **look)


def far_from_fit(rows: pd.DataFrame) -> pd.Series:
    """The points that are evidence but not near the fit: the verdict does not hold there."""
    off = np.abs(np.log(rows["error"].where(rows["error"] > 0.0) / rows["fitted"])) > np.log(FAR)
    return off & rows["status"].isin(EVIDENT)


def judgement(rows: pd.DataFrame) -> str:
    """Fitted order, standard error and verdict of one series."""
    if rows.empty:
        return "not run"
    order, error, verdict = rows.iloc[0][["fitted_order", "standard_error", "verdict"]]
    return f"{order_text(order, error)}, {verdict}" if np.isfinite(order) else verdict


def set_limits(axis: Axes, data: pd.DataFrame) -> None:
    """Sets the limits around the errors, at least two decades; the floor is included if it is near."""
    known = data["error"][data["error"] > 0.0]
    if known.empty:
        return
    low, high = known.min() / 4.0, known.max() * 4.0
    bars = EVIDENCE * data["error_bar"][data["error_bar"] > 0.0]
    if not bars.empty and bars.max() > low / 100.0:
        low = min(low, max(bars.min() / 40.0, low / 1e4))
    axis.set_ylim(*two_decades(low, high))


def shade_floor(axis: Axes, data: pd.DataFrame) -> None:
    """Shades the largest error bar at each epsilon and ten times that; notes a floor below the panel."""
    bars = data.groupby("epsilon")["error_bar"].max()
    bars = bars[bars > 0.0]
    if bars.empty:
        return
    low = axis.get_ylim()[0]
    if EVIDENCE * bars.max() < low:
        wide = width_of(axis) > 1.7  # inches: space beside the smallest errors
        axis.text(0.98, 0.02, f"floor{' ' if wide else chr(10)}${power_text(bars.max())}$, below",
                  ha="right", va="bottom", transform=axis.transAxes, fontsize=8, color=edge())
        return
    epsilon = bars.index.to_numpy()
    if len(epsilon) == 1:  # a band needs a width
        epsilon, bars = epsilon * np.array([0.8, 1.25]), pd.Series([bars.iloc[0]] * 2)
    for factor, depth in ((1.0, 0.22), (EVIDENCE, 0.1)):
        axis.fill_between(epsilon, low * 1e-3, factor * bars.to_numpy(), color=ink(), alpha=depth,
                          linewidth=0.0, zorder=0, label="_floor")
