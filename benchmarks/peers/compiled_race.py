"""Times compiled peers beside our methods at equal achieved error, all in turns.

    benchmarks/peers/run_compiled [options] [STUDY.toml...]
    benchmarks/peers/run_compiled [options] --classical [NAME...]

RADAU and RADAU5 (Hairer and Wanner), heyoka, LSODA (numbalsoda) and CVODE solve the equations that
benchmark_exported writes from our tapes. For each wanted error of (q, v) at the end, or relative
error of all unknowns of a classical problem, a search finds the loosest of four tolerances a decade
that reaches it, there and at the next tighter one. A method without such a tolerance becomes a row
with the reason. Writes compiled.csv, .json, .md and .png.
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
from peers.exported import Exported, OurProgram, classical_problems, read_exported
from peers.measure import Attempt, failure, search
from peers.reference import error_of

ROOT = Path(__file__).resolve().parents[2]
LOOSEST = 1e-1
ROUNDS, ROUND_SECONDS = 7, 0.02
FORMS = ("ode", "dae")  # the `variables` of a classical problem


@dataclass(frozen=True)
class Defaults:
    """Options of a run that are not given."""

    errors: list[float]
    ours: list[str]
    limit: float  # s of a search
    output: Path


ROLLING = Defaults([1e-6, 1e-10], ["radau_iia", "taylor", "radau_iia_7"], 20.0,
                   Path("results/compiled_peers"))
CLASSICAL = Defaults([1e-2, 1e-4, 1e-6, 1e-8], ["radau_iia", "radau_iia_5", "rosenbrock4"], 5.0,
                     Path("results/compiled_peers_classical"))


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
                        help="rolling studies; default: knife_edge and rolling_disk")
    parser.add_argument("--classical", nargs="*", metavar="NAME",
                        help="classical problems instead of studies (no NAME: all of them), as ODEs "
                        "and, with a mass matrix, as DAEs")
    parser.add_argument("--epsilons", nargs="+", type=float, default=[1e-2, 1e-4, 1e-6, 0.0],
                        metavar="EPS", help="0: rigid (default: 1e-2 1e-4 1e-6 0)")
    parser.add_argument("--variables", nargs="+", default=["adapted"],
                        choices=["adapted", "natural"], metavar="NAME",
                        help="of the compliant problem: adapted, natural (default: adapted)")
    parser.add_argument("--errors", nargs="+", type=float, metavar="X",
                        help="wanted errors, the largest first (default: 1e-6 1e-10; classical: "
                        "1e-2 1e-4 1e-6 1e-8)")
    parser.add_argument("--ours", nargs="+", metavar="METHOD",
                        help="our methods; the first one is the unit of time (default: "
                        f"{' '.join(ROLLING.ours)}; classical: {' '.join(CLASSICAL.ours)})")
    parser.add_argument("--limit", type=float, metavar="S",
                        help="time of a search (default 20, classical 5); a running solve is not "
                        "interrupted")
    parser.add_argument("--program", type=Path, metavar="FILE",
                        default=ROOT / "build/release/benchmarks/benchmark_exported")
    parser.add_argument("--libraries", type=Path, default=ROOT / "build/compiled_peers",
                        metavar="DIR", help="of radau.so and radau5.so")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help=f"default: {ROLLING.output}; classical: {CLASSICAL.output}")
    options = parser.parse_args(arguments)
    if options.classical is not None and options.studies:
        parser.error("--classical: without studies")
    defaults = ROLLING if options.classical is None else CLASSICAL
    for name in ("errors", "ours", "limit", "output"):
        if getattr(options, name) is None:
            setattr(options, name, getattr(defaults, name))
    options.errors.sort(reverse=True)
    if options.classical is None and not options.studies:
        options.studies = [convergence / "knife_edge.toml", convergence / "rolling_disk.toml"]
    return options


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
    """All methods on one problem: searches first, then times in turns. `errors` decrease: a method
    without a tolerance for one of them has none for the next ones either, and is not searched."""
    made = contestants(entries, exported, program)
    known: list[dict[float, Attempt]] = [{} for _ in made]
    failed: dict[int, str] = {}
    rows = []
    for wanted in errors:
        racing: list[tuple[Row, Contestant]] = []
        for number, ((entry, contestant), attempts) in enumerate(zip(made, known)):
            row = Row(exported.system, exported.epsilon, exported.variables, entry.library,
                      entry.method, wanted, exported.reference.error_bar)
            rows.append(row)
            if isinstance(contestant, str) or number in failed:
                row.reason = failed.get(number) or str(contestant)
                continue
            searched(row, contestant, exported, attempts, limit)
            if row.attempt is not None:
                racing.append((row, contestant))
            else:
                failed[number] = row.reason
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


def classical(options: argparse.Namespace) -> list[tuple[str, str, None]]:
    """Name and form of each classical problem. The ODE of a constrained motion is that of all its
    indices, so it is solved once if no names are given. RuntimeError for an unknown name."""
    known = classical_problems(options.program)
    if unknown := set(options.classical) - {name for name, _ in known}:
        raise RuntimeError(f"no classical problem '{sorted(unknown)[0]}'; there are: "
                           + ", ".join(dict.fromkeys(name for name, _ in known)))
    return [(name, form, None) for name, form in known
            if (name in options.classical if options.classical else
                form == "dae" or "_index_" not in name)]


def problems(options: argparse.Namespace) -> list[tuple[Path | str, str, float | None]]:
    """Study or classical problem, variables and epsilon (None: rigid, classical) of each problem."""
    if options.classical is not None:
        return classical(options)
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
    try:
        all_problems = problems(options)
    except RuntimeError as unknown:
        print(f"peers: {unknown}", file=sys.stderr)
        return 2
    libraries = Libraries(options.libraries, Path(__file__).with_name("race.c"))
    rows: list[Row] = []
    build: list[str] = []
    for study, variables, epsilon in all_problems:
        name = study if isinstance(study, str) else study.stem
        at = f" {epsilon:g}" if epsilon else "" if variables in FORMS else " rigid"
        where = f"{name} {variables}{at}"
        # Each problem has its own folder: a library that is loaded must not be overwritten.
        folder = options.libraries / f"{name}_{variables}_{epsilon}"
        try:
            program = OurProgram(options.program, study, variables, epsilon, folder)
        except RuntimeError as failed:
            print(f"{where}: {failed}", file=sys.stderr)
            rows += [Row(name, epsilon, variables, "", "", wanted, nan, reason=str(failed))
                     for wanted in options.errors]
            continue
        exported = read_exported(folder, variables)
        ours = options.ours if variables != "natural" else options.ours[-1:]
        fresh = raced(exported, program, libraries.entries(ours, variables not in FORMS),
                      options.errors, options.limit)
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
