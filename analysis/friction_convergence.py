"""Errors of the compliant against the rigid motion over epsilon, and times of the rigid events in the
compliant motion."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .figures import two_decades
from .names import units_of
from .furniture import is_narrow
from .page import Page, canvas, finish, legend, with_furniture
from .friction_store import FrictionResult
from .points import Series, record
from .opening import friction_point, friction_result
from .result import Result, expected_text
from .tables import EVIDENT, AnalysisError, error_bars, number
from .theme import DASHES, dashes_at, draw_points, edge, marked, paper, themed
from .wording import ERROR_BARS, QUANTITIES, order_text, point_text, symbol

LAW = ["law", "tangential_power", "compliant_solver"]
MEASURE = ["quantity", "events", "norm", "window"]
NOTE = ("Lines: slope of the expected, else of the fitted order, through the evidence at the smallest epsilon; "
        f"bars: {ERROR_BARS}; hollow: no evidence.")


def measure_text(quantity: str, events: str, norm: str, window: str) -> str:
    """A measure in words, as in the tables."""
    if quantity == "event_time":
        return f"event_time ({events})" if events else "event_time"
    return f"{quantity} {norm} {window}"


def friction_convergence_data(study: str | Path | Result) -> pd.DataFrame:
    """Errors with error bars, fitted and expected order (NaN: none, or no convergence): one row per point.
    Measures without an expectation are included only if they are sup or l1 over all t."""
    study = friction_result(study)
    keys = [*study.columns, *LAW]
    if study.table.empty:
        raise AnalysisError(f"{study.where}: no compliant motions, no errors")
    data = study.table.copy()
    data["events"] = data["events"].astype(str)
    data["error_bar"] = error_bars(data)
    data["measure"] = [measure_text(*row) for row in data[MEASURE].itertuples(index=False)]
    known = {tuple({**s, **s.get("swept", {})}[key] for key in [*keys, *MEASURE]): s
             for s in study.judgement["series"]}
    series = [known.get(row, {}) for row in data[[*keys, *MEASURE]].itertuples(index=False, name=None)]
    data["order_fitted"] = [number(s.get("order")) for s in series]
    data["standard_error"] = [number(s.get("standard_error")) for s in series]
    data["order_expected"] = [number(s.get("expected_order")) for s in series]
    data["expected"] = [expected_text(s) for s in series]
    usual = data["norm"].isin(["sup", "l1"]) & (data["window"] == "all")
    chosen = data[(data["expected"] != "") | usual]
    return chosen[[*keys, "quantity", "measure", "epsilon", "model_error", "error_bar", "status",
                   "order_fitted", "standard_error", "order_expected", "expected"]
                  ].reset_index(drop=True)


def law_text(data: pd.DataFrame, law: str, power: float, solver: str, point: str = "") -> str:
    """The part of a series' key that differs between the series. `point`: of a sweep."""
    words = [point] if point else []
    words += [law] if data["law"].nunique() > 1 else []
    if data["tangential_power"].nunique() > 1 and law == "projected":
        words.append(rf"$\kappa = {power:g}$")
    words += [solver] if data["compliant_solver"].nunique() > 1 else []
    return ", ".join(words)


@with_furniture
def plot_friction_convergence(study: str | Path | Result, *, quantities: Sequence[str] | None = None,
                              style: str = "light", axes: Sequence[Axes] | None = None) -> Figure:
    """One panel per quantity (q, v, lambda, event_time, as far as the study has errors, or `quantities`; a
    narrow figure has the first two) with orders and standard errors below. A sweep gives one curve per point.

        >>> plot_friction_convergence("results/wheel_slip_to_roll").savefig("convergence.pdf")
    """
    study = friction_result(study)
    data = friction_convergence_data(study)
    known = [q for q in (*QUANTITIES, "event_time") if q in set(data["quantity"])]
    if unknown := [q for q in quantities or [] if q not in known]:
        raise AnalysisError(f"quantities must be of {', '.join(known)}, not '{unknown[0]}'")
    quantities = list(quantities or (known[:2] if axes is None and is_narrow() else known))
    columns = min(len(quantities), 2) if axes is None and not is_narrow() else 1
    wide = Page(1, columns).letters_across
    drawn = {q: data[data["quantity"] == q] for q in quantities}
    belows = [0.56 + 0.165 * sum(label.count("\n") + 1 for label, _ in curves_of(rows, data, study, wide))
              for rows in drawn.values()]
    lines = -(-len(quantities) // columns)
    if columns == 1:  # panels below one another
        lines, columns = 1, len(quantities)
    held = "held" if study.judgement.get("held") else "not held"
    page = Page(lines, columns, f"{study.name}: {held}", belows=tuple(belows), panel_height=1.6,
                least=1.9, note=NOTE)
    with themed(style):
        figure, panels = canvas(page, axes)
        for axis, quantity in zip(panels.flat, quantities):
            rows = drawn[quantity]
            draw_panel(axis, rows, curves_of(rows, data, study, wide), study, axes)
        page.label(panels, axes, y="error")
        for axis in panels.flat[len(quantities):]:
            axis.set_axis_off()
        finish(figure, page, panels, axes)
    return figure


def curves_of(rows: pd.DataFrame, data: pd.DataFrame, study: FrictionResult, wide: int
              ) -> list[tuple[str, pd.DataFrame]]:
    """The curves of a panel with their labels, of at most `wide` letters per line."""
    found = []
    for (*point, law, power, solver, measure), series in rows.groupby(
            [*study.columns, *LAW, "measure"], sort=False):
        words = law_text(data, law, power, solver, point_text(study.sweep, point) if study.sweep else "")
        text = (f"{measure.removeprefix(series['quantity'].iloc[0]).strip() or 'all events'}"
                f"{', ' if words else ''}{words}: {fit_text(series.iloc[0])}")
        found.append((textwrap.fill(text, wide), series.sort_values("epsilon")))
    return found


def draw_panel(axis: Axes, rows: pd.DataFrame, curves: list[tuple[str, pd.DataFrame]],
               study: FrictionResult, axes: object) -> None:
    axis.set(xscale="log", yscale="log")
    quantity = rows["quantity"].iloc[0]
    axis.set_title(heading(quantity, study.judgement["system"]))
    axis.set_xlabel(r"$\varepsilon$", labelpad=1.0)
    handles = [draw_series(axis, series, place) for place, (_, series) in enumerate(curves)]
    for label, series in curves:
        record_points(axis, label.replace("\n", " "), series)
    limits(axis, rows)
    legend(axis, axes, handles, [label for label, _ in curves])


def record_points(axis: Axes, label: str, rows: pd.DataFrame) -> None:
    """The points of a curve, for pages; `label`: as in the legend, "MEASURE, LAW: FIT"."""
    shown, fit = rows[rows["model_error"] > 0.0], fit_text(rows.iloc[0])
    name = label.removesuffix(f": {fit}").replace(r"\kappa", "κ").replace("$", "")
    quantity = str(rows["quantity"].iloc[0])
    sign = {"lambda": "λ", "event_time": "time of an event"}.get(quantity, quantity)
    notes = ["" if status in EVIDENT else f"no evidence: {status}" for status in shown["status"].astype(str)]
    record(axis, Series(f"{sign}, {name}", (("fitted order", fit),), ("ε", "error"), shown["epsilon"].tolist(),
                        shown["model_error"].tolist(), notes, shown["error_bar"].tolist()))


def heading(quantity: str, description: dict[str, Any]) -> str:
    """The quantity with its units. Friction acts at points, so its forces are in newton."""
    if quantity == "event_time":
        return "times of events [s]"
    return symbol(quantity) + (" [N]" if quantity == "lambda" else units_of(description, quantity))


def limits(axis: Axes, rows: pd.DataFrame) -> None:
    """Sets the limits around the errors, at least two decades; bars may extend beyond them."""
    known = rows["model_error"][rows["model_error"] > 0.0]
    if known.empty:
        return
    low, high = known.min() / 3.0, known.max() * 3.0
    axis.set_ylim(*two_decades(low, high))


def fit_text(row: pd.Series) -> str:
    wanted = f" (expected: {row['expected']})" if row["expected"] else ""
    fitted = np.isfinite(row["order_fitted"])
    return (order_text(row["order_fitted"], row["standard_error"]) if fitted else "no fit") + wanted


def draw_series(axis: Axes, rows: pd.DataFrame, place: int) -> Line2D:
    look, dashes = marked(place), dashes_at(place)
    evident, seen = rows["status"].isin(EVIDENT), rows["model_error"] > 0.0
    good = rows[evident & seen]
    for shown, filled in ((good, True), (rows[~evident & seen], False)):
        draw_points(axis, shown["epsilon"], shown["model_error"], shown["error_bar"], filled, look)
    order = rows["order_expected"].iloc[0]
    order = order if np.isfinite(order) else rows["order_fitted"].iloc[0]
    if len(good) and np.isfinite(order):
        through = good.iloc[0]
        epsilon = rows["epsilon"].to_numpy()
        axis.plot(epsilon, through["model_error"] * (epsilon / through["epsilon"])**order,
                  color=look["color"], linewidth=0.9, linestyle=dashes, zorder=2, label="_slope")
    return Line2D([], [], linestyle=dashes, linewidth=0.9, **look)


def transitions_data(study: str | Path | Result) -> pd.DataFrame:
    """Times of each rigid event in the compliant motions: t − t_rigid and its error."""
    study = friction_point(study)
    data = study.tables["event_times"].dropna(subset=["difference"])
    if data.empty:
        raise AnalysisError(f"{study.where}: no event of the rigid motion was found in a "
                            "compliant one")
    return data.reset_index(drop=True)


@with_furniture
def plot_transitions(study: str | Path | Result, *, most: int = 8, style: str = "light",
                     axes: Sequence[Axes] | None = None) -> Figure:
    """|t − t_rigid| of the first `most` events over epsilon, one panel per law; a line of slope 1.

        >>> plot_transitions("results/curb_elasto_plastic").savefig("transitions.pdf")
    """
    study = friction_point(study)
    data = transitions_data(study)
    laws = list(data.groupby(LAW, sort=False))
    events, same = told_apart(data)
    events = events[:most]
    first = data.drop_duplicates("event").set_index("event")
    names = tuple(f"{first.loc[k, 'kind']} {first.loc[k, 'contacts']}, {first.loc[k, 't_rigid']:.6f} s"
                  for k in events)
    page = Page(1, len(laws), f"{study.name}: times of the rigid events in the compliant motion", panel_height=2.4,
                names=names, left=0.78,
                note="Bars: error of the compliant solver; hollow: the error is more than a tenth. "
                "Filled: later than the rigid event, crossed: earlier. Dashed: slope 1." + "".join(
                    f" Not drawn, nearer than {size:.0e} s: {first.loc[k, 'kind']} "
                    f"{first.loc[k, 'contacts']}, {first.loc[k, 't_rigid']:.6f} s."
                    for k, size in same.items()))
    with themed(style):
        figure, panels = canvas(page, axes, sharey=True)
        for axis, (law, rows) in zip(panels[0], laws):
            axis.set(xscale="log", yscale="log", xlabel=r"$\varepsilon$",
                     title=law_text(data, *law) or str(law[0]))
            for place, event in enumerate(events):
                draw_event(axis, rows[rows["event"] == event], place)
            draw_slope(axis, rows)
        page.label(panels, axes, y="distance in time [s]")
        handles = [Line2D([], [], linewidth=0.6, **marked(k)) for k in range(len(events))]
        finish(figure, page, panels, axes, handles)
    return figure


def told_apart(data: pd.DataFrame, decades: float = 5.0) -> tuple[list[int], dict[int, float]]:
    """The events whose largest distance is within `decades` of the largest of all, and the distances of the
    others, which would compress the panel. If all coincide, all events are in the first part."""
    sizes = data["difference"].abs().groupby(data["event"], sort=False).max()
    near = sizes < 10.0**-decades * sizes.max()
    return list(sizes.index[~near]), sizes[near].to_dict()


def draw_event(axis: Axes, rows: pd.DataFrame, place: int) -> None:
    rows = rows[rows["difference"] != 0.0].sort_values("epsilon")
    size, error = rows["difference"].abs(), rows["solver_error"].fillna(0.0)
    look = marked(place)
    axis.plot(rows["epsilon"], size, color=look["color"], linewidth=0.6, zorder=2, label="_event")
    sure = error < 0.1 * size
    for chosen, filled in ((sure, True), (~sure, False)):
        draw_points(axis, rows["epsilon"][chosen], size[chosen], error[chosen], filled, look)
    early = rows["difference"] < 0.0
    axis.plot(rows["epsilon"][early], size[early], linestyle="none", marker="x", color=paper(),
              markersize=3.0, zorder=4, label="_early")


def draw_slope(axis: Axes, rows: pd.DataFrame) -> None:
    epsilon = np.sort(rows["epsilon"].unique())
    size = rows["difference"].abs()
    size = size[size > 0.0]
    if len(epsilon) > 1 and len(size):
        axis.plot(epsilon, 1.6 * size.max() * epsilon / epsilon[-1], color=edge(), linewidth=0.9,
                  linestyle=DASHES[1], label="_slope", zorder=1)
