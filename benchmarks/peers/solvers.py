"""The peers: stiff methods of SciPy and solve_dae, each as one call with counts."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from solve_dae.integrate import solve_dae

from peers.problems import END_TIME, Dae, Ode

NAN = float("nan")


class OutOfTime(Exception):
    """The limit of processor time of a case was exceeded."""


@dataclass
class Run:
    """One solve, by default failed. `end` is (q, v) at END_TIME, or None if it was not reached."""

    end: np.ndarray | None = None
    reason: str = "not run"
    t_reached: float = 0.0
    last_step: float = NAN
    counts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Peer:
    library: str
    method: str
    order: int  # the highest order if variable
    takes: type
    """Ode or Dae; solve_dae also solves an Ode as y' - f = 0."""
    call: Callable[[Ode | Dae, float], object]
    """(problem, rtol) -> the library's result; atol = rtol/100, as on the C++ side."""


def by_scipy(method: str) -> Callable[[Ode, float], object]:
    def call(ode: Ode, rtol: float) -> object:
        return solve_ivp(ode.rhs, (0.0, END_TIME), ode.start, method=method, rtol=rtol,
                         atol=rtol / 100.0, jac=ode.jacobian)

    return call


def by_solve_dae(method: str, **options: object) -> Callable[[Ode | Dae, float], object]:
    def call(problem: Ode | Dae, rtol: float) -> object:
        if isinstance(problem, Dae):
            residual, jacobian, rate = problem.residual, problem.jacobian, problem.start_rate
        else:
            rhs, by_state, identity = problem.rhs, problem.jacobian, np.eye(len(problem.start))
            rate = rhs(0.0, problem.start)

            def residual(t: float, y: np.ndarray, yp: np.ndarray) -> np.ndarray:
                return yp - rhs(t, y)

            def jacobian(t: float, y: np.ndarray, yp: np.ndarray) -> tuple:
                return -by_state(t, y), identity

        return solve_dae(residual, (0.0, END_TIME), problem.start, rate, method=method, rtol=rtol,
                         atol=rtol / 100.0, jac=jacobian, **options)

    return call


PEERS = [
    Peer("scipy", "scipy_radau", 5, Ode, by_scipy("Radau")),
    Peer("scipy", "scipy_bdf", 5, Ode, by_scipy("BDF")),
    Peer("scipy", "scipy_lsoda", 12, Ode, by_scipy("LSODA")),
    *(Peer("solve_dae", f"solve_dae_radau_{s}", 2 * s - 1, Dae, by_solve_dae("Radau", stages=s))
      for s in (3, 5, 7)),
    Peer("solve_dae", "solve_dae_bdf", 5, Dae, by_solve_dae("BDF")),
]


def find_peer(name: str) -> Peer:
    for peer in PEERS:
        if peer.method == name:
            return peer
    raise ValueError(f"no method '{name}'; there are: {', '.join(p.method for p in PEERS)}")


def limited(problem: Ode | Dae, deadline: float, seen: Run) -> Ode | Dae:
    """The same problem; past `deadline` (s of time.process_time) its function raises OutOfTime.

    For scans only: a timed solve calls the plain functions.
    """
    name = "residual" if isinstance(problem, Dae) else "rhs"
    function = getattr(problem, name)

    def guarded(t: float, *state: np.ndarray) -> np.ndarray:
        if time.process_time() > deadline:
            raise OutOfTime
        seen.t_reached = max(seen.t_reached, float(t))
        return function(t, *state)

    return type(problem)(**{**problem.__dict__, name: guarded})


def solve(peer: Peer, problem: Ode | Dae, rtol: float, deadline: float) -> Run:
    """One solve with a time limit; an exception in the library becomes the reason of the run."""
    run = Run()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # overflow in a diverging Newton iteration
            result = peer.call(limited(problem, deadline, run), rtol)
    except OutOfTime:
        run.reason = "time limit"
        return run
    except (ArithmeticError, ValueError, TypeError, np.linalg.LinAlgError) as failure:
        run.reason = f"{type(failure).__name__}: {failure}"
        return run
    run.counts = counts_of(result)
    run.t_reached = float(result.t[-1])
    if len(result.t) > 1:
        run.last_step = float(result.t[-1] - result.t[-2])
    run.reason = "" if result.success else str(result.message)
    if result.success:
        end = problem.end(result.y[:, -1])
        run.end = end if np.all(np.isfinite(end)) else None
        run.reason = "" if run.end is not None else "the end is not finite"
    return run


def counts_of(result: object) -> dict[str, float]:
    """Counts by columns of errors.csv; NaN for counts that the library lacks."""
    return {"steps": len(result.t) - 1, "rejected": getattr(result, "nrejct", NAN),
            "rhs": result.nfev, "jacobians": result.njev, "factorisations": result.nlu,
            "solves": getattr(result, "nlusolve", NAN), "newton": NAN}
