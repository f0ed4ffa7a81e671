"""python -m rigidlimit.analysis COMMAND results/NAME: figures, or files for other programs."""

from __future__ import annotations

import argparse
import os
import signal
import sys

if __name__ == "__main__":  # Ctrl-C while the modules below are imported, which takes seconds
    for _number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(_number, lambda number, _: os._exit(128 + number))
from collections.abc import Callable
from functools import partial
from pathlib import Path

import matplotlib

from . import animation, bench, catalogue, damping_map, expansion, export, friction, friction_methods
from .figures import draw_each
from .furniture import furnished, inches_of
from .opening import rolling
from .tables import AnalysisError
from .terminal import Interrupted, complain, ends_at_signals, in_a_line, print_paths
from .theme import BOTH, STYLES

# Arguments: directory, style, a list for the figures that have no data. Returns the files written.
Drawer = Callable[[Path, str, list[str]], list[Path]]
PROGRAM = "rigidlimit"  # its command `report` is the one here


def draw_all(directory: Path, style: str, left_out: list[str]) -> list[Path]:
    """Draws every figure for which the store holds data."""
    return draw_each({name: partial(catalogue.draw_figure, name, directory, style)
                      for name in catalogue.names_for(rolling(directory))}, left_out)


def wholly(draw: Callable[[Path, str], list[Path]]) -> Drawer:
    """A Drawer that draws all its figures or fails."""
    return lambda directory, style, left_out: draw(directory, style)


MEASURED: dict[str, tuple[Drawer, str]] = {
    "bench": (wholly(bench.draw), "of rigidlimit run: work-precision diagrams, maps of the observed order, costs"),
    "damping_map": (wholly(damping_map.draw), "of a sweep over the damping: errors and orders"),
    "expansion": (wholly(expansion.draw), "of rigidlimit expand --csv FILE: outer and layer terms; DIRECTORY is FILE"),
    "friction": (friction.draw, "of rigidlimit run: motions with their events, orders, event times, modes"),
    "friction_methods": (wholly(friction_methods.draw),
                     "of scripts/guests impacts: Siconos against rigidlimit, by step")}


def drawers() -> dict[str, tuple[Drawer, str]]:
    figures = {name: (wholly(partial(catalogue.draw_figure, name)), kind.about)
               for name, kind in catalogue.FIGURES.items()}
    return figures | {"all": (draw_all, "every figure of a study")} | MEASURED


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog=f"python -m {__package__}", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (draw, about) in drawers().items():
        command = commands.add_parser(name, help=about, description=about)
        command.add_argument("directory", nargs="+", type=Path, help="results/NAME")
        add_furniture(command)
        command.set_defaults(run=run_drawer, draw=draw)
    about = "tables (Parquet, CSV, JSON) or trajectories (HDF5) of a store"
    command = commands.add_parser("export", help=about, description=about)
    command.add_argument("directory", nargs=1, type=Path, help="results/NAME")
    command.add_argument("--format", required=True, choices=[*export.WRITERS, "hdf5"])
    command.add_argument("-o", "--output", required=True, type=Path, metavar="FILE")
    command.add_argument("--table", action="append", choices=export.TABLES,
                         help="write only this table (default: both, as FILE's stem.TABLE.suffix)")
    command.add_argument("--kind", action="append", choices=export.KINDS,
                         help="hdf5: write only these solves (default: both)")
    command.add_argument("--epsilon", action="append", type=float, metavar="E",
                         help="hdf5: write only these compliant solves; may be repeated (default: all)")
    command.add_argument("--tighter", action="store_true", help="hdf5: also write the tighter solves")
    command.set_defaults(run=run_export)
    about = "an animation of the rigid and the compliant body, drawn together or side by side (GIF or MP4)"
    command = commands.add_parser("animate", help=about, description=about)
    command.add_argument("directory", nargs=1, type=Path, help="results/NAME")
    animation.add_arguments(command)
    command.set_defaults(run=animation.run)
    about = "rigid motions of several friction studies, overlaid"
    command = commands.add_parser("friction_compare", help=about, description=about)
    command.add_argument("directory", nargs="+", type=Path, help="results/NAME")
    friction.add_comparison_arguments(command)
    add_furniture(command)
    command.set_defaults(run=None)
    about = "HTML pages of results and an index of them, with every figure as files"
    command = commands.add_parser("report", help=about, description=about)
    command.add_argument("directory", nargs="*", type=Path,
                         help="results/NAME (default: every result of --results)")
    command.add_argument("--results", type=Path, default=Path("results"), metavar="DIR",
                         help="folder of the results if none is named (default: results)")
    command.add_argument("-o", "--output", type=Path, metavar="DIR",
                         help="output folder (default: report/ beside the first result)")
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                         help="pages drawn in parallel (default: the number of cores)")
    command.set_defaults(run=None)
    return top


def add_furniture(command: argparse.ArgumentParser) -> None:
    command.add_argument("--style", choices=[*STYLES, "both"], default="light",
                         help="paper white or black, greys on white, or light and dark (default: light)")
    command.add_argument("--width", type=width, metavar="W",
                         help="two-column (6.3 in, the default), one-column (3.1), or inches")
    command.add_argument("--strip", action="store_true",
                         help="a row of low panels across the text, without title and footer")
    command.add_argument("--no-title", action="store_true", help="draw figures without a title")
    command.add_argument("--no-footer", action="store_true", help="draw figures without the footer")


def width(text: str) -> float:
    """An argument of the command, in inches."""
    try:
        return inches_of(text)
    except AnalysisError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def run_drawer(directory: Path, options: argparse.Namespace) -> list[Path]:
    styles = list(BOTH) if options.style == "both" else [options.style]
    left_out: list[str] = []
    with furnished(not options.no_title, not options.no_footer, options.width, options.strip):
        written = [path for style in styles for path in options.draw(directory, style, left_out)]
    for words in dict.fromkeys(left_out):  # two styles may lack the same figure
        complain(words)
    return list(dict.fromkeys(written))


def run_export(directory: Path, options: argparse.Namespace) -> list[Path]:
    if options.format == "hdf5":
        return export.export_motions(directory, options.output, kinds=options.kind or export.KINDS,
                                     epsilons=options.epsilon, tighter=options.tighter)
    return export.export_tables(directory, options.format, options.output,
                                options.table or export.TABLES)


def run_report(options: argparse.Namespace) -> int:
    """Takes all directories together, because the index lists each."""
    try:
        from .report import results_under, without_pages, write_report
    except ImportError as problem:  # the other commands need fewer packages
        complain(f"{problem}; pip install 'rigidlimit[report]'", PROGRAM)
        return 2
    try:
        directories, pages = without_pages(options.directory or results_under(options.results), options.output)
        for folder in pages:
            complain(f"{folder}: skipped: it has pages of a report and no result", PROGRAM)
        output = options.output or directories[0].absolute().parent / "report"
        problems = write_report(directories, output, options.jobs, on_page=print,
                                on_removal=lambda page, why: complain(f"{page}: removed: {why}", PROGRAM))
    except (AnalysisError, OSError) as problem:
        problems = [in_a_line(problem)]
    except Interrupted as stopped:
        complain("interrupted", PROGRAM)
        return 128 + stopped.number
    for problem in problems:
        complain(problem, PROGRAM)
    return 2 if problems else 0


@ends_at_signals
def main(arguments: list[str] | None = None) -> int:
    """Runs a command. Returns the exit status: 0, 2 after an error message, or 128 + the number of a signal."""
    matplotlib.use("Agg")  # writes files; needs no display
    options = parser().parse_args(arguments)
    if options.command == "report":
        return run_report(options)
    if options.command == "friction_compare":
        with furnished(not options.no_title, not options.no_footer, options.width, options.strip):
            return print_paths([partial(friction.run_comparison, options)])
    return print_paths(partial(options.run, directory, options) for directory in options.directory)


if __name__ == "__main__":
    sys.exit(main())
