"""PETSc's TS: Rosenbrock-W methods and BDF, on compiled equations (Debian: petsc-dev)."""

from __future__ import annotations

import ctypes
import subprocess
from typing import Any

import numpy as np

import rigidlimit as rl

from .equations import Array, Once, compiled, pointer

found = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc", "mpi-c"], capture_output=True, text=True,
                       check=False)
if found.returncode != 0:
    raise ImportError("PETSc is not installed (Debian: petsc-dev)")
FAILURES = {-2: "more than 100000 steps", 1: "a nonlinear iteration diverged", 2: "a step was rejected too often"}
made = Once(lambda problem: compiled(problem, "petsc.c", *found.stdout.split()))


def solver(kind: str) -> Any:
    def solve(problem: Any, times: Array, rtol: float, atol: Any) -> Any:
        y, t, states = np.array(problem.y0), problem.t0, []
        tolerances = np.full(y.size, atol)  # alive during the calls: a pointer does not keep its array
        counts, total = (ctypes.c_int * 2)(), np.zeros(2, dtype=int)
        for time in times:
            status = made(problem).advance(kind.encode(), ctypes.c_double(t), ctypes.c_double(time), pointer(y),
                                           ctypes.c_double(rtol), pointer(tolerances), counts)
            if status != 0:
                raise RuntimeError(FAILURES.get(status, f"error {status}"))
            total += counts
            t = time
            states.append(y.copy())
        return np.array(states).T, {"steps": int(total[0]), "rejected": int(total[1]), "nfev": None, "njev": None}

    return solve


for kind, order in (("rosw", 3), ("bdf", 0)):
    rl.method(name=f"petsc_{kind}", title=f"PETSc TS {kind}", source="PETSc", order=order)(solver(kind))
