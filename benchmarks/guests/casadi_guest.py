"""CasADi: SUNDIALS with derivatives of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import casadi as ca
import numpy as np

import rigidlimit as rl

from .equations import Array, Once, traced

FUNCTIONS = SimpleNamespace(sin=ca.sin, cos=ca.cos, tan=ca.tan, arcsin=ca.asin, arccos=ca.acos, arctan=ca.atan,
                            sinh=ca.sinh, cosh=ca.cosh, tanh=ca.tanh, exp=ca.exp, log=ca.log, sqrt=ca.sqrt,
                            abs=ca.fabs, arctan2=ca.atan2, where=ca.if_else)


def integrator(problem: Any, grid: tuple[float, ...], rtol: float, atol: float) -> Any:
    t, y = ca.SX.sym("t"), ca.SX.sym("y", problem.y0.size)
    rate = ca.vertcat(*traced(problem, FUNCTIONS)(t, ca.vertsplit(y)))
    return ca.integrator("solve", "cvodes", {"t": t, "x": y, "ode": rate}, problem.t0, list(grid),
                         {"reltol": rtol, "abstol": atol, "max_num_steps": 100_000, "print_stats": False})


made = Once(integrator)


@rl.method(title="CasADi cvodes", source="CasADi", order=5)
def casadi_cvodes(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
    solve = made(problem, tuple(times), rtol, float(np.min(atol)))
    return np.asarray(solve(x0=problem.y0)["xf"]), {"nfev": None, "njev": None}
