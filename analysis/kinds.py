"""What a folder of results holds, told by the files in it, and who reads and draws it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """One verb's results."""

    name: str
    file: str  # that only this kind has, or that is looked for before the others'
    verb: str  # of rigidlimit
    reader: str  # of this package
    command: str  # of scripts/plot


# In the order of the report's index. Friction keeps its solves in a results.db as well, so a study
# is what is none of the others.
KINDS = {kind.name: kind for kind in (
    Kind("study", "results.db", "run", "open_study", "all"),
    Kind("friction", "friction.json", "run", "open_friction", "friction"),
    Kind("map", "map.csv", "run", "damping_map_data", "damping_map"),
    Kind("map of modes", "modes.csv", "run", "mode_map_data", "mode_map"),
    Kind("benchmark", "bench.csv", "run", "work_precision_data or order_reduction_data", "bench"))}


SWEEP = "sweep.json"  # of a sweep of studies or of friction


def kind_in(directory: Path) -> Kind | None:
    """None where the folder holds no result."""
    if is_sweep_of_friction(directory):
        return KINDS["friction"]
    others = [kind for kind in KINDS.values() if kind.name != "study"]
    return next((kind for kind in (*others, KINDS["study"]) if (directory / kind.file).is_file()),
                None)


def is_sweep_of_friction(directory: Path) -> bool:
    """Its tables are named as those of a study of friction, and begin with other columns: the files of
    an earlier single study may lie beside them."""
    try:
        with (directory / "motions.csv").open(encoding="utf-8", errors="replace") as file:
            header = file.readline().strip().split(",")
    except OSError:
        return False
    return (directory / SWEEP).is_file() and "motion" in header[1:]


def no_such_file(path: Path, made_by: str) -> str:
    """The message for a file that is not there: what makes it, and what lies there instead."""
    kind = kind_in(path.parent)
    instead = "" if kind is None or kind.file == path.name else "; " + what_it_is(path.parent, kind)
    return f"{path}: there is no such file; {made_by} makes one{instead}"


def what_it_is(directory: Path, kind: Kind) -> str:
    return (f"{directory} holds a {kind.name} of `rigidlimit {kind.verb}`: in Python {kind.reader} "
            f"reads it, `scripts/plot {kind.command}` draws it")
