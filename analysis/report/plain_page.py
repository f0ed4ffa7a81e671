"""The page of a map, a benchmark or a friction study: figures of `scripts/plot`, texts of the program."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from .. import bench, friction
from . import plain_tables
from .drawings import Download, as_uri, download, measured_pictures
from .origin_tables import last_run, provenance_table, reproduction
from .plain_tables import as_object, objects_in
from .result_page import ResultPage
from .study_tables import point_table
from .tables import Table, num, table
from .words import badge, count, known, plain
from ..friction_store import friction_result
from ..result import Result, held_of, open_result
from ..tables import STORE

# No text of a file becomes HTML, a link or a picture; tables are rendered as tables.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(
    ["link", "image", "autolink", "html_inline", "html_block", "reference"])
LONGEST = 400  # maximum number of lines of a CSV file on a page; the file itself is linked


CAPTIONS = {"events": "Events of the rigid motion", "errors": "Errors",
            "event_times": "Event times, compliant - rigid", "modes": "Modes of the contacts"}


@dataclass(frozen=True)
class Standing:
    """Columns of the index besides the verdict."""

    held: str  # "11 of 11", or "–" without expectations
    solves: int
    failures: int
    last: str  # time of the last run, UTC


@dataclass(frozen=True)
class PlainPage(ResultPage):
    """All data for templates/plain.html.j2."""

    kind: str  # "friction" or "benchmark"
    missing: str  # the reason for a missing picture
    problem: list[Table]
    body: Markup  # of result.md
    tables: list[Table]
    text: str  # all tables as printed
    files: list[Download]
    standing: Standing


def markdown(text: str) -> Markup:
    """Markdown as escaped HTML, with headings one level down (the page has its own first heading)."""
    tokens = MARKDOWN.parse(text)
    for token in tokens:
        if token.attrs.pop("style", None) == "text-align:right":  # the page's policy forbids styles
            token.attrs["class"] = "number"
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
    return Markup(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})).replace(
        Markup("<table>"), Markup('<div class="scroll" tabindex="0"><table>')).replace(
        Markup("</table>"), Markup("</table></div>"))


def without_head(text: str) -> str:
    """A Markdown report without its title and question, which the page already has."""
    at = text.find("\n* ")
    return text[at + 1:] if at >= 0 else text


def read_json(path: Path) -> dict[str, Any]:
    """The object of the file, or the first element of its array; otherwise empty: the page then shows the
    other files."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return as_object(found[0] if isinstance(found, list) and found else found)


def table_of(study: Result, name: str, caption: str) -> Table:
    """The first rows of a table of the result; empty if the result lacks it."""
    if name not in study.tables:
        return table(caption)
    rows = study.table(name)
    if len(rows) > LONGEST:
        caption += f" (the first {LONGEST} of {count(len(rows))} lines)"
    t = table(caption, *(name.replace("_", " ") for name in rows.columns))
    for line in rows.head(LONGEST).itertuples(index=False):
        t.add(*[x if isinstance(x, str) else num(plain(x, 5)) if known(x) else num("–") for x in line])
    return t


def page_of(directory: Path, page: Path, kind: str) -> PlainPage:
    """Copies the files of the result beside the page, draws its figures there, and collects the program's texts.
    A benchmark may have errors.csv alone, without a store."""
    study = open_result(directory) if kind == "friction" or (directory / STORE).is_file() else None
    if kind == "friction" and study is not None:
        study = friction_result(study)
        about = study.judgement | {"swept_columns": dict(zip(study.columns, study.sweep.keys)) if study.sweep else {}}
        names = [*(f"{name}.csv" for name in ("events", "errors", "event_times", "motions", "modes")), "resolved.toml"]
    else:
        names = ["errors.csv"]
        about = study.judgement if study is not None else read_json(directory / "result.json")
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    copies = [folder / name for name in names if (directory / name).is_file()]
    for copy in copies:
        copy.write_bytes((directory / copy.name).read_bytes())
    resolved = study.resolved if study is not None else text_of(directory / "resolved.toml")
    provenance = as_object(about.get("provenance"))
    tables = [point_table(about), plain_tables.claim_table(about), plain_tables.order_table(about),
              *(table_of(study, *one) for one in CAPTIONS.items() if study is not None and kind == "friction")]
    pictures, missing = measured_pictures(friction.draw if kind == "friction" else bench.draw, directory, page)
    where, commands = reproduction({**about, "provenance": provenance}, "run", page.stem, directory.name)
    return PlainPage(
        name=str(about.get("name", directory.name)),
        kind=kind, question=str(about.get("question", "")), source=str(about.get("source", "")),
        verdict=badge(verdict_of(about, kind)), facts=facts_of(about), pictures=pictures,
        missing=missing, problem=plain_tables.problem_tables(about, resolved),
        body=markdown(without_head(text_of(directory / "result.md"))),
        tables=[t for t in tables if t.lines], text=text_of(directory / "result.txt") if kind == "friction" else "",
        files=[replace(download(copy, page), label=copy.name) for copy in copies],
        provenance=provenance_table(provenance),
        resolved=resolved, resolved_uri=as_uri(resolved.encode(), "text/plain"),
        commands_where=where, commands=commands, file_stem=page.stem,
        version=str(provenance.get("version", "")), standing=standing_of(study, directory, about))


def verdict_of(about: dict[str, Any], kind: str) -> str:
    if about.get("interrupted"):
        return "incomplete"
    return {True: "held", False: "not held", None: kind}[held_of(about)]


def standing_of(study: Result | None, directory: Path, about: dict[str, Any]) -> Standing:
    """The columns of the index. The time is that of the last run or, without a store, of the data file."""
    held = plain_tables.demands(about)
    solved = [s.get("outcome") for name in ("solves", "trials") for s in objects_in(about.get(name))]
    failures = sum(outcome != "success" for outcome in solved)
    if study is not None:
        in_plan, last = len(study.table("solves")), last_run(study.table("runs"))
    else:
        when = datetime.fromtimestamp((directory / "errors.csv").stat().st_mtime, UTC)
        in_plan, last = 0, when.strftime("%Y-%m-%d %H:%M")
    return Standing(f"{sum(held)} of {len(held)}" if held else "–", len(solved) or in_plan, failures, last)


def facts_of(about: dict[str, Any]) -> list[tuple[str, str]]:
    held = plain_tables.demands(about)
    facts = [("kind", about.get("benchmark_kind", "")),
             ("system", as_object(about.get("system")).get("name", "")),
             ("rigid motion", as_object(about.get("rigid")).get("outcome", "")),
             ("demands held", f"{sum(held)} of {len(held)}" if held else ""),
             ("errors", as_object(about.get("definitions")).get("errors", ""))]
    for name in ("solves", "trials", "points", "motions", "methods"):
        if isinstance(about.get(name), list):
            facts.append((name, count(len(about[name]))))
    return [(name, str(value)) for name, value in facts if value]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
