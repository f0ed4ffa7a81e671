"""Empty, truncated or unexpected results: each gives an error with file and reason, and the other results
of a report are not affected."""

from __future__ import annotations

import math
import re
import sqlite3
from pathlib import Path
from typing import Any

import made_bench
import made_friction
import made_store
import matplotlib.pyplot as plt
import pytest

from rigidlimit import analysis
from rigidlimit.analysis import AnalysisError, bench
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis.report import result_page, write, write_report

NOT_RUN = {"error": math.nan, "observed_order": math.nan, "seconds": math.nan, "steps": 0, "rhs_evaluations": 0,
           "status": "failed", "reason": "not run", "t_reached": 0.0}


@pytest.fixture
def good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A valid benchmark, beside an invalid one."""
    monkeypatch.setattr(result_page, "DRAWINGS", [])
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
    assert "equal steps: slow." in " ".join(x.get_text() for x in overview.texts)
    assert "slow [5]" not in {axis.get_title() for axis in overview.axes}


# --- invalid files


@pytest.mark.parametrize(("content", "said"), [
    ("", "has no system"), ("{", "not JSON"), ("[" * 100_000, "not JSON"), ("[]", "must be an object, not []"),
    ('{"system": 3}', "system must be an object, not 3"),
    ('{"system": {"coordinates": {}}}', "system.coordinates must be a list, not {}"),
    ('{"system": {"coordinates": [{"name": 1}]}}', "system.coordinates[0].name must be a text, not 1")])
def test_an_invalid_judgement_of_friction_is_refused(good: Path, tmp_path: Path, content: str, said: str) -> None:
    made_friction.made(tmp_path / "falls")
    with sqlite3.connect(tmp_path / "falls" / "results.db") as db:
        db.execute("UPDATE study SET result = ?", (content,))
    with pytest.raises(AnalysisError) as refused:
        analysis.plot_histories(tmp_path / "falls")
    assert said in str(refused.value)
    problems = write_report([tmp_path / "falls", good], tmp_path / "out")
    assert len(problems) == 1 and said in problems[0]
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


@pytest.mark.parametrize("change", [
    "UPDATE curves SET data = zeroblob(length(data))", "UPDATE errors SET model_error = 0", "DELETE FROM curves",
    "UPDATE curves SET data = zeroblob(length(data)) WHERE subject = 'compliant'",
    "UPDATE errors SET model_error = 0, solver_error = 0, reference_error = 0", "UPDATE errors SET model_error = NULL",
    "UPDATE errors SET steps = 0, rhs_evaluations = 0", "UPDATE errors SET model_error = 1e-320"])
def test_a_figure_without_sizes_is_drawn_or_has_a_reason(tmp_path: Path, change: str) -> None:
    """A contact that never slides, a model without error: logarithms of 0."""
    store = made_store.tiny(tmp_path / "tiny")
    with sqlite3.connect(store / "results.db") as db:
        db.execute(change)
    db.close()
    for plot in (analysis.plot_convergence, analysis.plot_layer, analysis.plot_pair, analysis.plot_energy,
                 analysis.plot_drift, analysis.plot_work):
        try:
            figure = plot(store)
        except AnalysisError as problem:
            assert str(problem)
        else:
            figure.canvas.draw()
            plt.close(figure)


def results_of_every_kind(root: Path) -> dict[str, Path]:
    found = {"rolling": made_store.tiny(root / "rolling"), "friction": made_friction.made(root / "friction")}
    (root / "benchmark").mkdir()
    made_bench.write(root / "benchmark", made_bench.cost_count())
    return found | {"benchmark": root / "benchmark"}


@pytest.mark.parametrize(("kind", "name"), [("rolling", "results.db"), ("friction", "results.db"), ("benchmark", "errors.csv")])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_truncated_file_is_reported_and_other_results_are_shown(
        good: Path, tmp_path: Path, kind: str, name: str, share: float) -> None:
    folder = results_of_every_kind(tmp_path / "all")[kind]
    assert write.kind_of(folder) == kind
    file = folder / name
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
    (tmp_path / "out" / ".files").write_text(f"{stale.name}\n", encoding="utf-8")

    page_of = write.page_of

    def broken(directory: Path, *others: Any) -> object:
        if directory == tmp_path:
            raise KeyError("series")
        return page_of(directory, *others)

    monkeypatch.setattr(write, "page_of", broken)
    problem, = write_report([tmp_path, good], tmp_path / "out")
    assert problem.startswith(f"{tmp_path}: KeyError: 'series' ("), problem
    assert not stale.exists() and 'href="tiny.html"' in index_of(tmp_path / "out")


# --- a folder with another kind of result


def test_a_figure_refuses_another_kind_with_the_command_that_draws_it(tmp_path: Path) -> None:
    folders = results_of_every_kind(tmp_path / "all")
    for draw, kind, words in ((analysis.plot_pair, "friction", "a result of kind friction, .*plot_histories"),
                              (analysis.plot_histories, "rolling", "a result of kind rolling, "),
                              (analysis.work_precision_data, "rolling", "a result of kind rolling, not a benchmark")):
        with pytest.raises(AnalysisError, match=words):
            draw(folders[kind])
    assert analysis.plot_histories(folders["friction"]).axes, "the control"


def test_an_older_store_gives_its_schema_and_the_command(tmp_path: Path) -> None:
    folder = made_friction.made(tmp_path / "falls")
    (folder / "resolved.toml").touch()
    assert analysis.open_result(folder).kind == "friction", "the control"
    with sqlite3.connect(folder / "results.db") as db:
        db.execute("PRAGMA user_version = 0")
    with pytest.raises(AnalysisError, match=rf"{folder}/results.db: .*schema 0 of an older"):
        analysis.open_result(folder)
