"""Lets engines that model a contact themselves solve our rolling problems, and compares with the ideal motion.

    scripts/guests models [ENGINE...] [--table orders|laws|costs|answers] [-o DIR]

Prints a table. With -o: also models.csv, models.md and models.png in DIR. A missing package is a row with that reason.
--table laws prints what the law of each contact predicts beside what the engine does, and the limits of its settings;
--table costs the least error within 0.1 s and 1 s; --table answers runs the engines with the settings that
`rigidlimit stiffness --engine` gives for three wanted errors (20 minutes). With -o they write laws.csv and laws.md,
costs.md, or answers.csv and answers.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from .answers import Answer, answers
from .answers import markdown as answers_markdown
from .cost import markdown as costs_markdown
from .engines import ENGINES, WITH_LAWS, checks_of, costs_of, rows_of
from .model import Check, Row
from .problems import IDEAL, disk
from .table import checks_markdown, markdown, text, write_csv


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/guests models", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)} (default: all)")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the files")
    parser.add_argument("--table", choices=("orders", "laws", "costs", "answers"), default="orders",
                        help="default: orders")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON, and use no other Python")
    parser.add_argument("--ideal", type=json.loads, metavar="[X,Y]", help="ideal centre of the disc at the end, m, "
                        "for a Python without rigidlimit")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.engines if name not in ENGINES]
    if unknown:
        parser.error(f"unknown engine {unknown[0]}; there are {', '.join(ENGINES)}")
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    if options.ideal:
        IDEAL[disk().end] = tuple(options.ideal)
    if options.table != "orders":
        _other_table(options)
        return 0
    rows: list[Row] = []
    for name in options.engines or ENGINES:
        for row in rows_of(name, elsewhere=not options.json):
            if not options.json:
                print(f"{row.engine}, {row.problem}, {row.law}: {row.value:g}", file=sys.stderr)
            rows.append(row)
    if options.json:
        print("\n" + json.dumps([asdict(row) for row in rows]))
        return 0
    print(text(rows))
    if options.output:
        from .figure import draw  # needs matplotlib, unlike the rest

        options.output.mkdir(parents=True, exist_ok=True)
        write_csv(options.output / "models.csv", rows)
        (options.output / "models.md").write_text(markdown(rows) + "\n", encoding="utf-8")
        draw(options.output / "models.png", rows)
    return 0


def _other_table(options: argparse.Namespace) -> None:
    names = [name for name in options.engines or WITH_LAWS if name in WITH_LAWS]
    rows: list[Check] | list[Answer] = []
    if options.table == "laws":
        rows = [check for name in names for check in checks_of(name)]
        table = checks_markdown(rows)
    elif options.table == "answers":
        rows = list(answers(names))
        table = answers_markdown(rows)
    else:
        costs = [cost for name in names for cost in costs_of(name)]
        table = costs_markdown(sorted(costs, key=lambda cost: ("disk", "wheel", "ball").index(cost.ladder.problem)))
    print(table)
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / f"{options.table}.md").write_text(table + "\n", encoding="utf-8")
        if rows:
            write_csv(options.output / f"{options.table}.csv", rows)


if __name__ == "__main__":
    sys.exit(main())
