"""What a command says: the files it wrote on standard output, complaints on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from analysis.tables import AnalysisError


def complain(problem: object) -> None:
    print(f"analysis: {problem}", file=sys.stderr)


def print_paths(tasks: Iterable[Callable[[], Iterable[Path]]]) -> int:
    """The files that each task gives, as soon as it gives them; a task that fails is complained about.

    The exit status: 0, or 2 where a task failed.
    """
    status = 0
    for task in tasks:
        try:
            for path in task():
                print(path)
        except (AnalysisError, OSError) as problem:
            complain(problem)
            status = 2
    return status
