"""python -m analysis COMMAND results/NAME: the commands are the functions of `COMMANDS`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from analysis import bench, damping_map
from analysis.tidy_csv import BadCsv

COMMANDS: dict[str, Callable[[Path], list[Path]]] = {
    "bench": bench.draw, "damping_map": damping_map.draw}


def main(arguments: list[str] | None = None) -> int:
    """Draws what is asked for; 0, or 2 with a message where that is impossible."""
    parser = argparse.ArgumentParser(prog="python -m analysis", description=__doc__)
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("directory", nargs="+", type=Path, help="results/NAME")
    options = parser.parse_args(arguments)
    status = 0
    for directory in options.directory:
        try:
            for path in COMMANDS[options.command](directory):
                print(path)
        except (BadCsv, OSError) as problem:
            print(f"analysis: {problem}", file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
