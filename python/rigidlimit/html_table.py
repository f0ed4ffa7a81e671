"""Tables of the HTML that notebooks show. They set no colours, so that they suit light and dark themes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_CELLS: Final = {"l": "text-align: left", "r": "text-align: right; white-space: nowrap"}


def html_table(rows: Iterable[Sequence[str]], columns: str, head: Sequence[str] = ()) -> str:
    """A table that scrolls if it is too wide; "" without rows.

    Parameters
    ----------
    rows : iterable of sequence of str
        Markup of the cells.
    columns : str
        A letter for each column: l or r, where its cells are aligned.
    head : sequence of str, optional
        Markup of the headers.
    """
    body = "".join(_row("td", cells, columns) for cells in rows)
    if not body:
        return ""
    top = f"<thead>{_row('th', head, columns)}</thead>" if head else ""
    style = "margin: 0.3em 0; font-variant-numeric: tabular-nums"
    return f"<div style='overflow-x: auto'><table style='{style}'>{top}<tbody>{body}</tbody></table></div>"


def _row(tag: str, cells: Sequence[str], columns: str) -> str:
    return "<tr>" + "".join(f"<{tag} style='{_CELLS[side]}'>{cell}</{tag}>"
                            for cell, side in zip(cells, columns, strict=True)) + "</tr>"
