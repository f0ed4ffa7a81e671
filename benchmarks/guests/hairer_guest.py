"""RADAU of Hairer and Wanner (orders 5, 9, 13): the Fortran that pyradau13 ships, on compiled equations."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

import rigidlimit as rl

from .equations import Array, Once, compiled, pointer

LIBRARY = Path(__file__).resolve().parents[2] / "build/guests/radau.so"
radau = ctypes.CDLL(str(LIBRARY)).radau_
made = Once(lambda problem: compiled(problem, "radau.c"))
FAILURES = {-1: "inconsistent input", -2: "more than 100000 steps", -3: "step size too small", -4: "singular matrix"}


@rl.method(name="hairer_radau", title="RADAU, Fortran", source="Hairer", order=13)
def solve(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
    size = problem.y0.size
    y, t, states = np.array(problem.y0), problem.t0, []
    counts, total = (ctypes.c_int * 6)(), np.zeros(6, dtype=int)
    for time in times:
        tolerances = np.full(size, rtol), np.full(size, atol)  # RADAU changes them
        status = made(problem).advance(radau, ctypes.c_double(t), ctypes.c_double(time), pointer(y),
                                       *map(pointer, tolerances), counts)
        if status != 1:
            raise RuntimeError(FAILURES.get(status, f"status {status}"))
        total += counts
        t = time
        states.append(y.copy())
    rhs, jacobians, attempts, steps, _, factorisations = map(int, total)
    return np.array(states).T, {"steps": steps, "rejected": attempts - steps, "nfev": rhs, "njev": jacobians,
                                "nlu": factorisations}
