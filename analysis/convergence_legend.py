"""The text below a panel of errors: orders and verdicts of its curves, and the curves that coincide."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .furniture import is_strip
from .page import Page, width_of_text
from .tables import EVIDENT, matching
from .wording import order_text

SAME = 1.05  # ratio of errors whose markers cover each other
FAR = 3.0  # factor between a point and the fit: the point is drawn hollow
ZERO = 5e-4  # orders below this are 0 in a range of three digits


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
    words = ["\u00a0= ".join(runs(group)) for group in groups if len(group) > 1]
    return f"{', '.join(words)} coincide" + (f", ε\u00a0≤\u00a0{below:.2g}" if least < 0 else "") if words else ""


def runs(places: Sequence[int]) -> list[str]:
    """["1–4", "7"]: increasing places, counted from 1, with runs of three and more joined."""
    found: list[list[int]] = []
    for place in places:
        if found and place == found[-1][-1] + 1:
            found[-1].append(place)
        else:
            found.append([place])
    return [word for run in found for word in (
        [f"{run[0] + 1}–{run[-1] + 1}"] if len(run) > 2 else [str(place + 1) for place in run])]


@dataclass(frozen=True)
class Words:
    """The text below a panel: a line for each curve, and lines about all of them."""

    of_curves: list[str]  # order and verdict of each; empty if there are many
    of_all: list[str]  # the curves that coincide, or of many curves the verdicts with their numbers
    off: bool  # whether a point is far from its fit

    @property
    def lines(self) -> int:
        return sum(1 + line.count("\n") for line in [*self.of_curves, *self.of_all]) + self.off


def words_below(rows: pd.DataFrame, curves: list[dict[str, Any]], many: bool, page: Page) -> Words:
    """The text below a panel with these rows."""
    off = bool(far_from_fit(rows).any())
    if many:
        return Words([], [folded(line, ": ", page) for line in counts(rows, curves)], off)
    same = coincidence(rows, curves) if len(curves) > 1 and "window" not in curves[0] and not is_strip() else ""
    return Words([folded(judgement(matching(rows, **wanted)), ", ", page) for wanted in curves],
                 textwrap.wrap(same, page.letters_across), off)


def counts(rows: pd.DataFrame, curves: list[dict[str, Any]]) -> list[str]:
    """["28 confirmed: 1.95 to 2", "2 inconclusive: 1.7 to 1.8"]: the curves by verdict, with their orders."""
    orders: dict[str, list[float]] = {}
    for wanted in curves:
        its = matching(rows, **wanted)
        verdict, order = ("not run", float("nan")) if its.empty else its.iloc[0][["verdict", "fitted_order"]]
        orders.setdefault(verdict, []).append(order)
    lines = []
    for verdict, found in sorted(orders.items(), key=lambda one: -len(one[1])):
        known = [order for order in found if np.isfinite(order)]
        ends = dict.fromkeys(f"{x:.3g}" if abs(x) >= ZERO else "0" for x in (min(known), max(known))) if known else {}
        lines.append(f"{len(found)} {verdict}{': ' * bool(ends)}{' to '.join(ends)}")
    return lines


def folded(text: str, mark: str, page: Page) -> str:
    """The text of a legend below a panel, in two lines if it is wider: the first ends with the mark."""
    first, found, second = text.partition(mark)
    return f"{first}{mark.rstrip()}\n{second}" if found and width_of_text(text) > page.beside_handle else text


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
