"""The report of the program (html_document and html_fragment in src/rigidlimit/report/html.cpp) as a part of a page.

The program writes well-formed XML, so this module reads XML alone, by expat, in linear time. A folder of results may come
from elsewhere: other HTML is refused, and no tag or attribute is taken over unless it is listed here.
"""

from __future__ import annotations

from xml.parsers import expat

from markupsafe import Markup, escape

from ..tables import AnalysisError

TAGS = frozenset("p strong ul li details summary div table thead tbody tr th td sup".split())
ATTRIBUTES = frozenset(("class", "open", "tabindex", "role", "aria-label"))
DOCTYPE = b"<!doctype html>"  # the program begins its documents with it; XML has no such line
HIDDEN = frozenset(("head", "header", "style", "script", "title"))  # with their content: a page has its own
LARGEST = 1 << 24  # bytes of a report, whose long tables the program shortens
DEEPEST = 16  # levels of tags: the program writes 10


def fragment(html: bytes) -> Markup:
    """The listed tags of a report, of a document those in its body, and its text, escaped. AnalysisError, with line and
    column, for anything that is not well-formed XML after DOCTYPE, has another document type (its entities could expand
    without limit), or exceeds LARGEST or DEEPEST."""
    return Markup("").join(blocks(html))


def blocks(html: bytes) -> list[Markup]:
    """The fragment by its outermost tags and the texts between them: a paragraph, a list, a table with its heading."""
    if len(html) > LARGEST:
        raise AnalysisError(f"more than {LARGEST} bytes")
    reader = _Reader()
    reader.read(html)
    return [Markup("".join(parts)) for parts in reader.blocks]


def has_failed_claims(block: Markup) -> bool:
    """Whether a block is the program's table of failed claims: the first cell of each row is the mark ✗."""
    return block.startswith("<details") and '<tbody>\n<tr><td class="bad">✗</td>' in block


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[list[str]] = []
        self.depth = self.hidden = self.kept = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.refuse_document_type
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text

    def read(self, html: bytes) -> None:
        try:
            self.parser.Parse(html.removeprefix(DOCTYPE), True)
        except expat.ExpatError as problem:
            raise AnalysisError(f"not as the program writes it: {problem}") from None

    def refuse(self, reason: str) -> None:
        raise AnalysisError(f"not as the program writes it: {reason}: line {self.parser.CurrentLineNumber}, "
                            f"column {self.parser.CurrentColumnNumber}")

    def refuse_document_type(self, *_: object) -> None:
        self.refuse("a document type")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"more than {DEEPEST} levels of tags")
        if tag in HIDDEN:
            self.hidden += 1
        elif tag in TAGS and not self.hidden:
            given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if name in ATTRIBUTES)
            self.add(f"<{tag}{given}>")
            self.kept += 1

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag in HIDDEN:
            self.hidden -= 1
        elif tag in TAGS and not self.hidden:
            self.kept -= 1
            self.blocks[-1].append(f"</{tag}>")

    def text(self, data: str) -> None:
        if not self.hidden and (self.kept or not data.isspace()):
            self.add(str(escape(data)))

    def add(self, text: str) -> None:
        """To the open block, or to a new one outside of all kept tags."""
        if not self.kept:
            self.blocks.append([])
        self.blocks[-1].append(text)
