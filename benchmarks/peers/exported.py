"""Problems exported by benchmark_exported: compiled right-hand sides, tapes, and our own solves."""

from __future__ import annotations

import ctypes
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from peers.reference import Reference

DOUBLES = ctypes.POINTER(ctypes.c_double)
FLAGS = ("-O2", "-shared", "-fPIC", "-ffp-contract=off")


def compile_c(source: Path, library: Path, *options: str) -> ctypes.CDLL:
    """Compiles one C file. RuntimeError with the message of the compiler."""
    command = ["cc", *FLAGS, str(source), "-o", str(library), *options, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"cc {source.name}: {done.stderr.strip().splitlines()[0]}")
    return ctypes.CDLL(str(library))


def pointer(values: np.ndarray) -> Any:
    return values.ctypes.data_as(DOUBLES)


@dataclass(frozen=True)
class Exported:
    """y' = rate(t, y) or M y' = rate(t, y), N equations, from `start` at `start_time` to `end_time`
    (s)."""

    system: str
    variables: str
    epsilon: float | None
    """None: rigid, or a classical problem."""
    start: np.ndarray
    start_time: float
    end_time: float
    reference: Reference
    rate_tape: dict[str, Any]
    """{inputs, constants, steps, outputs} of (y, t) -> f (benchmarks/exported_problem.hpp)."""
    functions: ctypes.CDLL
    build: list[str]
    atol_over_rtol: np.ndarray | None = None
    """Of each unknown, N; None: 1/100."""
    mass: np.ndarray | None = None
    """Diagonal of M, N; None: the identity."""
    index: tuple[int, ...] = ()
    """Of each unknown of a problem with M, not decreasing; 0: it has a rate."""

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """f, N values."""
        y, f = np.ascontiguousarray(y, dtype=float), np.empty(len(self.start))
        self.functions.rate(ctypes.c_double(t), pointer(y), pointer(f))
        return f

    def jacobian(self, t: float, y: np.ndarray) -> np.ndarray:
        """df/dy, N x N."""
        size = len(self.start)
        y, J = np.ascontiguousarray(y, dtype=float), np.empty((size, size))
        self.functions.jacobian(ctypes.c_double(t), pointer(y), pointer(J))
        return J.T

    def end_state(self, y: np.ndarray) -> np.ndarray:
        """(q, v) of y, or all unknowns of a classical problem."""
        y, end = np.ascontiguousarray(y, dtype=float), np.empty(len(self.reference.end))
        self.functions.end_state(pointer(y), pointer(end))
        return end


def read_exported(directory: Path, variables: str) -> Exported:
    """The problem in problem.json and problem.c, which is compiled here."""
    text = json.loads((directory / "problem.json").read_text(encoding="utf-8"))
    scale, atol, mass = (text.get(name) for name in ("scale", "atol_over_rtol", "mass"))
    return Exported(
        system=text["system"], variables=variables, epsilon=text["epsilon"],
        start=np.array(text["start"]), start_time=text["start_time"], end_time=text["end_time"],
        reference=Reference(np.array(text["end"]), text["error_bar"], "benchmark_exported",
                            1.0 if scale is None else np.array(
                                [np.inf if size is None else size for size in scale])),
        rate_tape=text["rate"], build=text["build"],
        functions=compile_c(directory / "problem.c", directory / "problem.so"),
        atol_over_rtol=None if atol is None else np.array(atol),
        mass=None if mass is None else np.array(mass), index=tuple(text.get("index", ())))


def evaluate(tape: dict[str, Any], inputs: list[Any], functions: dict[str, Any]) -> list[Any]:
    """The outputs of a tape for inputs of any number type, with functions by operation name.
    KeyError with the name of an operation that `functions` lacks."""
    values = list(inputs)

    def value(number: int) -> Any:
        return values[number] if number >= 0 else tape["constants"][-1 - number]

    for name, *operands in tape["steps"]:
        values.append(functions[name](*map(value, operands)))
    return [value(number) for number in tape["outputs"]]


CLASSICAL = "--classical"


def classical_problems(program: Path) -> list[tuple[str, str]]:
    """Name and form (ode, dae) of the classical problems of benchmark_exported."""
    lines = subprocess.run([str(program), CLASSICAL], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return [tuple(line.split()) for line in lines]


class OurProgram:
    """benchmark_exported with one problem: it solves by our methods on request.

    `study` is a path, or the name of a classical problem; its `variables` are ode or dae."""

    def __init__(self, program: Path, study: Path | str, variables: str, epsilon: float | None,
                 directory: Path) -> None:
        problem = ([CLASSICAL, study, variables] if isinstance(study, str)
                   else [str(study), variables, repr(epsilon or 0.0)])
        command = [str(program), *problem, str(directory)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(self.process.stderr.read().strip() or "the export failed")

    def ask(self, method: str, rtol: float, seconds: float) -> dict[str, Any]:
        """One solve and its least processor time in `seconds` of repeats."""
        self.process.stdin.write(f"{method} {rtol!r} {seconds!r}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()
