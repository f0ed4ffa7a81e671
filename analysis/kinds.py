"""The kinds of results, recognised by the files in a folder, and the functions that read and draw them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """Results of one verb."""

    name: str
    file: str  # that identifies the kind
    verb: str  # of rigidlimit
    reader: str  # of this package
    command: str  # of scripts/plot


# In the order of the report's index. Friction also stores its solves in results.db, so the kind "study"
# is tested last.
KINDS = {kind.name: kind for kind in (
    Kind("study", "results.db", "run", "open_study", "all"),
    Kind("friction", "friction.json", "run", "open_friction", "friction"),
    Kind("benchmark", "bench.csv", "run", "work_precision_data or order_reduction_data", "bench"))}


SWEEP = "sweep.json"  # of a sweep of studies or of friction


def kind_in(directory: Path) -> Kind | None:
    """The kind of result in a folder, or None."""
    if is_sweep_of_friction(directory):
        return KINDS["friction"]
    others = [kind for kind in KINDS.values() if kind.name != "study"]
    return next((kind for kind in (*others, KINDS["study"]) if (directory / kind.file).is_file()),
                None)


def is_sweep_of_friction(directory: Path) -> bool:
    """Whether the folder holds a sweep of friction. The first columns of its tables decide, because files
    of an earlier single study may lie beside them."""
    try:
        with (directory / "motions.csv").open(encoding="utf-8", errors="replace") as file:
            header = file.readline().strip().split(",")
    except OSError:
        return False
    return (directory / SWEEP).is_file() and "motion" in header[1:]


def no_such_file(path: Path, made_by: str) -> str:
    """The message for a missing file: the command that makes it, and the result found instead."""
    kind = kind_in(path.parent)
    instead = "" if kind is None or kind.file == path.name else "; " + what_it_is(path.parent, kind)
    return f"{path}: no such file; {made_by} makes one{instead}"


def what_it_is(directory: Path, kind: Kind) -> str:
    return (f"{directory} holds a {kind.name} of `rigidlimit {kind.verb}`: in Python {kind.reader} "
            f"reads it, `scripts/plot {kind.command}` draws it")
