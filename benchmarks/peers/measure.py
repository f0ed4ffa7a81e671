"""The protocol: the loosest sufficient tolerance, then the least processor time of some repeats."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, floor, isfinite, log10
from statistics import median

import numpy as np

from peers.problems import Dae, Ode
from peers.reference import Reference, error_of
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


def next_step(error: float, wanted: float = WANTED) -> int:
    """Number of tolerances to advance: half the decades between error and target, at least one.

    No sufficient tolerance is skipped while the error falls no faster than the tolerance squared.
    """
    if not isfinite(error) or error <= wanted:
        return 1
    return max(1, floor(0.5 * log10(error / wanted) * PER_DECADE))


def search(attempt_at: Callable[[float], Attempt], wanted: float, loosest: float,
           ends: Callable[[Attempt], bool]) -> tuple[list[Attempt], Attempt | None]:
    """Solves from the loosest tolerance down until two in a row suffice. A single one could be a
    zero of the error as a function of the tolerance. Returns all attempts and the looser of the
    two; None: an attempt `ends` the search before, or no tolerance suffices."""
    attempts: list[Attempt] = []
    k, before = ceil(-log10(loosest) * PER_DECADE), None
    while (rtol := 10.0 ** (-k / PER_DECADE)) >= TIGHTEST:
        attempt = attempt_at(rtol)
        attempts.append(attempt)
        serves = attempt.error <= wanted
        if serves and before is not None:
            return attempts, before
        before = attempt if serves else None
        if ends(attempt):
            break
        k += next_step(attempt.error, wanted)
    return attempts, None


def scan(case: Case, cpu_limit: float) -> None:
    """The search of a case, in `cpu_limit` s of processor time."""
    deadline = time.process_time() + cpu_limit

    def attempt_at(rtol: float) -> Attempt:
        start = time.process_time()
        run = solve(case.peer, case.problem, rtol, deadline)
        return Attempt(rtol, run, error_of(run.end, case.reference),
                       durations([time.process_time() - start]))

    case.attempts, case.serving = search(attempt_at, WANTED, LOOSEST,
                                         lambda attempt: attempt.run.reason == "time limit")
    if case.serving is not None:
        return
    if case.attempts[-1].run.reason == "time limit":
        case.reason = f"{cpu_limit:g} s of processor time were not enough"
    case.reason = failure(case.attempts, case.reason)


def failure(attempts: list[Attempt], reason: str = "") -> str:
    """The reason why no tolerance serves, with the least error or the last message."""
    best = min((a.error for a in attempts if isfinite(a.error)), default=None)
    reason = reason or "no two tolerances in a row serve"
    return reason + (f"; least error {best:.1e}" if best is not None else
                     f"; no solve arrived, the last: {attempts[-1].run.reason}")


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
