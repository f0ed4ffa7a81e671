"""The figure: error against parameter, one panel for each problem and one line for each engine and law."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from .model import Row

COLOURS = {"EXUDYN": "tab:blue", "MuJoCo": "tab:red", "nosnoc": "tab:green", "Siconos": "tab:purple",
           "Drake": "tab:orange", "LAMMPS": "tab:brown", "Newton": "tab:cyan"}
MARKERS, LINES = "osD^v", ("-", "--", ":", "-.")


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Write the figure of all rows that have an error."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    known = [row for row in rows if row.error > 0.0]
    problems = [name for name in ("disk", "wheel", "ball") if any(row.problem == name for row in known)]
    count = max(1, len(problems))
    figure, panels = pyplot.subplots(1, count, figsize=(6.0 * count, 9.0), squeeze=False)
    for panel, problem in zip(panels[0], problems):
        styles: dict[str, int] = {}
        of_problem = (row for row in known if row.problem == problem)
        for (engine, law, parameter), series in groupby(of_problem, lambda row: (row.engine, row.law, row.parameter)):
            points = list(series)
            number = styles[engine] = styles.get(engine, -1) + 1
            panel.loglog([row.value for row in points], [row.error for row in points],
                         color=COLOURS.get(engine, "black"), marker=MARKERS[number % len(MARKERS)],
                         linestyle=LINES[number % len(LINES)], label=f"{engine}: {law} ({parameter})")
        panel.set(title=problem, xlabel="parameter of each line, in the unit of the legend",
                  ylabel="distance of the centre from ideal motion, m")
        panel.grid(True, which="major", alpha=0.4)
        panel.legend(fontsize=6, loc="upper center", bbox_to_anchor=(0.5, -0.12), frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
