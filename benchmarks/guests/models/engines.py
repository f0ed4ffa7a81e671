"""The engines by name, and their rows. A package that is missing, or an engine that fails, is a row with the reason."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .cost import Cost, least
from .model import Check, Row
from .problems import disk, ideal_centre

ENGINES = ("exudyn", "mujoco", "drake", "lammps", "newton", "nosnoc", "siconos")
WITH_LAWS = ENGINES[:5]  # with stiff contacts, whose laws `checks_of` compares with our own model
OF_DEBIAN = ("siconos",)  # its package is built for Debian's Python alone
DEBIAN = "/usr/bin/python3"


def rows_of(name: str, elsewhere: bool = True) -> Iterator[Row]:
    """The rows of one engine. `elsewhere`: by Debian's Python if the engine needs that one."""
    try:
        if elsewhere and name in OF_DEBIAN:
            yield from _by_debian(name)
        else:
            yield from importlib.import_module(f".{name}_model", __package__).rows()
    except ImportError as missing:
        yield _none(name, f"not installed: {missing}")
    except Exception as failure:
        yield _none(name, f"{type(failure).__name__}: {failure}")


def checks_of(name: str) -> Iterator[Check]:
    """The prediction of each law beside the motion of the engine; nothing where it is not installed."""
    try:
        yield from importlib.import_module(f".{name}_model", __package__).checks()
    except ImportError as missing:
        print(f"{name} is not installed: {missing}", file=sys.stderr)


def costs_of(name: str) -> Iterator[Cost]:
    """The least error within a budget; nothing where the engine is not installed."""
    try:
        ideal_centre(disk().end)  # now, so that no time of a run contains it
        for ladder in importlib.import_module(f".{name}_model", __package__).ladders():
            yield from least(ladder)
    except ImportError as missing:
        print(f"{name} is not installed: {missing}", file=sys.stderr)


def _by_debian(name: str) -> Iterator[Row]:
    """The rows that Debian's Python prints in its last line; rigidlimit is not installed there."""
    package = Path(__file__).resolve().parent
    command = [DEBIAN, "-m", package.name, name, "--json", "--ideal", json.dumps(ideal_centre(disk().end))]
    run = subprocess.run(command, cwd=package.parent, text=True, stdout=subprocess.PIPE, check=True)
    yield from (Row(**row) for row in json.loads(run.stdout.splitlines()[-1]))


def _none(name: str, reason: str) -> Row:
    return Row(name, "-", "-", "-", "-", reason=" ".join(reason.split()))
