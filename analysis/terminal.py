"""Output of a command: the files written on standard output, errors on standard error."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from .tables import AnalysisError


def complain(problem: object) -> None:
    print(f"analysis: {problem}", file=sys.stderr)


def in_a_line(problem: Exception) -> str:
    """An error as one line. Messages of this package stay as they are. Any other error also gets its
    type and the line of this package that raised it: it is a bug here or an unforeseen file."""
    if isinstance(problem, (AnalysisError, OSError)):
        return str(problem)
    frames = traceback.extract_tb(problem.__traceback__)
    package = Path(__file__).parent
    ours = [f for f in frames if package in Path(f.filename).parents] or frames
    where = f" ({Path(ours[-1].filename).name}:{ours[-1].lineno})" if ours else ""
    return f"{type(problem).__name__}: {problem}{where}"


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
