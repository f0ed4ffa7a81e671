"""A kind of experiment is known to its own folder and to experiment/experiment.cpp: no other file asks for its type."""

import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src/rigidlimit"
KINDS = r"(?:Rolling|Friction|Benchmark|Sweep)(?:Study|Result|Plan)?"
QUESTION = re.compile(r"\b(?:get_if|get|holds_alternative|is_same_v|any_cast|dynamic_cast)<[^>;()]*\b" + KINDS + r"\b")
FOLDER_OF_KIND = re.compile(r'#include "rigidlimit/experiment/(?:rolling|friction|benchmark|pair|proof|stiffness)/')


def questions(texts: dict[str, str]) -> list[str]:
    return [name for name, text in texts.items() for _ in QUESTION.finditer(text)]


def texts_below(*folders: str) -> dict[str, str]:
    return {str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8")
            for folder in folders for path in sorted((SOURCE / folder).rglob("*.?pp"))}


def test_at_most_one_place_asks_for_a_kind_by_its_type() -> None:
    texts = texts_below(".")
    assert len(texts) > 500
    asking = [name for name in questions(texts) if name != "experiment/experiment.cpp"]
    assert asking == ["experiment/stiffness/pair_study.cpp"]  # where a search for a contact tells its two pairs apart
    # Negative control.
    assert questions({"a": "if (std::get_if<RollingStudy>(&study))", "b": "std::holds_alternative<const Sweep>(x)",
                      "c": "std::get<std::string>(x)"}) == ["a", "b"]


def test_the_store_the_writers_and_the_archive_see_no_kind() -> None:
    texts = texts_below("store", "archive", "report", "result")
    assert len(texts) > 60
    assert [name for name, text in texts.items() if FOLDER_OF_KIND.search(text)] == []
    assert FOLDER_OF_KIND.search(texts_below("cli")["cli/prove.cpp"]), "negative control"
