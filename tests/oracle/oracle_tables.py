"""Studies that the program runs, their tables, and their comparison with the oracle."""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))

OWN = {"q": 2e-11, "v": 2e-11, "lambda": 1e-9}
"""Absolute accuracy of the oracle. test_oracle.py compares its formulations and methods: they agree to this."""


def run(study: Path, results: Path, *overrides: str) -> dict[str, list[dict[str, str]]]:
    """The CSV tables that the program writes for a study."""
    options = [word for override in overrides for word in ("--set", override)]
    done = subprocess.run([PROGRAM, "run", study, "--results", results, "--jobs", "1", *options], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    (folder,) = [path.parent for path in results.glob("*/errors.csv")]
    return {path.stem: list(csv.DictReader(path.open())) for path in folder.glob("*.csv")}


def row_of(table: list[dict[str, str]], epsilon: float, quantity: str, norm: str, window: str) -> dict[str, str]:
    (row,) = [row for row in table if abs(float(row["epsilon"]) / epsilon - 1.0) < 1e-12
              and (row["quantity"], row["norm"], row["window"]) == (quantity, norm, window)]
    assert isfinite(float(row["model_error"])), row
    return row


@dataclass
class Miss:
    """A number of the program that is further from the oracle than its error bar and the oracle's accuracy."""

    epsilon: float
    measure: tuple[str, str, str]
    program: float
    oracle: float
    tolerance: float

    def __str__(self) -> str:
        return (f"eps = {self.epsilon:g}, {' '.join(self.measure)}: program {self.program:.10g}, oracle "
                f"{self.oracle:.10g}, distance {abs(self.program - self.oracle):.2e} > {self.tolerance:.2e}")


def bar(row: dict[str, str]) -> float:
    return sum(float(row[column]) for column in ("solver_error", "reference_error", "sampling_error"))


def misses(table: list[dict[str, str]], truth: dict[float, object], measures: Iterable[tuple[str, str, str]]
           ) -> list[Miss]:
    """The errors of the table outside their bars about the truth, by epsilon."""
    found = []
    for epsilon, distance in truth.items():
        for measure in measures:
            row = row_of(table, epsilon, *measure)
            error, exact = float(row["model_error"]), distance[measure]  # type: ignore[index]
            tolerance = bar(row) + OWN[measure[0]]
            if not abs(error - exact) <= tolerance:
                found.append(Miss(epsilon, measure, error, exact, tolerance))
    return found


def listed(found: list[Miss]) -> str:
    return "".join(f"\n  {miss}" for miss in found)


def limit(values: dict[float, float], order: float) -> tuple[float, float]:
    """lim value/eps^order as eps -> 0, and its error bar.

    The quotient is K + K1 eps + K2 eps^2 + …. Three values remove K1 and K2, two remove K1; their distance is the
    error of the worse one and bounds that of the better one.
    """
    (a, fa), (b, fb), (c, fc) = [(e, values[e] / e**order) for e in sorted(values)[:3]]
    linear = fa + (fa - fb) * a / (b - a)
    three = (fa * b * c / ((b - a) * (c - a)) - fb * a * c / ((b - a) * (c - b)) + fc * a * b / ((c - a) * (c - b)))
    return three, abs(three - linear)
