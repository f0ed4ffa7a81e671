"""Times compiled peers beside our methods at equal achieved error, all in turns.

    benchmarks/peers/run_compiled [options] [STUDY.toml...]

RADAU and RADAU5 (Hairer and Wanner), heyoka, LSODA (numbalsoda) and CVODE solve the equations that
benchmark_exported writes from our tapes. For each wanted error of (q, v) at the end, a search finds
the loosest of four tolerances a decade that reaches it, there and at the next tighter one. A method
without such a tolerance becomes a row with the reason. Writes compiled.csv, .json, .md and .png.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import sys
import time
from dataclasses import dataclass
from math import nan
from pathlib import Path

import numpy as np

from peers.compiled import Contestant, Entry, Libraries
from peers.exported import Exported, OurProgram, read_exported
from peers.measure import Attempt, error_of, failure, search

ROOT = Path(__file__).resolve().parents[2]
LOOSEST = 1e-1
ROUNDS, ROUND_SECONDS = 7, 0.02


@dataclass
class Row:
    """One method on one problem at one wanted error."""

    system: str
    epsilon: float | None
    variables: str
    library: str
    method: str
    wanted: float
    error_bar: float
    attempt: Attempt | None = None
    reason: str = ""
    seconds: float = nan
    times_ours: float = nan


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/peers/run_compiled", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    convergence = ROOT / "experiments" / "convergence"
    parser.add_argument("studies", nargs="*", type=Path, metavar="STUDY.toml",
                        default=[convergence / "knife_edge.toml", convergence / "rolling_disk.toml"],
                        help="rolling studies; default: knife_edge and rolling_disk")
    parser.add_argument("--epsilons", nargs="+", type=float, default=[1e-2, 1e-4, 1e-6, 0.0],
                        metavar="EPS", help="0: rigid (default: 1e-2 1e-4 1e-6 0)")
    parser.add_argument("--variables", nargs="+", default=["adapted"],
                        choices=["adapted", "natural"], metavar="NAME",
                        help="of the compliant problem: adapted, natural (default: adapted)")
    parser.add_argument("--errors", nargs="+", type=float, default=[1e-6, 1e-10], metavar="X")
    parser.add_argument("--ours", nargs="+", default=["radau_iia", "taylor", "radau_iia_7"],
                        metavar="METHOD", help="our methods; the first one is the unit of time")
    parser.add_argument("--limit", type=float, default=20.0, metavar="S",
                        help="time of a search (default 20); a running solve is not interrupted")
    parser.add_argument("--program", type=Path, metavar="FILE",
                        default=ROOT / "build/release/benchmarks/benchmark_exported")
    parser.add_argument("--libraries", type=Path, default=ROOT / "build/compiled_peers",
                        metavar="DIR", help="of radau.so and radau5.so")
    parser.add_argument("-o", "--output", type=Path, default=Path("results/compiled_peers"),
                        metavar="DIR")
    return parser.parse_args(arguments)


def contestants(entries: list[Entry], exported: Exported,
                program: OurProgram) -> list[tuple[Entry, Contestant | str]]:
    """Each entry's contestant, or the reason why there is none."""
    made: list[tuple[Entry, Contestant | str]] = []
    for entry in entries:
        try:
            made.append((entry, entry.make(exported, program)))
        except (RuntimeError, OSError, ImportError) as missing:
            made.append((entry, str(missing)))
    return made


def searched(row: Row, contestant: Contestant, exported: Exported,
             known: dict[float, Attempt], limit: float) -> None:
    """Finds the attempt of a row. `known` are the attempts of this contestant by tolerance."""
    deadline = time.monotonic() + limit

    def attempt_at(rtol: float) -> Attempt:
        if rtol not in known:
            run = contestant.run(rtol)
            known[rtol] = Attempt(rtol, run, error_of(run.end, exported.reference), [])
        return known[rtol]

    attempts, row.attempt = search(attempt_at, row.wanted, LOOSEST,
                                   lambda _: time.monotonic() > deadline)
    if row.attempt is None:
        late = f"{limit:g} s were not enough" if time.monotonic() > deadline else ""
        row.reason = failure(attempts, late)


def raced(exported: Exported, program: OurProgram, entries: list[Entry], errors: list[float],
          limit: float) -> list[Row]:
    """All methods on one problem: searches first, then times in turns."""
    made = contestants(entries, exported, program)
    known: list[dict[float, Attempt]] = [{} for _ in made]
    rows = []
    for wanted in errors:
        racing: list[tuple[Row, Contestant]] = []
        for (entry, contestant), attempts in zip(made, known):
            row = Row(exported.system, exported.epsilon, exported.variables, entry.library,
                      entry.method, wanted, exported.reference.error_bar)
            rows.append(row)
            if isinstance(contestant, str):
                row.reason = contestant
                continue
            searched(row, contestant, exported, attempts, limit)
            if row.attempt is not None:
                racing.append((row, contestant))
        take_times(racing)
    return rows


def take_times(racing: list[tuple[Row, Contestant]]) -> None:
    """The least time of each method in rounds over all of them; the first one is the unit."""
    for _ in range(ROUNDS):
        for row, contestant in racing:
            row.seconds = float(np.fmin(row.seconds,
                                        contestant.least(row.attempt.rtol, ROUND_SECONDS)))
    for row, _ in racing:
        if racing[0][0].library == "rigidlimit":
            row.times_ours = row.seconds / racing[0][0].seconds


def problems(options: argparse.Namespace) -> list[tuple[Path, str, float | None]]:
    """Study, variables and epsilon (None: rigid) of each problem."""
    return [(study, variables, epsilon or None)
            for study in options.studies for epsilon in options.epsilons
            for variables in (options.variables if epsilon > 0.0 else ["reduced"])]


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    for path in (*options.studies, options.program):
        if not path.exists():
            print(f"peers: {path}: no such file", file=sys.stderr)
            return 2
    from peers.compiled_table import write
    libraries = Libraries(options.libraries, Path(__file__).with_name("race.c"))
    rows: list[Row] = []
    build: list[str] = []
    for study, variables, epsilon in problems(options):
        where = f"{study.stem} {variables} {'rigid' if epsilon is None else f'{epsilon:g}'}"
        # Each problem has its own folder: a library that is loaded must not be overwritten.
        folder = options.libraries / f"{study.stem}_{variables}_{epsilon}"
        try:
            program = OurProgram(options.program, study, variables, epsilon, folder)
        except RuntimeError as failed:
            print(f"{where}: {failed}", file=sys.stderr)
            rows += [Row(study.stem, epsilon, variables, "", "", wanted, nan, reason=str(failed))
                     for wanted in options.errors]
            continue
        exported = read_exported(folder, variables)
        ours = options.ours if variables != "natural" else options.ours[-1:]
        fresh = raced(exported, program, libraries.entries(ours), options.errors, options.limit)
        program.close()
        rows, build = rows + fresh, exported.build
        for row in fresh:
            print(f"{where} {row.wanted:g} {row.library} {row.method}: "
                  + (f"{1e6 * row.seconds:.1f} us, {row.times_ours:.2f} times ours"
                     if row.attempt else row.reason), flush=True)
        write(options.output, rows, build, libraries)  # an interrupted run keeps finished problems
    return 0


if __name__ == "__main__":
    sys.exit(main())
