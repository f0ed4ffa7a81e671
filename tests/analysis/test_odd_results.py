"""Empty, truncated or unexpected results: each gives an error with file and reason, and the other results
of a report are not affected."""

from __future__ import annotations

import math
import re
import sqlite3
from pathlib import Path

import made_bench
import made_friction
import made_store
import pytest

import analysis
from analysis import AnalysisError, bench
from analysis import __main__ as command
from analysis.kinds import KINDS, kind_in
from analysis.report import study_page, write, write_report
from analysis.friction_store import open_friction

NOT_RUN = {"error": math.nan, "observed_order": math.nan, "seconds": math.nan, "steps": 0, "rhs": 0,
           "status": "failed", "reason": "not run", "t_reached": 0.0}


@pytest.fixture
def good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A valid benchmark, beside an invalid one."""
    monkeypatch.setattr(study_page, "DRAWINGS", [])
    return made_store.tiny(tmp_path / "tiny")


def index_of(directory: Path) -> str:
    return (directory / "index.html").read_text(encoding="utf-8")


# --- results without data to draw


@pytest.mark.parametrize("lines", [made_bench.work_precision, made_bench.order_reduction,
                                   made_bench.cost_epsilon, made_bench.cost_count])
def test_a_benchmark_without_any_run_is_refused(tmp_path: Path, lines) -> None:
    made_bench.write(tmp_path, [x | NOT_RUN for x in lines()])
    with pytest.raises(AnalysisError, match=r"\(not run\)"):
        bench.draw(tmp_path)


def test_a_benchmark_without_solves_does_not_affect_the_report(
        good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "stopped").mkdir()
    made_bench.write(tmp_path / "stopped", [x | NOT_RUN for x in made_bench.cost_count()])
    arguments = ["report", str(tmp_path / "stopped"), str(good), "-o", str(tmp_path / "out")]
    assert command.main(arguments) == 2
    assert re.search(r"stopped: .*sleigh_chain: .*\(not run\)", capsys.readouterr().err)
    assert "(not run)" in index_of(tmp_path / "out")
    assert 'href="stopped.html"' in index_of(tmp_path / "out"), "its texts and numbers are shown"
    assert 'href="tiny.html"' in index_of(tmp_path / "out")


def test_a_missing_part_does_not_affect_other_figures(tmp_path: Path) -> None:
    lines = made_bench.cost_count() + [x | NOT_RUN for x in made_bench.cost_epsilon()]
    left_out: list[str] = []
    files = bench.draw(made_bench.write(tmp_path, lines), left_out=left_out)
    assert {x.stem for x in files} == {"cost_count_sleigh_chain"}
    assert len(left_out) == 1 and left_out[0].startswith("cost_epsilon_knife_edge omitted: ")


def test_a_column_without_solves_is_drawn_empty(tmp_path: Path) -> None:
    lines = [x | NOT_RUN if x["epsilon"] == 1e-6 else x for x in made_bench.work_precision()]
    assert bench.draw(made_bench.write(tmp_path, lines))


def test_a_method_that_takes_no_steps_has_no_grey_picture(tmp_path: Path) -> None:
    lines = [x | NOT_RUN | {"reason": "equal steps"} if x["method"] == "slow" else x
             for x in made_bench.order_reduction(groups=("q",))]
    made_bench.write(tmp_path, lines)
    left_out: list[str] = []
    stems = {x.stem for x in bench.draw(tmp_path, left_out=left_out)}
    assert stems == {f"order_reduction_knife_edge_{x}" for x in (
        "q", "quick", "cvode_bdf", "rosenbrock4")}
    assert len(left_out) == 1
    assert re.match(r"order_reduction_knife_edge_slow omitted: knife_edge, slow: .*\(equal steps\)",
                    left_out[0])
    overview = bench.plot_order_reduction(tmp_path)
    assert "equal steps: slow" in overview.get_suptitle()
    assert "slow [5]" not in {axis.get_title() for axis in overview.axes}


# --- invalid files


@pytest.mark.parametrize(("content", "said"), [
    ("", "friction.json: not JSON"), ("{", "friction.json: not JSON"), ("[" * 100_000, "friction.json: not JSON"),
    ("{}", "friction.json: has no study"), ("[]", "friction.json: the whole must be an object, not []"),
    ("null", "the whole must be an object"), ('{"study": 3}', "study must be a text, not 3"),
    ('{"study": "x", "series": {}}', "series must be a list, not {}"),
    ('{"study": "x", "series": [], "system": {"name": "x", "parameters": {"m": "1"}}}',
     'system.parameters.m must be a number, not "1"')])
def test_an_invalid_friction_json_is_refused(good: Path, tmp_path: Path, content: str,
                                                  said: str) -> None:
    made_friction.made(tmp_path / "falls")
    (tmp_path / "falls" / "friction.json").write_text(content, encoding="utf-8")
    with pytest.raises(AnalysisError) as refused:
        open_friction(tmp_path / "falls")
    assert said in str(refused.value)
    problems = write_report([tmp_path / "falls", good], tmp_path / "out")
    assert len(problems) == 1 and said in problems[0]
    assert said.split(" ")[0] in index_of(tmp_path / "out")
    assert 'href="falls.html"' not in index_of(tmp_path / "out")
    assert 'href="tiny.html"' in index_of(tmp_path / "out")


@pytest.mark.parametrize(("judged", "said"), [
    ("{", "the column result is not JSON"), ("[1]", "the column result must be an object, not [1]"),
    (b"\xff", "the column result is not JSON")])
def test_an_invalid_verdict_is_refused_with_its_file(tmp_path: Path, judged: str | bytes,
                                                     said: str) -> None:
    store = made_store.tiny(tmp_path / "tiny")
    with sqlite3.connect(store / "results.db") as db:
        db.execute("UPDATE study SET result = ?", (judged,))
    with pytest.raises(AnalysisError) as refused:
        analysis.load(store)
    assert str(refused.value).startswith(f"{store / 'results.db'}: ") and said in str(refused.value)


def results_of_every_kind(root: Path) -> dict[str, Path]:
    found = {"study": made_store.tiny(root / "study"), "friction": made_friction.made(root / "friction")}
    (root / "benchmark").mkdir()
    made_bench.write(root / "benchmark", made_bench.cost_count())
    return found | {"benchmark": root / "benchmark"}


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_truncated_file_is_reported_and_other_results_are_shown(
        good: Path, tmp_path: Path, kind: str, share: float) -> None:
    folder = results_of_every_kind(tmp_path / "all")[kind]
    assert kind_in(folder) is KINDS[kind]
    file = folder / KINDS[kind].file
    content = file.read_bytes()
    file.write_bytes(content[:int(share * len(content))] + b"\xff\n")
    problems = write_report([folder, good], tmp_path / "out")
    assert len(problems) == 1 and str(folder) in problems[0], problems
    assert "(" not in problems[0].split(":")[0] and "Error" not in problems[0], "an expected error, as a message"
    assert 'href="tiny.html"' in index_of(tmp_path / "out")
    assert "Not shown" in index_of(tmp_path / "out")


def test_an_internal_error_does_not_affect_other_results(good: Path, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    made_bench.write(tmp_path, made_bench.cost_count())
    (tmp_path / "out").mkdir()
    stale = tmp_path / "out" / f"{tmp_path.name}.html"
    stale.write_text("of an earlier report", encoding="utf-8")

    def broken(*arguments: object) -> None:
        raise KeyError("series")

    monkeypatch.setattr(write, "page_of", broken)
    problem, = write_report([tmp_path, good], tmp_path / "out")
    assert problem.startswith(f"{tmp_path}: KeyError: 'series' (write.py:"), problem
    assert not stale.exists() and 'href="tiny.html"' in index_of(tmp_path / "out")


# --- a folder with another kind of result


def test_the_message_names_the_reader_of_another_kind(tmp_path: Path) -> None:
    folders = results_of_every_kind(tmp_path / "all")
    for kind, words in {"benchmark": ("benchmark", "`rigidlimit run`"),
                        "friction": ("open_friction", "`scripts/plot friction`")}.items():
        with pytest.raises(AnalysisError) as refused:
            analysis.load(folders[kind])
        assert all(word in str(refused.value) for word in words), kind
    for read in (analysis.work_precision_data, analysis.open_friction):
        with pytest.raises(AnalysisError, match="`rigidlimit run`.* open_study"):
            read(folders["study"])


def test_solves_of_a_friction_study_are_not_a_study(tmp_path: Path) -> None:
    """The program uses the name results.db for both."""
    made_friction.made(tmp_path)
    made_store.Maker(tmp_path).finish("falls", {"study": "falls"}, "")
    with pytest.raises(AnalysisError, match="open_friction"):
        analysis.load(tmp_path)
