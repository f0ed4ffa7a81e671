"""Tables of result.html and of the pages at 1000 pixels: no table is wider than its page, and verdicts are visible."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import chromium, opened

from programs import PROGRAM, ROOT
from rigidlimit.analysis.report import result_page, write_report

WIDTH = 1000  # CSS pixels
STUDIES = {
    "convergence/knife_edge": ["epsilon.count=5", "epsilon.to=1e-3"],
    "impacts/bouncing_ball": [],
    "friction/wheel_slip_to_roll": [],
    "damping/knife_edge_damping": ["epsilon.count=3", "sweep.contact.damping_ratio=[0.5, 1.0]",
                                   "sweep.contact.damping_exponent=[0.0, 1.0, 2.0]"],
    "benchmarks/order_reduction": ["timing.repeats=0", 'benchmark.methods=["radau_iia", "cvode_bdf", "rosenbrock4"]']}
TABLES = """() => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  return [...document.querySelectorAll("table")].map((table) => {
    const heads = [...table.tHead.rows[0].cells];
    const verdict = heads.find((head) => head.textContent.trim() === "verdict");
    return { caption: table.closest(".scroll").getAttribute("aria-label"), rows: table.tBodies[0].rows.length,
             wide: table.closest(".scroll").scrollWidth - table.closest(".scroll").clientWidth,
             verdict: verdict ? verdict.getBoundingClientRect().right : 0 };
  });
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rolling study, a friction study, a sweep and a benchmark, with their pages without figures."""
    if not PROGRAM.exists():
        pytest.skip("the program is not built (scripts/test builds it)")
    root = tmp_path_factory.mktemp("results")
    for study, changes in STUDIES.items():
        said = subprocess.run([PROGRAM, "run", ROOT / f"experiments/{study}.toml", "--results", root, "--quiet",
                               *(word for change in changes for word in ("--set", change))],
                              check=False, capture_output=True, text=True, timeout=300)
        assert (root / Path(study).name / "result.html").is_file(), said.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(result_page, "drawn_of", lambda *_: ([], "omitted by this test"))
        write_report([root / Path(study).name for study in STUDIES], root / "report")
    return root


def tables(browser, file: Path) -> list[dict]:
    with opened(browser, file, width=WIDTH) as seen:
        return seen.page.evaluate(TABLES)


@pytest.mark.parametrize("name", [Path(study).name for study in STUDIES])
def test_no_table_is_wider_than_its_page_and_verdicts_are_visible(results: Path, browser, name: str, tmp_path: Path) -> None:
    """Control: with texts on one line and larger letters, a table is wider."""
    for file in (results / name / "result.html", results / "report" / f"{name}.html", results / "report" / "index.html"):
        found = tables(browser, file)
        assert found and [one for one in found if one["wide"] > 0] == []
        assert all(one["verdict"] < WIDTH for one in found)
        assert any(one["verdict"] > 0 for one in found) or name == "order_reduction"
    spoilt = tmp_path / "result.html"
    spoilt.write_text((results / name / "result.html").read_text("utf-8").replace("white-space:normal", "white-space:nowrap")
                      .replace("font-size:.82rem", "font-size:2rem"), encoding="utf-8")
    assert any(one["wide"] > 0 for one in tables(browser, spoilt))


def test_a_sweep_has_the_rows_of_a_single_study_once(results: Path, browser) -> None:
    """The tables of parameters and start. Control: result.json of the sweep has them once for each point."""
    def rows(name: str) -> list[int]:
        found = {one["caption"]: one["rows"] for one in tables(browser, results / "report" / f"{name}.html")}
        return [found["Parameters"], found["Start"]]

    assert rows("knife_edge_damping") == rows("knife_edge")
    sweep = json.loads((results / "knife_edge_damping" / "result.json").read_text("utf-8"))["system"]
    assert len(sweep["parameters"]) == 6 * rows("knife_edge")[0]


def test_a_friction_page_has_the_equations_of_its_system(results: Path) -> None:
    text = (results / "report" / "wheel_slip_to_roll.html").read_text("utf-8")
    equations = json.loads((results / "wheel_slip_to_roll" / "result.json").read_text("utf-8"))["system"]["equations"]
    assert 'class="equations"' in text and "G v = " in equations and "G v = " in text
    assert 'class="equations"' not in (results / "report" / "order_reduction.html").read_text("utf-8"), "control"
