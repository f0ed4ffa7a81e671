"""The energy balance of the compliant motion, and its defect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .page import Page, canvas, finish, legend, with_furniture
from .pairs import chosen, sampled_epsilons
from .result import Result
from .opening import rolling
from .tables import AnalysisError
from .theme import dashes_at, ink, ordered_lines, series_colour, themed
from .wording import epsilon_text

ACCOUNTS = {"mechanical": "change of $K^* + P$", "spring": "spring of the contact",
            "damper": "dissipated by the contact", "work": "work of other forces"}
SHOWN = 1e-6  # of the largest defect: the first ones are zero or nearly so


def energy_data(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
                epsilons: Sequence[float] | None = None, count: int = 4) -> pd.DataFrame:
    """Energy accounts and defects in joule: one row per time, subject and name.

    Subject "compliant": mechanical, spring, damper, work (changes since t = 0, of the tighter
    solve) and energy_defect (mechanical + spring - work + damper); subject "rigid": energy_error.
    `largest` is the largest |energy| up to t. Laws without a spring and solves in 113 bits have no
    energy accounts.

        >>> energy_data("results/knife_edge", epsilons=[1e-2]).query("name == 'damper'")
    """
    study = rolling(study)
    law, solver = chosen(study, law, solver)
    parts = []
    if study.has_curve("rigid", "energy_error"):
        parts.append(rows_of(study.curve("rigid", "energy_error").times, "rigid", "energy_error",
                             study.curve("rigid", "energy_error").values[0]))
    for epsilon in sampled_epsilons(study, law, solver, epsilons, count):
        head = {"law": law, "solver": solver, "epsilon": epsilon}
        if study.has_curve("compliant", "energy_defect", **head):
            curve = study.curve("compliant", "energy_defect", **head)
            parts.append(rows_of(curve.times, "compliant", "energy_defect", curve.values[0], **head))
        try:
            motion = study.motion("compliant", **head, tighter=True)
        except AnalysisError:  # killed before the tighter solve
            continue
        for name in ACCOUNTS:
            values = motion.samples.get(f"energy.{name}")
            if values is not None:
                parts.append(rows_of(motion.times, "compliant", name, values[0] - values[0, 0],
                                     **head))
    if not parts:
        raise AnalysisError(f"{study.where}: no energies of the law {law}: it has no spring, or was "
                            "solved in 113 bits")
    return pd.concat(parts, ignore_index=True)


def rows_of(times: np.ndarray, subject: str, name: str, joule: np.ndarray, law: str = "",
            solver: str = "", epsilon: float = float("nan")) -> pd.DataFrame:
    return pd.DataFrame({"subject": subject, "law": law, "solver": solver, "epsilon": epsilon,
                         "name": name, "t": times, "energy": joule,
                         "largest": np.fmax.accumulate(np.abs(joule))})


@with_furniture
def plot_energy(study: str | Path | Result, *, law: str | None = None, solver: str | None = None,
                epsilons: Sequence[float] | None = None, style: str = "light",
                axes: Sequence[Axes] | None = None) -> Figure:
    """Left: accounts at the largest epsilon. Right: defects at several epsilons and of the rigid motion.

        >>> plot_energy("results/knife_edge").savefig("energy.pdf")
    """
    study = rolling(study)
    data = energy_data(study, law=law, solver=solver, epsilons=epsilons)
    shown = sorted(data["epsilon"].dropna().unique(), reverse=True)
    page = Page(1, 2, f"{study.name}: energy, {chosen(study, law, solver)[0]}", left=0.75, gap=0.8, least=1.7,
                belows=(0.52 + 0.165 * 4, 0.52 + 0.165 * (len(shown) + 1)))
    with themed(style):
        figure, panels = canvas(page, axes)
        accounts, defects = panels[0]
        if shown:
            draw_accounts(accounts, data[data["epsilon"] == shown[0]])
            accounts.set_title(f"accounts, {epsilon_text(shown[0])}")
        draw_defects(defects, data, shown)
        defects.set_title("not accounted for, largest up to $t$")
        for axis in panels[0]:
            axis.set(xlabel="$t$ [s]", ylabel="energy [J]")
            axis.margins(x=0.0)
            legend(axis, axes)
        finish(figure, page, panels, axes)
    return figure


def draw_accounts(axis: Axes, rows: pd.DataFrame) -> None:
    for k, (name, text) in enumerate(ACCOUNTS.items()):
        here = rows[rows["name"] == name]
        if not here.empty:
            axis.plot(here["t"], here["energy"], color=series_colour(k), label=text, linestyle=dashes_at(k))


def draw_defects(axis: Axes, data: pd.DataFrame, epsilons: list[float]) -> None:
    """Draws absolute values on a logarithmic scale, without zeros."""
    for epsilon, look in zip(epsilons, ordered_lines(len(epsilons))):
        here = data[(data["epsilon"] == epsilon) & (data["name"] == "energy_defect")]
        axis.plot(here["t"], positive(here["largest"]), label=epsilon_text(epsilon), **look)
    rigid = data[data["subject"] == "rigid"]
    if not rigid.empty:
        axis.plot(rigid["t"], positive(rigid["largest"]), color=ink(), linewidth=2.2, alpha=0.5,
                  label="rigid motion")
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.set_ylim(bottom=max(low, SHOWN * high))


def positive(values: pd.Series) -> pd.Series:
    return values.where(values > 0.0)
