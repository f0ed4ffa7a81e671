"""The equations of a solve for other programs: as compiled C, and in the numbers of other libraries."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
HERE = Path(__file__).parent
FLAGS = ("-O2", "-ffp-contract=off", "-shared", "-fPIC", "-w", "-DRIGIDLIMIT_NO_MAIN")


class Once:
    """A function of a problem, and of further hashable arguments, whose results are kept: a benchmark
    solves a problem many times, and set-up is not part of a time."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make, self.made = make, dict[Any, Any]()

    def __call__(self, problem: Any, *arguments: Any) -> Any:
        key = problem.fingerprint, *arguments
        if key not in self.made:
            self.made[key] = self.make(problem, *arguments)
        return self.made[key]


def pointer(values: Array) -> ctypes.c_void_p:
    """The address of the numbers, in a tenth of the time of `values.ctypes`. The caller keeps the array alive."""
    return ctypes.c_void_p(values.__array_interface__["data"][0])


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="rigidlimit-guests-")


def compiled(problem: Any, driver: str, *options: str) -> ctypes.PyDLL:
    """The equations in C with the file `driver` of this folder behind them, as a library. Its calls keep Python's
    lock: the work arrays of a driver, and PETSc, are for one thread at a time."""
    place = Path(tempfile.mkdtemp(dir=folder().name))
    (place / "problem.c").write_text(problem.source("c") + (HERE / driver).read_text(encoding="utf-8"),
                                     encoding="utf-8")
    done = subprocess.run(["cc", *FLAGS, "problem.c", "-o", "problem.so", *options, "-lm"], cwd=place,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"cc: {done.stderr.strip().splitlines()[0]}")
    return ctypes.PyDLL(str(place / "problem.so"))


class Components(list[Any]):
    """A state or rate of numbers of any type, as an array for an exported right-hand side."""

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)


class NumPyOf:
    """The names of NumPy that an exported right-hand side uses, for other numbers."""

    def __init__(self, functions: Any) -> None:
        self.functions = functions

    def __getattr__(self, name: str) -> Any:
        return getattr(self.functions, name)

    def asarray(self, y: Components, dtype: type) -> Components:
        return y

    def zeros(self, shape: tuple[int]) -> Components:
        return Components([0.0] * shape[0])


def traced(problem: Any, functions: Any) -> Callable[[Any, Iterable[Any]], list[Any]]:
    """f(t, y) as a list, in numbers of any type with Python's operators. `functions` has sin, arctan2, … of them."""
    module: dict[str, Any] = {}
    exec(problem.source("python"), module)
    module["np"] = NumPyOf(functions)
    return lambda t, y: list(module["rhs"](t, Components(y)))
