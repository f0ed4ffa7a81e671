"""Links between files of the repository, as links between pages of the site."""

import posixpath
import re
from collections.abc import Iterator

from pages import ROOT, place_in_site

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\((?P<target>[^()\s]+)\)")
_OTHER_HOST = re.compile(r"[a-z]+:|//")


def place_of_source(file: str) -> str:
    """The page that shows the text of a file which is not a page."""
    return f"source/{file}.md"


def _target(page: str, target: str) -> tuple[str, str]:
    """The file of the repository and the anchor that a link of a page of the repository leads to."""
    path, _, anchor = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    return file, anchor


def linked_sources(page: str, text: str) -> Iterator[str]:
    """The files without a page to which a page of the repository links."""
    for match in _LINK.finditer(_FENCE.sub("", text)):
        if _OTHER_HOST.match(match["target"]):
            continue
        file, _ = _target(page, match["target"])
        if place_in_site(file) is None and (ROOT / file).is_file():
            yield file


def rewritten(page: str, place: str, text: str) -> str:
    """The Markdown of a page with links that hold in the site.

    Parameters
    ----------
    page : str
        The file of the repository, as a path from its root.
    place : str
        Its place in the site.
    text : str
        Its Markdown.

    Returns
    -------
    str
        The Markdown. Links to files lead to pages with their text; links to folders become plain text.
    """
    def changed(match: re.Match[str]) -> str:
        shown = match["text"]
        if not shown.startswith("!"):  # a picture may be the text of a link
            shown = f"[{_LINK.sub(changed, shown[1:-1])}]"
        if _OTHER_HOST.match(match["target"]):
            return f"{shown}({match['target']})"
        file, anchor = _target(page, match["target"])
        to = place_in_site(file) or (place_of_source(file) if (ROOT / file).is_file() else None)
        if to is None:
            return shown[1:-1]
        path = "" if to == place else posixpath.relpath(to, posixpath.dirname(place) or ".")
        return f"{shown}({path}{'#' if anchor else ''}{anchor})"

    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_LINK.sub(changed, text[end:fence.start()]), fence[0]]
        end = fence.end()
    return "".join(parts) + _LINK.sub(changed, text[end:])
