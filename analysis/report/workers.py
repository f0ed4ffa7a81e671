"""Processes that draw in parallel. They end with their parent, however it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pipe, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any


def mapped(function: Callable[..., Any], *arguments: Iterable[Any], jobs: int) -> Iterator[Any]:
    """map(function, *arguments) in at most `jobs` processes, in order. An exception or an interrupt ends them."""
    tasks = list(zip(*arguments))
    if min(jobs, len(tasks)) < 2:
        yield from (function(*task) for task in tasks)
        return
    heard, end = Pipe(duplex=False)
    with heard, end, ProcessPoolExecutor(min(jobs, len(tasks)), initializer=start, initargs=(heard,)) as pool:
        try:
            for drawn in [pool.submit(function, *task) for task in tasks]:
                yield drawn.result()
        except BaseException:  # a cancelled future, as pool.map leaves, would be an error of the pool's thread in 3.11
            end.send(None)
            raise


def start(heard: Connection) -> None:
    """Prepares a worker: Ctrl-C, which a terminal sends to all processes, is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, args=(heard,), daemon=True).start()


def end_with_parent(heard: Connection) -> None:
    """Ends this process when the parent sends a word (which no worker takes, so that all see it) or is gone."""
    parent = parent_process()
    wait([heard, *([parent.sentinel] if parent is not None else [])])
    os._exit(1)
