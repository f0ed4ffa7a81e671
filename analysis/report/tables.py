"""A table of a page: cells with their content and role; the templates style them."""

from __future__ import annotations

from dataclasses import dataclass, field

from .words import Badge


@dataclass(frozen=True)
class Cell:
    """Text (escaped by the template), or a badge."""

    content: str | Badge
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


def table(caption: str, *headers: str, numbers: str = "", sortable: bool = False) -> Table:
    """A table without lines; `numbers` has one character per column, "n" for numbers."""
    kinds = numbers.ljust(len(headers), ".")
    return Table(caption, [Cell(h, number=k == "n") for h, k in zip(headers, kinds)],
                 sortable=sortable)


def num(text: str, order: float | None = None) -> Cell:
    return Cell(text, number=True, order=order)
