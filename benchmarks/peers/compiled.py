"""The compiled solvers, ours included: each solves an exported problem and measures its times."""

from __future__ import annotations

import ctypes
import faulthandler
import operator
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol
from unittest import mock

import numpy as np

from peers.exported import DOUBLES, Exported, OurProgram, compile_c, evaluate, pointer
from peers.measure import durations
from peers.problems import STIFFNESS, SYSTEMS, contact
from peers.solvers import NAN, Run
from peers.systems import System

MOST_STEPS = 100_000  # attempted steps of a solve
SOLVE_SECONDS = 20  # of one solve of race.c
COUNTS = ("steps", "rejected", "rhs", "jacobians", "factorisations", "solves")  # order of race.c
RETURNED = 42  # exit status of a child whose solve returned
NO_COUNTS = {**dict.fromkeys(COUNTS, NAN), "newton": NAN}


class Contestant(Protocol):
    """One method of one library on one problem."""

    library: str
    method: str

    def run(self, rtol: float) -> Run:
        """One solve at rtol, and at the absolute tolerances of the problem."""

    def least(self, rtol: float, seconds: float) -> float:
        """The least processor time (s) of the solves in `seconds`, at least one; NaN: no reading."""


@dataclass
class Ours:
    program: OurProgram
    method: str
    library: str = "rigidlimit"

    def run(self, rtol: float) -> Run:
        answer = self.program.ask(self.method, rtol, 0.0)
        end = np.array(answer["end"]) if "end" in answer else None
        return Run(end, answer["reason"], answer.get("t_reached", 0.0),
                   answer.get("last_step", NAN), answer.get("counts", NO_COUNTS))

    def least(self, rtol: float, seconds: float) -> float:
        return float(self.program.ask(self.method, rtol, seconds).get("seconds", NAN))


class RaceOf(ctypes.Structure):
    """struct race of race.c."""

    _fields_ = [("size", ctypes.c_long), ("start_time", ctypes.c_double),
                ("end_time", ctypes.c_double), ("start", DOUBLES), ("rate", ctypes.c_void_p),
                ("jacobian", ctypes.c_void_p), ("code", ctypes.c_void_p),
                ("stages", ctypes.c_int), ("most_steps", ctypes.c_long),
                ("atol_over_rtol", DOUBLES), ("mass", DOUBLES),
                ("index_counts", ctypes.POINTER(ctypes.c_int))]


class Race:
    """A solver of race.c. `code` is the function of the library that it calls, if it needs one."""

    def __init__(self, exported: Exported, driver: ctypes.CDLL, solver: str, library: str,
                 method: str, code: object = None, stages: int = 0) -> None:
        self.library, self.method = library, method
        self.exported, self.driver = exported, driver
        self.solver = getattr(driver, solver)
        self.index_counts = (ctypes.c_int * 3)(*[sum(max(index, 1) == k for index in exported.index)
                                                 for k in (1, 2, 3)])
        self.race = RaceOf(len(exported.start), exported.start_time, exported.end_time,
                           pointer(exported.start), address(exported.functions.rate),
                           address(exported.functions.jacobian),
                           address(code) if code else None, stages, MOST_STEPS,
                           pointer_or_null(exported.atol_over_rtol),
                           pointer_or_null(exported.mass), self.index_counts)
        driver.least_time.restype = ctypes.c_double

    def call(self, rtol: float) -> tuple[int, np.ndarray, ctypes.Array]:
        """Status, y and counts."""
        y, counts = np.full(len(self.exported.start), NAN), (ctypes.c_long * len(COUNTS))(
            *[-1] * len(COUNTS))
        status = self.solver(ctypes.byref(self.race), ctypes.c_double(rtol), pointer(y), counts)
        return status, y, counts

    def fatal(self, rtol: float) -> str:
        """The reason why a solve ends its process (some Fortran codes stop or abort), found in a
        child process. Empty: the solve returns."""
        child = os.fork()
        if child == 0:
            faulthandler.disable()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # messages come from the second call
            signal.alarm(SOLVE_SECONDS)
            self.call(rtol)
            os._exit(RETURNED)
        _, ended = os.waitpid(child, 0)
        if os.WIFSIGNALED(ended):
            return f"the solve ends its process: {signal.Signals(os.WTERMSIG(ended)).name}"
        return "" if os.WEXITSTATUS(ended) == RETURNED else "the solve ends its process"

    def run(self, rtol: float) -> Run:
        if reason := self.fatal(rtol):
            return Run(None, reason, NAN, NAN, NO_COUNTS)
        status, y, counts = self.call(rtol)
        known = {name: count if count >= 0 else NAN for name, count in zip(COUNTS, counts)}
        end = self.exported.end_state(y)
        arrived = status == 0 and bool(np.all(np.isfinite(end)))
        return Run(end if arrived else None, "" if arrived else f"status {status}",
                   self.exported.end_time if arrived else NAN, NAN, {**NO_COUNTS, **known})

    def least(self, rtol: float, seconds: float) -> float:
        repeats = ctypes.c_long()
        least = self.driver.least_time(self.solver, ctypes.byref(self.race), ctypes.c_double(rtol),
                                       ctypes.c_double(seconds), ctypes.byref(repeats))
        return least if repeats.value > 0 else NAN


def pointer_or_null(values: np.ndarray | None) -> object:
    return None if values is None else pointer(values)


def refuse_mass(exported: Exported) -> None:
    """RuntimeError for M y' = f."""
    if exported.mass is not None:
        raise RuntimeError("it accepts no mass matrix")


def address(function: object) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


def rates_by_tape(exported: Exported, variables: list) -> list:
    """Our recorded equations in heyoka's expressions."""
    import heyoka as hy

    with_time = exported.rate_tape["inputs"] > len(variables)
    functions = {
        "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
        "divide": operator.truediv, "negate": operator.neg, "power": operator.pow,
        **{name: getattr(hy, name) for name in (
            "sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
            "tanh", "atan2")}}
    try:
        return evaluate(exported.rate_tape, [*variables, *[hy.time] * with_time], functions)
    except KeyError as unknown:
        raise RuntimeError(f"no Taylor series of '{unknown.args[0]}'") from None


def adapted_by_hand(system: System, y: list, damping: list[float], per_eps2: float) -> list:
    n, m = system.n, system.m
    w, eta = y[2 * n - m:2 * n], y[2 * n:]
    force = [STIFFNESS * eta[i] + damping[i] * w[i] for i in range(m)]
    return [*system.adapted_rates(y[:n], y[n:2 * n], force), *[per_eps2 * x for x in w]]


def natural_by_hand(system: System, y: list, damping: list[float], per_eps2: float) -> list:
    n, m = system.n, system.m
    q, v, eta = y[:n], y[n:2 * n], y[2 * n:]
    w = system.sliding(q, v)
    force = [STIFFNESS * eta[i] + damping[i] * w[i] for i in range(m)]
    return [*v, *system.acceleration(q, v, force), *[per_eps2 * x for x in w]]


def rigid_by_hand(system: System, y: list) -> list:
    """(q, u)' with w = 0 and the force A^-1 w' that keeps it, where w' is that without a force."""
    n, m = system.n, system.m
    q, uw = y[:n], [*y[n:], *[0.0] * m]
    free = system.adapted_rates(q, uw, [0.0] * m)[2 * n - m:]
    force = [rate / a for rate, a in zip(free, system.delassus(q))]
    return system.adapted_rates(q, uw, force)[:2 * n - m]


def rates_by_hand(exported: Exported, variables: list) -> list:
    """The equations of problems.py in heyoka's expressions: simplified by hand, as a user of heyoka
    would write them. RuntimeError for other systems or parameters."""
    import heyoka as hy

    if exported.system not in SYSTEMS:
        raise RuntimeError("no equations written by hand")
    system = SYSTEMS[exported.system]()
    equations = {"adapted": adapted_by_hand, "natural": natural_by_hand, "reduced": rigid_by_hand}
    numbers = contact(system, exported.epsilon) if exported.epsilon else ()
    module = sys.modules[system.adapted_rates.__module__]
    with mock.patch.multiple(module, cos=hy.cos, sin=hy.sin):
        rates = equations[exported.variables](system, variables, *numbers)
    y = exported.start + np.linspace(0.01, 0.1, len(exported.start))
    written = hy.cfunc([hy.expression(rate) if isinstance(rate, float) else rate for rate in rates],
                       vars=variables)(y)
    own = exported.rate(exported.start_time, y)
    if not np.max(np.abs(written - own)) <= 1e-9 * np.max(np.abs(own)):
        raise RuntimeError("the equations written by hand have other parameters")
    return rates


class Heyoka:
    """Taylor series. The tolerance is relative and absolute, so rtol is given as such. The code of
    each tolerance is compiled before its first solve."""

    library = "heyoka"

    def __init__(self, exported: Exported, method: str,
                 rates_of: Callable[[Exported, list], list]) -> None:
        import heyoka as hy

        refuse_mass(exported)
        self.exported, self.made, self.method = exported, {}, method
        variables = [hy.make_vars(f"y{i}") for i in range(len(exported.start))]
        self.system = [(variable, rate if isinstance(rate, hy.expression) else hy.expression(rate))
                       for variable, rate in zip(variables, rates_of(exported, variables))]

    def integrator(self, rtol: float) -> object:
        import heyoka as hy

        if rtol not in self.made:
            self.made[rtol] = hy.taylor_adaptive(self.system, list(self.exported.start),
                                                 time=self.exported.start_time, tol=rtol)
        return self.made[rtol]

    def solve(self, integrator: object) -> tuple:
        integrator.time = self.exported.start_time
        integrator.state[:] = self.exported.start
        return integrator.propagate_until(self.exported.end_time, max_steps=MOST_STEPS)

    def run(self, rtol: float) -> Run:
        integrator = self.integrator(rtol)
        outcome, _, _, steps, *_ = self.solve(integrator)
        end = self.exported.end_state(integrator.state.copy())
        arrived = str(outcome).endswith("time_limit") and bool(np.all(np.isfinite(end)))
        return Run(end if arrived else None, "" if arrived else str(outcome).rpartition(".")[2],
                   integrator.time, NAN, {**NO_COUNTS, "steps": steps})

    def least(self, rtol: float, seconds: float) -> float:
        integrator, readings = self.integrator(rtol), []
        begin = time.thread_time()
        while not readings or time.thread_time() - begin < seconds:
            start = time.thread_time()
            self.solve(integrator)
            readings.append(time.thread_time() - start)
        return min(durations(readings), default=NAN)


@dataclass(frozen=True)
class Entry:
    """A contestant to be made for a problem; making it may fail with a RuntimeError."""

    library: str
    method: str
    make: Callable[[Exported, OurProgram], Contestant]


class Libraries:
    """The drivers and libraries in `directory`, compiled there by run_compiled."""

    def __init__(self, directory: Path, source: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        try:
            self.driver = compile_c(source, directory / "race.so", "-DWITH_CVODE",
                                    "-lsundials_cvode", "-lsundials_nvecserial")
            self.without_cvode = ""
        except RuntimeError as missing:
            self.driver = compile_c(source, directory / "race.so")
            self.without_cvode = str(missing)

    def versions(self) -> dict[str, str]:
        """Of RADAU and RADAU5 as written by run_compiled, and of SUNDIALS."""
        path = self.directory / "versions.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        found = dict(line.split(" ", 1) for line in lines)
        if not self.without_cvode:
            self.driver.cvode_version.restype = ctypes.c_char_p
            found["sundials"] = self.driver.cvode_version().decode()
        return found

    def fortran(self, name: str) -> object:
        path = self.directory / f"{name}.so"
        if not path.exists():
            raise RuntimeError(f"{path.name} was not built (benchmarks/peers/run_compiled)")
        return getattr(ctypes.CDLL(str(path)), f"{name}_")

    def radau(self, exported: Exported, _: OurProgram) -> Contestant:
        return Race(exported, self.driver, "solve_radau", "Hairer", "RADAU", self.fortran("radau"))

    def radau5(self, exported: Exported, _: OurProgram) -> Contestant:
        return Race(exported, self.driver, "solve_radau5", "Hairer", "RADAU5",
                    self.fortran("radau5"))

    def lsoda(self, exported: Exported, _: OurProgram) -> Contestant:
        refuse_mass(exported)
        found = find_spec("numbalsoda")
        if found is None:
            raise RuntimeError("numbalsoda is not installed")
        library = ctypes.CDLL(str(Path(found.origin).parent / "liblsoda.so"))
        return Race(exported, self.driver, "solve_lsoda", "numbalsoda", "LSODA",
                    library.lsoda_wrapper)

    def cvode(self, exported: Exported, _: OurProgram) -> Contestant:
        refuse_mass(exported)
        if self.without_cvode:
            raise RuntimeError(self.without_cvode)
        return Race(exported, self.driver, "solve_cvode", "SUNDIALS", "CVODE BDF")

    def entries(self, ours: list[str], by_hand: bool = True) -> list[Entry]:
        """Our methods first; the first one is the unit of all times. `by_hand`: with heyoka's
        equations by hand."""
        return [
            *(Entry("rigidlimit", name, lambda _, program, name=name: Ours(program, name))
              for name in ours),
            Entry("Hairer", "RADAU", self.radau), Entry("Hairer", "RADAU5", self.radau5),
            *(Entry("heyoka", name, lambda exported, _, name=name, of=of: Heyoka(exported, name, of))
              for name, of in (("taylor", rates_by_tape), ("taylor, by hand", rates_by_hand))
              if by_hand or of is rates_by_tape),
            Entry("numbalsoda", "LSODA", self.lsoda), Entry("SUNDIALS", "CVODE BDF", self.cvode)]
