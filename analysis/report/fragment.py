"""The report of the program (html_text in src/rigidlimit/report/html.cpp) as a part of a page.

A folder of results may come from elsewhere, so that no tag or attribute is taken over unless it is listed here.
"""

from __future__ import annotations

from html.parser import HTMLParser

from markupsafe import Markup, escape

TAGS = frozenset("p strong ul li details summary div table thead tbody tr th td sup".split())
ATTRIBUTES = frozenset(("class", "open", "tabindex", "role", "aria-label"))
HIDDEN = frozenset(("header", "style", "script", "title"))  # with their content: a page has its own


def fragment(html: str) -> Markup:
    """The listed tags of a report, nested as they should be, and its text, escaped."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return Markup("".join([*reader.parts, *(f"</{tag}>" for tag in reversed(reader.open))]))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in HIDDEN:
            self.hidden += 1
        elif tag in TAGS and not self.hidden:
            given = "".join(f' {name}="{escape(value or "")}"' for name, value in attributes if name in ATTRIBUTES)
            self.parts.append(f"<{tag}{given}>")
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        elif not self.hidden and self.open and self.open[-1] == tag:
            self.parts.append(f"</{self.open.pop()}>")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(str(escape(data)))
