"""The page of a map, a benchmark or a friction study: figures of `scripts/plot`, texts of the program."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from analysis import bench, friction
from analysis.json_files import read_object
from analysis.kinds import KINDS, SWEEP, is_sweep_of_friction
from analysis.report import plain_tables
from analysis.report.drawings import Download, as_uri, download, measured_pictures
from analysis.report.origin_tables import last_run, provenance_table, reproduction
from analysis.report.plain_tables import as_object, objects_in
from analysis.report.result_page import ResultPage
from analysis.report.study_tables import point_table
from analysis.report.tables import Table, num, table
from analysis.report.words import badge, count, known, plain
from analysis.friction_store import RESULT, read_sweep
from analysis.sweep import flat
from analysis.tables import AnalysisError, opened, read_table
from analysis.tidy_csv import lines_of

# No text of a file becomes HTML, a link or a picture; tables are rendered as tables.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(
    ["link", "image", "autolink", "html_inline", "html_block", "reference"])
LONGEST = 400  # maximum number of lines of a CSV file on a page; the file itself is linked


@dataclass(frozen=True)
class PlainKind:
    """The files of one kind of result in results/NAME, and the function that draws them."""

    stem: str  # of the JSON and TOML files
    draw: Callable[[Path, str], list[Path]]
    data: tuple[str, ...]  # files copied beside the page, for drawing and download
    tables: tuple[tuple[str, str], ...] = ()  # file and caption of the tables on the page
    text: str = ""  # all tables as printed


def friction_kind(stem: str) -> PlainKind:
    """The kind of a friction study, or of a sweep, whose tables also have the swept columns."""
    return PlainKind(stem, friction.draw, ("events.csv", "errors.csv", "event_times.csv", "motions.csv", "modes.csv",
                                           f"{stem}.json", f"{stem}.toml"),
                     (("events.csv", "Events of the rigid motion"), ("errors.csv", "Errors"),
                      ("event_times.csv", "Event times, compliant - rigid"),
                      ("modes.csv", "Modes of the contacts")), f"{stem}.txt")


PLAIN_KINDS = {
    "friction": friction_kind("friction"),
    "sweep of friction": friction_kind("sweep"),
    "benchmark": PlainKind("bench", bench.draw, ("bench.csv",)),
}


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

    kind: str  # of PLAIN_KINDS
    missing: str  # the reason for a missing picture
    problem: list[Table]
    body: Markup  # of bench.md
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


def csv_table(path: Path, caption: str) -> Table:
    """The first lines of a CSV file, numbers set as such; empty if the file is missing."""
    if not path.is_file():
        return table(caption)
    header, *lines = [fields for _, fields in lines_of(path, "")] or [[]]
    if len(lines) > LONGEST:
        caption += f" (the first {LONGEST} of {count(len(lines))} lines)"
    t = table(caption, *(h.replace("_", " ") for h in header))
    for line in lines[:LONGEST]:
        if len(line) == len(header):
            t.add(*[as_number(x) for x in line])
    return t


def as_number(text: str):
    try:
        x = float(text)
    except ValueError:
        return text
    return num(plain(x, 5)) if known(x) else num("–")


def page_of(directory: Path, page: Path, kind: str) -> PlainPage:
    """Copies the data beside the page, draws them there, and collects the program's texts. AnalysisError
    for an invalid friction study; in other cases the page lists missing parts."""
    what = PLAIN_KINDS[kind]
    about = read_json(directory / f"{what.stem}.json")
    if kind == "friction" and is_sweep_of_friction(directory):
        what = PLAIN_KINDS["sweep of friction"]
        about, sweep = read_sweep(directory)
        about = flat(about) | {"swept_columns": dict(zip(sweep.columns, sweep.keys)) if sweep else {}}
    elif kind == "friction":  # only the JSON identifies the kind, so it must be valid
        read_object(directory / "friction.json", RESULT, "`rigidlimit run`")
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    copies = [folder / name for name in what.data if (directory / name).is_file()]
    for copy in copies:
        copy.write_bytes((directory / copy.name).read_bytes())
    resolved = text_of(directory / f"{what.stem}.toml")
    provenance = as_object(about.get("provenance"))
    tables = [point_table(about), plain_tables.claim_table(about), plain_tables.order_table(about),
              *(csv_table(directory / name, caption) for name, caption in what.tables)]
    pictures, missing = measured_pictures(what.draw, page)
    where, commands = reproduction({**about, "provenance": provenance}, KINDS[kind].verb, page.stem,
                                   directory.name)
    return PlainPage(
        name=next((str(about[k]) for k in ("study", "benchmark") if k in about), directory.name),
        kind=kind, question=str(about.get("question", "")), source=str(about.get("source", "")),
        verdict=badge(verdict_of(about, kind)), facts=facts_of(about), pictures=pictures,
        missing=missing.replace(str(folder), str(directory)),
        problem=plain_tables.problem_tables(about, resolved),
        body=markdown(without_head(text_of(directory / "bench.md"))),
        tables=[t for t in tables if t.lines], text=text_of(directory / what.text) if what.text else "",
        files=[replace(download(copy, page), label=copy.name) for copy in copies],
        provenance=provenance_table(provenance),
        resolved=resolved, resolved_uri=as_uri(resolved.encode(), "text/plain"),
        commands_where=where, commands=commands, file_stem=page.stem,
        version=str(provenance.get("version", "")), standing=standing_of(directory, about, kind))


def verdict_of(about: dict[str, Any], kind: str) -> str:
    if about.get("interrupted"):
        return "incomplete"
    if isinstance(about.get("held"), bool):
        return "held" if about["held"] else "not held"
    return kind


def standing_of(directory: Path, about: dict[str, Any], kind: str) -> Standing:
    """The columns of the index. The time is that of the last run in the store or, without a store, of the
    data file."""
    held = plain_tables.demands(about)
    solved = [(s.get("outcome"), s.get("reason")) for name in ("solves", "trials")
              for s in objects_in(about.get(name))]
    for motion in objects_in(about.get("motions")):  # a map of modes: two solves each
        solved += [(motion.get(f"{side}_outcome"), None) for side in ("rigid", "compliant")]
    failures = sum(outcome != "success" for outcome, _ in solved)
    count_of_plan, last = stored(directory)
    file = SWEEP if kind == "friction" and is_sweep_of_friction(directory) else KINDS[kind].file
    when = datetime.fromtimestamp((directory / file).stat().st_mtime, UTC)
    return Standing(f"{sum(held)} of {len(held)}" if held else "–", len(solved) or count_of_plan,
                    failures, last or when.strftime("%Y-%m-%d %H:%M"))


def stored(directory: Path) -> tuple[int, str]:
    """(number of solves of the plan, end of the last run) from the store; (0, "") without a readable
    store."""
    path = directory / "results.db"
    if path.is_file() and path.stat().st_size > 0:
        try:
            with opened(path) as db:
                plan, = db.execute("SELECT count(*) FROM plan").fetchone()
                return plan, last_run(read_table(db, "SELECT * FROM runs ORDER BY id"))
        except AnalysisError:
            pass
    return 0, ""


def facts_of(about: dict[str, Any]) -> list[tuple[str, str]]:
    system = about.get("system", "")
    held = plain_tables.demands(about)
    facts = [("kind", about.get("kind", "")),
             ("system", system.get("name", "") if isinstance(system, dict) else system),
             ("rigid motion", as_object(about.get("rigid")).get("outcome", "")),
             ("demands held", f"{sum(held)} of {len(held)}" if held else ""),
             ("errors", about.get("errors", ""))]
    for name in ("solves", "trials", "points", "motions", "methods"):
        if isinstance(about.get(name), list):
            facts.append((name, count(len(about[name]))))
    return [(name, str(value)) for name, value in facts if value]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
