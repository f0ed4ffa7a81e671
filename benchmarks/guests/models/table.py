"""Rows as aligned text, CSV and Markdown."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from itertools import groupby
from math import isnan
from pathlib import Path
from typing import Any

from .model import Check, Row

TITLES = ("engine", "problem", "law", "parameter", "value", "error, m", "order", "transition, s", "time, s")
NUMBERS = 4  # the columns from here on are numbers, or the reason why there are none


def _number(value: float, form: str) -> str:
    return "" if isnan(value) else format(value, form).replace("-0.00", "0.00")


def cells(row: Row) -> list[str]:
    """One for each title; a reason stands in the column of the error."""
    return [f"{row.engine} {row.version}", row.problem, row.law, row.parameter, _number(row.value, "g"),
            row.reason or _number(row.error, ".2e"), _number(row.order, ".2f"), _number(row.transition, ".1e"),
            _number(row.seconds, ".2f")]


def text(rows: Sequence[Row]) -> str:
    """Aligned columns. A reason may pass beyond its column: nothing stands behind it."""
    lines = [list(TITLES), *map(cells, rows)]
    long = [False, *(bool(row.reason) for row in rows)]
    widths = [max(len(line[i]) for line, reason in zip(lines, long) if not (reason and i > NUMBERS))
              for i in range(len(TITLES))]
    aligned = ("  ".join(cell.ljust(width) if i < NUMBERS or reason else cell.rjust(width)
                         for i, (cell, width) in enumerate(zip(line, widths))) for line, reason in zip(lines, long))
    return "\n".join(line.rstrip() for line in aligned)


def markdown(rows: Sequence[Row]) -> str:
    """One line for each series: its values, errors and orders; transition and time of its last run."""
    lines = [[*TITLES[:4], "values", *TITLES[5:7], "transition, s (last)", "time, s (last)"],
             ["---"] * len(TITLES)]
    for _, group in groupby(rows, lambda row: (row.engine, row.problem, row.law, row.parameter)):
        runs = [cells(row) for row in group]
        joined = [", ".join(run[i] for run in runs if run[i]) for i in range(NUMBERS, NUMBERS + 3)]
        lines.append([*runs[-1][:NUMBERS], *joined, *runs[-1][NUMBERS + 3:]])
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def checks_markdown(checks: Sequence[Check]) -> str:
    """One line for each check."""
    lines = ["| engine | problem | law | setting | quantity | measured | predicted | ratio |", "| " + "--- | " * 8]
    lines += [f"| {c.engine} | {c.problem} | {c.law} | {c.setting} | {c.quantity} | {c.measured:.4g} | "
              f"{c.predicted:.4g} | {_number(c.ratio, '.4f')} |" for c in checks]
    return "\n".join(line.rstrip() for line in lines)


def write_csv(path: Path, rows: Sequence[Any]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(rows[0])], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))
