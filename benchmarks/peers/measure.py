"""The protocol: the loosest sufficient tolerance, then the least processor time of some repeats."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import ceil, floor, isfinite, log10
from statistics import median

import numpy as np

from peers.problems import Dae, Ode
from peers.reference import Reference
from peers.solvers import Peer, Run, solve

WANTED = 1e-10  # max |error| over q (m, rad) and v (m/s, rad/s) at the end, as in benchmark_stiff
PER_DECADE = 4  # tolerances per decade
LOOSEST, TIGHTEST = 1e-3, 2.3e-14  # SciPy raises an rtol below 100 eps = 2.22e-14 to this value


@dataclass
class Attempt:
    """One solve of a scan and its cost."""

    rtol: float
    run: Run
    error: float  # NaN: the end was not reached
    seconds: list[float]


@dataclass
class Case:
    peer: Peer
    problem: Ode | Dae
    reference: Reference
    attempts: list[Attempt] = field(default_factory=list)
    serving: Attempt | None = None
    reason: str = ""
    """The reason if no tolerance suffices."""


def durations(readings: list[float]) -> list[float]:
    """The positive readings: a clock that does not advance gives 0, which would be the least of
    many repeats."""
    return [seconds for seconds in readings if seconds > 0.0]


def error_of(end: np.ndarray | None, reference: Reference) -> float:
    return float("nan") if end is None else float(np.max(np.abs(end - reference.end)))


def next_step(error: float) -> int:
    """Number of tolerances to advance: half the decades between error and target, at least one.

    No sufficient tolerance is skipped while the error falls no faster than the tolerance squared.
    """
    if not isfinite(error) or error <= WANTED:
        return 1
    return max(1, floor(0.5 * log10(error / WANTED) * PER_DECADE))


def scan(case: Case, cpu_limit: float) -> None:
    """Solves from the loosest tolerance down until two in a row suffice. A single one could be a
    zero of the error as a function of the tolerance. `serving` is the looser of the two."""
    deadline = time.process_time() + cpu_limit
    k, before = ceil(-log10(LOOSEST) * PER_DECADE), None
    while (rtol := 10.0 ** (-k / PER_DECADE)) >= TIGHTEST:
        start = time.process_time()
        run = solve(case.peer, case.problem, rtol, deadline)
        attempt = Attempt(rtol, run, error_of(run.end, case.reference),
                          durations([time.process_time() - start]))
        case.attempts.append(attempt)
        serves = attempt.error <= WANTED
        if serves and before is not None:
            case.serving = before
            return
        before = attempt if serves else None
        if run.reason == "time limit":
            case.reason = f"{cpu_limit:g} s of processor time were not enough"
            break
        k += next_step(attempt.error)
    best = min((a.error for a in case.attempts if isfinite(a.error)), default=None)
    case.reason = case.reason or "no two tolerances in a row serve"
    case.reason += f"; least error {best:.1e}" if best is not None else (
        f"; no solve arrived, the last: {case.attempts[-1].run.reason}")


def repeat(case: Case, seconds: float, at_least: int = 3, at_most: int = 20) -> None:
    """Times the solve at the sufficient tolerance; only the call of the library counts."""
    attempt = case.serving
    if attempt is None:
        return
    attempt.seconds = []
    begin = time.process_time()
    while len(attempt.seconds) < at_most and (
            len(attempt.seconds) < at_least or time.process_time() - begin < seconds):
        start = time.process_time()
        case.peer.call(case.problem, attempt.rtol)
        attempt.seconds.append(time.process_time() - start)
    attempt.seconds = durations(attempt.seconds)


def summary(case: Case) -> dict[str, object]:
    """One case as JSON, times in ms."""
    serving = case.serving
    times = serving.seconds if serving else []
    return {
        "problem": case.problem.system.name, "formulation": case.problem.formulation,
        "epsilon": None if np.isnan(case.problem.epsilon) else case.problem.epsilon,
        "library": case.peer.library, "method": case.peer.method,
        "wanted_error": WANTED, "reached": serving is not None, "reason": case.reason,
        "rtol": serving and serving.rtol, "error": serving and serving.error,
        "milliseconds": 1e3 * min(times) if times else None,
        "milliseconds_median": 1e3 * median(times) if times else None,
        "repeats": len(times),
        "steps": serving and serving.run.counts["steps"],
        "rhs": serving and serving.run.counts["rhs"],
        "reference": case.reference.source, "reference_error": case.reference.error_bar,
        "attempts": [[a.rtol, a.error if isfinite(a.error) else None, min(a.seconds, default=None)]
                     for a in case.attempts],
    }
