"""Links in folders of results and of pages: nothing is read or written through them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .tables import AnalysisError


def refuse_links(places: Iterable[Path]) -> None:
    """AnalysisError for the first link among `places` and the files below them.

    A folder of a stranger (a tar keeps links) could otherwise lead a page to a file elsewhere, or publish one.
    """
    for place in places:
        for one in (place, *(sorted(place.rglob("*")) if place.is_dir() and not place.is_symlink() else ())):
            if one.is_symlink():
                raise AnalysisError(f"{one}: is a link, and pages are neither read from nor written through links: "
                                    "remove it")


def refuse_links_in(directory: Path) -> None:
    """AnalysisError for a link among the files of a folder of results, which itself may be one."""
    if directory.is_dir():
        refuse_links(one for one in sorted(directory.iterdir()) if one.is_symlink())
