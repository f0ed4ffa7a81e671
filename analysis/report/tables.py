"""A table of a page: cells with their content and role; the templates style them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from markupsafe import Markup

from ..evenly_spaced import evenly_spaced
from .words import Badge


LONGEST, SHORTENED = 200, 40  # lines of a table


@dataclass(frozen=True)
class Cell:
    """Text (escaped by the template), a formula (Markup from typeset), or a badge."""

    content: str | Markup | Badge
    number: bool = False  # flush right, digits of equal width
    link: str = ""  # a file of the report, relative
    order: str | float | None = None  # sort key of the index if it is not the text

    @property
    def is_badge(self) -> bool:
        return isinstance(self.content, Badge)


@dataclass(frozen=True)
class Table:
    """Headers and lines of equal length; the first column names the line."""

    caption: str
    headers: list[Cell]
    lines: list[list[Cell]] = field(default_factory=list)
    sortable: bool = False

    def add(self, *cells: Cell | str) -> None:
        line = [c if isinstance(c, Cell) else Cell(c) for c in cells]
        if len(line) != len(self.headers):
            raise ValueError(f"{self.caption}: {len(line)} cells where {len(self.headers)} columns "
                             "are")
        self.lines.append(line)

    def shortened(self) -> Table:
        """This table, or SHORTENED of its lines at equal distances, the first and the last included, if it
        has more than LONGEST."""
        if len(self.lines) <= LONGEST:
            return self
        few = [self.lines[k] for k in evenly_spaced(len(self.lines), SHORTENED)]
        caption = f"{self.caption}; {SHORTENED} of {len(self.lines)} lines, the CSV files have all"
        return replace(self, caption=caption.removeprefix("; "), lines=few)


def table(caption: str, *headers: str | Markup, numbers: str = "", sortable: bool = False) -> Table:
    """A table without lines; `numbers` has one character per column, "n" for numbers."""
    kinds = numbers.ljust(len(headers), ".")
    return Table(caption, [Cell(h, number=k == "n") for h, k in zip(headers, kinds)],
                 sortable=sortable)


def num(text: str, order: float | None = None) -> Cell:
    return Cell(text, number=True, order=order)
