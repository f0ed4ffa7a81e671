"""docs/stiffness.md shows what the program prints."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
PAGE = (ROOT / "docs/stiffness.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^    \$ rigidlimit (.*)\n((?:(?:    .*)?\n)+?)(?=\n*[^\s])", PAGE, re.MULTILINE)


def numbers(text: str) -> list[float]:
    """All numbers but error bars, which have one digit."""
    return [float(x) for x in re.findall(r"(?<![\w.±^-])\d+(?:\.\d+)?(?:e[+-]\d+)?", re.sub(r"± \S+", "", text))]


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_an_example_prints_what_the_page_shows(command: str, shown: str) -> None:
    done = subprocess.run([PROGRAM, *command.split()], cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(numbers(shown)) > 12
    assert numbers(shown) == pytest.approx(numbers(done.stdout), rel=2e-3)
    assert re.sub(r"[\d.e+±-]+", "#", shown).split() == re.sub(r"[\d.e+±-]+", "#", done.stdout).split()


def test_all_examples_are_found() -> None:
    assert len(EXAMPLES) == 4
