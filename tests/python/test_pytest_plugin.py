"""Failure texts of the pytest plugin."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SERIES = """
    import rigidlimit as rl
    epsilon = [2.0**-k for k in range(6)]
    series = rl.Series(epsilon, [3 * e for e in epsilon], 1e-12, name="drift")
"""
GATES = Path(__file__).resolve().parents[2] / "docs/gates.md"
Run = Callable[..., str]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a test of one statement with the plugin; returns what pytest prints."""
    for name in ("CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)

    def run(statement: str, *options: str, failed: int = 1) -> str:
        pytester.makepyfile(SERIES.replace("\n    ", "\n") + f"\ndef test_it():\n    {statement}\n")
        result = pytester.runpytest_inprocess("-p", "rigidlimit.pytest_plugin", "-p", "no:cacheprovider", "-rN",
                                             *options)
        result.assert_outcomes(failed=failed, passed=1 - failed)
        return result.stdout.str()

    return run


def test_explanation_shows_the_series_with_the_broken_rows_marked(run: Run) -> None:
    text = run("assert series == rl.converges_with_order(2)", "-vv")
    assert "assert converges with order 2 ± 0.05: does not hold for drift of 6 ε" in text
    assert re.search(r"E +refuted: order 1.000 ± \S+ over 6 of 6 ε, 1 … 0.0312; expected 2 ± 0.05", text)
    assert re.search(r"E +fitted order 1.0\S* ± ", text) and re.search(r"E +The error has another order", text)
    assert len(re.findall(r"E +\S+e-0\d +\S+ +1.000e-12 +1.000  <- not 2 ± 0.05", text)) == 5
    assert "judged series" not in text


def test_a_shortened_explanation_is_followed_by_the_whole_table(run: Run) -> None:
    text = run("assert series == rl.converges_with_order(2)")
    assert "Full output truncated" in text and "- judged series -" in text
    section = text.partition("- judged series -")[2]
    assert "refuted: order 1.000" in section and section.count("<- not 2 ± 0.05") == 5


def test_ci_shows_everything_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    text = run("assert series == rl.converges_with_order(2)")
    assert text.count("refuted: order 1.000") == 1 and "judged series" not in text


def test_bounds_ratios_and_negations_are_explained(run: Run) -> None:
    text = run("assert series == rl.stays_below(2, order=1)", "-vv")
    assert "stays below 2 ε: does not hold for drift of 6 ε" in text and text.count("<- broken") == 6
    text = run("assert rl.RatioSeries(epsilon, [2 + e for e in epsilon]) == rl.ratio_tends_to(1)", "-vv")
    assert "tends to 1 ± 0.001: does not hold for a series of 6 ε" in text and text.count("<- too far") == 6
    text = run("assert rl.converges_with_order(1) != series", "-vv")
    assert "converges with order 1 ± 0.05: holds for drift of 6 ε" in text and "<-" not in text


def test_a_failed_row_fails_the_test(run: Run) -> None:
    for bad in ("float('nan')", "float('inf')"):
        broken = f"rl.Series(epsilon, [{bad}] + [e for e in epsilon[1:]])"
        assert "but 1 row failed" in run(f"assert {broken} == rl.converges_with_order(1)", "-vv")
    run("assert rl.Series(epsilon, epsilon) == rl.converges_with_order(1)", failed=0)


def test_a_caught_assertion_leaves_no_section(run: Run) -> None:
    caught = "\n    ".join(["try:", "    assert series == rl.converges_with_order(2)", "except AssertionError:",
                            "    pass"])
    assert "judged series" not in run(caught, failed=0)
    assert "judged series" not in run(caught + "\n    assert 1 == 2")


def test_other_comparisons_are_left_to_pytest(run: Run) -> None:
    assert "assert 1 == 2" in run("assert 1 == 2")
    assert "At index 1 diff: 2 != 3" in run("assert [1, 2] == [1, 3]")


def test_wrong_kinds_and_forgotten_series_are_errors(run: Run) -> None:
    assert "'tends to 1 ± 0.001' judges a RatioSeries, not a Series" in run("assert series == rl.ratio_tends_to(1)")
    assert "has no series: write assert series ==" in run("assert rl.converges_with_order(2)")


def test_the_example_of_the_docs_passes_and_fails_as_shown(pytester: pytest.Pytester,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    page = GATES.read_text(encoding="utf-8")
    conftest, gate = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    pytester.makeconftest(conftest)
    pytester.makepyfile(test_midpoint=gate)
    monkeypatch.setenv("CI", "true")
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    pytester.makepyfile(test_midpoint=gate.replace("- math.expm1(1))", "- math.expm1(1)) / h"))
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    shown = [line[4:] for line in page.splitlines() if line.startswith("    E  ")]
    assert len(shown) == 6 and [line for line in shown if line not in result.stdout.lines] == []
