"""Plugin of pytest: the failure text of ``assert series == claim`` shows the series and its judgement.

Load it with ``pytest_plugins = ["rigidlimit.pytest_plugin"]`` in the topmost conftest.py, or with
``pytest -p rigidlimit.pytest_plugin``; the same file is ``rigidlimit_gates.pytest_plugin``.
"""

from collections.abc import Generator

import pytest

from .judge import Claim, RatioSeries, Series

_explained = pytest.StashKey[list[str]]()


def _explanation(left: object, right: object) -> str | None:
    for series, claim in ((left, right), (right, left)):
        if isinstance(claim, Claim) and isinstance(series, (Series, RatioSeries)):
            return claim.explain(series)
    return None


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the list of explanations of the running test."""
    config.stash[_explained] = []


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Explain a failed ``series == claim`` or ``series != claim``."""
    text = _explanation(left, right) if op in ("==", "!=") else None
    if text is None:
        return None
    config.stash[_explained].append(text)
    return text.split("\n")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
        item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add a section with the whole table where pytest shortened the explanation (below -vv, outside CI)."""
    report = yield
    explained, item.config.stash[_explained] = item.config.stash[_explained], []
    for text in explained if report.failed else ():
        first, *_, last = text.split("\n")
        if first in report.longreprtext and last not in report.longreprtext:
            report.sections.append(("judged series", text))
    return report
