"""The cells of all engines, and the tables in Markdown."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from math import isnan, nan

from .cell import NEAR, Cell
from .creep_row import Creep

ENGINES = ("mujoco", "exudyn", "drake", "newton")


def cells_of(name: str) -> Iterator[Cell]:
    """The cells of one engine. A package that is missing is one cell with the reason."""
    try:
        yield from importlib.import_module(f".{name}_joints", __package__).cells()
    except ImportError as missing:
        yield Cell(name, "-", "-", "-", "-", nan, reason=f"not installed: {missing}")


def _number(value: float, form: str) -> str:
    return "" if isnan(value) else format(value, form)


def markdown(cells: Sequence[Cell]) -> str:
    """A line for each cell, and the share of those within NEAR."""
    titles = ("engine", "joint", "method", "load", "wanted, m", "settings", "step, s", "gap, m", "ratio",
              "ratio at the default step")
    lines = ["| " + " | ".join(titles) + " |", "| " + "--- | " * len(titles)]
    for one in cells:
        default = _number(one.default_ratio, ".4g")
        default += f" ({one.default_step:g} s)" if default else ""
        lines.append("| " + " | ".join([
            f"{one.engine} {one.version}", one.joint, one.method, one.case, _number(one.wanted, "g"), one.settings,
            _number(one.step, ".3g"), one.reason or _number(one.found, ".4e"), _number(one.ratio, ".4f"),
            default]) + " |")
    ran = [one for one in cells if not isnan(one.found)]
    lines += ["", f"Within {NEAR:.0%}: {sum(one.near for one in ran)} of {len(ran)}."]
    return "\n".join(line.rstrip() for line in lines)


def creep_markdown(creeps: Sequence[Creep]) -> str:
    lines = ["| cone | impratio | timeconst, s | impedance d | creep, m/s | predicted, m/s | ratio | in a minute, mm |",
             "| " + "--- | " * 8]
    lines += [f"| {one.cone} | {one.impratio:g} | {one.timeconst:g} | {one.impedance:g} | {one.measured:.5e} | "
              f"{one.predicted:.5e} | {one.ratio:.6f} | {60e3 * one.measured:.4g} |" for one in creeps]
    return "\n".join(line.rstrip() for line in lines)
