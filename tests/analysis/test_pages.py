"""The Python code of README and docs/ runs unchanged."""

import re
from pathlib import Path

import pytest

import made_store

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_python_code_of_the_pages_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [(page, block) for page in PAGES for block in
              re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)]
    assert blocks, "no Python in README and docs/"
    made_store.tiny(tmp_path / "results" / "knife_edge_prediction")
    monkeypatch.chdir(tmp_path)
    for page, block in blocks:
        exec(compile(block, str(page), "exec"), {})  # noqa: S102 # ours, from the repository
    assert sorted(x.name for x in tmp_path.glob("*.p*")) == ["convergence.pdf", "layer.png", "orders.pdf"]
