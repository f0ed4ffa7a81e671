"""Figures of damping maps: sweeps of a rolling study over its damping, from results/NAME to PNG and SVG beside it.

A sweep over contact.damping_ratio and contact.damping_exponent gives `error_against_zeta`; one over contact.damping
gives `error_plane`, over c = C/epsilon^2 and d. Rows that are not evidence (another status than ok or proved) are hollow
or hatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .bench_rows import where
from .figures import edges, save, styled
from .furniture import is_narrow
from .names import bracket, commented_units, unit
from .page import Page, canvas, finish, scale_beside, with_furniture
from .result import Result
from .store import RollingResult
from .opening import rolling
from .tables import EVIDENT, AnalysisError, number
from .theme import edge, is_mono, marker_at, ordered_colours, paper, sequential, themed

Row = dict[str, Any]
SYMBOLS = {"q": r"$q$", "v": r"$v$", "lambda": r"$\lambda$"}
Units = dict[str, str]  # of q and v, in brackets; for lambda, c and d the files only say SI
WINDOWS = {"all": "all t", "after": "after the layer"}


SWEPT = {"ratios": ("contact.damping_exponent", "contact.damping_ratio"), "plane": ("contact.damping",)}
MEASURES = (("sup", "all"), ("sup", "after"), ("l2", "all"))
Measures = Sequence[tuple[str, str]]


def kind_of(study: RollingResult) -> str:
    """"ratios" or "plane"; AnalysisError unless the study is a sweep over the damping."""
    keys = study.sweep.keys if study.sweep else ()
    for kind, swept in SWEPT.items():
        if keys == swept:
            return kind
    what = f"a sweep over {', '.join(keys)}" if keys else "a single study"
    raise AnalysisError(f"{study.where}: {what}; a damping map is a sweep over "
                        f"{' and '.join(SWEPT['ratios'])}, or over {SWEPT['plane'][0]}")


def read_map(study: str | Path | Result) -> list[Row]:
    """The errors of a damping map, a row for each cell, epsilon, quantity and measure, with the fitted order
    of its cell. Of a plane: `stiffness` c and the `critical_damping` there, for an isotropic spring."""
    study = rolling(study)
    kind = kind_of(study)
    columns = list(study.sweep.columns)
    name_of = {column: column.removeprefix("contact_") for column in columns}
    fits = {(*(one["swept"][column] for column in columns), *measure_of(one)): one for one in study.series}
    c1 = number(np.min(study.settings["contact"]["stiffness"])) if kind == "plane" else float("nan")
    softest = softest_mobility(study) if kind == "plane" else float("nan")
    rows = []
    for record in study.table.to_dict("records"):
        if measure_of(record)[1:] not in MEASURES:
            continue
        cell = tuple(record[column] for column in columns)
        fit = fits.get((*cell, *measure_of(record)), {})
        row: Row = {"study": study.name, "kind": kind} | {
            name_of[column]: float(value) for column, value in zip(columns, cell)}
        row |= {name: record[name] for name in ("epsilon", "quantity", "norm", "window", "status", "verdict",
                                                "solver_error", "reference_error")}
        row |= {"error": record["model_error"], "order": number(fit.get("order")),
                "order_se": number(fit.get("standard_error")), "settled": bool(fit.get("settled"))}
        if kind == "plane":
            stiffness = c1 / record["epsilon"] ** 2
            row |= {"stiffness": stiffness, "critical_damping": 2.0 * np.sqrt(stiffness / softest)}
        rows.append(row)
    return rows


def measure_of(record: Row) -> tuple[str, str, str]:
    return record["quantity"], record["norm"], record["window"]


def softest_mobility(study: RollingResult) -> float:
    """The smallest eigenvalue of the Delassus matrix A at the start, 1/kg; NaN if it is not stored."""
    found = study.judgement.get("delassus", [])
    size = max((int(one["row"]) for one in found), default=-1) + 1
    A = np.full((size, size), np.nan)
    for one in found:
        A[int(one["row"]), int(one["column"])] = one["value"]
    return float(np.linalg.eigvalsh(A)[0]) if size and np.isfinite(A).all() else float("nan")


def require_some(rows: list[Row], *columns: str) -> None:
    """AnalysisError if no cell was solved, so that these columns hold no number."""
    if not any(levels(rows, column) for column in columns):
        failed = ", ".join(dict.fromkeys(str(row["status"]) for row in rows if row["status"] not in EVIDENT))
        raise AnalysisError(f"{rows[0]['study']}: no cell of the map could be solved ({failed})")


def levels(rows: list[Row], column: str) -> list[float]:
    """The distinct numbers of a column, increasing, without NaN."""
    return sorted({float(row[column]) for row in rows if not np.isnan(row[column])})


def error_against_zeta(rows: list[Row], units: Units, measures: Measures = MEASURES,
                       axes: Sequence[Axes] | None = None) -> Figure:
    """Errors against zeta at each eps for the beta nearest to 1: a row per quantity, a column per measure."""
    require_some(rows, "error")
    beta = min(levels(rows, "damping_exponent"), key=lambda b: abs(b - 1.0))
    epsilons = levels(rows, "epsilon")[::-1]
    looks = [{"marker": marker_at(k), "color": colour} for k, colour in enumerate(ordered_colours(len(epsilons)))]
    page = Page(len(SYMBOLS), len(measures), f"{rows[0]['study']}: error against damping at β = {beta:.3g}",
                panel_height=1.5, left=0.76, gap=0.5, below=0.32, last=0.14,
                names=tuple(f"ε = {x:.3g}" for x in epsilons),
                note="Dashed: critical; hollow: no evidence.")
    figure, panels = canvas(page, axes)
    for line, quantity in zip(panels, SYMBOLS):
        for axis, (norm, window) in zip(line, measures):
            for epsilon, look in zip(epsilons, looks):
                shown = sorted(where(rows, damping_exponent=beta, epsilon=epsilon, quantity=quantity, norm=norm,
                                      window=window), key=lambda r: r["damping_ratio"])
                zeta = np.array([r["damping_ratio"] for r in shown])
                error = np.array([r["error"] for r in shown])
                good = np.array([r["status"] in EVIDENT for r in shown], dtype=bool)
                axis.plot(zeta, error, linewidth=1, label=f"ε = {epsilon:.3g}", **look)
                axis.plot(zeta[~good], error[~good], linestyle="none", markerfacecolor=paper(),
                          label="_no evidence", **look)
            axis.axvline(1.0, color=edge(), linestyle="--", linewidth=1)
            axis.set(xscale="log", yscale="log")
            if axis.get_ylim()[1] < 3.0 * axis.get_ylim()[0]:  # otherwise a flat line fills the panel
                centre = np.sqrt(np.prod(axis.get_ylim()))
                axis.set_ylim(centre / 3.0, centre * 3.0)
            axis.set_title(f"{SYMBOLS[quantity]}, {norm}, {WINDOWS[window]}")
    page.label(panels, axes, "damping ratio ζ", "error")
    for axis, quantity in zip(panels[:, 0], SYMBOLS):
        axis.set_ylabel(f"error{units[quantity]}")
    finish(figure, page, panels, axes, [Line2D([], [], linewidth=1, **look) for look in looks])
    return figure


def plane_values(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """c, d > 0, log10 of the error (one row per d, NaN for failures) and whether it is evidence."""
    c = np.array(levels(rows, "stiffness"))
    d = np.array([x for x in levels(rows, "damping") if x > 0.0])
    error = np.full((len(d), len(c)), np.nan)
    evidence = np.zeros((len(d), len(c)), dtype=bool)
    for row in rows:
        if np.isnan(row["stiffness"]) or not row["damping"] > 0.0:
            continue
        at = np.searchsorted(d, row["damping"]), np.searchsorted(c, row["stiffness"])
        error[at] = np.log10(row["error"]) if row["error"] > 0.0 else np.nan
        evidence[at] = row["status"] in EVIDENT
    return c, d, error, evidence


def draw_plane(axis: Axes, rows: list[Row]) -> None:
    """Draws one panel: log10 of an error over the plane, contours, critical line, hatching."""
    c, d, error, evidence = plane_values(rows)
    # Set scales before the contours: labels are placed on the current scales.
    axis.set(xscale="log", yscale="log", xlim=edges(c)[[0, -1]], ylim=edges(d)[[0, -1]])
    known = error[np.isfinite(error)]
    low, high = (known.min(), known.max()) if known.size else (-1.0, 0.0)
    span = high - low
    if span < 1.0:  # otherwise a nearly constant error shows all colours
        low, high = 0.5 * (low + high) - 0.5, 0.5 * (low + high) + 0.5
    mesh = axis.pcolormesh(edges(c), edges(d), error, cmap=sequential(), vmin=low, vmax=high,
                           edgecolors="face", linewidth=0.1)
    scale_beside(axis, mesh, "")
    if min(error.shape) > 1 and span > 0.2:  # otherwise the contours show only noise
        step = max(0.5, 0.5 * np.ceil(span / 4.0))
        lines = axis.contour(c, d, error, levels=np.arange(-30, 30, step), colors="white",
                             linewidths=0.8, linestyles="solid")
        axis.clabel(lines, fmt="%.3g", fontsize=8, inline_spacing=2)
    if not evidence.all() and min(error.shape) > 1:
        axis.contourf(c, d, (~evidence).astype(float), levels=[0.5, 1.5], colors="none",
                      hatches=["////"])
    critical = {row["stiffness"]: row["critical_damping"] for row in rows}
    line = [critical[x] for x in c]
    axis.plot(c, line, color="white", linewidth=3.2)
    axis.plot(c, line, color="black" if is_mono() else "#d55e00", linestyle="--", linewidth=1.6)


def error_plane(rows: list[Row], units: Units, measures: Measures = MEASURES,
                axes: Sequence[Axes] | None = None) -> Figure:
    """Heat maps of log10 error over (c, d): a row per quantity, a column per measure."""
    require_some(rows, "error")
    page = Page(len(SYMBOLS), len(measures), f"{rows[0]['study']}: log₁₀ of the distance to rigid rolling",
                panel_height=1.5, left=0.62, gap=0.9, right=0.62, least=1.0, above=0.42, below=0.3, last=0.14,
                note="Dashed: critical damping; hatched: no evidence.")
    figure, panels = canvas(page, axes)
    for line, quantity in zip(panels, SYMBOLS):
        for axis, (norm, window) in zip(line, measures):
            draw_plane(axis, where(rows, quantity=quantity, norm=norm, window=window))
            axis.set_title(f"{SYMBOLS[quantity]}{units[quantity]}\n{norm}, {WINDOWS[window]}")
    page.label(panels, axes, "stiffness $c$ [SI]", "damping $d$ [SI]")
    finish(figure, page, panels, axes)
    return figure


def units_of(study: Result) -> Units:
    """Units of q and v from the comments of the resolved sweep."""
    known = commented_units(study.resolved)
    return {"q": bracket(map(unit, known.get("initial.q", ()))),
            "v": bracket(map(unit, known.get("initial.v", ()))), "lambda": " [SI]"}


PICTURES = {"plane": error_plane, "ratios": error_against_zeta}


def damping_map_data(study: str | Path) -> pd.DataFrame:
    """The rows of a damping map: see read_map.

        >>> damping_map_data("results/knife_edge_plane").query("status == 'ok'")
    """
    return pd.DataFrame(read_map(study))


@with_furniture
def plot_damping_map(study: str | Path | Result, *, measures: Measures | None = None, style: str = "light",
                     axes: Sequence[Axes] | None = None) -> Figure:
    """The errors of a damping map: over the plane (c, d) of a sweep over contact.damping, against zeta of a sweep over
    (zeta, beta); plot_orders shows its orders.

    A row of panels per quantity and a column for each of the `measures` (norm, window) of MEASURES: all three, or
    ("sup", "all") alone in a narrow figure.

        >>> plot_damping_map("results/knife_edge_plane").savefig("plane.pdf")
    """
    study = rolling(study)
    rows = read_map(study)
    shown = measures or (MEASURES if axes is not None or not is_narrow() else MEASURES[:1])
    if unknown := [measure for measure in shown if tuple(measure) not in MEASURES]:
        raise AnalysisError(f"measures must be of {MEASURES}, not {unknown[0]}")
    with themed(style):
        return PICTURES[rows[0]["kind"]](rows, units_of(study), shown, axes)


def draw(directory: Path, style: str = "light") -> list[Path]:
    """Draws the figure of results/NAME into it and returns the files."""
    study = rolling(directory)
    name = PICTURES[kind_of(study)].__name__
    return save(plot_damping_map(study, style=style), directory / styled(name, style))
