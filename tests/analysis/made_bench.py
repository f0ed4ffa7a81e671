"""errors.csv files computed from formulas, so that the figures are known."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

COLUMNS = (
    "benchmark,kind,problem,system,epsilon,formulation,method,library,order,rtol,atol,h,count,group,"
    "error,scd,mixed,reference_error,observed_order,seconds,seconds_median,repeats,steps,"
    "rejected_steps,rhs_evaluations,jacobian_evaluations,factorisations,linear_solves,newton_iterations,"
    "status,reason,t_reached,last_step"
).split(",")
NAN = float("nan")
METHODS = {"quick": ("own", 9), "slow": ("own", 5), "cvode_bdf": ("sundials", 5),
           "rosenbrock4": ("odeint", 4)}
SPEED = {"quick": 1e-5, "slow": 4e-5, "cvode_bdf": 1e-3, "rosenbrock4": 2e-3}

Line = dict[str, object]


def line(**named: object) -> Line:
    """A row of a finished solve; values that are not given are harmless."""
    usual: Line = {
        **dict.fromkeys(COLUMNS, NAN), "benchmark": "made", "problem": "knife_edge",
        "system": "knife_edge", "formulation": "adapted", "group": "q", "reference_error": 1e-14,
        "seconds": 1e-3, "repeats": 5, "steps": 100, "rhs_evaluations": 500, "status": "ok", "reason": "",
        "t_reached": 2.0, "last_step": 0.1}
    unknown = set(named) - set(COLUMNS)
    assert not unknown, unknown
    return {**usual, **named}


def write(directory: Path, lines: Iterable[Line]) -> Path:
    text = [",".join(COLUMNS)] + [",".join(str(x[c]) for c in COLUMNS) for x in lines]
    (directory / "errors.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    return directory


def work_precision(methods: dict = METHODS, speed: dict = SPEED, epsilons: Iterable = (1e-2, 1e-6),
                   groups: Iterable = ("q", "v"), formulations: Iterable = ("adapted", "natural"),
                   tolerances: Iterable = tuple(10.0**-k for k in range(3, 13, 3))) -> list[Line]:
    """error = 10 rtol; seconds = speed rtol^(-1/order), in natural variables 3 times as many;
    errors below 1e-10 are not evidence; in natural variables eps = 1e-6 fails below 1e-8."""
    lines = []
    for name, (library, order) in methods.items():
        for formulation in formulations:
            for epsilon in epsilons:
                for rtol in tolerances:
                    work = rtol ** (-1.0 / order) * (3.0 if formulation == "natural" else 1.0)
                    failed = formulation == "natural" and epsilon < 1e-5 and rtol < 1e-8
                    error = NAN if failed else 10.0 * rtol
                    status = ("failed" if failed else
                              "ok" if error > 1e-10 else "reference_limited")
                    lines += [line(kind="work_precision", epsilon=epsilon, formulation=formulation,
                                   method=name, library=library, order=order, rtol=rtol,
                                   atol=rtol / 100, group=group, error=error,
                                   seconds=speed[name] * work, rhs_evaluations=round(50 * work), status=status,
                                   reason="max_steps" if failed else "") for group in groups]
    return lines


def order_reduction(methods: dict = METHODS, groups: Iterable = ("q", "v", "lambda"),
                    h: Iterable = (1e-1, 1e-2, 1e-3, 1e-4), formulations: Iterable = ("adapted",),
                    epsilons: Iterable = (1e-1, 1e-2, 1e-3, 1e-4)) -> list[Line]:
    """Classical order for h < eps, 1 for h > eps, a plateau on the line; no order at the largest h;
    the pair (smallest h, smallest eps) fails."""
    lines = []
    h, epsilons = list(h), list(epsilons)
    for name, (library, order) in methods.items():
        for formulation in formulations:
            for epsilon in epsilons:
                for step in h:
                    failed = step == min(h) and epsilon == min(epsilons)
                    found = NAN if failed or step == max(h) else (
                        order if step < epsilon else 1.0 if step > epsilon else 0.1)
                    status = "failed" if failed else "plateau" if step == epsilon else "ok"
                    lines += [line(kind="order_reduction", epsilon=epsilon, formulation=formulation,
                                   method=name, library=library, order=order, h=step, group=group,
                                   error=NAN if failed else step, observed_order=found,
                                   status=status) for group in groups]
    return lines


def cost_epsilon(methods: dict = METHODS, speed: dict = SPEED,
                 epsilons: Iterable = (1e-1, 1e-2, 1e-3, 1e-4)) -> list[Line]:
    """adapted: cost does not depend on eps; natural: as 1/sqrt(eps), and fails at 1e-4."""
    lines = []
    for name, (library, order) in methods.items():
        for formulation in ("adapted", "natural"):
            for epsilon in epsilons:
                work = 1.0 if formulation == "adapted" else epsilon**-0.5
                failed = formulation == "natural" and epsilon < 5e-4
                lines += [line(kind="cost_epsilon", epsilon=epsilon, formulation=formulation,
                               method=name, library=library, order=order, rtol=1e-8, group=group,
                               error=NAN if failed else 1e-9, seconds=speed[name] * work,
                               steps=round(100 * work), rhs_evaluations=round(500 * work),
                               status="failed" if failed else "ok") for group in ("q", "v")]
    return lines


def cost_count(exponent: float = 1.25, counts: Iterable = (10, 100, 1000, 10000)) -> list[Line]:
    """seconds = 1e-4 N^exponent, the same number of steps for all N."""
    return [line(kind="cost_count", problem="sleigh_chain", formulation="natural",
                 method="cvode_bdf", library="sundials", order=5, rtol=1e-8, count=n, group="all",
                 error=1e-9, seconds=1e-4 * n**exponent, steps=144, rhs_evaluations=400) for n in counts]
