"""solve_dae: implicit problems in Python, here y' - f(t, y) = 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from solve_dae.integrate import solve_dae

import rigidlimit as rl

from .equations import Array


def solver(method: str) -> Any:
    def solve(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
        def residual(t: float, y: Array, rate: Array) -> Array:
            return np.subtract(rate, problem.rhs(t, y))

        def jacobian(t: float, y: Array, rate: Array) -> tuple[Array, Array]:
            return -problem.jacobian(t, y), np.eye(y.size)

        return solve_dae(residual, (problem.t0, times[-1]), problem.y0, problem.rhs(problem.t0, problem.y0), method,
                         t_eval=times, rtol=rtol, atol=atol, jac=jacobian)

    return solve


for method, order in (("Radau", 5), ("BDF", 5)):
    rl.method(name=f"solve_dae_{method.lower()}", title=f"solve_dae {method}", source="solve_dae",
              order=order)(solver(method))
