"""Assimulo: solvers of Hairer, ODEPACK and DAEs, called from Python. The last two solve y' - f(t, y) = 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from assimulo import solvers
from assimulo.problem import Explicit_Problem, Implicit_Problem, Overdetermined_Problem

import rigidlimit as rl

from .equations import Array

KINDS = {"GLIMDA": Implicit_Problem, "ODASSL": Overdetermined_Problem}
QUIET = {"GLIMDA": 40}  # at 50 it prints every step


def posed(problem: Any, name: str) -> Any:
    """The problem in the form of a solver, with the exact Jacobian; those of DAEs take differences."""
    if name not in KINDS:
        # ODEPACK asks a function for the number of its arguments, which a compiled one does not tell.
        explicit = Explicit_Problem(lambda t, y: problem.rhs(t, y), problem.y0, problem.t0)
        explicit.jac = lambda t, y: problem.jacobian(t, y)
        return explicit

    def residual(t: float, y: Array, rate: Array) -> Array:
        return np.subtract(rate, problem.rhs(t, y))

    return KINDS[name](residual, problem.y0, problem.rhs(problem.t0, problem.y0), problem.t0)


def method(name: str) -> Any:
    def solve(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
        solver, counts = getattr(solvers, name)(posed(problem, name)), np.zeros(3, dtype=int)
        solver.verbosity, solver.rtol, solver.maxsteps = QUIET.get(name, 50), rtol, 100_000
        solver.atol = np.full(problem.y0.size, atol)
        states = []
        for time in times:
            if time > solver.t:  # without a list of times GLIMDA and ODASSL, with one 500 steps at most
                solver.simulate(time, 0, None if name in KINDS else [time])
                counts += [int(solver.statistics[key]) for key in ("nsteps", "nfcns", "njacs")]
            states.append(np.array(solver.y))
        return np.array(states).T, dict(zip(("steps", "nfev", "njev"), map(int, counts)))

    return solve


for name, order, stiff in (("Radau5ODE", 5, True), ("RodasODE", 4, True), ("LSODAR", 0, True), ("Dopri5", 5, False),
                           ("GLIMDA", 3, True), ("ODASSL", 5, True)):
    rl.method(name=f"assimulo_{name.lower().removesuffix('ode')}", title=f"Assimulo {name}", source="Assimulo",
              order=order, stiff=stiff)(method(name))
