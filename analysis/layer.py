"""The layer in tau = t / epsilon: the scaled difference compliant - rigid as epsilon shrinks, and its
prediction by the expansion."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .page import Page, canvas, finish, with_furniture
from .names import Component, bracket, components, visible_rows
from .pairs import chosen, layer_width, order_of, partner, sampled_epsilons
from .result import Result
from .store import RollingResult
from .opening import rolling
from .theme import ink, ordered_lines, paper, themed
from .wording import SYMBOLS, check_quantities, epsilon_text, power_of_epsilon

LIMITS = {"q": r"\hat q", "v": r"\hat v", "lambda": r"\Lambda"}
QUANTITIES = ("lambda", "v", "q")
RINGS = 25  # along the prediction
SEEN = 0.01  # of the height of a panel: smaller distances are less than a line width
SHOWN = 12.0  # tau: the critically damped layer has fallen to 1e-4 there


def layer_data(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
               epsilons: Sequence[float] | None = None, quantities: Sequence[str] = QUANTITIES,
               count: int = 4) -> pd.DataFrame:
    """Compliant - rigid in the layer, every component: one row per time, up to the layer's width.

    scaled = difference / epsilon^power; predicted and composite are the program's, scaled in the same
    way, NaN if it predicts nothing. Differences of 113-bit motions are computed in 113 bits.

        >>> layer_data("results/knife_edge_prediction", epsilons=[1e-2, 1e-3])
    """
    study = rolling(study)
    check_quantities(quantities)
    law, solver = chosen(study, law, solver)
    rigid, width = partner(study), layer_width(study)
    parts = []
    for epsilon in sampled_epsilons(study, law, solver, epsilons, count):
        motion = study.motion("compliant", law=law, solver=solver, epsilon=epsilon)
        inside = motion.times <= width * motion.epsilon * (1.0 + 1e-9)
        for quantity in quantities:
            power = order_of(study, law, quantity)
            found = {"difference": motion.minus(rigid, quantity),
                     "predicted": predicted(study, motion.epsilon, quantity, law),
                     "composite": predicted(study, motion.epsilon, f"composite.{quantity}", law)}
            rows = visible_rows(study.description, quantity, len(found["difference"]))
            for k, row in enumerate(rows, 1):
                part = pd.DataFrame({
                    "law": law, "solver": solver, "epsilon": motion.epsilon, "quantity": quantity,
                    "component": k, "power": power, "t": motion.times[inside],
                    "tau": motion.times[inside] / motion.epsilon,
                    **{name: np.nan if values is None else values[row, inside]
                       for name, values in found.items()}})
                scale = motion.epsilon**power
                part["scaled"] = part["difference"] / scale
                part[["predicted", "composite"]] /= scale
                parts.append(part)
    return pd.concat(parts, ignore_index=True)


def predicted(study: RollingResult, epsilon: float, name: str, law: str) -> np.ndarray | None:
    wanted = {"law": law, "epsilon": epsilon}
    if not study.has_curve("predicted", name, **wanted):
        return None
    return study.curve("predicted", name, **wanted).values


def largest_component(data: pd.DataFrame) -> int:
    """The component with the largest layer at the smallest epsilon."""
    smallest = data[(data["epsilon"] == data["epsilon"].min()) & (data["tau"] <= SHOWN)]
    sizes = smallest["scaled"].abs().groupby(smallest["component"]).max()
    return int(sizes.idxmax()) if sizes.notna().any() else 1


@with_furniture
def plot_layer(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
               epsilons: Sequence[float] | None = None, quantities: Sequence[str] = QUANTITIES,
               component: dict[str, int] | None = None, style: str = "light",
               axes: Sequence[Axes] | None = None) -> Figure:
    """One panel per quantity: the scaled difference over tau, coloured by epsilon, and the prediction.

    Each panel shows `component[quantity]`, counted from 1, or else the component with the largest layer.

        >>> plot_layer("results/knife_edge_prediction", component={"v": 2}).savefig("layer.pdf")
    """
    study = rolling(study)
    data = layer_data(study, law=law, solver=solver, epsilons=epsilons, quantities=quantities)
    shown = list(dict.fromkeys(data["epsilon"]))
    foretold = data["predicted"].notna().any()
    chosen_components = {quantity: (component or {}).get(quantity) or largest_component(
        data[data["quantity"] == quantity]) for quantity in quantities}
    drawn = pd.concat([data[(data["quantity"] == q) & (data["component"] == k) & (data["tau"] <= SHOWN)]
                       for q, k in chosen_components.items()])
    names = [epsilon_text(x) + remark(drawn, x) * (axes is None) for x in shown]
    names += ["predicted: leading term"] * bool(foretold)
    page = Page(1, len(quantities), f"{study.name}: the layer, {data['law'].iloc[0]}", left=0.6, gap=0.6,
                above=0.44, below=0.46, names=tuple(names))
    with themed(style):
        figure, panels = canvas(page, axes)
        for axis, quantity in zip(panels[0], quantities):
            rows = data[data["quantity"] == quantity]
            number = chosen_components[quantity]
            handles = draw_layer(axis, rows[rows["component"] == number], shown)
            its = components(study.description, quantity, rows["component"].max())[number - 1]
            axis.set_title(heading(quantity, number, rows["power"].iloc[0], its))
            axis.set(xlabel=r"$\tau = t / \varepsilon$ [s]", xlim=(0.0, min(SHOWN, rows["tau"].max())))
        finish(figure, page, panels, axes, handles)
    return figure


def heading(quantity: str, number: int, power: float, component: Component) -> str:
    """The name of the component and, in a second line, the scaled difference; epsilon has no unit."""
    below = f"_{{{number}}}"
    drawn = f"{SYMBOLS[quantity]}{below} - {LIMITS[quantity]}{below}"
    if power < 0.0:
        drawn = f"{power_of_epsilon(-power)}\\,({drawn})"
    elif power > 0.0:
        drawn = f"({drawn}) / {power_of_epsilon(power)}"
    return f"{component.label}\n${drawn}${bracket([component.unit])}"


def remark(drawn: pd.DataFrame, epsilon: float) -> str:
    """A remark in the legend on a curve that another one hides, or that a panel cuts; otherwise empty."""
    if coincides(drawn, epsilon):
        return ", coincides with the smallest"
    cut = any(len(exits(rows, epsilon)[0]) for _, rows in drawn.groupby("quantity"))
    return ", cut at ▲ ▼" if cut else ""


def coincides(drawn: pd.DataFrame, epsilon: float) -> bool:
    """Whether the curves of epsilon differ in no panel by a line width from those of the smallest epsilon."""
    smallest = drawn["epsilon"].min()
    if epsilon == smallest:
        return False
    for _, rows in drawn.groupby("quantity"):
        one, other = (rows[rows["epsilon"] == x] for x in (epsilon, smallest))
        apart = np.interp(other["tau"], one["tau"], one["scaled"]) - other["scaled"]
        if not apart.abs().max() <= SEEN * np.ptp(limits(other["scaled"].to_numpy())):
            return False
    return True


def draw_layer(axis: Axes, rows: pd.DataFrame, epsilons: list[float]) -> list[Line2D]:
    rows = rows[rows["tau"] <= SHOWN]
    handles = []
    widths = np.linspace(2.6, 1.0, len(epsilons)) if len(epsilons) > 1 else [1.5]  # later lines lie on earlier ones
    for epsilon, look, width in zip(epsilons, ordered_lines(len(epsilons)), widths):
        here = rows[rows["epsilon"] == epsilon]
        handles += axis.plot(here["tau"], here["scaled"], linewidth=width, label=epsilon_text(epsilon), **look)
        tau, above = exits(rows, epsilon)
        for places, edge_of_panel, marker in ((tau[above], 1.0, "^"), (tau[~above], 0.0, "v")):
            if len(places):
                axis.plot(places, np.full(len(places), edge_of_panel), transform=axis.get_xaxis_transform(),
                          linestyle="none", marker=marker, markersize=5.0, color=handles[-1].get_color(),
                          clip_on=False, zorder=5, label="_cut")
    smallest = rows[rows["epsilon"] == min(epsilons)]
    foretold = smallest[smallest["predicted"].notna()]
    if not foretold.empty:  # rings: a line would hide the curve it agrees with, or be hidden by it
        tau = np.linspace(0.0, foretold["tau"].max(), RINGS)
        handles += axis.plot(tau, np.interp(tau, foretold["tau"], foretold["predicted"]), color=ink(),
                             linestyle="none", marker="o", markersize=3.6, markeredgewidth=0.9,
                             markerfacecolor=paper(), zorder=4, label="predicted")
    axis.set_ylim(*panel_limits(rows))
    return handles


def panel_limits(rows: pd.DataFrame) -> tuple[float, float]:
    """The limits of the panel of these rows, which have one quantity and component."""
    return limits(rows.loc[rows["epsilon"] == rows["epsilon"].min(), ["scaled", "predicted"]].to_numpy())


def exits(rows: pd.DataFrame, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the curve of epsilon leaves its panel: the last tau inside, or the first one of a curve that begins
    outside; and whether it leaves at the top."""
    low, high = panel_limits(rows)
    here = rows[(rows["epsilon"] == epsilon) & rows["scaled"].notna()]
    tau, values = here["tau"].to_numpy(), here["scaled"].to_numpy()
    side = (values > high).astype(int) - (values < low).astype(int)
    new = side != np.concatenate(([0], side[:-1]))
    at = np.flatnonzero(new & (side != 0))
    return tau[np.maximum(at - 1, 0)], side[at] > 0


def limits(values: np.ndarray) -> tuple[float, float]:
    """The layer of the smallest epsilon, with half its height on both sides. The curve of a large epsilon, far from the
    limit, may leave the panel: triangles mark where."""
    low, high = np.nanmin(values), np.nanmax(values)
    room = 0.5 * (high - low) or 1.0
    return low - room, high + room
