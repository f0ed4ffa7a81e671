"""diffsol: BDF and Runge-Kutta methods in Rust, on DiffSL compiled by LLVM."""

from __future__ import annotations

from typing import Any

import numpy as np
import pydiffsol

import rigidlimit as rl

from .equations import Array, Once

made = Once(lambda problem: pydiffsol.Ode(problem.source("diffsl")))
NO_PARAMETERS = np.array([])


def solver(kind: str) -> Any:
    def solve(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
        """With one absolute tolerance, and the derivatives of its compiler."""
        ode = made(problem)
        ode.ode_solver, ode.t0 = getattr(pydiffsol, kind), problem.t0
        ode.rtol, ode.atol = rtol, float(np.min(atol))
        return ode.solve_dense(NO_PARAMETERS, times).ys, {"nfev": None, "njev": None}

    return solve


for kind, order in (("bdf", 5), ("tr_bdf2", 2), ("esdirk34", 3), ("tsit45", 5)):
    rl.method(name=f"diffsol_{kind}", title=f"diffsol {kind}", source="diffsol", order=order,
              stiff=kind != "tsit45")(solver(kind))
