"""Output of a command: the files written on standard output, errors on standard error."""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

from .tables import AnalysisError


P = ParamSpec("P")


def complain(problem: object, program: str = "analysis") -> None:
    print(f"{program}: {problem}", file=sys.stderr)


def in_a_line(problem: Exception) -> str:
    """An error as one line. Messages of this package stay as they are; those of the system are FILE: REASON. Any other
    error also gets its type and the line of this package that raised it: it is a bug here or an unforeseen file."""
    if isinstance(problem, AnalysisError):
        return str(problem)
    if isinstance(problem, OSError):
        return f"{problem.filename}: {problem.strerror}" if problem.filename is not None else problem.strerror or str(problem)
    frames = traceback.extract_tb(problem.__traceback__)
    package = Path(__file__).parent
    ours = [f for f in frames if package in Path(f.filename).parents] or frames
    where = f" ({Path(ours[-1].filename).name}:{ours[-1].lineno})" if ours else ""
    return f"{type(problem).__name__}: {problem}{where}"


def ends_at_signals(run: Callable[P, int]) -> Callable[P, int]:
    """`run`, but SIGINT (Ctrl-C) and SIGTERM end it with the exit status 128 + number and without a traceback, after its
    clean-up. Outside the main thread, where Python takes no handlers, signals stay as they are."""
    @wraps(run)
    def ended(*arguments: P.args, **named: P.kwargs) -> int:
        if threading.current_thread() is not threading.main_thread():
            return run(*arguments, **named)
        before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            return run(*arguments, **named)
        except Interrupted as interrupted:
            complain("interrupted")
            return 128 + interrupted.number
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    return ended


class Interrupted(BaseException):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def interrupt(number: int, frame: object) -> None:
    raise Interrupted(number)


def print_paths(tasks: Iterable[Callable[[], Iterable[Path]]]) -> int:
    """Prints the files that each task yields, and an error message for each task that fails.

    Returns the exit status: 0, or 2 if a task failed.
    """
    status = 0
    for task in tasks:
        try:
            for path in task():
                print(path)
        except Exception as problem:  # the other tasks go on
            complain(in_a_line(problem))
            status = 2
    return status
