"""The program of this repository, and programs of the system that tests need."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))


def needed_program(*names: str, package: str) -> str:
    """The first of these programs in the PATH. Without one the test is skipped, or fails if CI is set."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        words = f"NOT TESTED: no {names[0]} in the PATH; on Debian: apt-get install {package}"
        if os.environ.get("CI"):
            pytest.fail(words)
        pytest.skip(words)
    return found
