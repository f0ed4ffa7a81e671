"""Writes the pages: DIR/NAME.html, its figures in DIR/NAME/, and DIR/index.html.

A page is drawn in a temporary folder and published when it is complete, so that a killed or failed report leaves whole
pages. DIR holds pages alone (PagesFolder). A page stays as long as its result does (PageRecords)."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ..figures import file_name
from .page_records import FILES, KINDS, RECORDS, Entry, PageRecords
from .result_page import page_of
from .tables import Cell, Table, num, table
from .workers import mapped
from .words import count
from ..opening import open_result
from ..places import PagesFolder, refuse_links_in
from ..tables import STORE, AnalysisError
from ..terminal import in_a_line

LONGEST_NAME = 80  # of a file: file systems take 255 bytes, and suffixes follow
INDEX = "index"


@dataclass(frozen=True)
class Inline:
    """A style or a script inside a page, and its hash in the page's policy."""

    text: Markup
    hash: Markup


def inline(*names: str) -> Inline:
    text = "".join((files(__package__) / "templates" / n).read_text("utf-8") for n in names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return Inline(Markup(text), Markup(f"'sha256-{digest}'"))


def breakable(text: str) -> Markup:
    """Allows line breaks after the underscores of a long name; copied text does not contain them."""
    return Markup("_<wbr>").join(escape(part) for part in str(text).split("_"))


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The template environment; autoescape is on for all templates, whatever their names."""
    environment = Environment(loader=PackageLoader(__package__), autoescape=True,
                              undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["breakable"] = breakable
    environment.globals["style"] = inline("style.css")
    environment.globals["script"] = inline("print.js", "sort.js", "points.js")
    return environment


def kind_of(directory: Path) -> str:
    """The kind of the result; AnalysisError if the folder holds none."""
    table_alone = (directory / FILES[1]).is_file() and not (directory / STORE).is_file()
    return "benchmark" if table_alone else open_result(directory).kind


def results_under(root: Path) -> list[Path]:
    """All folders of `root` that hold a result, by name; AnalysisError if there is none."""
    found = sorted(d for d in root.glob("*") if any((d / file).is_file() for file in FILES))
    if not found:
        raise AnalysisError(f"{root}: holds no results; scripts/reproduce makes them")
    return found


def without_pages(directories: list[Path], output: Path | None = None) -> tuple[list[Path], list[Path]]:
    """The folders without those of pages, which `results/*` also names, and the latter. Pages lie in `output` and beside
    their records, without a result. If there is no other folder, each one stays, to be refused."""
    def has_pages(directory: Path) -> bool:
        is_output = output is not None and directory.resolve() == output.resolve()
        has_result = any((directory / file).is_file() for file in FILES)
        return (is_output or (directory / RECORDS).is_file()) and not has_result

    pages = [directory for directory in directories if has_pages(directory)]
    if len(pages) == len(directories):
        return directories, []
    return [directory for directory in directories if directory not in pages], pages


def page_file(directory: Path, output: Path, taken: set[str]) -> Path:
    """DIR/NAME.html with a name that is safe in file systems and links and not in `taken`."""
    stem = file_name(directory.resolve().name)[:LONGEST_NAME] or "study"
    name, k = stem, 2
    while name.lower() in taken:
        name, k = f"{stem}_{k}", k + 1
    taken.add(name.lower())
    return output / f"{name}.html"


def write_page(directory: Path, page: Path, kind: str, jobs: int) -> Entry:
    view = page_of(directory, page, kind, jobs)
    page.write_text(rendered("result.html.j2", page=view, version=view.version), encoding="utf-8")
    sweeps = kind == "rolling" and any(name == "points" for name, _ in view.facts)
    return Entry(view.name, quote(page.name), "sweep" if sweeps else kind, view.standing,
                 tuple(f"no {part}: {reason}" for part, reason in (("figure", view.missing), ("report", view.body_missing))
                       if reason))


def rendered(template: str, **context: object) -> str:
    return templates().get_template(template).render(**context)


def index_table(entries: Iterable[Entry]) -> Table:
    t = table("All results; click on a header to sort", "result", "kind", "verdict", "held", "system",
              "order of q", "order of v", "order of λ", "solves", "failures", "last run",
              numbers=".....nnnnn.", sortable=True)
    for e in entries:
        at = e.standing
        t.add(Cell(e.name, link=e.file), e.kind, Cell(at.verdict, order=at.verdict.word), at.held, at.system,
              *[num(o, leading_number(o)) for o in at.orders], num(count(at.solves), at.solves),
              num(count(at.failures), at.failures), at.last)
    return t


def leading_number(text: str) -> float:
    try:
        return float(text.replace("−", "-").split()[0])
    except (ValueError, IndexError):
        return -1e9  # results without an order come first


def write_one(directory: Path, kind: str, page: Path, jobs: int = 1) -> Entry | str:
    """The line of the index, or the reason why there is none."""
    try:
        return write_page(directory, page, kind, jobs)
    except OSError as problem:
        said = in_a_line(problem)  # without a name if the disk is full
        return f"{directory}: {said if problem.filename is not None else f'{page.parent}: {said}'}"
    except Exception as problem:  # an error in one result must not hide the others
        said = in_a_line(problem)
        return said if str(directory) in said else f"{directory}: {said}"


def write_report(directories: Iterable[Path], output: Path, jobs: int = 1,
                 on_page: Callable[[Path], None] = lambda page: None,
                 on_removal: Callable[[Path, str], None] = lambda page, why: None) -> list[str]:
    """Writes a page for each results/NAME and the index. Returns the problems: reasons for missing pages or
    figures.

    Drawing takes most of the time, so `jobs` pages, or figures of a single page, are drawn in parallel. `on_page` is called with each
    page in order, as soon as it is finished. Pages of an earlier report stay, with their lines in the index, as long as
    their results exist; the others are removed, and `on_removal` is called with the page and the reason. Nothing is written
    without a result. AnalysisError, before anything is written, if `output` has files that no report has written; OSError,
    with the file, if one cannot be written.

        >>> write_report([Path("results/knife_edge")], Path("results/report"))
    """
    index = output / f"{INDEX}.html"
    problems, found = [], []
    for directory in directories:
        try:
            refuse_links_in(directory)
            found.append((directory, kind_of(directory)))
        except AnalysisError as problem:
            problems.append(str(problem))
    if not found:
        return problems
    folder = PagesFolder(output)
    records = PageRecords(output)
    taken = {INDEX, *(name.removesuffix(".html").lower() for name in records.pages)}
    plan = [(directory, kind, records.page_of(directory) or page_file(directory, output, taken))
            for directory, kind in found]
    folder.refuse([index.name, RECORDS, *(page.name for *_, page in plan)])
    inner = jobs if len(plan) == 1 else 1
    with ExitStack() as stack:
        drawn_in = Path(stack.enter_context(TemporaryDirectory(prefix="rigidlimit-report-")))
        places = [drawn_in / str(k) / page.name for k, (*_, page) in enumerate(plan)]
        for place in places:
            place.parent.mkdir()
        tasks = [(directory, kind, place, inner) for (directory, kind, _), place in zip(plan, places)]
        drawn = stack.enter_context(closing(mapped(write_one, *zip(*tasks), jobs=jobs)))
        for (directory, _, page), place, entry in zip(plan, places, drawn):
            if not isinstance(entry, Entry):
                problems.append(entry)
                continue
            try:
                folder.write(files_under(place.parent))
            except AnalysisError as problem:
                problems.append(f"{directory}: {problem}")
                continue
            records.add(page, directory, entry)
            on_page(page)
            problems += [f"{directory}: {trouble}" for trouble in entry.troubles]
            rmtree(place.parent)
    for page, why in records.forget(folder.has):
        on_removal(page, why)
    entries = sorted(records.entries(), key=lambda e: KINDS.index(e.kind))
    tally = Counter(e.standing.verdict for e in entries)
    folder.write({index.name: rendered("index.html.j2", entries=index_table(entries), problems=problems,
                                       counts=list(tally.items()), version="").encode(), RECORDS: records.text()})
    folder.remove_others(records.keeps)
    on_page(index)
    return problems


def files_under(folder: Path) -> dict[str, bytes]:
    """The files of a page, with the page last, so that it never names figures that are not there yet."""
    found = sorted((file for file in folder.rglob("*") if file.is_file()), key=lambda file: (file.parent == folder, file))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}
