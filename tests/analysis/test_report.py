"""Reports: texts of the pages, studies with hostile texts, and pages in a browser."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import escape as xml

import made_bench
import made_friction
import made_store
import numpy as np
import pandas as pd
import pytest
from PIL import Image
from browser import chromium, opened
from contrasts import contrast
from markupsafe import escape

from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import page_picture
from rigidlimit.analysis.catalogue import FIGURES
from rigidlimit.analysis.friction_convergence import friction_convergence_data
from rigidlimit.analysis.report import (
    drawings,
    opening_tables,
    result_page,
    results_under,
    words,
    write_report,
)
from rigidlimit.analysis.report.drawings import DRAWINGS, Drawing, Picture
from rigidlimit.analysis.report.fragment import fragment
from rigidlimit.analysis.report.slim_svg import as_source, slim
from rigidlimit.analysis.report.write import page_file
from rigidlimit.analysis.store import RollingResult
from rigidlimit.analysis.tables import AnalysisError

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>$\\frac{"
LINK = "javascript:alert(3)"
REPORT = """<section class="rigidlimit"><meta charset="utf-8"/><style>p { color: red }</style>
<header><h2>tiny</h2></header><p class="good">✓ <strong>tiny: held</strong></p>
<details open=""><summary>Errors</summary><div class="scroll" tabindex="0"><table><thead><tr><th class="number">ε</th>
<th>a long header of this table</th><th>another long header of this table</th></tr></thead><tbody><tr>
<td class="number">1.000·10<sup>−1</sup></td><td class="long">%s</td><td class="open">v reference_limited</td></tr>
</tbody></table></div></details><details><summary>Energy</summary><p>none</p></details></section>"""


class Tags(HTMLParser):
    """The start tags of a page in order, and its text."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attributes}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, *names: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.tags if tag in names]


def drawn_alone() -> list[Drawing]:
    """The drawings of a study that is no sweep and has no ensemble."""
    return [drawing for drawing in DRAWINGS if not FIGURES[drawing.name].needs]


def judge(directory: Path, name: str | None = None, **changes: object) -> Path:
    """Changes name and result of an artificial store."""
    db = sqlite3.connect(directory / "results.db")
    result, = db.execute("SELECT result FROM study").fetchone()
    db.execute("UPDATE study SET result = ?", (json.dumps(json.loads(result) | changes),))
    if name is not None:
        db.execute("UPDATE study SET name = ?", (name,))
    db.commit()
    db.close()
    return directory


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that held, one that did not hold and has no figures, and a benchmark."""
    root = tmp_path_factory.mktemp("results")
    (made_store.tiny(root / "tiny") / "result.html").write_text(REPORT % "no text", encoding="utf-8")
    judge(made_store.tiny(root / "broken"), name="broken", held=False)
    (root / "bench").mkdir()
    made_bench.write(root / "bench", made_bench.cost_count())
    (root / "bench" / "result.html").write_text(REPORT % xml(HOSTILE), encoding="utf-8")

    def pictures(study: RollingResult, drawing: Drawing, page: Path) -> list[Picture]:
        if study.name == "tiny":
            return drawings.pictures(study, drawing, page)
        return [Picture(drawing.name, drawing.title, "", "", missing="omitted by this test")]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(result_page, "pictures", pictures)
        assert write_report([root / n for n in ("tiny", "broken", "bench")], root / "out") == []
    return root / "out"


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as found:
        yield found


# --- numbers and fragments


@pytest.mark.parametrize("x, digits, text", [
    (1.7514e-3, 4, "1.751·10⁻³"), (-0.91, 2, "−9.1·10⁻¹"), (0.0, 4, "0"), (2.5, 2, "2.5"),
    (float("nan"), 4, "–"), (None, 4, "–"), (float("inf"), 4, "–")])
def test_numbers_have_the_given_digits(x: float, digits: int, text: str) -> None:
    assert words.scientific(x, digits) == text


@pytest.mark.parametrize(("text", "shown"), [
    ("9.8e-15", "9.8·10⁻¹⁵"), ("-1e-05", "−10⁻⁵"), ("0 ± 4e-18", "0 ± 4·10⁻¹⁸"), ("1.5e+00", "1.5"), ("2e+10", "2·10¹⁰"),
    ("3f2e-4b", "3f2e−4b")])
def test_powers_of_ten_are_raised(text: str, shown: str) -> None:
    assert words.with_powers(text) == shown


def test_a_zero_of_a_page_has_no_sign() -> None:
    assert [opening_tables.value_of(x) for x in (-0.0, 0, -2.0, 1e-5)] == ["0", "0", "−2", "10⁻⁵"]
    assert words.order(-1e-20, 4e-18) == "0 ± 4·10⁻¹⁸"


@pytest.mark.parametrize("html, page", [
    ("<p class='good'>1 &lt; 2</p>", '<p class="good">1 &lt; 2</p>'),
    ("<section><meta charset='utf-8'/><style>p { }</style><header><h2>x</h2></header><ul><li>a</li></ul></section>",
     "<ul><li>a</li></ul>"),
    ("<div onclick='x()' style='y' tabindex='0' class='&quot;&gt;&lt;img src=x&gt;'/>",
     '<div tabindex="0" class="&#34;&gt;&lt;img src=x&gt;"></div>'),
    (f"<table><tr><td>{xml(HOSTILE)}</td></tr></table>", f"<table><tr><td>{escape(HOSTILE)}</td></tr></table>"),
    ("<p><script>alert(1)</script><![CDATA[<script>]]></p>", "<p>&lt;script&gt;</p>"),
    ("<!doctype html>\n<html lang='en'><head>\n<meta charset='utf-8'/><title>t</title><style>p { }</style></head>\n<body>\n"
     "<section><header><h2>x</h2></header>\n<p>a</p></section>\n</body></html>\n", "<p>a</p>"),
    ("<!doctype html><html><head><script>alert(1)</script></head><body onload='x()'><link href='x'/><p>a</p></body></html>",
     "<p>a</p>"),
    (f"<x><a href='{LINK}'>a</a><iframe/><header><script/><p>b</p></header></x>", "a")])
def test_a_page_takes_the_listed_tags_of_a_report_only(html: str, page: str) -> None:
    assert fragment(html.encode()) == page


STRANGE = {
    "open tags": "<a " * 80_000, "a marked section": "<![", "ampersands": f"<p>{'&' * 1_000_000}</p>",
    "deep": "<p>" * 100_000 + "</p>" * 100_000, "quotes": '<p a="' * 100_000,
    "attributes": f"<p {' '.join(f'a{k}=x' for k in range(100_000))}>", "comments": f"<p><!--{'-' * 1_000_000}",
    "signs": "<" * 1_000_000, "instructions": "<?" * 500_000, "a name": f"<{'a' * 4_000_000}", "nothing": "",
    "an end": "</p>", "two roots": "<p/><p/>", "no UTF-8": "<p>\udcff</p>", "NUL": "<p>\0</p>",
    "entities": '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><p>&b;</p>',
    "an external entity": '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>&a;</p>',
    "two document types": "<!doctype html><!doctype html><p/>", "a document type behind a tag": "<p><!doctype html></p>",
    "another document type": "<!DOCTYPE html SYSTEM 'about:legacy-compat'><p/>",
    "a document that does not end": "<!doctype html><html><body><p>a</p>",
    "a long text": f"<p>{'x' * (1 << 24)}</p>"}
LARGE = {"references": f"<p>{'&amp;' * 1_000_000}</p>", "tags": f"<p>{'<b/>' * 1_000_000}</p>",
         "attributes": "<p {}/>".format(" ".join(f'a{k}=""' for k in range(100_000))),
         "names": f"<p>{''.join(f'<b{k}/>' for k in range(300_000))}</p>"}


@pytest.mark.parametrize("html", STRANGE.values(), ids=list(STRANGE))
def test_a_report_that_no_program_has_written_is_refused(html: str) -> None:
    with pytest.raises(AnalysisError):
        fragment(html.encode("utf-8", errors="surrogateescape"))


READ_ALL = """
import sys
from pathlib import Path
from rigidlimit.analysis.report import result_page  # imports count before the limit
from resource import RLIMIT_CPU, getrusage, RUSAGE_SELF, setrlimit
spent = getrusage(RUSAGE_SELF)
setrlimit(RLIMIT_CPU, (int(spent.ru_utime + spent.ru_stime) + 6,) * 2)
if sys.argv[1] == "control":
    from html.parser import HTMLParser
    reader = HTMLParser()
    reader.feed("<a " * 80_000)
    reader.close()  # quadratic: minutes
for file in sorted(Path(sys.argv[2]).iterdir()):
    print(file.name, *("refused" if reason else "read" for _, reason in [result_page.report_of(file)]))
"""


def test_a_report_is_read_in_linear_time(tmp_path: Path) -> None:
    """All the reports together take a second. Control: a quadratic parser exceeds the limit of 6 CPU seconds."""
    for k, html in enumerate([*STRANGE.values(), *LARGE.values()]):
        (tmp_path / f"{k:02}").write_bytes(html.encode("utf-8", errors="surrogateescape"))

    def ended(word: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", READ_ALL, word, str(tmp_path)], cwd=ROOT, capture_output=True,
                              text=True, check=False)

    done = ended("all")
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["refused"] * len(STRANGE) + ["read"] * len(LARGE)
    assert ended("control").returncode < 0


def test_random_reports_are_shown_safely_or_refused(tmp_path: Path) -> None:
    """The fuzzer of scripts/fuzz, for a choice of its inputs. Control: a reader that keeps all tags."""
    program = [sys.executable, ROOT / "tests/fuzz/report_fuzz.py", "--runs", "300", "--found", tmp_path / "found"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "300 reports, 0 faults\n", done.stderr
    everything = ("import runpy, sys, rigidlimit.analysis.report.fragment as f; sys.argv[:1] = []; "
                  "f.fragment = lambda html: html.decode(errors='replace'); runpy.run_path(sys.argv[0], run_name='__main__')")
    done = subprocess.run([sys.executable, "-c", everything, *program[1:]], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1 and len(list((tmp_path / "found").iterdir())) > 200


def test_a_page_without_its_refused_report_has_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_page, "DRAWINGS", [])
    store = made_store.tiny(tmp_path / "tiny")
    (store / "result.html").write_text("<p>" * 20 + HOSTILE, encoding="utf-8")
    problem, = write_report([store], tmp_path / "out")
    assert str(store) in problem and "result.html" in problem
    page = Tags(tmp_path / "out" / "tiny.html")
    assert "Is it?" in page.text and "alert(1)" not in page.text
    (store / "result.html").write_text(REPORT % "whole", encoding="utf-8")
    assert write_report([store], tmp_path / "out") == [], "control"
    assert "whole" in Tags(tmp_path / "out" / "tiny.html").text


# --- the files


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A benchmark whose only figure is drawn in no time."""
    def drawn_of(result: object, page: Path, jobs: int) -> tuple[list[Picture], str]:
        page.with_suffix("").mkdir()
        (page.with_suffix("") / "cost.svg").write_text("<svg/>", encoding="utf-8")
        return [], ""

    monkeypatch.setattr(result_page, "drawn_of", drawn_of)
    (tmp_path / "bench").mkdir()
    made_bench.write(tmp_path / "bench", made_bench.cost_count())
    (tmp_path / "bench" / "result.html").write_text(REPORT % "ours", encoding="utf-8")
    return tmp_path / "bench"


def contents(folder: Path) -> dict[str, bytes]:
    """The plain files below a folder."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*"))
            if file.is_file() and not file.is_symlink()}


def problems_of(directory: Path, output: Path) -> list[str]:
    try:
        return write_report([directory], output)
    except AnalysisError as problem:
        return [str(problem)]


@pytest.mark.parametrize("place", ["out", "out/.files", "out/bench.html", "out/bench", "out/bench/errors.csv",
                                   "out/bench/cost.svg", "out/index.html", "bench/errors.csv", "bench/result.html",
                                   "bench/study", None])
def test_pages_are_neither_read_from_nor_written_through_links(tmp_path: Path, bench: Path, place: str | None) -> None:
    """A link in either folder is named, and its target keeps its bytes and stays unpublished. Control: no link."""
    (tmp_path / "home").mkdir()
    secret = tmp_path / "home" / "notes.txt"
    secret.write_text("SECRET", encoding="utf-8")
    assert write_report([bench], tmp_path / "out") == []
    if place is not None:
        link = tmp_path / place
        if link.is_dir():
            shutil.rmtree(link)
        link.unlink(missing_ok=True)
        link.symlink_to(secret.parent if link.suffix == "" and link.name != ".files" else secret)
    problems = problems_of(bench, tmp_path / "out")
    assert [str(tmp_path / place) in one for one in problems] == [True] if place else problems == []
    assert contents(secret.parent) == {secret.name: b"SECRET"}
    assert not any(b"SECRET" in content for content in contents(tmp_path / "out").values()) or place == "out"


def test_no_listed_file_is_removed_through_a_link(tmp_path: Path, bench: Path) -> None:
    """A stranger's list names a file behind a link, and files outside. Control: one without a link is removed."""
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    (home / "notes.txt").write_text("mine", encoding="utf-8")
    (out / "plain").mkdir(parents=True)
    (out / "plain" / "notes.txt").write_text("of a report", encoding="utf-8")
    (out / "sub").symlink_to(home)
    listed = ("sub/notes.txt", "plain/notes.txt", "../home/notes.txt", f"{home}/notes.txt")
    (out / ".files").write_text("\n".join(listed), encoding="utf-8")
    assert write_report([bench], out) == []
    assert contents(home) == {"notes.txt": b"mine"}
    assert not (out / "plain").exists()


@pytest.mark.parametrize("name", ["index.html", "bench.html", "notes.txt", "bench/errors.csv"])
def test_a_folder_with_files_of_others_is_refused_and_kept(tmp_path: Path, bench: Path, name: str) -> None:
    site = tmp_path / "site"
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text("mine", encoding="utf-8")
    problem, = problems_of(bench, site)
    assert str(site) in problem and name.split("/")[0] in problem
    assert contents(site) == {name: b"mine"}


@pytest.mark.parametrize("name", ["index.html", "bench.html", "bench/errors.csv", "bench/cost.svg"])
def test_a_file_that_no_report_has_listed_is_not_replaced(tmp_path: Path, bench: Path, name: str) -> None:
    """The name is taken from the list of an earlier report. Control: with the list, the file is replaced."""
    out = tmp_path / "out"
    assert write_report([bench], out) == []
    before, listed = contents(out), (out / ".files").read_text(encoding="utf-8")
    assert listed.split() == sorted(set(before) - {".files"})
    (out / name).write_text("mine", encoding="utf-8")
    (out / ".files").write_text(listed.replace(f"{name}\n", ""), encoding="utf-8")
    problem, = problems_of(bench, out)
    assert str(out / name) in problem and (out / name).read_text(encoding="utf-8") == "mine"
    (out / name).unlink()
    assert write_report([bench], out) == [], "moved away"
    (out / name).write_text("of an earlier report", encoding="utf-8")
    assert write_report([bench], out) == []
    assert contents(out) == before


def test_listed_files_that_are_no_longer_made_are_removed(tmp_path: Path, bench: Path) -> None:
    """A page goes with its result, and is named. Control: the next test."""
    out = tmp_path / "out"
    shutil.copytree(bench, tmp_path / "other")
    assert write_report([bench, tmp_path / "other"], out) == []
    shutil.rmtree(bench)
    (out / "bench" / "notes.txt").write_text("mine", encoding="utf-8")
    for name in ("index.html.0123abcd.unfinished", "other/cost.svg.0123abcd.unfinished", "notes.0123abcd.unfinished"):
        (out / name).write_text("of a killed process", encoding="utf-8")
    removed: list[tuple[Path, str]] = []
    assert write_report([tmp_path / "other"], out, on_removal=lambda page, why: removed.append((page, why))) == []
    assert removed == [(out / "bench.html", f"no result in {bench}")]
    assert {name for name in contents(out) if not name.startswith("other/")} == {
        ".files", ".pages", "index.html", "other.html", "bench/notes.txt", "notes.0123abcd.unfinished"}
    assert not list((out / "other").glob("*.unfinished"))


def test_a_report_of_one_result_keeps_the_pages_of_the_others(tmp_path: Path, bench: Path) -> None:
    """Byte by byte, and their lines in the index; a name that is taken by another result gets a number. Control: a
    record that is gone, without which the page is removed."""
    out, other = tmp_path / "out", tmp_path / "other"
    shutil.copytree(bench, other)
    shutil.copytree(bench, tmp_path / "elsewhere" / "bench")
    assert write_report([bench, other], out) == []
    before = contents(out)
    removed: list[Path] = []
    for again in (other, tmp_path / "elsewhere" / "bench", other):
        assert write_report([again], out, on_removal=lambda page, why: removed.append(page)) == []
    after = contents(out)
    assert removed == [] and {name: after[name] for name in before if name not in INDEXES} == {
        name: content for name, content in before.items() if name not in INDEXES}
    assert {a["href"] for a in Tags(out / "index.html").all("a")} == {"bench.html", "bench_2.html", "other.html"}
    (out / ".pages").write_text("{}", encoding="utf-8")
    assert write_report([other], out) == []
    assert [file.name for file in sorted(out.glob("*.html"))] == ["index.html", "other.html"]


INDEXES = (".files", ".pages", "index.html")


@pytest.mark.parametrize("records", ["[]", "{", "null", "[" * 100_000, '{"bench.html": 1}', '{"../bench.html": {}}', "\udcff"])
def test_records_of_pages_from_elsewhere_are_ignored(tmp_path: Path, bench: Path, records: str) -> None:
    """Control: texts of a record in the right form are in the index, escaped."""
    out, other = tmp_path / "out", tmp_path / "other"
    shutil.copytree(bench, other)
    assert write_report([bench, other], out) == []
    good = (out / ".pages").read_text(encoding="utf-8")
    changes: list[dict] = [{"standing": {}}, {"kind": "x"}, {"result": "x" * 5000}, {"result": "\0"}, {"name": "\ud800"}]
    for text in (records, *(json.dumps({**json.loads(good), "bench.html": json.loads(good)["bench.html"] | change})
                            for change in changes)):
        (out / ".pages").write_bytes(text.encode("utf-8", errors="surrogateescape"))
        assert write_report([other], out) == []
        assert [a["href"] for a in Tags(out / "index.html").all("a")] == ["other.html"]
        assert write_report([bench, other], out) == []
    hostile = json.loads(good)
    hostile["bench.html"]["name"] = HOSTILE
    (out / ".pages").write_text(json.dumps(hostile), encoding="utf-8")
    assert write_report([other], out) == []
    index = Tags(out / "index.html")
    assert HOSTILE in index.text and not any("onerror" in a for _, a in index.tags)


def test_nothing_is_written_without_a_result(tmp_path: Path, bench: Path, monkeypatch: pytest.MonkeyPatch,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the program and the place. Control: beside a result, the others are written."""
    monkeypatch.chdir(tmp_path)
    assert command.main(["report", "nowhere"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("rigidlimit: nowhere/") and said.out == ""
    assert [one.name for one in tmp_path.iterdir()] == ["bench"]
    assert command.main(["report", "nowhere", "bench", "-o", "out"]) == 2
    assert (tmp_path / "out" / "index.html").is_file()
    before = contents(tmp_path / "out")
    assert command.main(["report", "nowhere", "-o", "out"]) == 2
    assert contents(tmp_path / "out") == before


REPORT_LIMITED = """
import resource, sys
from pathlib import Path
from rigidlimit.analysis import __main__ as command, places
from rigidlimit.analysis.report import result_page
result_page.DRAWINGS = ()
place = sys.argv[1]
write = places.write_renamed
def limited(file, content):
    if file.name == place:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5, resource.RLIM_INFINITY))
    write(file, content)
places.write_renamed = limited
sys.exit(command.main(["report", "tiny", "-o", "out"]))
"""


@pytest.mark.parametrize("place", ["tiny.html", "index.html", ".files", "none"])
def test_a_full_disk_is_named_and_leaves_whole_files(tmp_path: Path, place: str) -> None:
    """The file limit stands for the disk. The page of an earlier report stays whole. Control: no limit."""
    made_store.tiny(tmp_path / "tiny")
    if place == "index.html":
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "index.html").write_text("of an earlier report", encoding="utf-8")
        (tmp_path / "out" / ".files").write_text("index.html\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", REPORT_LIMITED, place], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    found = contents(tmp_path / "out")
    assert not [name for name in found if name.endswith(".unfinished")]
    assert all(content.rstrip().endswith(b"</html>") for name, content in found.items()
               if name.endswith(".html") and content != b"of an earlier report")
    if place == "none":
        assert done.returncode == 0 and {"index.html", "tiny.html"} <= set(found)
        return
    assert done.returncode == 2
    assert done.stderr == f"rigidlimit: out/{place}: File too large\n"
    assert (place == "index.html") == (found.get(place) == b"of an earlier report")


REPORT_SLOW = """
import os, sys, time
from pathlib import Path
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import page_picture
from rigidlimit.analysis.catalogue import FIGURES
from rigidlimit.analysis.friction_convergence import friction_convergence_data
from rigidlimit.analysis.report import result_page
def pictures(*arguments):
    Path(f"worker-{os.getpid()}").touch()
    time.sleep(300)
result_page.pictures = pictures
sys.exit(command.main(["report", "tiny", "-o", "out", "--jobs", "2"]))
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_a_signal_ends_the_report_and_its_workers(tmp_path: Path, number: int, status: int) -> None:
    """Without a traceback, and with no page."""
    made_store.tiny(tmp_path / "tiny")
    (tmp_path / "drawn").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "drawn")}
    with subprocess.Popen([sys.executable, "-c", REPORT_SLOW], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
                          env=environment) as process:
        await_true(lambda: len(list(tmp_path.glob("worker-*"))) == 2)
        workers = [int(file.name.split("-")[1]) for file in tmp_path.glob("worker-*")]
        assert all(map(is_alive, workers)), "control"
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == status
    assert said == ("" if number == signal.SIGKILL else "rigidlimit: interrupted\n")
    await_true(lambda: not any(map(is_alive, workers)))
    assert not (tmp_path / "out").exists()
    assert number == signal.SIGKILL or list((tmp_path / "drawn").iterdir()) == []


def await_true(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_alive(process: int) -> bool:
    """Whether a process runs: a zombie does not."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def test_a_page_loads_no_resources_and_runs_only_its_script(report: Path) -> None:
    for page in report.glob("*.html"):
        tags = Tags(page)
        for attributes in tags.all("img", "script", "link", "source", "iframe", "object"):
            for name in ("src", "srcset", "href"):
                assert attributes.get(name, "data:").startswith("data:"), page
        assert len(tags.all("script")) == 1
        assert not any(name.startswith("on") for _, a in tags.tags for name in a)
        assert "default-src 'none'" in tags.all("meta")[1]["content"]


def test_headings_are_in_order_and_images_have_descriptions(report: Path) -> None:
    for page in report.glob("*.html"):
        tags = Tags(page)
        levels = [int(tag[1]) for tag, _ in tags.tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1 and levels.count(1) == 1, page
        assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), (page, levels)
        assert all(a["alt"] for a in tags.all("img"))
        assert tags.all("html") == [{"lang": "en"}]


def test_every_figure_is_stored_beside_the_page_in_all_formats(report: Path) -> None:
    for drawing in drawn_alone():
        assert not (report / "tiny" / f"{drawing.name}.pdf").exists(), "scripts/plot draws it"
        for suffix in ("png", "svg", "csv"):
            assert (report / "tiny" / f"{drawing.name}.{suffix}").stat().st_size > 100
    for link in Tags(report / "tiny.html").all("a"):
        target = link["href"].split("#")[0]
        assert not target or target.startswith("data:") or (report / target).is_file(), target


def test_the_page_shows_the_data_of_the_store(report: Path) -> None:
    text = Tags(report / "tiny.html").text
    for words_there in ("Is it?", "6 of 6", "v reference_limited", "name = \"tiny\""):
        assert words_there in text, words_there


@pytest.mark.parametrize(("program", "built_in", "own"), [
    ("rigidlimit", True, False), ("caster robot", False, True), ("caster robot", True, False)])
def test_reproduction_uses_the_program_that_has_the_system(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, built_in: bool,
        own: bool) -> None:
    monkeypatch.setattr(result_page, "DRAWINGS", ())
    about = {"program": program, "commit": "0123456789ab+", "version": "0.1.0"}
    judge(made_store.tiny(tmp_path / "cr"), name="cr", provenance=about, system={"built_in": built_in})
    assert write_report([tmp_path / "cr"], tmp_path / "out") == []
    text = Tags(tmp_path / "out/cr.html").text
    assert ("build/release/src/rigidlimit run cr.toml" in text) is not own
    assert ("git checkout 0123456789ab" in text) is not own
    assert ("'caster robot' run cr.toml" in text) is own


def test_the_index_has_a_line_and_a_verdict_per_result(report: Path) -> None:
    tags = Tags(report / "index.html")
    assert [a["href"] for a in tags.all("a")] == ["tiny.html", "broken.html", "bench.html"]
    lines = re.findall(r"<tr>.*?</tr>", (report / "index.html").read_text("utf-8"), re.DOTALL)[1:]
    assert "✓" in lines[0] and "held" in lines[0]
    assert "not held" in lines[1] and "badge bad" in lines[1]  # the colour is not the only sign


def test_the_report_is_a_part_of_the_page(report: Path) -> None:
    tags = Tags(report / "bench.html")
    assert '<td class="number">1.000·10<sup>−1</sup></td>' in (report / "bench.html").read_text("utf-8")
    assert HOSTILE in tags.text
    assert len(tags.all("h1")) == 1 and not any("onerror" in a for _, a in tags.tags)


def test_a_friction_study_shows_its_motions_and_claims(tmp_path: Path) -> None:
    for name, held in (("falls", True), ("falls_otherwise", False)):
        claims = [{"name": "events", "group": "claims", "held": held, "message": "impact floor"}]
        made_friction.made(tmp_path / name, more={"held": held, "claims": claims})
        (tmp_path / name / "result.html").write_text("<p>impact floor</p>")
    assert write_report([tmp_path / "falls", tmp_path / "falls_otherwise"], tmp_path / "out") == []
    for name, verdict, other in (("falls", "held", "not held"), ("falls_otherwise", "not held", None)):
        text = (tmp_path / "out" / f"{name}.html").read_text("utf-8")
        assert re.search(rf"<div class=.verdict.>.*{verdict}", text, re.DOTALL)
        assert other is None or other not in text
        assert "<p>impact floor</p>" in text
        for figure in ("wheel", "histories", "friction_convergence", "transitions"):
            assert (tmp_path / "out" / name / f"{figure}.svg").is_file()
            assert f'alt="{figure.replace("_", " ")}' in text


def test_the_index_has_the_same_columns_for_every_kind(tmp_path: Path) -> None:
    """The index gives the claims that held, the number of solves and the time."""
    claims = [{"name": name, "group": "claims", "held": name == "a", "message": ""} for name in "ab"]
    solves = [{"outcome": "success"}, {"outcome": "max_steps"}, {"outcome": "success"}]
    made_friction.made(
        tmp_path / "falls", more={"claims": claims, "solves": solves},
        resolved="[system]\nname = \"wheel_and_curb\"\nmass = 10.0   # kg\n[initial]\nq = [0.8, 0.2, 0.0]   # m, m, rad\n")
    (tmp_path / "bench").mkdir()
    made_bench.write(tmp_path / "bench", made_bench.cost_count())
    (tmp_path / "bench" / "result.json").write_text(json.dumps({"trials": [{"outcome": "success"}] * 4}))
    os.utime(tmp_path / "bench" / "errors.csv", (0, 0))
    assert write_report([tmp_path / "falls", tmp_path / "bench"], tmp_path / "out") == []
    lines = re.findall(r"<tr>.*?</tr>", (tmp_path / "out" / "index.html").read_text("utf-8"), re.DOTALL)
    cells = [[text_of_cell(c) for c in re.findall(r"<t[dh].*?</t[dh]>", x, re.DOTALL)] for x in lines[1:]]
    assert cells[0][3] == "3 of 4" and cells[0][8:] == ["3", "1", "2026-01-01 00:00"]
    assert cells[1][3] == "–" and cells[1][8:] == ["4", "0", "1970-01-01 00:00"]
    page = Tags(tmp_path / "out" / "falls.html")
    for words_there in ("mass", "kg", "0.8"):
        assert words_there in page.text, words_there
    links = {a["href"] for a in page.all("a")}
    assert {"falls/events.csv", "falls/motions.csv"} <= links
    assert "events.csv" in page.text and "motions.csv" in page.text, "by name, not as CSV, CSV, CSV"


def text_of_cell(cell: str) -> str:
    return re.sub(r"<[^>]*>", "", cell).strip()


def test_a_report_does_not_mention_inapplicable_figures(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_friction.made(tmp_path / "ball", system="bouncing_ball")
    assert write_report([tmp_path / "ball"], tmp_path / "out") == []
    assert capsys.readouterr().err == ""
    assert not (tmp_path / "out" / "ball" / "wheel.svg").exists()
    assert command.main(["friction", str(tmp_path / "ball")]) == 0  # the control
    assert "wheel omitted: " in capsys.readouterr().err


def test_page_names_are_unique_and_inside_the_folder(tmp_path: Path) -> None:
    taken: set[str] = {"index"}
    names = ["../../x", "a b", "a_b", "index", "..", "A_B", "é", "x" * 300, "con;rm -rf"]
    pages = [page_file(Path("/r") / name.replace("/", "\u2215"), tmp_path, taken) for name in names]
    assert len({str(p).lower() for p in pages}) == len(names)
    for page in pages:
        assert page.parent == tmp_path and re.fullmatch(r"[A-Za-z0-9_+-]{1,90}\.html", page.name)


def test_a_store_without_a_verdict_has_a_page(tmp_path: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_page, "DRAWINGS", [])
    made_store.Maker(tmp_path / "new").finish("new", None, "")
    assert write_report([tmp_path / "new"], tmp_path / "out") == []
    assert "not judged" in Tags(tmp_path / "out" / "new.html").text


def test_parallel_and_serial_reports_are_identical(report: Path, tmp_path: Path) -> None:
    root = report.parent
    for jobs in (1, 2):
        write_report([root / "bench", root / "bench"], tmp_path / str(jobs), jobs)
    assert all((tmp_path / "1" / f"{name}.html").read_bytes()
               == (tmp_path / "2" / f"{name}.html").read_bytes()
               for name in ("bench", "bench_2", "index"))


def test_the_command_prints_its_files_and_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(result_page, "DRAWINGS", [])
    made_store.tiny(tmp_path / "results" / "tiny")
    monkeypatch.chdir(tmp_path)
    assert command.main(["report"]) == 0
    assert capsys.readouterr().out.split() == [
        str(tmp_path / "results" / "report" / name) for name in ("tiny.html", "index.html")]
    assert command.main(["report", "results/none", "results/tiny", "-o", "out"]) == 2
    assert "results/none" in capsys.readouterr().err
    assert (tmp_path / "out" / "tiny.html").is_file(), "an invalid result does not hide the others"
    with pytest.raises(AnalysisError, match="no results"):
        results_under(tmp_path / "out")


def test_a_folder_of_pages_among_results_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in `report results/*`, called twice. Controls: alone it is refused, and so is a folder without pages."""
    monkeypatch.setattr(result_page, "DRAWINGS", [])
    made_store.tiny(tmp_path / "results" / "tiny")
    monkeypatch.chdir(tmp_path)
    for options in ([], ["-o", "results/report"], ["-o", "out"]):
        assert command.main(["report", "results/tiny", *options]) == 0
        assert "skipped" not in capsys.readouterr().err
        assert command.main(["report", "results/report", "results/tiny", *options]) == 0
        assert "results/report: skipped" in capsys.readouterr().err
    (tmp_path / "results" / "empty").mkdir()
    assert command.main(["report", "results/report"]) == 2
    assert command.main(["report", "results/tiny", "results/empty", "-o", "other"]) == 2
    assert command.main(["report", "results/tiny", "results/empty", "-o", "results/empty"]) == 0


# --- the top of a page

CLAIM_TABLE = """<details open=""><summary>%s</summary><div class="scroll"><table>
<thead><tr><th></th><th>claim</th><th>found</th></tr>
</thead>
<tbody>
<tr><td class="%s">%s</td><td>%s</td><td>1.5</td></tr>
</tbody>
</table></div></details>"""
SYSTEM = {"name": "sled", "title": "A sled", "equations": "P = -m*g*x\nG v = (y')",
          "parameters": [{"name": "m", "value": 2.5, "unit": "kg m^2", "meaning": "of the sled"}],
          "coordinates": [{"name": "x", "unit": "m", "start": -0.25}, {"name": "y", "unit": "m", "start": 0.0}],
          "velocities": [{"name": "x'", "unit": "m/s", "start": 1.0}]}


@pytest.mark.parametrize("failed", [True, False])
def test_failed_claims_and_the_system_come_before_figures(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failed: bool) -> None:
    """Each claim is on the page once. Control: the page of a study that held has no list of failed claims."""
    monkeypatch.setattr(result_page, "drawn_of", lambda *_: ([Picture("pair", "The pair", "seen", "")], ""))
    claims = [{"name": name, "group": "claims", "held": held, "message": "1.5"}
              for name, held in (("order of q", True), ("bound of v", not failed))]
    store = judge(made_store.tiny(tmp_path / "sled"), held=not failed, claims=claims, system=SYSTEM)
    (store / "result.html").write_text("<section><p class='bad'>✗ sled</p>" + CLAIM_TABLE % (
        *(("Claim that failed", "bad", "✗") if failed else ("Claim that holds", "good", "✓")), "bound of v") + CLAIM_TABLE % (
        "Claim that holds", "good", "✓", "order of q") + "</section>", encoding="utf-8")
    assert write_report([store], tmp_path / "out") == []
    text = (tmp_path / "out" / "sled.html").read_text("utf-8")
    body = text[text.index("<body>"):]
    assert ('id="failed"' in body) is failed
    assert [body.count(f">{claim['name']}<") for claim in claims] == [1, 1]
    places = [body.index(mark) for mark in (
        'class="badge', *(['id="failed"', ">bound of v<"] * failed), "P = -m*g*x", "G v = (y&#39;)", ">2.5<", ">−0.25<",
        'id="figure-pair"', 'id="report"', ">order of q<")]
    assert places == sorted(places)
    assert "kg m²" in body and "of the sled" in body


def swept_rows(name: str, of: Callable[[float, float], float]) -> list[dict]:
    return [{"swept": {"zeta": zeta, "beta": beta}, "name": name, "value": of(zeta, beta), "start": of(zeta, beta),
             "unit": "kg", "meaning": "m"} for zeta in (0.5, 1.0, 2.0) for beta in (0.0, 1.0)]


def test_a_value_that_differs_has_a_row_for_each_swept_value_it_depends_on() -> None:
    """Of the six points of a sweep. Control: without differences there is no column of points."""
    rows = [*swept_rows("mass", lambda zeta, beta: 2.0), *swept_rows("length", lambda zeta, beta: 3.0 * zeta)]
    found = opening_tables.system_view({"parameters": rows, "coordinates": swept_rows("x", lambda zeta, beta: zeta + beta)})
    cells = [[cell.content for cell in line] for line in found.parameters.lines]
    assert cells == [["mass", "", "2", "kg", "m"], *(["length", f"zeta = {zeta:g}", f"{3.0 * zeta:g}", "kg", "m"]
                                                     for zeta in (0.5, 1.0, 2.0))]
    assert len(found.start.lines) == 6 and found.start.lines[1][1].content == "zeta = 0.5, beta = 1"
    single = opening_tables.system_view({"parameters": rows[:6]})
    assert [h.content for h in single.parameters.headers] == ["parameter", "value", "unit", "meaning"]
    assert len(single.parameters.lines) == 1


def test_a_page_lists_the_first_of_many_failed_claims() -> None:
    many = [{"name": f"claim {k}", "held": k < 5, "message": "", "damping_ratio": 0.5} for k in range(100)]
    found = opening_tables.failed_claims(many)
    assert len(found.lines) == opening_tables.MOST_CLAIMS and "95 claims of 100" in found.caption
    assert "55 more" in found.caption and found.lines[0][0].content == "damping_ratio = 0.5: claim 5"
    assert "more" not in opening_tables.failed_claims(many[:6]).caption, "control"


# --- colours


def test_text_has_the_contrast_of_level_aa_in_both_styles() -> None:
    style = (files("rigidlimit.analysis.report") / "templates" / "style.css").read_text("utf-8")
    for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL):
        colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
        for ink in ("ink", "faint", "link"):
            for paper in ("paper", "band"):
                assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)
        for tone in ("good", "bad", "open", "plain"):
            assert contrast(colours[tone], colours[f"{tone}-paper"]) >= 4.5, tone
    assert len(re.findall(r":root \{", style)) == 2


# --- in a browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_match_the_colour_scheme_without_errors(report: Path, browser,
                                                        scheme: str) -> None:
    with opened(browser, report / "tiny.html", scheme=scheme) as seen:
        pictures = seen.page.evaluate(
            "[...document.images].filter(i => i.offsetWidth > 0)"
            ".map(i => [i.className, i.naturalWidth, i.naturalHeight])")
        assert seen.troubles() == []
        ground = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert len(pictures) == len(drawn_alone())
    assert all(name == f"on-{scheme}" and w > 100 and h > 100 for name, w, h in pictures)
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


def number_of(text: str) -> float:
    """The number of "1.889·10⁻⁴"."""
    plain = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-"))
    mantissa, _, power = plain.partition("·10")
    return float(mantissa) * 10.0 ** float(power or 0)


def check_note(words: list[str], table: pd.DataFrame, quantity: str, window: str, epsilon: float) -> None:
    """The values of a note are those of the figure's CSV file."""
    row, = [row for _, row in table.iterrows() if row["quantity"] == quantity and row["window"] == window
            and row["epsilon"] == pytest.approx(epsilon, rel=1e-3)]
    assert [number_of(x) for x in words[:2]] == pytest.approx([row["epsilon"], row["error"]], rel=1e-4)
    assert number_of(words[2]) == pytest.approx(row["error_bar"], rel=0.05)
    assert words[-1] == row["verdict"]
    assert (len(words) == 6) == (row["status"] != "ok"), "why a point is no evidence"
    assert float(words[-2].split()[0]) == pytest.approx(row["fitted_order"], abs=6e-4)


def test_a_point_under_the_pointer_shows_the_numbers_of_the_csv_file(report: Path, browser) -> None:
    """Every point of λ and v, at its place in the picture, which has the colour of the mark there."""
    table = pd.read_csv(report / "tiny" / "convergence.csv")
    with opened(browser, report / "tiny.html") as seen:
        plot = seen.page.locator("#figure-convergence .plot")
        plot.scroll_into_view_if_needed()
        picture = np.asarray(Image.open(io.BytesIO(plot.screenshot())).convert("RGB"), dtype=float)
        series = json.loads(seen.page.get_attribute("#figure-convergence [data-points]", "data-points"))
        box = plot.bounding_box()
        assert seen.page.locator(".note:visible").count() == 0
        checked = 0
        for one in series:
            symbol, window = one["name"].split(", ")
            for point in one["points"] if symbol != "q" else ():
                x, y = (share * box[size] for share, size in zip(point["at"], ("width", "height")))
                seen.page.mouse.move(box["x"] + x + 2, box["y"] + y - 2)
                assert seen.page.inner_text("#figure-convergence .note strong") in [s["name"] for s in series]
                if seen.page.inner_text("#figure-convergence .note strong") != one["name"]:
                    continue  # two marks at one place
                words = seen.page.locator("#figure-convergence .note .value").all_inner_texts()
                check_note(words, table, {"λ": "lambda"}.get(symbol, symbol), "all" if window == "all t" else "after",
                           number_of(point["says"][0][1]))
                colour = picture[int(y), int(x)]
                assert np.ptp(colour) > 50.0 or len(words) == 6, "a mark, hollow without evidence"
                checked += 1
        assert checked > 12
        seen.page.mouse.move(box["x"] + 5, box["y"] + 5)
        assert seen.page.locator(".note:visible").count() == 0, "control: no point is near"
        assert np.ptp(picture[5, 5]) < 5.0
        assert seen.troubles() == []


def test_the_arrow_keys_go_from_point_to_point(report: Path, browser) -> None:
    table = pd.read_csv(report / "tiny" / "convergence.csv")
    with opened(browser, report / "tiny.html", width=390) as seen:
        page, note = seen.page, seen.page.locator("#figure-convergence .note")
        page.focus("#figure-convergence [data-points]")
        assert not note.is_visible()
        found = []
        for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
            found.append((note.locator("strong").inner_text(), number_of(note.locator(".value").first.inner_text())))
        window = made_store.AFTER
        q = [("q, all t", x) for x in sorted(made_store.EPSILONS)]
        assert found == [pytest.approx(x) if isinstance(x, float) else x for x in
                         (q[0], q[1], q[2], (f"q, t > {window} s", q[2][1]), q[2], q[1])]
        check_note(note.locator(".value").all_inner_texts(), table, "q", "all", q[1][1])
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert note.get_attribute("role") == "status", "read to users of a screen reader"
        page.keyboard.press("Escape")
        assert not note.is_visible()


def test_figures_of_friction_and_benchmarks_have_points(tmp_path: Path, browser) -> None:
    """Each number of a note is in the table of the figure. Control: a figure of motions has no points."""
    curb = made_friction.made(tmp_path / "curb")
    (tmp_path / "bench").mkdir()
    made_bench.write(tmp_path / "bench", made_bench.work_precision(epsilons=(1e-2,), groups=("q",)))
    assert write_report([curb, tmp_path / "bench"], tmp_path / "out") == []
    data = friction_convergence_data(curb)
    rows = pd.DataFrame(made_bench.work_precision(epsilons=(1e-2,), groups=("q",)))
    for page, figure, known in (("curb", "friction_convergence", data["model_error"]),
                                ("bench", "work_precision_knife_edge_q", rows["error"])):
        with opened(browser, tmp_path / "out" / f"{page}.html") as seen:
            box = seen.page.locator(f"#figure-{figure} [data-points]")
            box.focus()
            said = set()
            for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight"):
                seen.page.keyboard.press(key)
                lines = seen.page.locator(f"#figure-{figure} .note > div").all_inner_texts()
                error = next(number_of(x.removeprefix("error ")) for x in lines if re.match("error [0-9]", x))
                assert np.min(np.abs(known / error - 1.0)) < 1e-4
                said.add("".join(lines))
            assert len(said) >= 3 and seen.troubles() == []
    assert "data-points" not in re.findall(r'<figure id="figure-histories">.*?</figure>', (
        tmp_path / "out" / "curb.html").read_text("utf-8"), re.DOTALL)[0]


def test_a_page_without_its_script_shows_the_picture_alone(report: Path, browser, tmp_path: Path) -> None:
    """The control of the two tests above."""
    page = (report / "tiny.html").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL), encoding="utf-8")
    with opened(browser, tmp_path / "page.html") as seen:
        image = seen.page.locator("#figure-convergence img:visible")
        image.scroll_into_view_if_needed()
        box = image.bounding_box()
        assert box["width"] > 600
        point = json.loads(seen.page.get_attribute("#figure-convergence [data-points]", "data-points"))[2]["points"][1]
        seen.page.mouse.move(*(box[side] + share * box[size] for side, share, size in (
            ("x", point["at"][0], "width"), ("y", point["at"][1], "height"))))
        seen.page.focus("#figure-convergence [data-points]")
        seen.page.keyboard.press("ArrowRight")
        assert seen.page.locator(".note, .ring, .hint").count() == 0


def test_the_picture_of_a_page_has_its_top_and_its_dark_figures(report: Path, browser, tmp_path: Path,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/pictures/report.png: two halves. Control: without Chromium the reason is named."""
    page_picture.picture(browser, report / "tiny.html", tmp_path / "page.png")
    kept = Image.open(ROOT / "docs/pictures/report.png")
    drawn = Image.open(tmp_path / "page.png")
    assert drawn.size == kept.size == (2 * page_picture.WIDTH, page_picture.HEIGHT)
    for image in (drawn, kept):
        grey = np.asarray(image.convert("L"), dtype=float)
        assert np.median(grey[:, :page_picture.WIDTH]) > 240.0 and np.median(grey[:, page_picture.WIDTH:]) < 40.0
    monkeypatch.setattr(page_picture, "BROWSERS", ("no browser",))
    with pytest.raises(AnalysisError, match="no browser"), page_picture.chromium():
        pass


def test_a_slim_figure_is_the_same_picture(report: Path, browser, tmp_path: Path) -> None:
    """To a hundredth of a point, so that a few pixels on edges differ, and less than half of the bytes. The dark figure is
    the negative control."""
    for drawing in drawn_alone():
        files = [report / "tiny" / f"{drawing.name}{style}.svg" for style in ("", "_dark")]
        whole, dark = (file.read_text(encoding="utf-8") for file in files)
        assert len(slim(whole)) < 0.5 * len(whole)
        seen = []
        for source in (whole, slim(whole), dark):
            page = tmp_path / "page.html"
            page.write_text(f'<!doctype html><link rel=icon href=data:,><img src="{as_source(source)}">', "utf-8")
            with opened(browser, page) as shown:
                picture = io.BytesIO(shown.page.locator("img").screenshot())
            seen.append(np.asarray(Image.open(picture).convert("L"), dtype=float))
        assert seen[0].shape == seen[1].shape
        far = [np.mean(np.abs(seen[0] - other) > 40.0) for other in seen[1:]]
        assert far[0] < 5e-3 < 0.5 < far[1], drawing.name


@pytest.mark.parametrize("name", ["tiny", "index", "bench"])
def test_a_phone_scrolls_tables_but_not_the_page(report: Path, browser, name: str) -> None:
    with opened(browser, report / f"{name}.html", width=360) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
        boxes = seen.page.evaluate(
            "[...document.querySelectorAll('.scroll')].some(b => b.scrollWidth > b.clientWidth)")
        assert boxes, "negative control: an element is too wide for a phone"


def test_printing_opens_all_sections_and_uses_light_figures(report: Path, browser) -> None:
    with opened(browser, report / "tiny.html", scheme="dark") as seen:
        folded = "document.querySelectorAll('details:not([open])').length"
        assert seen.page.evaluate(folded) > 0
        seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert seen.page.evaluate(folded) == 0
        seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert seen.page.evaluate(folded) > 0
        seen.page.emulate_media(media="print")
        shown = seen.page.evaluate(
            "[...document.images].filter(i => i.offsetWidth > 0).map(i => i.className)")
        assert set(shown) == {"on-light"}
        paper = seen.page.pdf(prefer_css_page_size=True)
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 20


def test_clicks_on_a_header_sort_and_reverse_the_table(report: Path, browser) -> None:
    names = "[...document.querySelectorAll('tbody tr')].map(r => r.cells[0].textContent)"
    with opened(browser, report / "index.html") as seen:
        before = seen.page.evaluate(names)
        seen.page.click("th button >> text=result")
        up = seen.page.evaluate(names)
        seen.page.click("th button >> text=result")
        assert seen.page.evaluate(names) == up[::-1]
        assert seen.page.get_attribute("th:has(button)", "aria-sort") == "descending"
    assert up == sorted(before) != before


def test_hostile_texts_are_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser) -> None:
    monkeypatch.setattr(result_page, "DRAWINGS", [d for d in DRAWINGS if d.name == "convergence"])
    store = judge(made_store.tiny(tmp_path / "tiny"), name=HOSTILE, question=HOSTILE, source=LINK,
                  notes=[HOSTILE], system={"name": HOSTILE})
    (store / "result.html").write_text(REPORT % xml(HOSTILE), encoding="utf-8")
    assert write_report([store], tmp_path / "out") == []
    for name in ("tiny", "index"):
        with opened(browser, tmp_path / "out" / f"{name}.html") as seen:
            assert seen.troubles() == []
            where = "h1" if name == "tiny" else "tbody th"
            assert seen.page.inner_text(where) == HOSTILE
            assert not seen.page.evaluate(
                "[...document.links].some(a => a.protocol == 'javascript:')")
    page = tmp_path / "control.html"
    page.write_text(f"<!doctype html><title>t</title><link rel=icon href=data:,>{HOSTILE}",
                    encoding="utf-8")
    with opened(browser, page) as seen:
        seen.page.wait_for_timeout(100)
        assert seen.dialogs and seen.messages, "negative control: the unescaped text runs, and the test detects it"
