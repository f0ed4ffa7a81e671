"""Titles and footers of figures; title=False and footer=False omit them, for papers with captions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_TITLE = ContextVar("title", default=True)
_FOOTER = ContextVar("footer", default=True)


def has_title() -> bool:
    return _TITLE.get()


def has_footer() -> bool:
    return _FOOTER.get()


@contextmanager
def furnished(title: bool = True, footer: bool = True) -> Iterator[None]:
    """Omits titles or footers of figures while the block runs; an outer block's False remains valid."""
    tokens = _TITLE.set(title and _TITLE.get()), _FOOTER.set(footer and _FOOTER.get())
    try:
        yield
    finally:
        _TITLE.reset(tokens[0])
        _FOOTER.reset(tokens[1])
