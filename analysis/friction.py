"""The figures of friction studies as files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .figures import FigureKind, draw_each, file_name, save, styled
from .friction_convergence import (plot_friction_convergence, plot_transitions, friction_convergence_data,
                                   transitions_data)
from .friction_curb import plot_trajectories, plot_wheel, wheel_positions_data
from .friction_modes import modes_data, plot_modes
from .friction_histories import histories_data, plot_histories, plot_rigid_histories
from .friction_store import FrictionResult
from .opening import friction_point, friction_result
from .result import Result
from .tables import AnalysisError
from .theme import BOTH


SLIP_FIGURES = {
    "wheel": FigureKind(plot_wheel, wheel_positions_data),
    "histories": FigureKind(plot_histories, histories_data),
    "friction_convergence": FigureKind(plot_friction_convergence, friction_convergence_data, of_sweep=True),
    "transitions": FigureKind(plot_transitions, transitions_data),
    "contact_modes": FigureKind(plot_modes, modes_data, of_sweep=True),
}
MOST_POINTS = 24  # of a sweep with figures of their own


def figures_of(study: FrictionResult) -> list[tuple[str, str, FrictionResult]]:
    """Each figure, the name of its files, and its study: the whole sweep or one point."""
    if study.sweep is None:
        return [(name, name, study) for name in SLIP_FIGURES]
    few = len(study.sweep.points) <= MOST_POINTS
    points = list(zip(study.sweep.points, study.each_point())) if few else []
    return [one for name, figure in SLIP_FIGURES.items() for one in (
        [(name, name, study)] if figure.of_sweep else
        [(name, file_name(name, study.sweep.text(point)), at) for point, at in points])]


def draw(directory: str | Path | Result, style: str = "light", left_out: list[str] | None = None,
         into: Path | None = None) -> list[Path]:
    """Draws every figure for which results/NAME has data, with its data, `into` a folder (default: its own), and
    returns the files. A sweep gives one per point, up to MOST_POINTS. Reasons for omitted figures go to `left_out`."""
    left_out = [] if left_out is None else left_out
    whole = friction_result(directory)
    if whole.sweep and len(whole.sweep.points) > MOST_POINTS:
        left_out.append(f"figures of each of {len(whole.sweep.points)} points: more than {MOST_POINTS}; draw "
                        "one with friction_point(directory, point=...)")
    return draw_each({file: partial(SLIP_FIGURES[name].draw, study, into or whole.directory, file, style)
                      for name, file, study in figures_of(whole)}, left_out)


def add_comparison_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="DIR")
    parser.add_argument("--names", nargs="+", metavar="TEXT", help="of the motions (default: the studies')")


def compare(directories: list[Path], output: Path, names: list[str] | None, style: str) -> list[Path]:
    """Draws rigid motions of several studies of one system together: paths (of the wheel on the curb),
    coordinates, velocities."""
    studies: list[FrictionResult] = [friction_point(directory) for directory in directories]
    if len({study.system for study in studies}) > 1:
        raise AnalysisError("friction_compare: the studies have different systems: "
                            + ", ".join(study.system for study in studies))
    if names is not None and len(names) != len(studies):
        raise AnalysisError(f"friction_compare: {len(names)} names for {len(studies)} studies")
    output.mkdir(parents=True, exist_ok=True)
    written = []
    if studies[0].system == "wheel_and_curb":
        written += save(plot_trajectories(studies, names=names, style=style),
                        output / styled("trajectories", style))
    for name, quantity in (("coordinates", "q"), ("velocities", "v")):
        written += save(plot_rigid_histories(studies, quantity=quantity, names=names, style=style),
                        output / styled(name, style))
    return written


def run_comparison(options: argparse.Namespace) -> Iterator[Path]:
    """Runs the command on all directories together."""
    for style in BOTH if options.style == "both" else [options.style]:
        yield from compare(options.directory, options.output, options.names, style)
