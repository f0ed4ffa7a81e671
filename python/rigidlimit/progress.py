"""Progress of a run: a line on a terminal, a bar in a notebook, a line a minute elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from importlib import import_module
from typing import Any

Progress = Callable[[int, int, str], None]
"""Called with the finished solves, all solves, and the last one in words."""

SHORTEST = 0.2
"""Seconds between two updates of a bar: each is a message to the browser."""


FIRST, EACH = 10.0, 60.0
"""Seconds to the first line off a terminal, and between two lines, as the program prints them."""


def automatic_progress(name: str, unit: str = "solves") -> Progress:
    """The bar in a notebook, the line on a terminal, otherwise a line after 10 s and then each minute; `unit`: of the
    numbers that are counted."""
    if _in_notebook():
        return notebook_bar(name, unit=unit)
    return terminal_line(name, unit) if sys.stderr.isatty() else printed_lines(name, unit=unit)


def terminal_line(name: str, unit: str = "solves") -> Progress:
    """A function that shows "NAME: 12 of 56 solves, ..." on one line of a terminal."""
    def show(done: int, total: int, what: str) -> None:
        end = "\n" if done == total else ""
        print(f"\r\x1b[K{name}: {done} of {total} {unit}, {what}", end=end, file=sys.stderr, flush=True)

    return show


def printed_lines(name: str, clock: Callable[[], float] = time.monotonic, unit: str = "solves") -> Progress:
    """A function that prints "NAME: 12 of 56 solves, 0:10: ..." to standard error, at the end of a
    solve: the first time after 10 s, then once a minute.

    Parameters
    ----------
    clock : function
        The time [s].
    """
    start = clock()
    due = start + FIRST

    def show(done: int, total: int, what: str) -> None:
        nonlocal due
        now = clock()
        if now < due:
            return
        due = now + EACH
        print(f"{name}: {_words(done, total, now - start, what, unit)}", file=sys.stderr, flush=True)

    return show


def notebook_bar(name: str, clock: Callable[[], float] = time.monotonic, unit: str = "solves") -> Progress:
    """A function that shows a bar in the output of a cell, and updates it in place.

    Parameters
    ----------
    clock : function
        The time [s].
    """
    display: Any = import_module("IPython.display").display
    handle: Any = None
    start = shown = clock()

    def show(done: int, total: int, what: str) -> None:
        nonlocal handle, shown
        now = clock()
        if handle is not None and done < total and now - shown < SHORTEST:
            return
        shown = now
        bundle = _bundle(name, done, total, now - start, what, unit)
        if handle is None:
            handle = display(bundle, raw=True, display_id=True)
        else:
            handle.update(bundle, raw=True)

    return show


def time_text(seconds: float) -> str:
    """Minutes and seconds: 0:07, 1:15:00."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _words(done: int, total: int, elapsed: float, what: str, unit: str) -> str:
    words = f"{done} of {total} {unit}, {time_text(elapsed)}"
    if done < total:
        words += f": {what}"
    return words


def _bundle(name: str, done: int, total: int, elapsed: float, what: str, unit: str = "solves") -> dict[str, str]:
    """The bar by MIME type."""
    words = _words(done, total, elapsed, what, unit)
    bar = f"<progress value='{done}' max='{total}' style='width: 16em; vertical-align: middle'></progress>"
    return {"text/plain": f"{name}: {words}", "text/html": f"<div>{escape(name)} {bar} {escape(words)}</div>"}


def _in_notebook() -> bool:
    """Whether this is the kernel of a notebook. IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return getattr(shell, "kernel", None) is not None
