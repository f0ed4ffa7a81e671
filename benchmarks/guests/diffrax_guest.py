"""diffrax: Kvaerno's method of order 5, compiled by JAX."""

from __future__ import annotations

from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

import rigidlimit as rl

from .equations import Array, Once, traced

jax.config.update("jax_enable_x64", True)


def solver(problem: Any, grid: tuple[float, ...]) -> Any:
    rate = traced(problem, jnp)
    term = diffrax.ODETerm(lambda t, y, _: jnp.stack([jnp.asarray(x, float) for x in rate(t, y)]))
    times, t0 = jnp.array(grid), problem.t0

    @jax.jit
    def solve(y0: Any, rtol: Any, atol: Any) -> Any:
        controller = diffrax.PIDController(rtol=rtol, atol=atol, pcoeff=0.3, icoeff=0.4)
        return diffrax.diffeqsolve(term, diffrax.Kvaerno5(), t0, times[-1], None, y0, max_steps=100_000, throw=False,
                                   stepsize_controller=controller, saveat=diffrax.SaveAt(ts=times))

    return solve


made = Once(solver)


@rl.method(title="diffrax Kvaerno5", source="diffrax", order=5, in_thread=False)
def diffrax_kvaerno5(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
    solution = made(problem, tuple(times))(problem.y0, rtol, atol)
    stats = {name: int(number) for name, number in solution.stats.items() if np.ndim(number) == 0}
    return np.asarray(solution.ys).T, {"steps": stats["num_accepted_steps"], "rejected": stats["num_rejected_steps"],
                                       "nfev": None, "njev": None,
                                       "success": bool(solution.result == diffrax.RESULTS.successful),
                                       "message": "more than 100000 steps, or a failed iteration"}
