"""The page of a result of any kind: figures, the report of the program, and its origin."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from .. import bench, friction
from ..result import Result
from ..opening import friction_result, open_result
from ..store import RollingResult
from ..tables import STORE, AnalysisError
from ..catalogue import names_for
from .drawings import DRAWINGS, Download, Picture, as_uri, download, measured_pictures, pictures
from .fragment import LARGEST, blocks, has_failed_claims
from .opening_tables import SystemView, failed_claims, system_view
from .origin_tables import finding_table, last_run, provenance_table, reproduction, run_table
from .tables import Table
from .workers import mapped
from .words import UNKNOWN, Badge, badge, count, duration, known, order

DATA = ("errors", "points", "least", "steps", "events", "event_times", "motions", "modes")  # CSV files that a page links


@dataclass(frozen=True)
class Standing:
    """The columns of the index."""

    verdict: Badge
    held: str  # "11 of 11", or "–" without claims
    system: str
    orders: tuple[str, str, str]  # of q, v and λ
    solves: int
    failures: int
    last: str  # time of the last run, UTC


@dataclass(frozen=True)
class ResultPage:
    """All data for templates/result.html.j2, which omits empty tables and lists."""

    name: str
    kind: str
    question: str
    source: str
    standing: Standing
    facts: list[tuple[str, str]]
    failed: Table  # claims
    system: SystemView
    pictures: list[Picture]
    missing: str  # the reason for missing pictures
    body: Markup
    body_missing: str  # the reason for a missing report of the program
    files: list[Download]
    findings: Table
    runs: Table
    provenance: Table
    resolved: str  # the file with all defaults
    resolved_uri: str
    commands_where: str  # where to run the commands
    commands: list[str]  # that reproduce the result
    file_stem: str
    version: str


def page_of(directory: Path, page: Path, kind: str, jobs: int = 1) -> ResultPage:
    """Draws the figures of a result and copies its tables beside `page`, and collects the data of the page. A
    benchmark may have errors.csv alone, without a store."""
    study = None
    if kind != "benchmark" or (directory / STORE).is_file():
        study = friction_result(directory) if kind == "friction" else open_result(directory)
    about = study.judgement if study is not None else read_json(directory / "result.json")
    resolved = study.resolved if study is not None else text_of(directory / "resolved.toml")
    drawn, missing = drawn_of(study if study is not None else directory, page, jobs)
    where, commands = reproduction(about, "run", page.stem, directory.name)
    failed = failed_claims(objects_in(about.get("claims")))
    body, body_missing = report_of(directory / "result.html", bool(failed.lines))
    provenance = as_object(about.get("provenance"))
    runs, findings = (table_of(study, name) for name in ("runs", "findings"))
    standing = standing_of(study, directory, about, runs)
    return ResultPage(
        name=study.name if study is not None else str(about.get("name", directory.name)), kind=kind,
        question=str(about.get("question", "")), source=str(about.get("source", "")), standing=standing,
        facts=facts_of(study, about, standing), failed=failed, system=system_view(as_object(about.get("system"))),
        pictures=drawn, missing=missing,
        body=body, body_missing=body_missing, files=copies(directory, page),
        findings=finding_table(findings), runs=run_table(runs), provenance=provenance_table(provenance),
        resolved=resolved, resolved_uri=as_uri(resolved.encode(), "text/plain"), commands_where=where,
        commands=commands, file_stem=page.stem, version=str(provenance.get("version", "")))


def report_of(file: Path, failed: bool = False) -> tuple[Markup, str]:
    """The report of the program for a page, and the reason if there is none in spite of a file. `failed`: without the
    claims that failed, which the page has at its top."""
    if not file.is_file():
        return Markup(), ""
    try:
        with file.open("rb") as report:
            found = blocks(report.read(LARGEST + 1))
            return Markup("").join(one for one in found if not failed or not has_failed_claims(one)), ""
    except AnalysisError as problem:
        return Markup(), f"{file.name}: {problem}"


def drawn_of(study: Result | Path, page: Path, jobs: int) -> tuple[list[Picture], str]:
    if isinstance(study, RollingResult):
        tasks = zip(*((study, drawing, page) for drawing in DRAWINGS
                      if drawing.name in names_for(study)))
        return [one for drawn in mapped(pictures, *tasks, jobs=jobs) for one in drawn], ""
    page.with_suffix("").mkdir(parents=True, exist_ok=True)
    if isinstance(study, Result) and study.kind == "friction":
        return measured_pictures(friction.draw, study.directory, page, jobs)
    return measured_pictures(bench.draw, study if isinstance(study, Path) else study.directory, page, jobs)


def copies(directory: Path, page: Path) -> list[Download]:
    """Links to copies of the tables and of the resolved file."""
    found = []
    for name in (*(f"{table}.csv" for table in DATA), "resolved.toml"):
        if (directory / name).is_file():
            copy = page.with_suffix("") / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((directory / name).read_bytes())
            found.append(replace(download(copy, page), label=name))
    return found


def verdict_of(study: Result | None, about: dict[str, Any]) -> str:
    if study is not None and not about:
        return "not judged"
    if about.get("interrupted") or (study is not None and study.interrupted):
        return "incomplete"
    if not objects_in(about.get("claims")):
        return "benchmark" if study is None or study.kind == "benchmark" else "nothing expected"
    return "held" if about.get("held") else "not held"


def standing_of(study: Result | None, directory: Path, about: dict[str, Any], runs: pd.DataFrame) -> Standing:
    """The time is that of the last run or, without a store, of the data file."""
    held = [claim.get("held") is True for claim in objects_in(about.get("claims"))]
    judged = [one.get("outcome") for name in ("solves", "trials") for one in objects_in(about.get(name))]
    outcomes = judged or list(table_of(study, "solves").get("outcome", []))
    if study is None:
        when = datetime.fromtimestamp((directory / "errors.csv").stat().st_mtime, UTC)
    return Standing(
        verdict=badge(verdict_of(study, about)), held=f"{sum(held)} of {len(held)}" if held else UNKNOWN,
        system=str(as_object(about.get("system")).get("name", "")),
        orders=(main_order(about, "q"), main_order(about, "v"), main_order(about, "lambda")),
        solves=len(outcomes), failures=sum(outcome not in ("success", None) for outcome in outcomes),
        last=last_run(runs) if study is not None else when.strftime("%Y-%m-%d %H:%M"))


def main_order(about: dict[str, Any], quantity: str) -> str:
    """The fitted order of the first series in the sup norm over all t; the range over the points of a sweep."""
    found = [s for s in objects_in(about.get("series"))
             if (s.get("quantity"), s.get("norm"), s.get("window")) == (quantity, "sup", "all")]
    if not about.get("sweep"):
        return order(found[0].get("order")) if found else UNKNOWN
    numbers = [s["order"] for s in found if known(s.get("order"))]
    return f"{order(min(numbers))} … {order(max(numbers))}" if numbers else UNKNOWN


def facts_of(study: Result | None, about: dict[str, Any], standing: Standing) -> list[tuple[str, str]]:
    seconds = table_of(study, "solves").get("seconds", pd.Series(dtype=float)).astype(float).sum()
    facts = [("system", standing.system), ("claims held", standing.held if standing.held != UNKNOWN else ""),
             ("points", f"{len(study.points)}, over {', '.join(study.sweep.keys)}" if study is not None and study.sweep else ""),
             ("solves", f"{count(standing.solves)}, {duration(seconds)} of computing" if seconds else
              count(standing.solves)),
             ("failures", count(standing.failures))]
    return [(name, value) for name, value in facts if value]


def table_of(study: Result | None, name: str) -> pd.DataFrame:
    return study.tables[name] if study is not None and name in study.tables else pd.DataFrame()


def as_object(x: object) -> dict[str, Any]:
    """The object itself; an empty one for anything else."""
    return x if isinstance(x, dict) else {}


def objects_in(x: object) -> list[dict[str, Any]]:
    """The objects of a list; empty for anything else."""
    return [one for one in x if isinstance(one, dict)] if isinstance(x, list) else []


def read_json(path: Path) -> dict[str, Any]:
    """The object of the file, or the first element of its array; otherwise empty: the page then shows the
    other files."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return as_object(found[0] if isinstance(found, list) and found else found)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
