"""heyoka: Taylor series of adaptive order, compiled by LLVM."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import heyoka as hy
import numpy as np

import rigidlimit as rl

from .equations import Array, Once, traced

FUNCTIONS = SimpleNamespace(sin=hy.sin, cos=hy.cos, tan=hy.tan, arcsin=hy.asin, arccos=hy.acos, arctan=hy.atan,
                            sinh=hy.sinh, cosh=hy.cosh, tanh=hy.tanh, exp=hy.exp, log=hy.log, sqrt=hy.sqrt,
                            arctan2=hy.atan2)


def integrator(problem: Any, tolerance: float) -> Any:
    variables = [hy.make_vars(f"y{i}") for i in range(problem.y0.size)]
    rates = traced(problem, FUNCTIONS)(hy.time, variables)
    system = [(y, rate if isinstance(rate, hy.expression) else hy.expression(rate))
              for y, rate in zip(variables, rates)]
    return hy.taylor_adaptive(system, list(problem.y0), time=problem.t0, tol=tolerance)


made = Once(integrator)


@rl.method(title="heyoka Taylor", source="heyoka", stiff=False)
def heyoka_taylor(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
    """One tolerance, relative and absolute: rtol."""
    solver = made(problem, rtol)
    solver.time, solver.state[:] = problem.t0, problem.y0
    states, steps = [], 0
    for time in times:
        outcome, _, _, count, *_ = solver.propagate_until(time, max_steps=100_000)
        states.append(solver.state.copy())
        steps += count
    return np.array(states).T, {"steps": steps, "nfev": None, "njev": None,
                                "success": str(outcome).endswith("time_limit"), "message": str(outcome)}
