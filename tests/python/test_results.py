"""A result of a run and the same result from its store are one class, with equal tables, claims and texts."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import rigidlimit as rl
from program import ROOT
from rigidlimit.analysis import AnalysisError, open_result

pandas = pytest.importorskip("pandas")
equal = pandas.testing.assert_frame_equal

ROLLING = rl.Study({"name": "knife_edge"}, name="sample", initial={"v": [0.7, 0.0, 1.3]}, time={"end": 1.0},
                   contact={"stiffness": 1.0}, epsilon=rl.geometric(1e-2, 1e-3, 4),
                   expect=[{"quantity": "q", "order": 2.0}])
STUDIES = {
    "rolling": ROLLING,
    "friction": rl.Study.load(ROOT / "experiments/friction/ball_rolls.toml"),
    "sweep": ROLLING.with_(sweep={"contact": {"damping_ratio": [0.5, 1.0]}}),
    "benchmark": rl.Study.load(ROOT / "experiments/benchmarks/classical_work_precision.toml", [
        'problem=[{classical = "kaps"}]', "timing.repeats=0", "tolerance.rtol=[1e-4, 1e-6]"])}
RECORDS = {"runs", "solves", "findings"}
FORMATS = ["table", "csv", "markdown", "latex", "html"]


@pytest.fixture(scope="module", params=STUDIES)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[rl.Result, rl.Result]:
    run = STUDIES[request.param].run(results=tmp_path_factory.mktemp("results"), progress=None)
    return run, open_result(run.store)


def test_every_table_of_a_store_is_that_of_the_run(pair: tuple[rl.Result, rl.Result]) -> None:
    run, stored = pair
    without = rl.Study.loads(run.resolved).run(results=None, progress=None)
    assert isinstance(stored.tables, Mapping) and RECORDS <= set(stored.tables) <= set(run.tables)
    for name in stored.tables:
        equal(run.tables[name], stored.tables[name], obj=name)
        if name not in RECORDS:
            equal(without.tables[name], stored.tables[name], obj=name)
    assert len(stored.tables) > 4 and not RECORDS & set(without.tables)


def test_claims_points_and_texts_are_those_of_the_run(pair: tuple[rl.Result, rl.Result], tmp_path: Path) -> None:
    run, stored = pair
    for name in ("claims", "verdicts", "points"):
        equal(getattr(run, name), getattr(stored, name), obj=name)
    assert list(run.claims.columns) == [*run.columns, "name", "group", "held", "message"]
    for name in ("name", "kind", "resolved", "store", "held", "interrupted", "verdict"):
        assert getattr(run, name) == getattr(stored, name), name
    assert {**run.document, "errors": 0} == {**stored.document, "errors": 0} and "errors" not in stored.document
    assert repr(run) == repr(stored) and isinstance(run, rl.Result) and type(run) is type(stored)
    assert [run.text(one) for one in FORMATS] == [stored.text(one) for one in FORMATS]
    assert (stored.computed, stored.reused, stored.missing) == (None, None, None) and run.missing == 0
    run.write(tmp_path / "run")
    stored.write(tmp_path / "stored")
    for file in (tmp_path / "run").glob("[!.]*"):
        assert (tmp_path / "stored" / file.name).is_file(), file.name
    for one, other in zip(run.each_point(), stored.each_point(), strict=True):
        assert (one.name, one.held, one.verdict) == (other.name, other.held, other.verdict)
        for name in other.tables:
            equal(one.tables[name], other.tables[name], obj=name)


def test_a_point_has_its_rows_and_no_report(tmp_path: Path) -> None:
    run = STUDIES["sweep"].run(results=tmp_path, progress=None)
    half = run.at({"contact.damping_ratio": 0.5})
    assert len(half.table) == len(run.table) // 2 and "contact_damping_ratio" not in half.table
    assert half.held and not half.interrupted and half.settings["contact"]["damping_ratio"] == 0.5
    with pytest.raises(AnalysisError, match="no report of sample, contact.damping_ratio = 0.5"):
        half.text()


def test_an_unknown_table_names_the_known_ones(pair: tuple[rl.Result, rl.Result]) -> None:
    for result in pair:
        with pytest.raises(AnalysisError, match="no table 'colours', only runs, solves, findings, errors") as error:
            result.tables["colours"]
        assert isinstance(error.value, KeyError) and result.tables.get("colours") is None
        with pytest.raises(TypeError):
            result.tables["colours"] = 1  # type: ignore[index]


def test_a_report_that_is_missing_names_the_command(tmp_path: Path) -> None:
    run = ROLLING.run(results=tmp_path, progress=None, write=False)
    with pytest.raises(AnalysisError, match="result.txt.*`rigidlimit run .* makes it again"):
        open_result(run.store).text()


def test_a_run_needs_numpy_alone_until_a_table_is_asked(tmp_path: Path) -> None:
    code = (f"import sys; sys.modules['pandas'] = sys.modules['matplotlib'] = None; import rigidlimit as rl\n"
            f"found = rl.Study.loads({ROLLING.resolved!r}).run(results={os.fspath(tmp_path)!r}, progress=None)\n"
            f"print(found.held, found, list(found.tables)[3], len(found.text()) > 9, '<' in found._repr_html_())\n"
            f"found.table")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "<Result", "sample:", "held,", "1", "of", "1", "expectations>",
                                   "errors", "True", "True"], done.stderr
    assert "pandas is not installed: pip install 'rigidlimit[plot]'" in done.stderr.splitlines()[-1]
