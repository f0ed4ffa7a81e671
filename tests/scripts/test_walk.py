"""The way of one key from its file to a printed number, as docs/architecture.md describes it: each file has the words
of its line, and no other file reads the same member. At most 25 files."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/rigidlimit"
MOST = 25
MEMBER = re.compile(r"\b(?:study_?|windows_?|marks)\.after\b|&RollingStudy::after|Window::after\b|->after = ")


def block(name: str) -> dict[str, str]:
    """File → the rest of its line, of a fenced block of the page."""
    found = re.search(rf"^```{name}\n(.*?)^```", (ROOT / "docs/architecture.md").read_text(encoding="utf-8"), re.M | re.S)
    assert found
    lines = [line.split(None, 1) for line in found[1].splitlines()]
    return {file: words for file, words in lines}


def missing_words(text: str, words: str) -> list[str]:
    """Words of a line, with alternatives "a|b", that a text does not have."""
    return [word for word in re.split(r" {2,}", words.strip())
            if not any(one in text for one in word.split("|"))]


def code_of(path: Path) -> str:
    return re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))


def readers() -> set[str]:
    """Files that read or fill the member, headers apart."""
    return {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.cpp") if MEMBER.search(code_of(path))}


def test_every_file_of_the_walk_has_its_words() -> None:
    walk = block("walk")
    assert len(walk) <= MOST
    for file, words in walk.items():
        assert missing_words(code_of(SOURCE / file), words) == [], file
    assert missing_words("int main()", "main  nowhere|elsewhere") == ["nowhere|elsewhere"], "negative control"


def included_from(file: str) -> set[str]:
    """All headers that a file includes, directly or not."""
    found: set[str] = set()
    left = [file]
    while left:
        for header in re.findall(r'#include "rigidlimit/([^"]+)"', (SOURCE / left.pop()).read_text(encoding="utf-8")):
            if header not in found and (SOURCE / header).exists():
                found.add(header)
                left.append(header)
    return found


def test_every_file_of_the_walk_is_reached_from_another_one() -> None:
    walk = list(block("walk"))
    seen = {file: included_from(file) for file in walk}
    for file in walk[1:]:
        header = file.replace(".cpp", ".hpp")
        if (SOURCE / header).exists():  # a command is registered without one
            assert any(header in seen[other] for other in walk if other != file), file
    assert "certify/ball.hpp" not in seen["cli/reporter.cpp"], "negative control"


def test_no_other_file_reads_the_member() -> None:
    known = set(block("walk")) | set(block("beside"))
    assert readers() - known == set()
    assert set(block("beside")) <= readers(), "a consumer that reads it no longer"
    assert len(readers()) > 10 and MEMBER.search("put(marks.after)") and not MEMBER.search("task.after"), "negative control"
