#!/usr/bin/env python3
"""Prints the two examples at the head of docs/certified.md, as the program prints them.

    build/venv/bin/python experiments/certified/examples.py

The first one shows three of the thirteen ε. RIGIDLIMIT_PROGRAM names another program than that of build/release.
"""
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("RIGIDLIMIT_PROGRAM", str(ROOT / "build/release/src/rigidlimit"))
STUDY = "chaplygin_sleigh_prediction"
SHOWN_EPSILONS = ("1.000e-01", "1.000e-02", "1.000e-05")


def output_of(*arguments: str) -> list[str]:
    """The lines that the program prints. It may exit with 1, since not every claim is a theorem."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return done.stdout.splitlines()


def indented(command: list[str], lines: list[str]) -> str:
    """A listing of Markdown: the command, then its output without empty lines."""
    return "\n".join([f"    $ rigidlimit {' '.join(command)}", *(f"    {line.rstrip()}" for line in lines if line.strip())])


def rows_example() -> str:
    """The errors of three ε with their proved bounds."""
    command = ["run", STUDY, "--set", "solvers.certified=true"]
    lines = output_of(*command)
    head = next(k for k, line in enumerate(lines) if line.split()[:1] == ["ε"])
    rows = [line for line in lines[head + 2:] if line.split()[:1] and line.split()[0] in SHOWN_EPSILONS]
    return indented(command, [*lines[head:head + 2], *rows[:len(SHOWN_EPSILONS)]])


def theorem_example() -> str:
    """The constants that are proved for all ε at once, and the claims of the study."""
    command = ["prove", STUDY, "--largest-epsilon", "0.01"]
    return indented(command, output_of(*command, "--full"))


if __name__ == "__main__":
    print(rows_example())
    print()
    print(theorem_example())
