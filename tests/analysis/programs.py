"""Programs of the system that a test cannot do without."""

import os
import shutil

import pytest


def needed_program(*names: str, package: str) -> str:
    """The first of them in the PATH. Without one the test is skipped, but not where CI is set."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        words = f"NOT TESTED: no {names[0]} in the PATH; on Debian: apt-get install {package}"
        if os.environ.get("CI"):
            pytest.fail(words)
        pytest.skip(words)
    return found
