"""What a command says: the files it wrote on standard output, complaints on standard error."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from analysis.tables import AnalysisError


def complain(problem: object) -> None:
    print(f"analysis: {problem}", file=sys.stderr)


def in_a_line(problem: Exception) -> str:
    """What went wrong, for a list of what could not be shown: our own messages as they are; of any
    other error also its kind and the line of this package that it came from, for it is a fault here
    or a file as nobody foresaw."""
    if isinstance(problem, (AnalysisError, OSError)):
        return str(problem)
    frames = traceback.extract_tb(problem.__traceback__)
    package = Path(__file__).parent
    ours = [f for f in frames if package in Path(f.filename).parents] or frames
    where = f" ({Path(ours[-1].filename).name}:{ours[-1].lineno})" if ours else ""
    return f"{type(problem).__name__}: {problem}{where}"


def print_paths(tasks: Iterable[Callable[[], Iterable[Path]]]) -> int:
    """The files that each task gives, as soon as it gives them; a task that fails is complained about.

    The exit status: 0, or 2 where a task failed.
    """
    status = 0
    for task in tasks:
        try:
            for path in task():
                print(path)
        except Exception as problem:  # one that fails leaves the others
            complain(in_a_line(problem))
            status = 2
    return status
