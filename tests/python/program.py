"""Values of formulas as the program computes them, and tables of studies."""

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import rigidlimit as rl

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
GROUP = 16  # comparisons in the start of one coordinate, as bits of an integer that `describe` prints exactly
COORDINATES = 24
VALUES = {"a": 0.7, "b": -1.3, "c": 2.1, "d": 1e-3}
"""The parameters of formulas, and their values."""


def run(*arguments: object) -> str:
    """What the program prints; its messages are the error of a failure."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def unequal(formulas: Sequence[Callable[[Any], Any]], values: Sequence[float], folder: Path) -> list[int]:
    """The indices of formulas of parameters whose value in the program differs from the value here."""
    wrong = []
    size = GROUP * COORDINATES
    for first in range(0, len(formulas), size):
        pairs = list(zip(formulas[first:first + size], values[first:first + size]))

        def bits(p: Any, k: int) -> Any:
            return sum(rl.where(formula(p) == value, 2.0**i, 0)
                       for i, (formula, value) in enumerate(pairs[k * GROUP:(k + 1) * GROUP]))

        names = [f"x{k}" for k in range(-(-len(pairs) // GROUP))]
        system = rl.System("values", names, VALUES, kinetic_coenergy=lambda v: sum(x**2 for x in v),
                           constraint=lambda v: [v.x0],
                           start=lambda p: {"q": [bits(p, k) for k in range(len(names))]})
        text = run("describe", written(folder / f"values{first}.toml", system.to_toml()))
        found = {int(k): int(float(x)) for k, x in re.findall(r"^  x(\d+) +1 +(\S+)$", text, re.MULTILINE)}
        wrong += [first + i for i in range(len(pairs)) if not found[i // GROUP] >> i % GROUP & 1]
    return wrong


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def table_of(study: Path, results: Path) -> bytes:
    """The errors table of a study in CSV, as printed."""
    done = subprocess.run([PROGRAM, "run", study, "--results", results, "--format", "csv"], capture_output=True,
                          check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout

