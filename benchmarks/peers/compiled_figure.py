"""Figure of run_compiled: time as a multiple of ours, a panel for each system and wanted error. All
classical problems share one panel."""

from __future__ import annotations

from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from peers.compiled_race import Row

# Okabe and Ito's colours, and one marker for each method.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#CC79A7", "#009E73", "#E69F00", "#56B4E9", "#999999")
MARKERS = "osD^vPX*"


FORMS = ("ode", "dae")  # the `variables` of a classical problem


def panel_name(row: Row) -> str:
    return "classical problems" if row.variables in FORMS else row.system


def place(row: Row) -> str:
    """The label on the horizontal axis."""
    if row.variables in FORMS:
        return row.system + (", DAE" if row.variables == "dae" else "")
    problem = "rigid" if row.epsilon is None else f"{row.epsilon:.0e}"
    return problem + ("\nnatural" if row.variables == "natural" else "")


def draw(path: Path, rows: list[Row]) -> None:
    """Writes a PNG. A method that does not reach the error has no point, and its line has a gap.
    Classical problems have points without lines."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    systems = list(dict.fromkeys(panel_name(row) for row in rows if row.method))
    errors = list(dict.fromkeys(row.wanted for row in rows))
    methods = list(dict.fromkeys((row.library, row.method) for row in rows if row.method))
    width = 8.4 if "classical problems" in systems else 4.2  # of a panel, inches
    height = 0.8 + 3.2 * len(errors)
    figure, axes = plt.subplots(len(errors), len(systems), squeeze=False, sharey=True,
                                figsize=(1.2 + width * len(systems), height))
    for i, wanted in enumerate(errors):
        for j, system in enumerate(systems):
            axis = axes[i][j]
            panel = [row for row in rows if panel_name(row) == system and row.wanted == wanted]
            places = list(dict.fromkeys(map(place, panel)))
            unrelated = system == "classical problems"
            for k, (library, method) in enumerate(methods):
                times = {place(row): row.times_ours for row in panel
                         if (row.library, row.method) == (library, method)}
                axis.plot(range(len(places)), [times.get(where, nan) for where in places],
                          marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)],
                          linestyle="" if unrelated else "-", linewidth=0.8, markersize=5,
                          label=f"{method} ({library})")
            axis.set_yscale("log")
            hidden = unrelated and i < len(errors) - 1
            axis.set_xticks(range(len(places)), [""] * len(places) if hidden else places,
                            rotation=60 if unrelated else 0, ha="right" if unrelated else "center")
            axis.set_title(f"{system}, error {wanted:.0e}", fontsize=10)
            axis.grid(True, which="major", linewidth=0.4, color="#cccccc")
            if j == 0:
                axis.set_ylabel("time / time of ours")
            if i == len(errors) - 1 and not unrelated:
                axis.set_xlabel("ε")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.tight_layout(rect=(0.0, 0.75 / height, 1.0, 1.0))
    figure.legend(handles, labels, loc="lower center", ncol=4, fontsize=8, frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)
