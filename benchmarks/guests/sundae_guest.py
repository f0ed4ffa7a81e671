"""scikit-SUNDAE: SUNDIALS' CVODE from Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from sksundae.cvode import CVODE

import rigidlimit as rl

from .equations import Array


@rl.method(title="scikit-SUNDAE CVODE", source="scikit-SUNDAE", order=5)
def sundae_cvode(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
    def write_rate(t: float, y: Array, rate: Array) -> None:
        rate[:] = problem.rhs(t, y)

    def write_jacobian(t: float, y: Array, rate: Array, matrix: Array) -> None:
        matrix[:] = problem.jacobian(t, y)

    solver = CVODE(write_rate, rtol=rtol, atol=atol, jacfn=write_jacobian, max_num_steps=100_000)
    grid = np.concatenate([[problem.t0], times]) if times[0] > problem.t0 else times
    result = solver.solve(grid, problem.y0)
    return result.y[-len(times):].T, {"success": result.success, "message": str(result.message)}
