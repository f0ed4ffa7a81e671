"""Markers of events in figures of friction studies: one per kind of event."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .theme import edge, paper, series_colour

# Colour: effect of the event on the velocity; marker: kind of event; hollow: the contact opens.
KINDS = {
    "impact": ("v", 1, True), "accumulation": ("X", 1, True), "touch": ("v", 0, True),
    "detachment": ("^", 0, False), "stick": ("s", 2, True), "slip": ("D", 2, False),
    "reversal": ("d", 3, True), "kink": ("|", 3, True)}
CLOSE = 0.012  # of the time axis: closer impacts of one contact share a marker


def sign(kind: str) -> dict[str, object]:
    marker, colour, filled = KINDS.get(kind, ("o", 3, True))
    return {"marker": marker, "color": series_colour(colour), "linestyle": "none", "markersize": 4.5,
            "markeredgewidth": 0.9, "markerfacecolor": series_colour(colour) if filled else paper()}


def shown_events(events: pd.DataFrame, span: float) -> pd.DataFrame:
    """The events without impacts that follow an impact of the same contact within CLOSE * span."""
    kept, last = [], {}
    for position, (t, kind, contacts) in enumerate(zip(events["t"], events["kind"],
                                                       events["contacts"])):
        key = (kind, contacts)
        if kind != "impact" or t - last.get(key, -np.inf) > CLOSE * span:
            kept.append(position)
            last[key] = t
    return events.iloc[kept]


def mark_times(axis: Axes, events: pd.DataFrame, span: float) -> None:
    """Draws pale lines through the panel and markers on its upper edge."""
    shown = shown_events(events, span)
    for t in np.unique(shown["t"]):
        axis.axvline(t, color=edge(), linewidth=0.5, alpha=0.35, zorder=0)
    for kind, rows in shown.groupby("kind", sort=False):
        axis.plot(rows["t"], np.ones(len(rows)), transform=axis.get_xaxis_transform(),
                  clip_on=False, zorder=5, label="_event", **sign(str(kind)))


def legend_of(events: pd.DataFrame) -> tuple[list[Line2D], list[str]]:
    kinds = [kind for kind in KINDS if kind in set(events["kind"])]
    return [Line2D([], [], **sign(kind)) for kind in kinds], kinds
