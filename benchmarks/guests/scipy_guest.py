"""SciPy: solve_ivp."""

from __future__ import annotations

from typing import Any

from scipy.integrate import solve_ivp

import rigidlimit as rl

from .equations import Array


def solver(method: str, implicit: bool) -> Any:
    def solve(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
        jacobian = {"jac": problem.jacobian} if implicit else {}
        return solve_ivp(problem.rhs, (problem.t0, times[-1]), problem.y0, method, times, rtol=rtol, atol=atol,
                         **jacobian)

    return solve


for method, order, implicit in (("Radau", 5, True), ("BDF", 5, True), ("LSODA", 0, False), ("DOP853", 8, False)):
    rl.method(name=f"scipy_{method.lower()}", title=f"SciPy {method}", source="SciPy", order=order,
              stiff=method != "DOP853")(solver(method, implicit))
