"""HTML of a result for notebooks: verdict, claims, errors, and the other tables of the report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Final

from .html_table import folded, html_table

if TYPE_CHECKING:
    from .result import Result

MOST_CLAIMS: Final = 12
"""Claims that are shown; of more, only those that do not hold, and the others folded."""
_GOOD: Final = "<span style='color: #3a9a50'>✓</span>"
_BAD: Final = "<span style='color: #d9534f'>✗</span>"
_OPEN: Final = "<span style='color: #c77f00'>…</span>"
_MAIN: Final = re.compile("model error ± |Points of the sweep|Winners")
"""Captions of the table that is not folded; without one of them, it is the first table."""


def result_html(result: Result) -> str:
    """HTML of a result. Its tables are those of the report, with the digits of the command line."""
    first, *lines = result.verdict.splitlines() or [result.name]
    mark = _OPEN if result.interrupted else _GOOD if result.held else _BAD
    question = str(result.document.get("question", ""))
    parts = [f"<p>{mark} <strong>{escape(first)}</strong></p>"]
    if question:
        parts.append(f"<p>{escape(question)}</p>")
    if result.missing:
        parts.append(f"<p>Missing solves: {result.missing}. The same run() continues.</p>")
    parts += [_items(lines), _claims(result.claims), _report(result.text("markdown"))]
    return "<div>" + "".join(parts) + "</div>"


def _items(lines: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line.strip())}</li>' for line in lines)}</ul>" if lines else ""


def _claims(claims: list[dict[str, Any]]) -> str:
    broken = [claim for claim in claims if not claim["held"]]
    held = [claim for claim in claims if claim["held"]]
    if len(claims) <= MOST_CLAIMS:
        return _claim_table(claims)
    return _claim_table(broken) + folded(f"{len(held)} claims that hold", _claim_table(held))


def _claim_table(claims: list[dict[str, Any]]) -> str:
    rows = ((_GOOD if claim["held"] else _BAD, escape(claim["name"]), escape(claim["message"])) for claim in claims)
    return html_table(rows, "lll", ("", "claim", "found"))


def _report(markdown: str) -> str:
    """The main table of the report and its notes, which are the lists after it, and the rest folded."""
    blocks = list(_blocks(markdown))
    tables = [k for k, block in enumerate(blocks) if isinstance(block, tuple)]
    main = next((k for k in tables if _MAIN.search(blocks[k][0])), tables[0] if tables else -1)
    shown, folded_away = "", ""
    for k, block in enumerate(blocks):
        markup = _items(block) if isinstance(block, list) else f"<p>{escape(block[0])}</p>{block[1]}"
        if k == main or isinstance(block, list) and k > main:
            shown += markup
        else:
            folded_away += markup
    return shown + folded(f"the rest of the report: {max(len(tables) - 1, 0)} tables", folded_away)


def _blocks(markdown: str) -> Iterator[list[str] | tuple[str, str]]:
    """The lists of a report, and its tables with captions."""
    caption = ""
    for block in markdown.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("**"):
            caption = _plain(lines[0][2:-2])
        elif lines[0].startswith("* "):
            yield [_plain(line[2:]) for line in lines]
        elif lines[0].startswith("| ") and len(lines) > 2:
            head, rule, *rows = ([escape(_plain(cell)) for cell in _cells(line)] for line in lines)
            yield caption, html_table(rows, "".join("r" if cell.endswith(":") else "l" for cell in rule), head)
            caption = ""


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _plain(text: str) -> str:
    """The text without the backslashes of the Markdown writer (src/rigidlimit/report/text_table.cpp)."""
    return re.sub(r"\\([|<])", r"\1", text)
