"""The pictures of `rigidlimit slip` as files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import save, styled
from analysis.slip_convergence import (plot_slip_convergence, plot_transitions, slip_convergence_data,
                                       transitions_data)
from analysis.slip_curb import plot_trajectories, plot_wheel, wheel_positions_data
from analysis.slip_histories import histories_data, plot_histories, plot_rigid_histories
from analysis.slip_store import SlipData, open_slip
from analysis.tables import AnalysisError
from analysis.theme import STYLES


@dataclass(frozen=True)
class SlipFigure:
    plot: Callable[..., Figure]
    data: Callable[..., pd.DataFrame]


SLIP_FIGURES = {
    "wheel": SlipFigure(plot_wheel, wheel_positions_data),
    "histories": SlipFigure(plot_histories, histories_data),
    "slip_convergence": SlipFigure(plot_slip_convergence, slip_convergence_data),
    "transitions": SlipFigure(plot_transitions, transitions_data),
}


def draw(directory: Path, style: str = "light") -> list[Path]:
    """Every figure that results/NAME holds something for, each with its data; the files written."""
    study = open_slip(directory)
    written, left_out = [], []
    for name, figure in SLIP_FIGURES.items():
        try:
            written += save(figure.plot(study, style=style), directory / styled(name, style))
        except AnalysisError as problem:
            left_out.append(f"{name} left out: {problem}")
            continue
        table = directory / f"{name}.csv"
        figure.data(study).to_csv(table, index=False, lineterminator="\n")
        written.append(table)
    if not written:
        raise AnalysisError("; ".join(left_out))
    for words in left_out:
        print(f"analysis: {words}", file=sys.stderr)
    return written


def add_comparison_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="DIR")
    parser.add_argument("--names", nargs="+", metavar="TEXT", help="of the motions (default: the studies')")
    parser.add_argument("--style", choices=[*STYLES, "both"], default="light",
                        help="paper white or black (default: light)")


def compare(directories: list[Path], output: Path, names: list[str] | None, style: str) -> list[Path]:
    """Rigid motions of several studies of one system in one: paths (of the wheel on the curb),
    coordinates, velocities."""
    studies: list[SlipData] = [open_slip(directory) for directory in directories]
    if len({study.system for study in studies}) > 1:
        raise AnalysisError("compare: the studies are of different systems: "
                            + ", ".join(study.system for study in studies))
    if names is not None and len(names) != len(studies):
        raise AnalysisError(f"compare: {len(names)} names for {len(studies)} studies")
    output.mkdir(parents=True, exist_ok=True)
    written = []
    if studies[0].system == "wheel_and_curb":
        written += save(plot_trajectories(studies, names=names, style=style),
                        output / styled("trajectories", style))
    for name, quantity in (("coordinates", "q"), ("velocities", "v")):
        written += save(plot_rigid_histories(studies, quantity=quantity, names=names, style=style),
                        output / styled(name, style))
    return written


def run_comparison(options: argparse.Namespace) -> int:
    """All directories at once."""
    try:
        for style in STYLES if options.style == "both" else [options.style]:
            for path in compare(options.directory, options.output, options.names, style):
                print(path)
    except (AnalysisError, OSError) as problem:
        print(f"analysis: {problem}", file=sys.stderr)
        return 2
    return 0
