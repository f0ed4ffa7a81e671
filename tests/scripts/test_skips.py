"""A C++ test is skipped only where a package is missing: a test that does not concern a case is not instantiated for it."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PACKAGES = {"why_no_latex", "why_no_package"}  # tests/support: the package that lacks


def test_a_skipped_test_names_the_missing_package() -> None:
    found, wrong = 0, []
    for path in sorted(TESTS.rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"\bGTEST_SKIP\(\)", text):
            found += 1
            if not any(name in text[max(0, match.start() - 200):match.start()] for name in PACKAGES):
                wrong.append(f"{path.relative_to(TESTS)}: {text[match.start():match.start() + 60]}")
    assert wrong == []
    assert found >= 3, "negative control: tests of LaTeX are skipped without LaTeX"
