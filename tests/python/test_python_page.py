"""The examples of README.md and docs/python.md run, print what they say, and have the bits of the program."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from program import PROGRAM, ROOT


def example(page: str) -> str:
    found, = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_example_of_a_page_runs_as_it_stands(page: str, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    text = example(page)
    done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if promised := re.search(r"print\(result\.verdict\) +# (.*)", text):
        assert done.stdout.splitlines()[0] == promised[1]
    errors = (tmp_path / "results/skate/errors.csv").read_bytes()
    subprocess.run([PROGRAM, "run", tmp_path / "results/skate/resolved.toml", "--results", tmp_path / "file"],
                   capture_output=True, check=True)
    assert errors == (tmp_path / "file/skate/errors.csv").read_bytes() and len(errors) > 1000
