"""Cases as rows of errors.csv: one line per solve and group, in the columns of `rigidlimit run`."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import numpy as np

from peers.measure import Attempt, Case

COLUMNS = (
    "benchmark,kind,problem,system,epsilon,formulation,method,library,order,rtol,atol,h,count,group,"
    "error,scd,mixed,reference_error,observed_order,seconds,seconds_median,repeats,steps,rejected,"
    "rhs,jacobians,factorisations,solves,newton,status,reason,t_reached,last_step"
).split(",")
NAN = float("nan")


def digits(error: np.ndarray, scale: np.ndarray) -> float:
    """-log10 of the largest quotient; NaN without a scale, inf without an error."""
    known = scale > 0.0
    if not np.any(known):
        return NAN
    with np.errstate(divide="ignore"):
        return float(-np.log10(np.max(error[known] / scale[known])))


def row(case: Case, attempt: Attempt, group: str, part: slice) -> dict[str, object]:
    reference, end = case.reference, attempt.run.end
    values = {"error": NAN, "scd": NAN, "mixed": NAN}
    status = "failed"
    if end is not None:
        error, size = np.abs(end - reference.end)[part], np.abs(reference.end)[part]
        # Components that the reference does not distinguish from 0 have no relative error.
        told = np.where(size > reference.error_bar, size, 0.0)
        values = {"error": float(np.max(error)), "scd": digits(error, told),
                  "mixed": digits(error, size + 1.0)}
        status = "ok" if values["error"] >= 10.0 * reference.error_bar else "reference_limited"
    counts = attempt.run.counts or {}
    system = case.problem.system.name
    return {
        **dict.fromkeys(COLUMNS, NAN), **counts, **values, "benchmark": "peers",
        "kind": "work_precision", "problem": system, "system": system,
        "epsilon": case.problem.epsilon, "formulation": case.problem.formulation,
        "method": case.peer.method, "library": case.peer.library, "order": case.peer.order,
        "rtol": attempt.rtol, "atol": attempt.rtol / 100.0, "group": group,
        "reference_error": reference.error_bar, "seconds": min(attempt.seconds, default=NAN),
        "seconds_median": median(attempt.seconds or [NAN]), "repeats": len(attempt.seconds),
        "status": status, "reason": attempt.run.reason.replace("\n", " "),
        "t_reached": attempt.run.t_reached, "last_step": attempt.run.last_step,
    }


def write_csv(path: Path, cases: Iterable[Case]) -> None:
    """Writes every solve of every scan, also failed ones; repr keeps all digits."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for case in cases:
            n = case.problem.system.n
            for attempt in case.attempts:
                for group, part in (("q", slice(0, n)), ("v", slice(n, 2 * n)),
                                    ("all", slice(0, 2 * n))):
                    writer.writerow(row(case, attempt, group, part))
