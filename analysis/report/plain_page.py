"""The page of a map, a benchmark or a study of friction: the figures of `scripts/plot`, and the program's words."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from analysis import bench, damping_map, slip
from analysis.report.drawings import Download, as_uri, download, measured_pictures
from analysis.report.origin_tables import provenance_table, reproduction
from analysis.report.result_page import ResultPage
from analysis.report.tables import Table, num, table
from analysis.report.words import badge, count, known, plain

# Nothing of a file becomes HTML, a link or a picture; tables do become tables.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(
    ["link", "image", "autolink", "html_inline", "html_block", "reference"])
LONGEST = 400  # lines of a CSV file that a page repeats; the file itself is linked


@dataclass(frozen=True)
class PlainKind:
    """What a verb of the program leaves in results/NAME, and who draws it."""

    verb: str
    stem: str  # of its JSON and TOML
    draw: Callable[[Path, str], list[Path]]
    data: tuple[str, ...]  # beside the page: what is drawn, and can be had
    tables: tuple[tuple[str, str], ...] = ()  # file and caption of those that are shown
    text: str = ""  # all tables as printed


PLAIN_KINDS = {
    "map": PlainKind("map", "map", damping_map.draw, ("map.csv",),
                     (("best_damping.csv", "Best damping"),), "map.txt"),
    "benchmark": PlainKind("bench", "bench", bench.draw, ("bench.csv",)),
    "friction": PlainKind("slip", "slip", slip.draw,
                          ("events.csv", "errors.csv", "event_times.csv", "motions.csv", "slip.json"),
                          (("events.csv", "Events of the rigid motion"),
                           ("errors.csv", "Errors"),
                           ("event_times.csv", "Times of events, compliant less rigid")), "slip.txt"),
}


@dataclass(frozen=True)
class PlainPage(ResultPage):
    """All that templates/plain.html.j2 sets."""

    kind: str  # of PLAIN_KINDS
    body: Markup  # of page.md
    tables: list[Table]
    text: str  # all tables as printed
    files: list[Download]


def markdown(text: str) -> Markup:
    """Headings one level down (the page has its own first), everything else as it is, escaped."""
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
    """page.md without its title and question, which the page has already."""
    at = text.find("\n## ")
    return text[at + 1:] if at >= 0 else text


def read_json(path: Path) -> dict[str, Any]:
    """The object of the file, or the one element of its array; empty where it is neither."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = found[0] if isinstance(found, list) and found else found
    return found if isinstance(found, dict) else {}


def csv_table(path: Path, caption: str) -> Table | None:
    """The first lines of a CSV file, numbers set as such."""
    if not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8") as file:
        header, *lines = list(csv.reader(file)) or [[]]
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
    """Copies the numbers beside the page, draws them there, gathers the program's own words."""
    what = PLAIN_KINDS[kind]
    about = read_json(directory / f"{what.stem}.json")
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    copies = [folder / name for name in what.data if (directory / name).is_file()]
    for copy in copies:
        copy.write_bytes((directory / copy.name).read_bytes())
    resolved = text_of(directory / f"{what.stem}.toml")
    tables = [claims_table(about), *(csv_table(directory / name, caption) for name, caption in what.tables)]
    body = markdown(without_head(text_of(directory / "page.md")))
    where, commands = reproduction(about, what.verb, page.stem, directory.name)
    return PlainPage(
        name=str(about.get("study", about.get("benchmark", directory.name))),
        kind=kind, question=str(about.get("question", "")), source=str(about.get("source", "")),
        verdict=badge(verdict_of(about, kind)),
        facts=facts_of(about), pictures=measured_pictures(what.draw, page), body=body,
        tables=[t for t in tables if t], text=text_of(directory / what.text) if what.text else "",
        files=[download(copy, page) for copy in copies], provenance=provenance_table(about.get("provenance", {})),
        resolved=resolved, resolved_uri=as_uri(resolved.encode(), "text/plain"),
        commands_where=where, commands=commands,
        file_stem=page.stem, version=str(about.get("provenance", {}).get("version", "")))


def verdict_of(about: dict[str, Any], kind: str) -> str:
    if about.get("interrupted"):
        return "incomplete"
    if isinstance(about.get("held"), bool):
        return "held" if about["held"] else "not held"
    return kind


def claims_table(about: dict[str, Any]) -> Table | None:
    """What a study of friction claims of the rigid motion; None where nothing is claimed."""
    if not about.get("claims"):
        return None
    t = table("Claims on the history", "claim", "held", "found")
    for claim in about["claims"]:
        t.add(str(claim.get("claim", "")), badge("held" if claim.get("held") else "not held"),
              str(claim.get("found", "")))
    return t


def facts_of(about: dict[str, Any]) -> list[tuple[str, str]]:
    system = about.get("system", "")
    rigid = about.get("rigid", {})
    facts = [("kind", str(about.get("kind", ""))),
             ("system", str(system.get("name", "") if isinstance(system, dict) else system)),
             ("rigid motion", str(rigid.get("outcome", "")) if isinstance(rigid, dict) else ""),
             ("errors", str(about.get("errors", "")))]
    for name in ("trials", "points", "methods"):
        if isinstance(about.get(name), list):
            facts.append((name, count(len(about[name]))))
    return [(name, value) for name, value in facts if value]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
