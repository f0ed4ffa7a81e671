"""The README's Python runs as it stands there."""

import re
from pathlib import Path

import pytest

import made_store

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks, "no Python in the README"
    made_store.tiny(tmp_path / "results" / "knife_edge_prediction")
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})  # noqa: S102 # ours, from the repository
    assert sorted(x.name for x in tmp_path.glob("*.p*")) == ["convergence.pdf", "layer.png"]
