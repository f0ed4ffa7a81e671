"""The solves of a study on an executor: processes, Dask, a job queue."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from pathlib import Path
from typing import Any

from . import _core
from .errors import InputError
from .progress import Progress

MOST_PARTS = 64
"""Default for the number of parts. A study with fewer independent solves has fewer."""


def solve_part(text: str, index: int, count: int, solver_key: str) -> bytes:
    """Solve one part in a worker; return its store, an SQLite file.

    Parameters
    ----------
    text : str
        `Study.resolved`.
    index, count : int
        The part, 1 to `count`.
    solver_key : str
        `_core.solver_key()` of the caller.

    Raises
    ------
    InputError
        If the worker has another build of rigidlimit, whose results have other keys.
    """
    if _core.solver_key() != solver_key:
        raise InputError("this worker has another build of rigidlimit than the process that sent the part; "
                         "install the same one")
    with tempfile.TemporaryDirectory(prefix="rigidlimit-") as folder:
        experiment = _core.loads(text, "study", [])
        return Path(_core.solve_part(experiment, folder, index, count)).read_bytes()


def solve_on(executor: Any, experiment: _core.Experiment, results: str, parts: int | None,
             progress: Progress | None) -> int:
    """Solve on an executor what the store below `results` lacks, and store it; return the number of solves.

    If a worker dies and its pool breaks, the solves of the finished parts are stored and a RuntimeWarning says that
    the others are missing. After Ctrl-C or an error, parts that have not begun are cancelled.
    """
    pool = _futures(executor)
    found = _core.missing_parts(experiment, results, parts or MOST_PARTS)
    total, done = sum(part.solves for part in found.missing), 0
    waiting: dict[Future[bytes], _core.MissingPart] = {}
    taken = 0
    try:
        for part in found.missing:
            waiting[pool.submit(solve_part, experiment.resolved, part.index, found.count,
                                _core.solver_key())] = part
        for future in _as_completed(waiting):
            part = waiting.pop(future)
            taken += _taken(experiment, results, future.result())
            done += part.solves
            if progress is not None:
                progress(done, total, f"part {part.index} of {found.count}")
    except BrokenExecutor as broken:
        warnings.warn(f"{experiment.name}: a worker died ({broken}); this process solves what is missing",
                      RuntimeWarning, stacklevel=3)
    finally:
        for future in waiting:
            future.cancel()
    return taken


def _futures(executor: Any) -> Executor:
    """An executor whose futures are those of `concurrent.futures`; a Dask Client has a method for it."""
    if callable(getattr(executor, "get_executor", None)):
        return executor.get_executor(pure=False)  # type: ignore[no-any-return]
    if not callable(getattr(executor, "submit", None)):
        raise InputError(f"executor = {executor!r}: must have submit(), as concurrent.futures.ProcessPoolExecutor, "
                         "or be a Dask Client", "executor")
    return executor  # type: ignore[no-any-return]


def _as_completed(futures: dict[Future[bytes], Any]) -> Iterator[Future[bytes]]:
    """The futures as they finish. Unlike that of the library, it lets the caller remove them from the dict."""
    while futures:
        done, _ = wait(futures, return_when="FIRST_COMPLETED")
        yield from done


def _taken(experiment: _core.Experiment, results: str, store: bytes) -> int:
    """Copies the solves of a part."""
    with tempfile.TemporaryDirectory(prefix="rigidlimit-") as folder:
        path = Path(folder) / "part.db"
        path.write_bytes(store)
        return _core.take_part(experiment, results, str(path))
