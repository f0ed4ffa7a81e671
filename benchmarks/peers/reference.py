"""Reference end states (q, v): from a file of the C++ side, or by collocation.

The file is JSON: one object or a list of {"problem": "knife_edge", "epsilon": 1e-2 (null: rigid),
"end": [q..., v...], "error_bar": 1e-13}.

Without a file: Radau IIA of high order on a mesh graded into the layer, full Newton with the
Jacobian of problems.py, no step control. Two runs differ in stages and mesh; their distance is the
error bar. Both share the equations; tests/peers compares these with K*, P and with the closed form
of the knife edge.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.polynomial import legendre

from peers.problems import END_TIME, SYSTEMS, Ode, adapted, multiplier
from peers.systems import System


@dataclass(frozen=True)
class Reference:
    end: np.ndarray
    error_bar: float
    source: str
    scale: np.ndarray | float = 1.0
    """The error is max |end - reference|/scale; infinite: the entry is not compared."""


def error_of(end: np.ndarray | None, reference: Reference) -> float:
    """max |end - reference|/scale; NaN without an end."""
    return float("nan") if end is None else float(
        np.max(np.abs(end - reference.end) / reference.scale))


def radau_iia(stages: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes c and matrix A of the collocation method (Hairer and Wanner II, section IV.5)."""
    difference = np.zeros(stages + 1)
    difference[-1], difference[-2] = 1.0, -1.0
    c = 0.5 * (np.sort(legendre.legroots(difference).real) + 1.0)
    c[-1] = 1.0
    basis = np.eye(stages)
    values = np.stack([legendre.legval(2.0 * c - 1.0, p) for p in basis], axis=1)
    integrals = np.stack([0.5 * legendre.legval(2.0 * c - 1.0, legendre.legint(p, lbnd=-1))
                          for p in basis], axis=1)
    return c, np.linalg.solve(values.T, integrals.T).T


def graded_mesh(first: float, growth: float, largest: float, end: float) -> np.ndarray:
    """Times from 0 to end; the steps grow from `first` by `growth` up to `largest`."""
    steps = [first]
    while sum(steps) < end:
        steps.append(min(steps[-1] * growth, largest))
    times = np.concatenate(([0.0], np.cumsum(steps)))
    return times * (end / times[-1])


def collocate(rhs, jacobian, start: np.ndarray, times: np.ndarray, stages: int) -> np.ndarray:
    """The state at times[-1]. RuntimeError if Newton does not converge."""
    c, A = radau_iia(stages)
    size, y = len(start), start.copy()
    rates = np.tile(rhs(0.0, y), (stages, 1))
    for t, h in zip(times[:-1], np.diff(times)):
        last = np.inf
        for _ in range(60):
            states = y + h * A @ rates
            residual = rates - np.array([rhs(t + h * x, s) for x, s in zip(c, states)])
            blocks = np.stack([jacobian(t + h * x, s) for x, s in zip(c, states)])
            coupled = np.einsum("ij,jab->iajb", A, blocks).reshape(stages * size, stages * size)
            change = np.linalg.solve(np.eye(stages * size) - h * coupled, residual.ravel())
            rates = rates - change.reshape(stages, size)
            moved = np.max(np.abs(h * A @ change.reshape(stages, size)) / (1.0 + np.abs(states)))
            if moved < 1e-15 or (moved < 1e-11 and moved > 0.5 * last):  # converged to round-off
                break
            last = moved
        else:
            raise RuntimeError(f"the reference does not converge at t = {t:g}, h = {h:g}")
        y = y + h * A[-1] @ rates
        rates = np.tile(rates[-1], (stages, 1))
    return y


def reduced(system: System) -> Ode:
    """Rigid rolling in (q, u), w = 0: not stiff, so its Jacobian may be zero (Picard iteration)."""
    n, m = system.n, system.m

    def full(y: np.ndarray) -> list[float]:
        return [*y[n:].tolist(), *[0.0] * m]

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        q, uw = y[:n].tolist(), full(y)
        lam = multiplier(system, q, system.velocity(q, uw)).tolist()
        return np.array(system.adapted_rates(q, uw, lam)[:2 * n - m])

    def end(y: np.ndarray) -> np.ndarray:
        q = y[:n].tolist()
        return np.array([*q, *system.velocity(q, full(y))])

    start = np.array([*system.q0, *system.adapted(system.q0, system.v0)[:n - m]])
    zero = np.zeros((2 * n - m, 2 * n - m))
    return Ode(system, "reduced", float("nan"), start, rhs, lambda t, y: zero, end)


def own_reference(name: str, epsilon: float) -> Reference:
    """Two collocations of one problem; NaN for epsilon means rigid."""
    system = SYSTEMS[name]()
    rigid = np.isnan(epsilon)
    ode = reduced(system) if rigid else adapted(system, epsilon)
    first = 0.02 if rigid else min(0.02, 0.5 * epsilon)
    ends = [ode.end(collocate(ode.rhs, ode.jacobian, ode.start,
                              graded_mesh(first * shrink, growth, largest, END_TIME), stages))
            for stages, shrink, growth, largest in ((9, 1.0, 1.5, 0.05), (7, 0.6, 1.35, 0.035))]
    return Reference(ends[0], float(np.max(np.abs(ends[0] - ends[1]))),
                     "collocation, 9 stages against 7 on another mesh (benchmarks/peers)")


def read_references(path: Path) -> dict[tuple[str, float | None], Reference]:
    """References by (problem, epsilon); epsilon is None if rigid. ValueError with the path."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        entries = entries if isinstance(entries, list) else [entries]
        found = {}
        for entry in entries:
            epsilon = entry["epsilon"] and float(entry["epsilon"])
            end = np.array(entry["end"], dtype=float)
            if not np.all(np.isfinite(end)):
                raise ValueError(f"end of {entry['problem']} is not finite")
            found[entry["problem"], epsilon or None] = Reference(
                end, float(entry["error_bar"]), str(path.name))
        return found
    except (KeyError, TypeError, json.JSONDecodeError, ValueError) as problem:
        raise ValueError(f"{path}: no list of references: {problem}") from None
