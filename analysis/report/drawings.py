"""The figures of a page: as files beside it (PNG, SVG, and CSV with their data) and inside it, for light and for
dark screens."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from ..catalogue import FIGURES, figures_of
from ..figures import only_formats, save, styled
from ..points import Places, Series, collected, places
from ..store import RollingResult
from ..tables import AnalysisError
from ..theme import BOTH
from .workers import mapped
from .slim_svg import as_source, slim
from ..wording import ERROR_BARS
from .words import scientific

MOST_POINTS = 8  # of a sweep: a page with more would consist of figures only
LONGEST_PLAIN = 10_000  # bytes of an embedded table that is not compressed
LONGEST = 60_000  # bytes of an embedded table, compressed: sampled motions take megabytes and stay beside the page
DIGITS = 5  # of the numbers of a point
FORMATS = (".png", ".svg")  # beside a page; python -m rigidlimit.analysis also draws PDF


@dataclass(frozen=True)
class Drawing:
    """Title, caption and alternative text of a figure of the catalogue."""

    name: str  # in analysis.catalogue.FIGURES; also of the files
    title: str
    caption: str  # how to read it
    alt: str


DRAWINGS = (
    Drawing("convergence", "Convergence",
            f"Distance of the compliant from the rigid motion against ε. Error bars are {ERROR_BARS}.",
            "Log-log plot of the errors of q, v and λ against ε, with fitted and predicted lines; "
            "the numbers are in the error tables below"),
    Drawing("orders", "Orders",
            "Fitted orders of the sweep against a swept key, with standard errors; broad pale lines are the predicted "
            "orders, hollow points are not settled.",
            "Orders of q, v and λ against a swept key; the numbers are in the tables of orders below"),
    Drawing("ensemble", "The ensemble",
            "Errors of the members of the ensemble against ε: the median, the band of 5 to 95 % of the members, and the "
            "range of all; points are the study itself, and the dashed line has the slope of the median order.",
            "Log-log plot of quantiles of the errors of q, v and λ against ε; the numbers are in the table ensemble"),
    Drawing("layer", "The layer",
            "The layer in its own time τ = t/ε, for several ε, with the predicted leading layer "
            "terms on top. Triangles at the edge of a panel mark a curve that leaves it.",
            "Contact force and velocity, compliant - rigid, against τ = t/ε for several ε, with "
            "the predicted layer"),
    Drawing("pair", "The pair", "Rigid and compliant motion, overlaid.",
            "Coordinates, velocities and contact forces of the rigid and the compliant motion "
            "against time"),
    Drawing("energy", "Energy",
            "Energy balance of the compliant motion, and its defect.",
            "Energy accounts against time: mechanical, spring, work, damper, and the defect"),
    Drawing("drift", "Constraint drift",
            "The sliding velocity ‖G v‖: for the rigid motion the solver's error, for the "
            "compliant motion the compliance of the contact.",
            "Sliding velocity against time on a logarithmic scale, rigid and compliant"),
    Drawing("work", "Work", "Cost of the compliant solves against ε.",
            "Counts of steps, evaluations and factorisations of every compliant solver against ε"),
)


@dataclass(frozen=True)
class Download:
    """A file of the report; `embedded` is a copy as a data URI, or empty."""

    label: str
    file: str  # relative to the page
    name: str  # of the copy that a browser saves
    embedded: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure on a page; `light` and `dark` are data URIs, `dark` may be empty."""

    name: str
    title: str
    caption: str
    alt: str
    light: str = ""
    dark: str = ""
    width: int = 0  # in CSS pixels, so that the layout does not shift during loading
    height: int = 0
    downloads: list[Download] = field(default_factory=list)
    missing: str = ""  # the reason for a missing figure
    points: str = ""  # JSON for points.js: the numbers and places of points; "" without any


def as_uri(content: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(content).decode('ascii')}"


def embedded(svg: Path) -> str:
    return as_source(slim(svg.read_text(encoding="utf-8")))


def download(path: Path, page: Path, embed: bool = False) -> Download:
    """The link from the page to a file beside or below it. A short table is also embedded."""
    file = "/".join(quote(part) for part in path.relative_to(page.parent).parts)
    label, name = path.suffix[1:].upper(), f"{page.stem}_{path.name}"
    if not embed:
        return Download(label, file, name)
    content = path.read_bytes()
    if len(content) <= LONGEST_PLAIN:
        return Download(label, file, name, as_uri(content, "text/csv"))
    packed = gzip.compress(content, mtime=0)  # no time stamp: the same data give the same page
    return Download(label, file, f"{name}.gz", as_uri(packed, "application/gzip") if len(packed) <= LONGEST else "")


def pictures(study: RollingResult, drawing: Drawing, page: Path) -> list[Picture]:
    """One picture of a study; of a sweep one per point, unless the points share it."""
    found: list[Picture] = []
    drawn_of = figures_of(study, drawing.name)
    if len(drawn_of) > MOST_POINTS:
        why = (f"a figure for each of {len(drawn_of)} points, which "
               f"`python -m rigidlimit.analysis {drawing.name} results/{study.name}` draws")
        return [Picture(drawing.name, drawing.title, drawing.caption, drawing.alt, missing=why)]
    for file, one in drawn_of:
        title = f"{drawing.title}, {one.name.removeprefix(study.name).lstrip(', ')}" if one is not study else (
            drawing.title)
        found.append(picture(one, replace(drawing, title=title), file, page))
    if all(one.missing for one in found):  # the same reason for all points
        return [replace(found[0], title=drawing.title)]
    return found


def picture(study: RollingResult, drawing: Drawing, file: str, page: Path) -> Picture:
    """Draws into the folder named after the page. Without data the picture holds the reason."""
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    about = (file, drawing.title, drawing.caption, drawing.alt)
    kind = FIGURES[drawing.name]
    table = folder / f"{file}.csv"
    try:
        kind.data(study).to_csv(table, index=False, lineterminator="\n")
        figure = kind.plot(study, style="light")
        width, height = (int(96 * inches) for inches in figure.get_size_inches())
        points = json_of(places(figure))
        files = save(figure, folder / file, FORMATS)
        dark = save(kind.plot(study, style="dark"), folder / styled(file, "dark"), [".svg"])
    except AnalysisError as problem:
        return Picture(*about, missing=str(problem))
    light = next(f for f in files if f.suffix == ".svg")
    downloads = [download(path, page, embed=path.suffix == ".csv") for path in (*files, table)]
    return Picture(*about, light=embedded(light), dark=embedded(dark[0]), width=width,
                   height=height, downloads=downloads, points=points)


def json_of(found: Places) -> str:
    """The points of a figure as points.js reads them: a list of series with name and facts, and for each point its place
    in shares of the figure and its lines, each a name and a text. "" without points."""
    series = [{"name": one.name, "facts": one.facts,
               "points": [{"at": [round(left, 5), round(top, 5)], "says": lines_of(one, k)}
                          for k, (left, top) in enumerate(places_of) if math.isfinite(left)]}
              for one, places_of in found]
    shown = [one for one in series if one["points"]]
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")) if shown else ""


def lines_of(series: Series, k: int) -> list[tuple[str, str]]:
    """The lines of a point: x, y, its error bar and its note, as far as there are any."""
    lines = [(series.labels[0], scientific(series.x[k], DIGITS)), (series.labels[1], scientific(series.y[k], DIGITS))]
    if len(series.bars) and math.isfinite(series.bars[k]):
        lines.append(("error bar", scientific(series.bars[k], 2)))
    return [*lines, ("", series.notes[k])] if series.notes[k] else lines


def draw_formats(draw: Callable[..., list[Path]], directory: Path, folder: Path, style: str
                 ) -> tuple[list[Path], dict[str, str]]:
    """The light figures in FORMATS, the dark ones for the page alone; and the points of each, for points.js."""
    with only_formats(FORMATS if style == "light" else (".svg",)), collected() as points:
        files = draw(directory, style, into=folder)
    return files, {name: json_of(found) for name, found in points.items()}


def measured_pictures(draw: Callable[..., list[Path]], directory: Path, page: Path,
                      jobs: int = 1) -> tuple[list[Picture], str]:
    """The pictures that `draw` makes of a result into the page's folder, in both styles, or the reason why
    there are none."""
    folder = page.with_suffix("")
    try:
        (light, points), (dark, _) = mapped(draw_formats, *zip(*((draw, directory, folder, style) for style in BOTH)), jobs=jobs)
    except AnalysisError as problem:
        return [], str(problem)
    found = []
    pairs = zip(*([f for f in files if f.suffix == ".svg"] for files in (light, dark)))
    for svg, dark_svg in pairs:
        words = svg.stem.replace("_", " ")
        others = [download(f, page) for f in light if f.stem == svg.stem]
        found.append(Picture(svg.stem, words[:1].upper() + words[1:], "",
                             f"{words}: the numbers are in the CSV file of this page",
                             light=embedded(svg), dark=embedded(dark_svg), downloads=others,
                             points=points.get(svg.stem, "")))
    return found, ""
