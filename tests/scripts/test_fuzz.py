"""The project of the fuzzers, which no suite builds, names sources that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = (ROOT / "tests/fuzz/CMakeLists.txt").read_text(encoding="utf-8")


def sources_in(project: str) -> list[str]:
    """Each name of a list of sources, and each pattern of file(GLOB)."""
    lists = re.findall(r"foreach\(name ([^)]*/[^)]*)\)", project)
    patterns = re.findall(r"\$\{source\}/(src/rigidlimit/[\w/*]+\.cpp)", project)
    return [*(f"src/rigidlimit/{name}.cpp" for one in lists for name in one.split()), *patterns]


def missing_in(project: str) -> list[str]:
    return [source for source in sources_in(project) if not list(ROOT.glob(source))]


def test_every_source_of_the_fuzzers_exists() -> None:
    assert len(sources_in(PROJECT)) > 20 and missing_in(PROJECT) == []
    moved = PROJECT.replace("core/printable", "core/moved")
    assert missing_in(moved) == ["src/rigidlimit/core/moved.cpp"], "negative control"


def test_every_fuzzer_of_the_script_has_its_program() -> None:
    script = (ROOT / "scripts/fuzz").read_text(encoding="utf-8")
    named = re.findall(r"\w+", re.findall(r"^usage: scripts/fuzz \[([\w|]+)\]", script, re.MULTILINE)[0])
    assert {"read", "archive", "store", "report"} == set(named)
    for name in named:
        assert [*ROOT.glob(f"tests/fuzz/{name}_fuzz.*")], name
