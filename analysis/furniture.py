"""Width, title and footer of figures: choices of the caller of a plot function, or of the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from .tables import AnalysisError

WIDTHS = {"two-column": 6.3, "one-column": 3.1}  # inches: the text of an A4 page, and one of two columns in it
NARROW = 4.5  # inches: narrower figures have few panels
LEAST_WIDTH, MOST_WIDTH = 3.0, 40.0

_TITLE = ContextVar("title", default=True)
_FOOTER = ContextVar("footer", default=True)
_STRIP = ContextVar("strip", default=False)
_WIDTH: ContextVar[float] = ContextVar("width", default=WIDTHS["two-column"])


def has_title() -> bool:
    return _TITLE.get()


def has_footer() -> bool:
    return _FOOTER.get()


def page_width() -> float:
    """The width of figures, in inches."""
    return _WIDTH.get()


def is_narrow() -> bool:
    return page_width() < NARROW


def is_strip() -> bool:
    """Whether a figure is a row of low panels without title and footer."""
    return _STRIP.get()


def inches_of(width: float | str) -> float:
    """The width in inches, from a number or one of WIDTHS. AnalysisError for others."""
    try:
        inches = WIDTHS[width] if isinstance(width, str) and width in WIDTHS else float(width)
    except ValueError:
        inches = float("nan")
    if not (np.isfinite(inches) and LEAST_WIDTH <= inches <= MOST_WIDTH):
        raise AnalysisError(f"width must be {', '.join(WIDTHS)}, or {LEAST_WIDTH:g} to {MOST_WIDTH:g} inches, "
                            f"not '{width}'")
    return inches


@contextmanager
def furnished(title: bool = True, footer: bool = True, width: float | str | None = None,
              strip: bool = False) -> Iterator[None]:
    """Omits titles or footers of figures while the block runs, and sets their width; an outer block's False
    remains valid, and so does its width if `width` is None. A strip has neither. AnalysisError if its panels do not
    fit side by side."""
    inches = page_width() if width is None else inches_of(width)
    strip = strip or _STRIP.get()
    if strip and inches < NARROW:
        raise AnalysisError(f"a strip needs a width of at least {NARROW:g} inches, not {inches:g}")
    tokens = (_TITLE.set(title and not strip and _TITLE.get()), _FOOTER.set(footer and not strip and _FOOTER.get()),
              _WIDTH.set(inches), _STRIP.set(strip))
    try:
        yield
    finally:
        _TITLE.reset(tokens[0])
        _FOOTER.reset(tokens[1])
        _WIDTH.reset(tokens[2])
        _STRIP.reset(tokens[3])
