"""The common parts of all pages of a report."""

from __future__ import annotations

from dataclasses import dataclass

from .drawings import Picture
from .tables import Table
from .words import Badge


@dataclass(frozen=True)
class ResultPage:
    """Head, pictures and origin of a result."""

    name: str
    question: str
    source: str
    verdict: Badge
    facts: list[tuple[str, str]]
    pictures: list[Picture]
    provenance: Table
    resolved: str  # the file with all defaults
    resolved_uri: str
    commands_where: str  # where to run the commands
    commands: list[str]  # that reproduce the result
    file_stem: str
    version: str
