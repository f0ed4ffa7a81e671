"""The example of docs/python.md runs, and prints what it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from program import ROOT


def test_the_example_of_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    example, = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    promised = re.search(r"print\(result\.verdict\) +# (.*)", example)
    assert promised and done.stdout.splitlines()[0] == promised[1]
    assert (tmp_path / "results/skate/errors.csv").exists() and (tmp_path / "orders.pdf").exists()
