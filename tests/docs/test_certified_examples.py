"""docs/certified.md: its examples are those that experiments/certified/examples.py prints."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments/certified"))

import examples  # noqa: E402

PAGE = (ROOT / "docs/certified.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", [examples.rows_example, examples.theorem_example])
def test_the_page_has_the_example(example: Callable[[], str]) -> None:
    printed = example()
    assert printed in PAGE
    assert printed.replace("± ", "± 1", 1) not in PAGE  # negative control: a changed digit is found
