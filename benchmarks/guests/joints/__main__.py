"""How soft are the joints of other engines? Runs them with the settings that our law gives for a wanted gap.

    scripts/guests joints [ENGINE...] [--table gaps|creep] [-o DIR]

Prints a table of gaps: a body of 1 kg hangs at rest in a joint, or swings from the horizontal. --table creep prints the
speed at which a capsule creeps between two pads of MuJoCo. With -o: also gaps.csv and gaps.md, or creep.csv and creep.md,
in DIR. A missing package is a row with that reason.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..models.table import write_csv
from .table import ENGINES, cells_of, creep_markdown, markdown


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/guests joints", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)} (default: all)")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the files")
    parser.add_argument("--table", choices=("gaps", "creep"), default="gaps", help="default: gaps")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.engines if name not in ENGINES]
    if unknown:
        parser.error(f"unknown engine {unknown[0]}; there are {', '.join(ENGINES)}")
    if options.table == "creep":
        from .mujoco_creep import creeps

        rows: list[object] = list(creeps())
        table = creep_markdown(rows)  # type: ignore[arg-type]
    else:
        cells = []
        for name in options.engines or ENGINES:
            for cell in cells_of(name):
                print(f"{cell.engine}, {cell.joint}, {cell.method}, {cell.case}, {cell.wanted:g} m: {cell.ratio:.4f} "
                      f"{cell.reason}", file=sys.stderr)
                cells.append(cell)
        rows, table = list(cells), markdown(cells)
    print(table)
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / f"{options.table}.md").write_text(table + "\n", encoding="utf-8")
        write_csv(options.output / f"{options.table}.csv", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
