"""Series on which the Python and the C++ judgements are compared: random ones and those of studies."""

import csv
import math
import os
import random
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import rigidlimit as rl

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
JUDGE = Path(os.environ.get("RIGIDLIMIT_JUDGE_SERIES", PROGRAM.parents[1] / "tests/judge_series"))

#: Studies of at most 0.7 s each.
STUDIES = ("convergence/knife_edge", "convergence/nonholonomic_particle", "friction/wheel_slip_to_roll",
           "prediction/knife_edge_prediction", "realisation/realisations")
SOURCES = tuple(rl.FloorSource)


def needed(program: Path) -> Path:
    """The path of a built program. Without it the test is skipped, or fails if CI is set."""
    if not program.exists():
        words = f"NOT TESTED: no {program}; build it first: cmake --build build/release"
        if os.environ.get("CI"):
            pytest.fail(words)
        pytest.skip(words)
    return program


def random_series(count: int, seed: int) -> list[rl.Series]:
    """Power laws with further terms, logarithms, scatter, outliers, floors, failed rows and odd values."""
    rng = random.Random(seed)
    return [_random_series(rng) for _ in range(count)]


def _random_series(rng: random.Random) -> rl.Series:
    n = rng.choice([*range(14), 6, 7, 8, 9, 10, 11, 12, 13])
    ratio, start = rng.uniform(1.5, 10.0 ** rng.uniform(0.2, 1.0)), 10.0 ** rng.uniform(-3.0, 0.5)
    epsilon = [start / ratio**k for k in range(n)]
    if rng.random() < 0.3:
        epsilon = [e * rng.uniform(0.9, 1.1) for e in epsilon]
    order, constant = rng.choice([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, rng.uniform(-1.0, 4.0)]), 10.0 ** rng.uniform(-2, 3)
    kind = rng.choice(["plain", "term", "logarithm", "layer", "noise"])
    scatter = rng.choice([0.0, 0.0, 1e-6, 3e-3, 2e-2])
    a, r, m = rng.uniform(-0.9, 5.0), rng.choice([1 / 3, 0.5, 1.0, 2.0]), rng.choice([-1, 0.5, 1, 2])
    factors: dict[str, Callable[[float], float]] = {
        "plain": lambda e: 1.0, "term": lambda e: abs(1.0 + a * e**r),
        "logarithm": lambda e: float(abs(math.log(e / 20.0)) ** m), "layer": lambda e: abs(1.0 + a * e**-0.5),
        "noise": lambda e: math.exp(rng.gauss(0.0, 0.5))}
    exact = [constant * e**order * factors[kind](e) for e in epsilon]
    level = min(exact, default=1.0) * rng.choice([0.0, 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0])
    floor = [level * rng.choice([1.0, 1.0, rng.uniform(0.0, 2.0)]) for _ in epsilon]
    error = [abs(e * (1.0 + scatter * rng.gauss(0.0, 1.0)) + f * rng.uniform(-1.0, 1.0))
             for e, f in zip(exact, floor, strict=True)]
    usable = [True] * n
    if n and rng.random() < 0.2:
        k = rng.randrange(n)
        error[k] = rng.choice([0.0, math.nan, math.inf, error[k] * rng.choice([0.5, 3.0, 1e-300, 1e200])])
        floor[k] = rng.choice([0.0, math.nan, math.inf, floor[k]])
        usable[k] = rng.random() < 0.8
    return rl.Series(epsilon, error, floor, usable=usable, source=[rng.choice(SOURCES) for _ in epsilon],
                     predicted=[constant * e**order for e in epsilon] if rng.random() < 0.4 else None)


def random_ratios(count: int, seed: int) -> list[rl.Series]:
    """Ratios 1 + a ε^s with floors and uncertain rows, as the errors of series."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        a, s, refinement = rng.uniform(-0.5, 2.0), rng.choice([-0.2, 0.0, 1 / 3, 0.5, 1.0, 2.0]), rng.uniform(1.5, 5.0)
        epsilon = [0.1 / refinement**k for k in range(rng.choice([3, 3, 4, 5, 6, 8, 10]))]
        level = rng.choice([0.0, 1e-14, 1e-6, 1e-4, 3e-3])
        floor = [level * (refinement**k if rng.random() < 0.5 else 1.0) for k in range(len(epsilon))]
        ratio = [abs(1.0 + a * e**s + f * rng.choice([0.0, 1.0, 2.1]) * rng.uniform(-1.0, 1.0))
                 for e, f in zip(epsilon, floor, strict=True)]
        found.append(rl.Series(epsilon, ratio, floor))
    return found


def study_series(results: Path) -> list[rl.Series]:
    """The series of the tables that the program prints for the studies."""
    found: list[rl.Series] = []
    for study in STUDIES:
        table = results / f"{Path(study).name}.csv"
        subprocess.run([needed(PROGRAM), "run", ROOT / f"experiments/{study}.toml", "--format", "csv", "--no-progress",
                        "--results", results, "-o", table], check=True, capture_output=True)
        with table.open() as rows:
            found += _series_of(csv.DictReader(rows))
    return found


def _series_of(rows: Iterable[dict[str, str]]) -> list[rl.Series]:
    groups: dict[tuple[str | None, ...], list[dict[str, str]]] = {}
    keys = ("study", "law", "rigid_solver", "compliant_solver", "quantity", "events", "norm", "window")
    for row in rows:
        groups.setdefault(tuple(row.get(key) for key in keys), []).append(row)
    return [_series(" ".join(filter(None, key)), group) for key, group in groups.items()]


def _series(name: str, rows: list[dict[str, str]]) -> rl.Series:
    bars = ("solver", "reference", "sampling")
    floors = [[float(row[f"{bar}_error"]) for bar in bars] for row in rows]
    error = [float(row["model_error"]) for row in rows]
    ratios = [float(row.get("ratio", "nan")) for row in rows]
    return rl.Series([float(row["epsilon"]) for row in rows], error, [max(f) for f in floors], name=name,
                     source=[bars[f.index(max(f))] for f in floors],
                     predicted=[e / r if r > 0.0 else math.nan for e, r in zip(error, ratios, strict=True)])


def request(claim: str, parameters: Iterable[float], series: rl.Series) -> str:
    """A line of input of judge_series."""
    words = [claim, *map(repr, parameters), str(len(series))]
    for p in series.points:
        words += [repr(p.epsilon), repr(p.error), repr(p.floor), str(int(p.usable)), str(SOURCES.index(p.source)),
                  repr(p.predicted)]
    return " ".join(words)


def answers_of_cpp(requests: list[str]) -> list[list[str]]:
    """The answers of judge_series, split into fields."""
    done = subprocess.run([needed(JUDGE)], input="\n".join(requests) + "\n", capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.split("\n")[:-1]]
