"""Lists as the site's Markdown reads them: it needs four columns where CommonMark needs two or three."""

import re

_ITEM = re.compile(r"([*+-]|\d{1,3}\.) (?=\S)")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_NUMBER = re.compile(r"( +(?!1\. )\d+)\. ")  # CommonMark: only a list from 1 interrupts a paragraph


def indented(text: str) -> str:
    """Markdown whose list items contain the same paragraphs, lists and code as in CommonMark.

    The content of an item is indented by four columns. An item after one with paragraphs is separated by a blank line.
    """
    lines: list[str] = []
    offset, fence, loose = 0, "", False  # offset: of the content of the current item; 0 outside of lists
    for line in text.splitlines():
        blank_before = not lines or not lines[-1]
        if fence:
            fence = "" if line.startswith(fence) else fence
        elif match := _FENCE.match(line):
            fence, offset = match[1], 0
        elif item := _ITEM.match(line):
            if offset and loose and not blank_before:
                lines.append("")
            offset, loose = item.end(), loose and offset > 0
        elif line and not line.startswith(" " * max(offset, 1)):
            offset = 0
        elif offset and line:
            loose = loose or blank_before
            line = " " * max(4 - offset, 0) + (line if blank_before else _NUMBER.sub(r"\1\\. ", line))
        lines.append(line)
    return "\n".join(lines) + "\n"
