"""nosnoc: friction as a Filippov system, and rolling as sliding along its switching surfaces; Radau IIA with FESD."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from math import nan
from typing import Any

import nosnoc

from .model import Row, Series, measured
from .nosnoc_fields import of_disk, of_wheel
from .problems import disk, ideal_centre, wheel


def solve(model: Any, end: float, h: float, stages: int, fesd: bool = True, tolerance: float = 1e-10) -> Any:
    """The state at the end, and the times of switches; two elements of h, s, in each problem that is solved."""
    options = nosnoc.NosnocOpts()
    options.n_s, options.use_fesd, options.N_finite_elements, options.terminal_time = stages, fesd, 2, 2.0 * h
    options.comp_tol, options.sigma_N, options.tol_ipopt = tolerance, tolerance, 0.1 * tolerance
    loop = nosnoc.NosnocSimLooper(nosnoc.NosnocSolver(options, model), model.x0, round(end / (2.0 * h)))
    loop.run()
    if any(status != nosnoc.Status.SUCCESS for status in loop.status):
        raise RuntimeError("nosnoc reports a problem that it did not solve")
    return loop.xcurrent, loop.switch_times


def rows() -> Iterator[Row]:
    d, w = disk(), wheel()
    ideal_centre(d.end)  # now, so that no time of a run contains it

    def rolls(h: float, stages: int) -> float:
        return d.error(solve(of_disk(d), d.end, h, stages)[0])

    def slips(h: float, stages: int, fesd: bool, tolerance: float = 1e-10) -> tuple[float, float]:
        x, switches = solve(of_wheel(w), w.end, h, stages, fesd, tolerance)
        return w.error(x[0]), abs(switches[0] - w.transition) if switches else nan

    steps, short = (0.1, 0.05, 0.025, 0.0125), (0.05, 0.025, 0.0125, 0.00625)
    yield from measured("nosnoc", version("nosnoc"), [
        Series("disk", "FESD, 2 stages", "step, s", steps, lambda h: rolls(h, 2)),
        Series("disk", "FESD, 3 stages", "step, s", steps, lambda h: rolls(h, 3)),
        Series("wheel", "FESD, 1 stage", "step, s", short, lambda h: slips(h, 1, True)),
        Series("wheel", "fixed steps, 2 stages", "step, s", short, lambda h: slips(h, 2, False)),
        Series("wheel", "FESD, 2 stages", "step, s", short, lambda h: slips(h, 2, True)),
        Series("wheel", "FESD, 2 stages, step 0.05 s", "comp_tol", (1e-6, 1e-8, 1e-10, 1e-12),
               lambda tolerance: slips(0.05, 2, True, tolerance))])
