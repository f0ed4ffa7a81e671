"""Damping maps made by the program."""

import subprocess
from pathlib import Path

import pytest

from programs import PROGRAM, ROOT


def damping_map(name: str, results: Path, *options: str) -> Path:
    """A shipped damping map, shortened by `options` (--set)."""
    if not PROGRAM.exists():
        pytest.skip("the program is not built (scripts/test builds it)")
    changes = [word for option in options for word in ("--set", option)]
    said = subprocess.run([PROGRAM, "run", ROOT / f"experiments/damping/{name}.toml", "--results", results,
                           "--quiet", *changes], check=False, capture_output=True, text=True, timeout=300)
    assert said.returncode in (0, 1) or (results / name).is_dir(), said.stderr
    return results / name
