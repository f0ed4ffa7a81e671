"""The tutorial runs from nothing, and its outputs are those of the repository.

To refresh them: `build/venv/bin/python tests/python/tutorial.py`
"""

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from tutorial import NOTEBOOK, differences, executed, outputs, text_difference

nbformat = pytest.importorskip("nbformat")
for needed in ("nbclient", "ipykernel", "matplotlib", "pandas", "scipy"):
    pytest.importorskip(needed)


@pytest.fixture(scope="module")
def committed() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def test_the_tutorial_runs_and_prints_what_is_committed(committed: Any, tmp_path: Path) -> None:
    found = executed(committed, tmp_path)
    assert differences(committed, found) == []
    assert (tmp_path / "results").is_dir(), "it has run in this folder"


def test_the_tutorial_has_outputs_figures_and_checks(committed: Any) -> None:
    nbformat.validate(committed)
    code = [cell for cell in committed.cells if cell.cell_type == "code"]
    assert sum(kind == "image/png" for cell in code for kind, _ in outputs(cell)) >= 2
    html = "".join(text for cell in code for kind, text in outputs(cell) if kind == "text/html")
    assert all(f"<{tag}" in html for tag in ("math", "progress", "table"))
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [kind for cell in code for kind, _ in outputs(cell) if kind in ("stderr", "error")]
    assert sum("assert " in cell.source for cell in code) >= 5
    assert NOTEBOOK.stat().st_size < 700_000


def test_the_links_of_the_tutorial_exist(committed: Any) -> None:
    links = [link for cell in committed.cells if cell.cell_type == "markdown"
             for link in re.findall(r"\]\(([^)]+)\)", cell.source)]
    assert len(links) > 5 and [link for link in links if not (NOTEBOOK.parent / link).is_file()] == []


def test_a_cell_that_raises_fails(committed: Any, tmp_path: Path) -> None:
    broken = copy.deepcopy(committed)
    broken.cells = [nbformat.v4.new_code_cell("assert 1 == 2")]
    with pytest.raises(Exception, match="AssertionError"):
        executed(broken, tmp_path)


def test_a_stale_output_is_a_difference(committed: Any) -> None:
    assert differences(committed, committed) == []
    stale = copy.deepcopy(committed)
    cell = next(cell for cell in stale.cells if any(kind == "stdout" for kind, _ in outputs(cell)))
    stream = next(output for output in cell.outputs if output.output_type == "stream")
    stream["text"] += "one more line"
    assert len(differences(committed, stale)) == 1
    cell.outputs = []
    assert len(differences(committed, stale)) == 1
    cell.source += "\n"
    assert len(differences(committed, stale)) == 2


@pytest.mark.parametrize(("old", "new", "agree"), [
    ("order 2.00", "order 1.99", True), ("order 2.00", "order 1.90", False), ("held", "not held", False),
    ("1.000e-03 ± 2e-09", "1.001e-03 ± 9e-09", True), ("1.000e-03 ± 2e-09", "1.000e-03 ± 9e-08", False),
    ("error 3e-13", "error 9e-15", True), ("error 3e-09", "error 9e-09", False), ("error 3e-13", "error 3e-07", False),
    ("22 of 22 solves, 0:01", "22 of 22 solves, 1:12:40", True), ("22 solves", "23 solves", False),
    ("  1.5", " 15.0", False), ("v2.00", "v2.01", False), ("= 2.00,", "= 2.01,", True), ("a  1", "a 1", True), ("a 1", "a 1 2", False)])
def test_numbers_agree_within_rounding_and_words_exactly(old: str, new: str, agree: bool) -> None:
    assert (text_difference(old, new) == "") == agree
