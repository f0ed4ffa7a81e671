#!/usr/bin/env python3
"""Encloses both motions of the prediction studies at three values of ε, and compares the estimates of solver errors with
their bounds: the two tables of docs/certified.md.

    build/venv/bin/python experiments/certified/enclosures.py [STUDY ...]

Each study runs alone, on one core, with `solvers.certified = true`. The time is that of the whole run of three ε, solves
included. An estimate is too small if it is smaller than a lower bound of the error, less the rounding of the samples.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("RIGIDLIMIT_PROGRAM", str(ROOT / "build/release/src/rigidlimit"))
STUDIES = ["knife_edge_prediction", "chaplygin_sleigh_prediction", "suslov", "wheel_prediction",
           "wheel_euler_prediction", "nonholonomic_particle_prediction", "rolling_coin_prediction",
           "rolling_disk_prediction", "rolling_disk_quaternion_prediction", "turntable_ball_prediction",
           "race_roller_prediction", "sleigh_chain_prediction", "two_blade_dumbbell_prediction",
           "chaplygin_sphere_prediction", "epicyclic_gear_prediction", "v_groove_ball_prediction", "roller_racer",
           "two_wheeled_cart", "rattleback_prediction", "snakeboard_prediction"]
EPSILONS = ["1e-2", "1e-4", "1e-6"]
ROUNDING = 1e-15  # of samples of size 1: an error below it says nothing of an estimate


@dataclass
class Run:
    """One study at all of EPSILONS."""
    study: str
    seconds: float
    enclosures: list[dict[str, Any]]
    rows: list[dict[str, Any]]


def certified_run(study: str) -> Run:
    """Runs the study. Raises CalledProcessError if it cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "run", str(ROOT / f"experiments/prediction/{study}.toml"), "--jobs", "1"]
        for setting in ["solvers.certified=true", f"epsilon.from={EPSILONS[0]}", f"epsilon.to={EPSILONS[-1]}",
                        f"epsilon.count={len(EPSILONS)}", "expect=[]", "bound=[]"]:
            command += ["--set", setting]
        begin = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        seconds = time.perf_counter() - begin
        result = json.loads((Path(folder) / "results" / study / "result.json").read_text())
    return Run(study, seconds, result["enclosures"], result["errors"])


def rounded_up(radius: float) -> str:
    """The least decimal of one digit that is not below the radius."""
    return f"{float(Context(prec=1, rounding=ROUND_CEILING).create_decimal_from_float(radius)):.0e}"


def enclosure_lines(run: Run) -> str:
    """The rows of the table of radii; the time is in the first one."""
    lines = []
    for place, e in enumerate(run.enclosures):
        radii = [rounded_up(e[name]) if e["steps"] else "" for name in ("q_radius", "v_radius", "lambda_radius")]
        numbers = " | ".join([*radii, str(e["steps"]) if e["steps"] else e["reason"]])
        name, seconds = (run.study, f"{run.seconds:.1f}") if place == 0 else ("", "")
        lines.append(f"| {name} | {EPSILONS[place]} | {numbers} | {seconds} |")
    return "\n".join(lines)


def too_small(rows: list[dict[str, Any]], side: str) -> tuple[int, int, float]:
    """How many estimates there are of the errors of one side, how many are too small, and the largest factor."""
    pairs = [(row[f"least_{side}_error"], row[f"estimated_{side}_error"]) for row in rows
             if row["status"] == "proved"]
    factors = [(least - ROUNDING) / estimate for least, estimate in pairs if least - ROUNDING > estimate]
    return len(pairs), len(factors), max(factors, default=1.0)


def estimate_line(study: str, rows: list[dict[str, Any]]) -> str:
    """A row of the table of estimates against bounds."""
    cells = []
    for side in ("solver", "reference"):
        count, small, factor = too_small(rows, side)
        cells.append(f"{small} of {count}" + (f", up to {factor:.2g}" if small else ""))
    return f"| {study} | {cells[0]} | {cells[1]} |"


def main() -> int:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", default=STUDIES, metavar="STUDY",
                        help="names in experiments/prediction (default: all smooth ones)")
    studies = parser.parse_args().studies
    runs = []
    print("| study | ε | radius of q | v | λ | steps | s |\n| --- | --- | --- | --- | --- | --- | --- |")
    for study in studies:
        runs.append(certified_run(study))
        print(enclosure_lines(runs[-1]), flush=True)
    print("\n| study | solver errors: estimates too small | reference errors |\n| --- | --- | --- |")
    for run in runs:
        print(estimate_line(run.study, run.rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
