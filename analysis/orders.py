"""Orders of a sweep against a swept key, and the colours that tell its curves apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .evenly_spaced import evenly_spaced
from .furniture import is_narrow, is_strip
from .opening import rolling
from .page import Page, canvas, finish, with_furniture
from .pairs import chosen_windows, of_quantities
from .result import Result
from .store import RollingResult
from .sweep import flat
from .tables import AnalysisError, number, shown
from .theme import draw_points, marker_at, ordered_colours, ordered_lines, themed
from .wording import KEYS, QUANTITIES, symbol, window_text

MEASURE = ["quantity", "norm", "window"]
FITTED = ["order", "standard_error", "predicted_order", "settled", "verdict"]
MOST_NAMES = 9  # of the values of a single key
LEAST_RANGE = 0.4  # of the scale of orders: equal orders differ by rounding, which must not fill a panel
NOTE = "Error bars: standard errors; broad pale lines: prediction; hollow: not settled."


@dataclass(frozen=True)
class Family:
    """The curves of a sweep: a scale for the values of the key `against`, a colour for those of all other keys with law
    and solvers, if several; without others a colour for each value of the key."""

    study: RollingResult
    against: str  # a column
    keys: tuple[str, ...]  # the columns that colours tell apart
    others: tuple[tuple[object, ...], ...]  # their values, in the order of the file

    @property
    def single(self) -> bool:
        """Whether the key `against` alone differs."""
        return self.keys == (self.against,)

    @property
    def names(self) -> list[str]:
        """Of the colours."""
        known = dict(zip(self.study.sweep.columns, self.study.sweep.keys))
        return [", ".join(f"{KEYS.get(known[key], known[key])} = {shown(value)}" if key in known else str(value)
                          for key, value in zip(self.keys, one)) for one in self.others]

    @property
    def shown(self) -> list[str]:
        """The names of a legend: all, or MOST_NAMES evenly spaced ones of a single key."""
        return [self.names[k] for k in self._places()]

    def handles(self) -> list[Line2D]:
        """The handles of the legend."""
        lines = self.lines()
        return [Line2D([], [], linewidth=1.3, **lines[k]) for k in self._places()]

    def lines(self) -> list[dict[str, Any]]:
        """Colour and dashes of each of the others."""
        return ordered_lines(len(self.others))

    @property
    def key(self) -> str:
        """The swept key of the scale, as ζ or as in the file."""
        key = self.study.sweep.keys[self.study.sweep.columns.index(self.against)]
        return KEYS.get(key, key)

    def place(self, series: Mapping[str, object]) -> int:
        """The place of a series' colour."""
        return self.others.index(tuple(series[name] for name in self.keys))

    def _places(self) -> np.ndarray:
        return evenly_spaced(len(self.others), MOST_NAMES if self.single else len(self.others))


def family_of(study: RollingResult, against: str | None = None) -> Family:
    """The family over the key `against`; by default over the swept key with the most numbers, the last of several.

    AnalysisError for a single study and an unknown key.
    """
    if study.sweep is None:
        raise AnalysisError(f"{study.where}: a single study; orders against a key need a sweep")
    sweep = study.sweep
    if against is None:
        column = max(reversed(sweep.columns), key=lambda name: (is_numeric(study.table[name]), study.table[name].nunique()))
    else:
        place = sweep.place(against)
        if place is None:
            raise AnalysisError(f"{study.where}: '{against}' is not swept; swept keys are {', '.join(sweep.keys)}")
        column = sweep.columns[place]
    keys = tuple(name for name in study.series_keys
                 if name != column and (name in sweep.columns or study.table[name].nunique() > 1)) or (column,)
    return Family(study, column, keys, tuple(dict.fromkeys(study.table[list(keys)].itertuples(index=False, name=None))))


def is_numeric(values: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values))


def orders_data(study: str | Path | Result, *, norm: str = "sup",
                quantities: Sequence[str] = QUANTITIES) -> pd.DataFrame:
    """The fitted orders of a sweep in one norm: a row for each point, law, pair of solvers, quantity and window, with
    standard_error, predicted_order (NaN: none), settled and verdict.

        >>> orders_data("results/knife_edge_damping").query("not settled")
    """
    study = rolling(study)
    family_of(study)
    rows = pd.DataFrame(flat(study.series), columns=[*study.series_keys, *MEASURE, *FITTED])
    rows = rows[(rows["norm"] == norm) & rows["order"].notna()]
    rows = of_quantities(rows, quantities).reset_index(drop=True)
    if rows.empty:
        raise AnalysisError(f"{study.where}: no orders in the norm '{norm}'")
    numbers = ["order", "standard_error", "predicted_order"]
    rows[numbers] = rows[numbers].map(number).astype(float)
    return rows


@with_furniture
def plot_orders(study: str | Path | Result, *, against: str | None = None, norm: str = "sup",
                quantities: Sequence[str] = QUANTITIES, windows: Sequence[str] | None = None, style: str = "light",
                axes: Sequence[Axes] | None = None) -> Figure:
    """Fitted orders of a sweep against a swept key: a row of panels per window, a column per quantity.

    `against`: a swept key (default: the one with the most numbers); a colour for each value of the others. Error bars
    are standard errors, broad pale lines the predicted orders; an order that is not settled is hollow.
    `windows`: "all", "after" or both (the default; a narrow figure shows the first alone).

        >>> plot_orders("results/knife_edge_damping", against="contact.damping_exponent")
    """
    study = rolling(study)
    data = orders_data(study, norm=norm, quantities=quantities)
    family = family_of(study, against)
    windows = chosen_windows(data, windows, axes is None and (is_narrow() or is_strip()))
    page = Page(len(windows), len(quantities), f"{study.name}: orders against {family.key}, {norm} norm", left=0.62,
                gap=0.5, below=0.46, names=() if family.single else tuple(family.names), note=NOTE)
    with themed(style):
        figure, panels = canvas(page, axes)
        looks = [{"marker": marker_at(k), "color": colour, "markersize": 4.0}
                 for k, colour in enumerate(ordered_colours(1 if family.single else len(family.others)))]
        for line, window in zip(panels, windows):
            for axis, quantity in zip(line, quantities):
                draw_orders(axis, data[(data["window"] == window) & (data["quantity"] == quantity)], family, looks)
                axis.set_title(f"{symbol(quantity)}, {window_text(study, window)}")
        page.label(panels, axes, family.key, "order")
        finish(figure, page, panels, axes, [Line2D([], [], linewidth=0.9, **look) for look in looks])
    return figure


def draw_orders(axis: Axes, rows: pd.DataFrame, family: Family, looks: list[dict[str, object]]) -> None:
    """Draws the orders of one panel."""
    values = list(dict.fromkeys(family.study.table[family.against]))
    if is_numeric(family.study.table[family.against]):
        place_of = {value: float(value) for value in values}
        if min(values) > 0.0 and max(values) >= 10.0 * min(values):
            axis.set_xscale("log")
    else:
        place_of = {value: float(k) for k, value in enumerate(values)}
        axis.set_xticks(range(len(values)), [shown(value) for value in values])
    for place, look in enumerate(looks):
        its = rows if family.single else rows.loc[np.array(
            [family.place(row) == place for row in rows.to_dict("records")], dtype=bool)]
        its = its.assign(x=its[family.against].map(place_of)).sort_values("x")
        axis.plot(its["x"], its["predicted_order"], color=look["color"], linewidth=4.0, alpha=0.3, zorder=1,
                  solid_capstyle="butt", label="_predicted")
        axis.plot(its["x"], its["order"], color=look["color"], linewidth=0.7, zorder=2, label="_orders")
        for settled in (True, False):
            part = its[its["settled"].astype(bool) == settled]
            draw_points(axis, part["x"], part["order"], part["standard_error"], settled, look)
    low, high = axis.get_ylim()
    if high - low < LEAST_RANGE:
        axis.set_ylim(0.5 * (low + high - LEAST_RANGE), 0.5 * (low + high + LEAST_RANGE))
