"""The engines by name, and their rows. A package that is missing, or an engine that fails, is a row with the reason."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .model import Row

ENGINES = ("exudyn", "mujoco", "nosnoc", "siconos")
OF_DEBIAN = ("siconos",)  # its package is built for Debian's Python alone
DEBIAN = "/usr/bin/python3"


def rows_of(name: str, elsewhere: bool = True) -> Iterator[Row]:
    """The rows of one engine. `elsewhere`: run it by Debian's Python if it needs that one."""
    try:
        yield from importlib.import_module(f".{name}_model", __package__).rows()
    except ImportError as missing:
        if elsewhere and name in OF_DEBIAN:
            yield from _by_debian(name)
        else:
            yield _none(name, f"not installed: {missing}")
    except Exception as failure:
        yield _none(name, f"{type(failure).__name__}: {failure}")


def _by_debian(name: str) -> Iterator[Row]:
    """Rows that `python3 -m models --json NAME` of Debian prints in its last line."""
    package = Path(__file__).resolve().parent
    try:
        run = subprocess.run([DEBIAN, "-m", package.name, "--json", name], cwd=package.parent, text=True,
                             stdout=subprocess.PIPE, stderr=sys.stderr, check=True)
        yield from (Row(**row) for row in json.loads(run.stdout.splitlines()[-1]))
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError) as failure:
        yield _none(name, f"{DEBIAN}: {failure}")


def _none(name: str, reason: str) -> Row:
    return Row(name, "-", "-", "-", "-", reason=" ".join(reason.split()))
