"""HTML of studies and results, and progress in a notebook."""

import re
import sys
from html.parser import HTMLParser
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import rigidlimit as rl
from program import ROOT
from rigidlimit import progress
from rigidlimit.html_table import html_table
from rigidlimit.study_html import value_text

VOID = {"br", "hr", "meta"}
SKATE = rl.System(
    "skate", ["x", "y", "phi"], {"m": {"default": 1.5, "unit": "kg"}}, title="Skate <b>1</b>",
    kinetic_coenergy=lambda q, v, p: p.m / 2 * (v.x**2 + v.y**2) + v.phi**2 / 8,
    potential=lambda q: rl.where(q.x < 0.25, q.x, 0.25),
    constraint=lambda q, v: [rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x])
STUDY = rl.Study(
    SKATE, study={"question": "Is q < v & v > 0?"}, initial={"v": [0.7, 0.0, 1.3]}, contact={"stiffness": 4.0},
    epsilon=rl.geometric(1e-2, 1e-3, 7), time={"end": 2.0}, solvers={"compliant": ["radau_iia"]},
    expect=[{"quantity": "q", "order": 2.0}, {"quantity": "v", "order": 1.5, "within": 0.125}])


class Page(HTMLParser):
    """The cells and the text of a fragment; each element must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def result() -> rl.Result:
    return STUDY.run(results=None)


def test_a_study_shows_its_keys_values_and_equations() -> None:
    page = Page(STUDY._repr_html_())
    facts = {row[0]: row[1] for row in page.rows if len(row) == 2}
    assert "skate" in page.text and STUDY.question in page.text
    assert facts["ε"] == "0.01 … 0.001 (7 values)" and "m = 1.5 kg" in facts["system"]
    assert "v = (0.7, 0, 1.3)" in facts["initial"] and "end = 2 s" in facts["time"]
    assert "stiffness = 4" in facts["contact"] and "compliant = radau_iia" in facts["solvers"]
    head = next(row for row in page.rows if "quantity" in row)
    claims = [dict(zip(head, row)) for row in page.rows if len(row) == len(head) and row is not head]
    assert [(claim["quantity"], claim["order"]) for claim in claims] == [("q", "2 ± 0.05"), ("v", "1.5 ± 0.125")]
    assert "math" in page.tags
    builtin = Page(rl.Study({"name": "knife_edge"}, name="sample", epsilon=[1e-2], time={"end": 1.0})._repr_html_())
    assert "math" not in builtin.tags, "negative control: a system of the catalogue shows no equations"


@pytest.mark.parametrize("file", ["friction/ball_rolls.toml", "damping/knife_edge_damping.toml",
                                  "benchmarks/classical_work_precision.toml"])
def test_a_study_of_another_kind_shows_each_of_its_tables(file: str) -> None:
    study = rl.Study.load(ROOT / "experiments" / file)
    page = Page(study._repr_html_())
    found = {row[0] for row in page.rows}
    wanted = {name for name in ("contact", "sweep", "history", "tolerance") if f"\n[{name}]" in study.resolved}
    assert wanted and wanted <= found
    assert study.name in page.text and study.question in page.text


def test_texts_of_a_user_are_escaped(result: rl.Result) -> None:
    for shown in (STUDY, result):
        page = Page(shown._repr_html_())
        assert "Is q < v & v > 0?" in page.text
    assert "b" not in Page(STUDY._repr_html_()).tags and "Skate <b>1</b>" in Page(STUDY._repr_html_()).text
    assert "<mo>&lt;</mo>" in STUDY._repr_html_(), "the condition of the potential"
    assert "b" in Page("<b></b>").tags, "negative control"


def with_powers(text: str) -> str:
    """1.75e-03 as HTML shows it: 1.75·10−3, with a raised exponent; 1.75e+00: 1.75."""
    text = re.sub(r"e[-+]00", "", text)
    return re.sub(r"e([-+])0*(\d+)", lambda power: "·10" + power[1].replace("-", "−").strip("+") + power[2], text)


def test_a_result_shows_verdict_claims_and_the_digits_of_the_report(result: rl.Result) -> None:
    page = Page(result._repr_html_())
    assert list(result.claims["held"]) == [True, False]
    assert {row[1]: row[0] for row in page.rows if row[1] in set(result.claims["name"])} == {
        result.claims["name"][0]: "✓", result.claims["name"][1]: "✗"}
    assert result.verdict.splitlines()[0] in page.text and not hasattr(result, "_repr_markdown_")
    errors = page.rows[next(k for k, row in enumerate(page.rows) if row[0] == "ε"):][:8]
    reported = [[with_powers(cell) for cell in re.split(r"  +", line.strip())] for line in result.text().splitlines()
                if re.match(r"  1\.000e-02|  1\.000e-03", line)]
    assert errors[1][:8] == reported[0][:8] and errors[7][:8] == reported[1][:8]
    smallest = result.table.query("epsilon == 0.001 and quantity == 'q' and norm == 'sup' and window == 'all'")
    assert float(errors[7][1].split(" ± ")[0].replace("·10−", "e-")) == pytest.approx(smallest["model_error"].item(), rel=1e-3)


def mark_of(result: rl.Result) -> str:
    """The sign before the verdict."""
    return re.search(r"<p class=\"\w+\">(.) <strong>", result._repr_html_())[1]


def test_the_mark_of_a_result_tells_its_outcome(result: rl.Result, tmp_path: Any) -> None:
    held = STUDY.with_(expect=[{"quantity": "q", "order": 2.0}]).run(results=None)
    assert [mark_of(one) for one in (held, result)] == ["✓", "✗"]
    missing = STUDY.run(results=tmp_path, solve=False)
    page = Page(missing._repr_html_())
    assert missing.missing > 0 and mark_of(missing) == "…" and f"Missing solves: {missing.missing}" in page.text
    assert "Missing solves" not in Page(result._repr_html_()).text, "negative control"


def test_a_sweep_shows_its_points_and_its_notes() -> None:
    sweep = rl.Study.load(ROOT / "experiments/damping/knife_edge_damping.toml").with_(
        sweep={"contact": {"damping_ratio": [0.5, 1.0], "damping_exponent": [0.0, 1.0]}})
    result = sweep.run(results=None)
    page = Page(result._repr_html_())
    points = next(k for k, row in enumerate(page.rows) if "damping_ratio" in row)
    assert [row[:2] for row in page.rows[points + 1:points + 5]] == [["0", "0.5"], ["0", "1"], ["1", "0.5"], ["1", "1"]]
    visible = re.sub(r"<details>.*?</details>", "", result._repr_html_())
    notes = result.document["notes"]
    assert notes and all(page.text.count(note) == Page(visible).text.count(note) == 1 for note in notes)


def test_a_table_refuses_a_row_of_another_length() -> None:
    assert html_table([], "lr", ("a", "b")) == ""
    assert Page(html_table([("1", "2")], "lr", ("a", "b"))).rows == [["a", "b"], ["1", "2"]]
    with pytest.raises(ValueError):
        html_table([("1", "2", "3")], "lr")


@pytest.mark.parametrize(("value", "text"), [
    (True, "yes"), (1e-05, "1e-05"), (0.31622776601, "0.316228"), ([1, 2.5], "1, 2.5"), ([[1.0, 0.0], [0.0, 1.0]],
                                                                                      "(1, 0), (0, 1)"),
    ({"a_b": [1, 2], "c": {"d": "x"}}, "a b = (1, 2), c.d = x"), (list(range(9)), "0 … 8 (9 values)")])
def test_values_are_short(value: object, text: str) -> None:
    assert value_text(value) == text


def pretend_kernel(monkeypatch: pytest.MonkeyPatch, kernel: object) -> list[tuple[str, dict[str, str]]]:
    """A module IPython whose displays are collected."""
    told: list[tuple[str, dict[str, str]]] = []

    class Handle:
        def update(self, bundle: dict[str, str], raw: bool) -> None:
            told.append(("update", bundle))

    def display(bundle: dict[str, str], raw: bool, display_id: bool) -> Handle:
        told.append(("display", bundle))
        return Handle()

    ipython, shown = ModuleType("IPython"), ModuleType("IPython.display")
    setattr(ipython, "get_ipython", lambda: SimpleNamespace(kernel=kernel))
    setattr(shown, "display", display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    return told


def test_a_notebook_shows_one_bar_and_updates_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told = pretend_kernel(monkeypatch, object())
    result = STUDY.run(results=None)
    assert [how for how, _ in told].count("display") == 1
    last = told[-1][1]
    assert last["text/plain"].startswith(f"skate: {result.computed} of {result.computed} solves, 0:0")
    assert f"max='{result.computed}'" in last["text/html"]
    told.clear()
    STUDY.run(results=None, progress=None)
    assert told == [], "negative control"


def test_the_bar_shows_the_elapsed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    told = pretend_kernel(monkeypatch, object())
    times = iter([0.0, 10.0, 10.1, 20.0, 75.0])
    bar = progress.notebook_bar("a<b", lambda: next(times))
    for done in (2, 3, 4):
        bar(done, 8, "ε < 1")
    bar(8, 8, "all")
    texts = [bundle["text/plain"] for _, bundle in told]
    assert texts == ["a<b: 2 of 8 solves, 0:10: ε < 1",
                     "a<b: 4 of 8 solves, 0:20: ε < 1", "a<b: 8 of 8 solves, 1:15"]
    page = Page(told[0][1]["text/html"])
    assert page.tags == ["div", "progress"] and "a<b" in page.text and "ε < 1" in page.text
    assert [progress.time_text(seconds) for seconds in (0, 59.6, 3600 + 62)] == ["0:00", "1:00", "1:01:02"]


def test_off_a_terminal_a_line_comes_after_ten_seconds_and_then_each_minute(
        capsys: pytest.CaptureFixture[str]) -> None:
    ends = [3.0, 9.9, 12.0, 40.0, 71.9, 72.0, 80.0]
    times = iter([0.0, *ends])
    show = progress.printed_lines("mine", lambda: next(times))
    for done, _ in enumerate(ends, start=1):
        show(done, 8, f"eps = {done}")
    assert capsys.readouterr().err.splitlines() == [
        "mine: 3 of 8 solves, 0:12: eps = 3", "mine: 6 of 8 solves, 1:12: eps = 6"]


def test_without_a_kernel_there_is_a_line_or_nothing(monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    told = pretend_kernel(monkeypatch, None)
    assert progress.automatic_progress("a").__qualname__.startswith("printed_lines"), "no terminal in this test"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    line = progress.automatic_progress("a")
    assert line is not None
    line(1, 2, "first")
    line(2, 2, "second")
    assert capsys.readouterr().err.endswith("a: 1 of 2 solves, first\r\x1b[Ka: 2 of 2 solves, second\n") and told == []
    monkeypatch.delitem(sys.modules, "IPython")
    assert progress.automatic_progress("a") is not None and "IPython" not in sys.modules
