"""User-defined methods: Python functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from types import CodeType, FunctionType
from typing import Any, TypeVar, overload

import numpy as np

from . import _core
from .errors import InputError
from .vectors import Array

Solve = Callable[[_core.PosedProblem, Array, float, float], Any]
AnySolve = TypeVar("AnySolve", bound=Solve)


@overload
def method(function: AnySolve) -> AnySolve: ...


@overload
def method(*, name: str | None = None, title: str = "", source: str = "Python", order: int = 0,
           stability: str = "unknown", stiff: bool = True, version: str = "", in_thread: bool = True,
           time_limit: float = 60.0) -> Callable[[AnySolve], AnySolve]: ...


def method(function: AnySolve | None = None, *, name: str | None = None, title: str = "",
           source: str = "Python", order: int = 0, stability: str = "unknown", stiff: bool = True,
           version: str = "", in_thread: bool = True,
           time_limit: float = 60.0) -> AnySolve | Callable[[AnySolve], AnySolve]:
    """Make a function a method of studies and benchmarks, under its name; a decorator.

        >>> @rl.method
        ... def my_radau(problem, times, rtol, atol):
        ...     return scipy.integrate.solve_ivp(problem.rhs, (problem.t0, times[-1]), problem.y0, "Radau", times,
        ...                                      rtol=rtol, atol=atol, jac=problem.jacobian)
        >>> study.with_(solvers={"compliant": ["radau_iia", "my_radau"]}).run().verdicts

    Parameters
    ----------
    function : function (problem, times, rtol, atol) -> states
        `problem` has rhs(t, y), jacobian(t, y), y0 (N,), t0, mass (N, N) and name, until the function returns.
        `problem.source("c")` has both as source code (docs/export.md). `times` (K,) increases from t0 or later.
        `atol` is a number, or an array (N,) if the components have different tolerances. Returned: states (N, K); or
        (states, counts) with a dict that may have "steps", "rejected" (steps), "nfev" (right-hand sides), "njev"
        (Jacobians) and "nlu" (factorisations), and after a failure "success" (False), "message" and "outcome" (a word
        of docs/verdicts.md, default "solver_error"); or an object with `y`, as a result of SciPy, and optionally
        `steps`, `rejected`, `nlu`, `success`, `message` and `status` (-1: "step_underflow"). Evaluations by the problem are counted; nfev and njev replace these
        counts. Other counts that are not given, and None, are unknown: "?" in tables, null in JSON, empty in CSV. It may be called in several threads.
    name : str, optional
        Default: that of the function. A second method of one name replaces the first.
    title, source, order, stability, stiff
        For tables; the first word of `source` is the library; `stiff`: a member of the group "stiff" in benchmarks.
    version : str, optional
        Stored solves are found again as long as the code of the function, of the functions of its module that it
        calls, and this text are the same.
    in_thread : bool
        False: it computes in other threads or processes. Benchmarks measure the time of the calling thread, so its
        times are unknown.
    time_limit : float
        [s] of the clock for one solve.

    Raises
    ------
    InputError
        For a name that is no word or belongs to the library.

    Notes
    -----
    An exception, wrong shapes, NaN and a solve beyond `time_limit` are failed rows; the other rows stay. A solve is
    ended at its next evaluation, or by a TimeoutError between two instructions of Python; a call of compiled code that
    never returns cannot be ended. Workers of an executor have only the methods that they define themselves.
    """
    def decorate(solve: AnySolve) -> AnySolve:
        if not callable(solve):
            raise InputError(f"is a {type(solve).__name__}, not a function", "method")
        if not time_limit > 0.0:
            raise InputError(f"time_limit = {time_limit!r}: must be > 0", "method")
        known = str(name or getattr(solve, "__name__", ""))
        _core.add_method(known, title, source, order, stability, stiff, content_of(solve, version), in_thread,
                         float(time_limit),
                         lambda *arguments: _uniform(solve(*arguments)))
        return solve

    return decorate if function is None else decorate(function)


def methods() -> list[str]:
    """The names of all methods for y' = f(t, y)."""
    return _core.methods()


COUNTS = ("steps", "rejected", "nfev", "njev", "nlu")


def _uniform(returned: Any) -> tuple[Array, list[int], str, str]:
    """States, COUNTS, outcome and message of anything that a method may return."""
    counts: Mapping[str, Any] = {}
    states = returned
    if isinstance(returned, tuple):
        if len(returned) != 2 or not isinstance(returned[1], Mapping):
            raise ValueError("returned a tuple that is not (states, counts)")
        states, counts = returned
    elif hasattr(returned, "y"):
        states = returned.y
        # nfev of SciPy lacks the right-hand sides of numerical Jacobians, so the problem counts them.
        counts = {key: getattr(returned, key) for key in ("steps", "rejected", "nlu", "success", "message", "status")
                  if getattr(returned, key, None) is not None}
    array = np.asarray(states, dtype=np.float64)
    success = bool(counts.get("success", True))
    message = "" if success else str(counts.get("message", "the method failed"))
    if array.ndim != 2:
        if success:
            raise ValueError(f"returned states of {array.ndim} dimensions, not (N, K)")
        array = np.empty((0, 0))  # SciPy returns no matrix if it reaches no time
    # 0: counted by the problem; the method alone knows the others.
    numbers = [counts.get(key, 0 if key in ("nfev", "njev") else None) for key in COUNTS]
    # SciPy's integrators have one failure of their own, status -1: the step fell below the spacing of numbers.
    failure = "step_underflow" if counts.get("status") == -1 else str(counts.get("outcome", "solver_error"))
    return (array, [-1 if number is None else int(number) for number in numbers], "success" if success else failure,
            message)


def content_of(function: object, version: str) -> str:
    """A hash of the code of a function, of the functions of its module that it calls, and of `version`."""
    parts = sorted(f"{name} {_code_text(code)} {defaults}" for name, code, defaults in _codes(function, set()))
    return sha256("\n".join([version, *parts]).encode()).hexdigest()


def _codes(function: object, seen: set[int]) -> Iterator[tuple[str, CodeType, str]]:
    """Name, code and default arguments of a function and of those of its module that it names."""
    plain = inspect.unwrap(function) if isinstance(function, FunctionType) else getattr(function, "__call__", None)
    plain = getattr(plain, "__func__", plain)
    if not isinstance(plain, FunctionType) or id(plain) in seen:
        return
    seen.add(id(plain))
    cells = {}
    for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or ()):
        cells[name] = cell.cell_contents
    values = {name: repr(value) for name, value in cells.items() if isinstance(value, (int, float, str, tuple))}
    yield plain.__qualname__, plain.__code__, f"{plain.__defaults__} {plain.__kwdefaults__} {values}"
    for name in plain.__code__.co_names:
        other = plain.__globals__.get(name)
        if isinstance(other, FunctionType) and other.__module__ == plain.__module__:
            yield from _codes(other, seen)
    for other in cells.values():
        yield from _codes(other, seen) if isinstance(other, FunctionType) else ()


def _code_text(code: CodeType) -> str:
    """Instructions and constants, without places in the file."""
    constants = [_code_text(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"
