"""Errors against epsilon: measured values, their error bars, and the prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .figures import two_decades
from .furniture import is_narrow, is_strip
from .names import units_of
from .convergence_legend import FAR, Words, far_from_fit, words_below
from .orders import MEASURE, Family, family_of
from .page import Page, canvas, furnish, height_of, legend_below, legend_inside, width_of, with_furniture
from .pairs import chosen_windows, of_quantities, thinned
from .points import Series, record
from .result import Result
from .opening import rolling
from .tables import EVIDENT, AnalysisError, error_bars, matching, number
from .theme import dashes_at, draw_points, edge, ink, marker_at, paper, series_colour, themed
from .wording import QUANTITIES, order_text, pair_text, power_text, symbol, verdict_text, window_text

NOTE = ("Thin lines: fits; broad pale lines: prediction; dark band: error bars; pale band: ten times that; "
        "hollow: no evidence; ×: failed.")
OF_FAMILY = ("Thin lines: fits; dark band: error bars; pale band: ten times that; hollow: no evidence; ×: failed. "
             "The figure `orders` shows the order of each curve.")
FEW = 9  # curves of a panel that a legend can tell apart; more are drawn as a family, with a figure of their orders
SIGNS = {"lambda": "λ"}
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
    rows = of_quantities(rows, quantities)
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
    lines the prediction. More than FEW curves of a sweep have the colours of plot_orders, which shows the order of
    each; their legends count the verdicts. `axes`: one per panel; their legends are inside the panels, give the
    verdict only if it is not "confirmed", and can be moved or removed.

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
    family = family_of(study) if study.sweep and len(curves) > FEW else None
    base = Page(len(shown), len(quantities))
    words = {panel: words_below(rows, wanted, family is not None, base) for panel, rows in drawn.items()}
    numbered = several and not family and any(one.of_all for one in words.values())
    names = (family.shown if family else
             [f"{number}: {name}" for number, name in enumerate(curves, 1)] if numbered else curves)
    lines = 0 if is_strip() else max(one.lines for one in words.values())
    page = Page(len(shown), len(quantities), f"{study.name}: {verdict_text(study)}", names=tuple(names),
                note=OF_FAMILY if family else NOTE, below=0.46 if is_strip() else 0.5 + 0.165 * lines)
    with themed(style):
        looks = looks_of(wanted, family)
        figure, panels = canvas(page, axes, sharex=True)
        for line, here in zip(panels, shown):
            for axis, quantity in zip(line, quantities):
                panel = (quantity, *here)
                draw_panel(axis, drawn[panel], wanted, looks, words[panel], None if axes is None else curves)
                also = f", {window_text(study, here[0])}" if several else ""
                record_points(axis, drawn[panel], wanted,
                              [f"{SIGNS.get(quantity, quantity)}, {name}{also}" for name in curves])
                axis.set_title(f"{symbol(quantity)}{units_of(study.description, quantity)}{also}")
                axis.set_xlabel(r"$\varepsilon$", labelpad=1.0)
                axis.xaxis.set_tick_params(labelbottom=True)
        page.label(panels, axes, y=f"error, {norm} norm")
        if axes is None:
            furnish(figure, page, family.handles() if family else [look.handle for look in looks])
    return figure


@dataclass(frozen=True)
class Look:
    """How a curve is drawn."""

    colour: Any
    marker: str
    size: float  # of the marker, in points
    dashes: Any  # of the fit
    prediction: bool  # whether it is drawn, as a broad pale line

    @property
    def of_points(self) -> dict[str, Any]:
        return {"color": self.colour, "marker": self.marker, "linewidth": 0.9, "markersize": self.size}

    @property
    def handle(self) -> Line2D:
        return Line2D([], [], linestyle=self.dashes, **self.of_points)


def looks_of(curves: list[dict[str, Any]], family: Family | None) -> list[Look]:
    """The looks of a few curves, or of those of a family. Earlier markers are larger, so that they stay visible where
    errors coincide."""
    if family is None:
        smaller = min(1.5, 4.2 / max(1, len(curves) - 1))
        return [Look(series_colour(place), marker_at(place), 6.6 - smaller * place, dashes_at(place), True)
                for place in range(len(curves))]
    lines = [family.lines()[family.place(wanted)] for wanted in curves]
    return [Look(line["color"], "o", 2.4, line["linestyle"], False) for line in lines]


def draw_panel(axis: Axes, data: pd.DataFrame, curves: list[dict[str, Any]], looks: list[Look], words: Words,
               names: list[str] | None) -> None:
    """Draws all curves of a panel. The legend with the words is below the panel, of a strip in the caption; in the
    caller's axes it is inside and has the `names` of the curves."""
    axis.set(xscale="log", yscale="log")
    for wanted, look in zip(curves, looks):
        draw_series(axis, matching(data, **wanted).sort_values("epsilon"), look)
    set_limits(axis, data)
    shade_floor(axis, data)
    labels = [f"{name}: {words_of_one.replace(chr(10), ' ').removesuffix(', confirmed')}" if names else words_of_one
              for name, words_of_one in zip(names or words.of_curves, words.of_curves)]
    handles = [look.handle for look in looks[:len(labels)]]
    handles += [Line2D([], [], linestyle="none", color=edge()) for _ in words.of_all]
    labels += words.of_all
    if words.off:
        handles.append(Line2D([], [], linestyle="none", marker="o", markersize=4.0, color=edge(),
                              markerfacecolor=paper()))
        labels.append(f"over {FAR:g} × off the fit")
    if names:
        make_room(axis, len(labels))
        legend_inside(np.array([axis]), handles, labels, loc="upper left")
    elif not is_strip():
        legend_below(axis, handles, labels)


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


def draw_series(axis: Axes, rows: pd.DataFrame, look: Look) -> None:
    """Draws points with error bars, the fit, the prediction, and × for failed solves."""
    epsilon = rows["epsilon"].to_numpy()
    if look.prediction and np.isfinite(rows["predicted"]).any():
        axis.plot(epsilon, rows["predicted"], color=look.colour, linewidth=4.0, alpha=0.3, zorder=1,
                  solid_capstyle="butt", label="_predicted")
    if np.isfinite(rows["fitted"]).any():
        axis.plot(epsilon, rows["fitted"], color=look.colour, linewidth=0.9 if look.prediction else 0.6, zorder=2,
                  label="_fitted", linestyle=look.dashes)
    evidence = rows["status"].isin(EVIDENT) & ~far_from_fit(rows)
    for good in (True, False):
        shown = thinned(rows[(evidence == good) & (rows["error"] > 0.0)])
        draw_points(axis, shown["epsilon"], shown["error"], shown["error_bar"], good, look.of_points,
                    "_evidence" if good else "_no evidence")
    failed = rows[rows["status"].str.startswith("failed")]
    if not failed.empty:  # an empty unclipped line would take space at the corner of the figure
        axis.plot(failed["epsilon"], np.ones(len(failed)), linestyle="none", marker="x", color=look.colour,
                  transform=axis.get_xaxis_transform(), clip_on=False, zorder=4, label="_failed")


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
