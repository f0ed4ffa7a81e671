"""Times SciPy and solve_dae at equal achieved error: 1e-10 in (q, v) at t = 2.

    benchmarks/peers/run [options]     writes results/peers/errors.csv and peers.json

Each case is a problem, an epsilon, a formulation and a method. Its tolerances are scanned from the
loosest down. The loosest sufficient tolerance is timed: least processor time of at least three
repeats, one thread. A case without one within --limit seconds becomes a row with the reason.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy loads; threads of a 12 x 12 matrix only cost time

import argparse
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

from peers.measure import Case, repeat, scan, summary
from peers.problems import DAE_FORMULATIONS, ODE_FORMULATIONS, SYSTEMS, problem
from peers.processor import processor
from peers.reference import Reference, own_reference, read_references
from peers.rows import write_csv
from peers.solvers import PEERS, Dae, find_peer

VERSIONED = ("numpy", "scipy", "solve_dae")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/peers/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", nargs="+", default=list(SYSTEMS), metavar="NAME",
                        help=f"of {', '.join(SYSTEMS)}; default: all")
    parser.add_argument("--epsilons", nargs="+", type=float, default=[1e-2, 1e-4, 1e-6],
                        metavar="EPS")
    formulations = [*ODE_FORMULATIONS, *DAE_FORMULATIONS]
    parser.add_argument("--formulations", nargs="+", default=formulations, choices=formulations,
                        metavar="NAME", help=f"of {', '.join(formulations)}; default: all")
    methods = [peer.method for peer in PEERS]
    parser.add_argument("--methods", nargs="+", default=methods, metavar="NAME",
                        help=f"of {', '.join(methods)}; default: all")
    parser.add_argument("--reference", type=Path, metavar="FILE",
                        help="JSON of end states (reference.py says how); without one, or where it "
                        "has none, end states are computed here by collocation")
    parser.add_argument("--limit", type=float, default=60.0, metavar="S",
                        help="processor time of a scan (default 60)")
    parser.add_argument("--repeat-for", type=float, default=2.0, metavar="S",
                        help="repeats go on for so long, three at least, twenty at most (default 2)")
    parser.add_argument("-o", "--output", type=Path, default=Path("results/peers"), metavar="DIR")
    return parser.parse_args(arguments)


def cases_of(options: argparse.Namespace) -> list[Case]:
    """All compatible cases: SciPy solves no DAE. Rigid problems have no epsilon and appear once."""
    given = read_references(options.reference) if options.reference else {}
    known: dict[tuple[str, float | None], Reference] = {}
    cases = []
    for name in options.problems:
        for formulation in options.formulations:
            rigid = formulation in DAE_FORMULATIONS
            for epsilon in [float("nan")] if rigid else options.epsilons:
                key = (name, None if rigid else epsilon)
                fresh = problem(name, formulation, epsilon)
                known[key] = known.get(key) or given.get(key) or own_reference(name, epsilon)
                if len(known[key].end) != 2 * fresh.system.n:
                    raise ValueError(f"the reference of {name} has {len(known[key].end)} values, "
                                     f"not {2 * fresh.system.n}")
                cases += [Case(peer, fresh, known[key]) for peer in map(find_peer, options.methods)
                          if peer.takes is Dae or not rigid]
    return cases


def write(directory: Path, cases: list[Case]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    write_csv(directory / "errors.csv", cases)
    versions = {"python": platform.python_version(), **{name: version(name) for name in VERSIONED}}
    content = {"versions": versions, "processor": processor(), "threads": 1,
               "clock": "time.process_time", "cases": [summary(case) for case in cases]}
    (directory / "peers.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    try:
        cases = cases_of(options)
    except (ValueError, OSError) as wrong:
        print(f"peers: {wrong}", file=sys.stderr)
        return 2
    for number, case in enumerate(cases, 1):
        scan(case, options.limit)
        repeat(case, options.repeat_for)
        told = summary(case)
        where = "rigid" if np.isnan(case.problem.epsilon) else f"{case.problem.epsilon:.0e}"
        cost = (f"{told['milliseconds']:10.1f} ms  rtol {told['rtol']:.1e}  {told['steps']} steps"
                if told["reached"] else f"{'-':>10}     {case.reason}")
        print(f"{number:3}/{len(cases)} {told['problem']:16} {where:6} {told['formulation']:13} "
              f"{told['method']:18} {cost}", flush=True)
        write(options.output, cases[:number])  # an interrupted run keeps the finished cases
    return 0


if __name__ == "__main__":
    sys.exit(main())
