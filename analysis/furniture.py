"""Titles and footers of figures, which a paper may write itself: title=False, footer=False."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps

from matplotlib.figure import Figure

_TITLE = ContextVar("title", default=True)
_FOOTER = ContextVar("footer", default=True)


def has_title() -> bool:
    return _TITLE.get()


def has_footer() -> bool:
    return _FOOTER.get()


@contextmanager
def furnished(title: bool = True, footer: bool = True) -> Iterator[None]:
    """Figures have no title, or no footer, while the block runs; an outer block's False remains."""
    tokens = _TITLE.set(title and _TITLE.get()), _FOOTER.set(footer and _FOOTER.get())
    try:
        yield
    finally:
        _TITLE.reset(tokens[0])
        _FOOTER.reset(tokens[1])


def with_furniture(plot: Callable[..., Figure]) -> Callable[..., Figure]:
    """`plot` with two more keywords: title=False leaves the title out, footer=False the footer."""
    @wraps(plot)
    def drawn(*arguments: object, title: bool = True, footer: bool = True, **named: object) -> Figure:
        with furnished(title, footer):
            return plot(*arguments, **named)

    signature = inspect.signature(plot)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=True, annotation="bool")
            for name in ("title", "footer")]
    drawn.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *more])
    return drawn
