"""The main figures of the project, from the stores of results/: python -m analysis.main_figures.

Each figure answers one question. If a study is missing, the message gives the command that makes it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from . import (plot_convergence, plot_damping_map, plot_drift, plot_energy, plot_layer, plot_order_reduction, plot_pair,
               plot_work, plot_work_precision)
from .figures import save, styled
from .tables import AnalysisError
from .terminal import print_paths
from .theme import BOTH, STYLES


@dataclass(frozen=True)
class MainFigure:
    name: str  # of the files
    study: str  # results/STUDY
    made_by: str  # the command that makes it
    plot: Callable[..., Figure]
    options: dict[str, object] = field(default_factory=dict)


def of_study(name: str, file: str, plot: Callable[..., Figure], **options: object) -> MainFigure:
    """`file`: below experiments/, without its ending."""
    return MainFigure(name, file.split("/")[-1], f"rigidlimit run experiments/{file}.toml", plot, options)


MAIN_FIGURES = (
    # Order of convergence, and the constant against its prediction.
    of_study("orders", "prediction/knife_edge_prediction", plot_convergence),
    of_study("orders_of_a_disc", "prediction/rolling_disk_prediction", plot_convergence),
    # Why the force does not converge at t = 0.
    of_study("layer", "prediction/knife_edge_prediction", plot_layer),
    of_study("layer_of_a_disc", "prediction/rolling_disk_prediction", plot_layer),
    # Which realisations of the constraint converge to rolling, and which one does not?
    of_study("realisations", "realisation/realisations", plot_convergence),
    # Both motions, and the energy balance of the compliant one.
    of_study("pair", "prediction/rolling_disk_prediction", plot_pair),
    of_study("energy", "prediction/rolling_disk_prediction", plot_energy),
    of_study("sliding", "prediction/rolling_disk_prediction", plot_drift),
    # Cost against stiffness.
    of_study("work", "convergence/rolling_disk", plot_work),
    # Which damping?
    MainFigure("damping", "knife_edge_damping",
               "rigidlimit run experiments/damping/knife_edge_damping.toml", plot_damping_map),
    # Which method?
    MainFigure("work_precision", "contact_work_precision",
               "rigidlimit run experiments/benchmarks/contact_work_precision.toml",
               plot_work_precision),
    MainFigure("order_reduction", "order_reduction",
               "rigidlimit run experiments/benchmarks/order_reduction.toml",
               plot_order_reduction),
)


def draw(figure: MainFigure, results: Path, output: Path, styles: Iterable[str]) -> Iterator[Path]:
    """Yields the files written. AnalysisError, with the command to run, if the result is missing."""
    directory = results / figure.study
    if not directory.is_dir():
        raise AnalysisError(f"{figure.name}: no {directory}; `{figure.made_by}` makes it")
    for style in styles:
        yield from save(figure.plot(directory, style=style, **figure.options),
                        output / styled(figure.name, style))


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0, or 2 if a figure could not be drawn."""
    matplotlib.use("Agg")
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}.main_figures", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("-o", "--output", type=Path, help="folder (default: RESULTS/figures)")
    parser.add_argument("--only", action="append", choices=[f.name for f in MAIN_FIGURES])
    parser.add_argument("--style", choices=[*STYLES, "both"], default="light")
    options = parser.parse_args(arguments)
    output = options.output or options.results / "figures"
    output.mkdir(parents=True, exist_ok=True)
    styles = list(BOTH) if options.style == "both" else [options.style]
    return print_paths(partial(draw, figure, options.results, output, styles)
                       for figure in MAIN_FIGURES
                       if not options.only or figure.name in options.only)


if __name__ == "__main__":
    sys.exit(main())
