"""The pages of a folder: their results and their lines in the index, in the file `.pages` beside them.

The file may come from elsewhere. A record that is not as this module writes it is ignored, and the result that it names is
looked for but not read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..places import LONGEST_LIST, kind_of, stays_inside
from ..tables import STORE
from .result_page import Standing
from .words import Badge

RECORDS = ".pages"
FILES = (STORE, "errors.csv")  # of a result; a benchmark may have the second one alone
KINDS = ("rolling", "friction", "benchmark", "sweep")  # in the order of the index


@dataclass(frozen=True)
class Entry:
    """A line of the index."""

    name: str
    file: str
    kind: str
    standing: Standing
    troubles: tuple[str, ...] = ()  # parts of the result that the page could not show


class PageRecords:
    """The pages of a folder and their results, which are named relative to it. Pages of this report come first."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.pages: dict[str, tuple[str, Entry]] = read(output / RECORDS)
        self._made: dict[str, tuple[str, Entry]] = {}
        self._named: set[str] = set()

    def page_of(self, directory: Path) -> Path | None:
        """The page that an earlier report made of a result; None without one, and if it is named once more."""
        result = self._relative(directory)
        name = next((name for name, (of, _) in self.pages.items() if of == result and name not in self._named), None)
        if name is None:
            return None
        self._named.add(name)
        return self.output / name

    def add(self, page: Path, directory: Path, entry: Entry) -> None:
        self._made[page.name] = (self._relative(directory), entry)

    def forget(self, has: Callable[[str], bool]) -> Iterator[tuple[Path, str]]:
        """Drops the pages of earlier reports that are gone (`has`) or whose results are. Yields the latter, and why."""
        for name, (result, _) in list(self.pages.items()):
            place = os.path.normpath(self.output / result)
            if name in self._made or (has(name) and any(os.path.isfile(os.path.join(place, file)) for file in FILES)):
                continue
            del self.pages[name]
            if has(name):
                yield self.output / name, f"no result in {place}"

    def _all(self) -> dict[str, tuple[str, Entry]]:
        return self._made | {name: one for name, one in self.pages.items() if name not in self._made}

    def entries(self) -> list[Entry]:
        return [entry for _, entry in self._all().values()]

    def keeps(self, name: str) -> bool:
        """Whether a file belongs to a page of an earlier report that this one has not made again."""
        page = f"{name.split('/')[0]}.html" if "/" in name else name
        return page in self.pages and page not in self._made

    def text(self) -> bytes:
        found = {name: {"result": result, "name": entry.name, "kind": entry.kind, "standing": asdict(entry.standing)}
                 for name, (result, entry) in self._all().items()}
        return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()

    def _relative(self, directory: Path) -> str:
        return Path(os.path.relpath(directory.resolve(), self.output.resolve())).as_posix()


def read(file: Path) -> dict[str, tuple[str, Entry]]:
    """The records of a folder; empty without the file, and for a link."""
    if file.is_symlink() or not kind_of(file):
        return {}
    try:
        with file.open("rb") as content:
            found = json.loads(content.read(LONGEST_LIST + 1))
        records = found.items()
    except (OSError, ValueError, RecursionError, AttributeError):
        return {}
    known = {}
    for name, one in records:
        try:
            json.dumps(one, ensure_ascii=False).encode()  # ValueError for half a surrogate pair
            if name.endswith(".html") and stays_inside(name) and "/" not in name:
                known[name] = (str(one["result"]), entry_of(name, one))
        except (KeyError, TypeError, ValueError, OverflowError):
            continue
    return known


def entry_of(page: str, record: dict[str, Any]) -> Entry:
    """KeyError, TypeError, ValueError or OverflowError for another form."""
    at = record["standing"]
    verdict = at["verdict"]
    tone = {"good": "good", "bad": "bad", "open": "open", "plain": "plain"}[verdict["tone"]]
    q, v, multiplier = map(str, at["orders"])
    if record["kind"] not in KINDS:
        raise ValueError(record["kind"])
    return Entry(str(record["name"]), quote(page), record["kind"], Standing(
        Badge(str(verdict["word"]), tone), str(at["held"]), str(at["system"]), (q, v, multiplier), int(at["solves"]),
        int(at["failures"]), str(at["last"])))
