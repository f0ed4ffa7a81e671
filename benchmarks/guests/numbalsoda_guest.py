"""numbalsoda: LSODA in C++, on compiled equations."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numbalsoda import lsoda

import rigidlimit as rl

from .equations import Array, Once, compiled

made = Once(lambda problem: compiled(problem, "calls.c"))


@rl.method(title="numbalsoda LSODA", source="numbalsoda")
def numbalsoda_lsoda(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
    """Without Jacobian and with one absolute tolerance: it takes no other."""
    library = made(problem)
    calls = ctypes.c_long.in_dll(library, "calls")
    calls.value = 0
    grid = np.concatenate([[problem.t0], times])
    states, success = lsoda(ctypes.cast(library.counted_rhs, ctypes.c_void_p).value, problem.y0, grid, rtol=rtol,
                            atol=float(np.min(atol)), mxstep=100_000)
    return states[1:].T, {"nfev": calls.value, "njev": None, "success": success, "message": "LSODA failed"}
