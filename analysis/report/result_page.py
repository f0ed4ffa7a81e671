"""What every page of a report says, whatever result it is of."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.report.drawings import Picture
from analysis.report.tables import Table
from analysis.report.words import Badge


@dataclass(frozen=True)
class ResultPage:
    """The head of the page, its pictures, and where the result came from."""

    name: str
    question: str
    source: str
    verdict: Badge
    facts: list[tuple[str, str]]
    pictures: list[Picture]
    provenance: Table
    resolved: str  # the file with every default filled in
    resolved_uri: str
    commands_where: str  # to type them
    commands: list[str]  # that make it again
    file_stem: str
    version: str
