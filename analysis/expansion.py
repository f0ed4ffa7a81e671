"""The terms of the expansion in epsilon, from the CSV file of `rigidlimit expand --csv FILE`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .figures import save, styled
from .furniture import is_narrow
from .names import SYMBOLS, label
from .page import Page, canvas, finish, legend, with_furniture
from .tables import AnalysisError, read_csv
from .wording import check_quantities
from .theme import edge, ordered_lines, themed

COLUMNS = ("study", "damping_ratio", "quantity", "component", "order", "part", "largest_epsilon", "time", "value")
QUANTITIES = ("lambda", "v", "q")
PARTS = {"outer": r"$t$ [s]", "layer": r"$\tau = t / \varepsilon$ [s]"}
SHOWN = 12.0  # tau, as in the figure of the layer
ZERO = 1e-10  # of the largest term of its quantity: a term that vanishes identically is round-off


def expansion_data(file: str | Path, *, study: str | None = None) -> pd.DataFrame:
    """The terms of one study: a row per quantity, component, order, part ("outer", "layer") and time.

    time is t in seconds, or tau = t / epsilon. The study may be omitted if the file has only one.

        >>> expansion_data("terms.csv").query("part == 'layer' and order == 1")
    """
    data = read_csv(Path(file), COLUMNS, "`rigidlimit expand STUDY.toml --csv FILE` makes one")
    names = list(dict.fromkeys(data["study"]))
    if study is None and len(names) != 1:
        raise AnalysisError(f"{file} has {len(names)} studies: choose one of {', '.join(map(str, names))}")
    if study is not None and study not in names:
        raise AnalysisError(f"{file} has no study {study}, but {', '.join(map(str, names))}")
    return data[data["study"] == (study or names[0])].reset_index(drop=True)


@with_furniture
def plot_expansion(file: str | Path, *, study: str | None = None, component: dict[str, str] | None = None,
                   quantities: Sequence[str] | None = None, style: str = "light",
                   axes: Sequence[Axes] | None = None) -> Figure:
    """Outer terms over t and layer terms over tau, a row of panels per quantity and a line per order.

    Each line is divided by its largest absolute value, which the legend of its panel states: sizes of
    consecutive orders may differ by powers of ten. Each row shows `component[quantity]`, or else the
    component with the largest layer. `quantities`: lambda, v and q, or lambda alone in a narrow figure.

        >>> plot_expansion("terms.csv", component={"v": "phi'"}).savefig("terms.pdf")
    """
    data = expansion_data(file, study=study)
    orders = sorted(set(data["order"]))
    if quantities is None:
        quantities = QUANTITIES[:1] if axes is None and is_narrow() else QUANTITIES
    check_quantities(quantities)
    below = 0.5 + 0.165 * -(-len(orders) // 2)
    page = Page(len(quantities), 2, f"{data['study'].iloc[0]}: terms of the expansion, each over its largest value",
                panel_height=1.4, left=0.5, gap=0.45, least=1.7, below=below, note=bounds(data))
    with themed(style):
        figure, panels = canvas(page, axes)
        for row, quantity in zip(panels, quantities):
            of_quantity = data[data["quantity"] == quantity]
            name = (component or {}).get(quantity) or leading_component(of_quantity)
            for axis, part in zip(row, PARTS):
                draw_terms(axis, of_quantity[of_quantity["component"] == name], part, orders)
                axis.set_title(f"{part} terms of ${SYMBOLS[quantity]}$: {label(name)}")
                axis.set_xlabel(PARTS[part], labelpad=1.0)
                legend(axis, axes, ncols=2)
        finish(figure, page, panels, axes)
    return figure


def leading_component(rows: pd.DataFrame) -> str:
    """The component with the largest layer in the lowest order in which the layer is not zero; without
    a layer, the one with the largest outer term of order 0."""
    sizes = rows["value"].abs().groupby([rows["part"], rows["order"], rows["component"]]).max()
    layer = sizes["layer"][sizes["layer"] > ZERO * sizes.max()]
    if layer.empty:
        return str(sizes["outer"][0].idxmax())
    return str(layer[layer.index[0][0]].idxmax())


def draw_terms(axis: Axes, rows: pd.DataFrame, part: str, orders: list[int]) -> None:
    """Lines of all orders that do not vanish."""
    smallest = ZERO * rows["value"].abs().max()
    drawn = False
    for order, look in zip(orders, ordered_lines(len(orders))[::-1]):
        here = rows[(rows["part"] == part) & (rows["order"] == order)]
        size = here["value"].abs().max()
        if here.empty or not size > smallest:
            continue
        drawn = True
        axis.plot(here["time"], here["value"] / size, linewidth=1.5, label=f"k = {order}: {size:.3g}", **look)
    end = rows.loc[rows["part"] == part, "time"].max()
    axis.set(xlim=(0.0, min(SHOWN, end) if part == "layer" else end), ylim=(-1.08, 1.08))
    if not drawn:
        axis.text(0.5, 0.5, "all terms vanish", transform=axis.transAxes, ha="center", va="center", color=edge())


def bounds(data: pd.DataFrame) -> str:
    """The bounds on epsilon: of each order, and of the damping ratio."""
    limits = data.groupby("order")["largest_epsilon"].first()
    known = [f"{limit:.2g} at k = {order}" for order, limit in limits.items() if np.isfinite(limit)]
    text = ("The next term is the smaller one for ε below " + ", ".join(known) + ". ") if known else ""
    zeta = float(data["damping_ratio"].iloc[0])
    if np.isfinite(zeta):
        text += f"ζ = {zeta:g}: the expansion needs ε ≪ ζ² = {zeta**2:.3g} and ε ζ ≪ 1."
    return text.strip()


def draw(file: Path, style: str) -> list[Path]:
    """Writes the figure of each study in the file beside it: terms.csv gives terms.png, .svg and .pdf."""
    names = dict.fromkeys(pd.read_csv(file, usecols=["study"])["study"]) if file.is_file() else {None: None}
    written: list[Path] = []
    for name in names:
        stem = file.stem if len(names) == 1 else f"{file.stem}_{name}"
        written += save(plot_expansion(file, study=name, style=style), file.parent / styled(stem, style))
    return written
