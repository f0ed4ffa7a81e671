"""Each point of a sweep equals the single study with its values, and points are not confused. The program
writes the stores."""

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rigidlimit import analysis
import made_friction
from rigidlimit.analysis import AnalysisError, catalogue, friction
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis.report import write_report
from rigidlimit.analysis.sweep import Sweep, keys_in, sweep_from
from programs import PROGRAM, ROOT

RATIOS = [0.5, 1.0, 2.0]
KEY = "contact.damping_ratio"
SHORT = ["--set", "epsilon.from=1e-2", "--set", "epsilon.to=1e-4", "--set", "epsilon.count=3", "--quiet"]
SWEEP = Sweep(("contact.damping_ratio", "time.end"), ("contact_damping_ratio", "time_end"),
              ((0.5, 1.0), (0.5, 2.0), (1.0, 1.0), (1.0, 2.0)))


def run(file: str, results: Path, *options: str) -> None:
    if not PROGRAM.exists():
        pytest.skip("the program is not built (scripts/test builds it)")
    said = subprocess.run([PROGRAM, "run", ROOT / file, "--results", results, *SHORT, *options],
                          check=False, capture_output=True, text=True, timeout=120)
    assert said.returncode in (0, 1), said.stderr


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sweeps over the damping ratio of a study and of a friction study, and the single studies of one point."""
    found = tmp_path_factory.mktemp("results")
    for file, name in (("experiments/convergence/knife_edge.toml", "smooth"),
                       ("experiments/friction/wheel_slip_to_roll.toml", "friction")):
        run(file, found, "--jobs", "2", "--set", f'study.name="{name}"', "--set", f"sweep.{KEY}={RATIOS}")
        run(file, found, "--set", f'study.name="{name}_one"', "--set", f"{KEY}=2")
    return found


def test_a_point_equals_the_single_study(results: Path) -> None:
    """Table and motions are equal to the last bit, because the solves are the same.

    Rigid solves have no damping: those of all points are listed, with the samples that the ringing contact of the first
    needs.
    """
    point = analysis.open_result(results / "smooth").at({KEY: 2.0})
    one = analysis.open_result(results / "smooth_one")
    pd.testing.assert_frame_equal(point.table.drop(columns="study"), one.table.drop(columns="study"))
    def keys(result: Any, rigid: bool) -> set[str]:
        return set(result.solves[result.solves["kind"].str.startswith("rigid") == rigid]["key"])

    assert keys(point, rigid=False) == keys(one, rigid=False), "tighter solves too"
    assert keys(point, rigid=True) > keys(one, rigid=True) != set()
    for epsilon in one.epsilons():
        found, wanted = (x.motion("compliant", solver="cvode_bdf", epsilon=epsilon) for x in (point, one))
        assert np.array_equal(found.q, wanted.q) and np.array_equal(found.times, wanted.times)
    other = analysis.open_result(results / "smooth").at({KEY: 1.0})
    assert not set(point.solves[point.solves["kind"] == "compliant"]["key"]) & set(other.solves["key"])


def test_a_table_without_rows_keeps_its_columns_at_a_point() -> None:
    empty = pd.DataFrame({"time_end": [], "contact_damping_ratio": [], "norm": []})
    found = SWEEP.rows_at(empty, (0.5, 2.0))
    assert list(found.columns) == ["norm"] and found.empty
    full = pd.DataFrame({"time_end": [2.0, 1.0], "contact_damping_ratio": [0.5, 0.5], "norm": ["sup", "l2"]})
    assert list(SWEEP.rows_at(full, (0.5, 2.0))["norm"]) == ["sup"], "negative control: with rows"


def test_a_motion_of_a_sweep_needs_its_point(results: Path) -> None:
    sweep = analysis.open_result(results / "smooth")
    assert list(sweep.points["contact_damping_ratio"]) == RATIOS and set(sweep.points) >= {"verdict", "claims", "message"}
    which = {"solver": "cvode_bdf", "epsilon": 1e-3}
    keys = [sweep.motion("compliant", **which, point={KEY: ratio}).key for ratio in RATIOS]
    assert len(set(keys)) == 3
    assert keys == [sweep.motion("compliant", **which, damping_ratio=ratio).key for ratio in RATIOS]
    for refused in (lambda: sweep.motion("compliant", epsilon=1e-3), lambda: analysis.plot_pair(sweep),
                    lambda: sweep.motion("rigid", point={KEY: 3.0}), lambda: analysis.work_data(sweep),
                    lambda: sweep.at({})):
        with pytest.raises(AnalysisError) as said:
            refused()
        assert all(f"{KEY} = {ratio:g}" in str(said.value) for ratio in RATIOS)
    with pytest.raises(AnalysisError, match="'contact.ratio' is not swept"):
        sweep.at({"contact.ratio": 1.0})


def test_convergence_has_a_curve_for_each_point(results: Path) -> None:
    """The error of v of the knife edge decreases with the damping: 3 points, 2 solvers, separate errors."""
    sweep = analysis.open_result(results / "smooth")
    data = analysis.convergence_data(sweep)
    assert len(data) == 3 * len(analysis.convergence_data(results / "smooth_one"))
    assert data["fitted"].notna().any() and set(data["contact_damping_ratio"]) == set(RATIOS)
    figure = analysis.plot_convergence(sweep)
    names = [x.get_text() for x in figure.legends[0].get_texts()]
    assert len(names) == 6 and all(sum(f": ζ = {r:g}, " in name for name in names) == 2 for r in RATIOS)
    assert "t > 0.5 s" in figure.axes[3].get_title(), "the time is in the resolved file"
    curves = {tuple(line.get_ydata()) for line in figure.axes[1].lines if line.get_label() == "_fitted"}
    assert len(curves) == 6, "curves do not coincide, and no curve joins two points"


def test_friction_is_read_by_point(results: Path) -> None:
    directory = results / "friction"
    assert set(analysis.load(directory)["contact_damping_ratio"]) == set(RATIOS)
    point = analysis.open_result(directory).at({KEY: 2.0})
    one = analysis.open_result(results / "friction_one")
    for name in ("events", "errors", "event_times"):
        pd.testing.assert_frame_equal(point.tables[name].drop(columns="study"), one.tables[name].drop(columns="study"), obj=name)
    pd.testing.assert_frame_equal(point.motions, one.motions)
    motion = analysis.open_result(directory).motion("compliant", epsilon=1e-4, damping_ratio=2.0)
    assert np.array_equal(motion.q, one.motion("compliant", epsilon=1e-4).q)
    assert not np.array_equal(motion.v, analysis.open_result(directory).motion("compliant", epsilon=1e-4, damping_ratio=1.0).v)
    assert point.parameters == one.parameters and point.labels("coordinates") == one.labels("coordinates")
    with pytest.raises(AnalysisError) as said:
        analysis.plot_histories(directory)
    assert all(f"{KEY} = {ratio:g}" in str(said.value) for ratio in RATIOS)
    series = analysis.plot_friction_convergence(directory).axes[0].containers
    single = analysis.plot_friction_convergence(results / "friction_one").axes[0].containers
    assert len(series) == 3 * len(single)


def files_of(folder: Path) -> list[Path]:
    """Its files, without the folder of the study as written."""
    return [path for path in folder.iterdir() if path.is_file()]


def test_files_of_a_single_study_and_a_sweep_do_not_hide_each_other(results: Path, tmp_path: Path
                                                                           ) -> None:
    for name in ("friction_one", "friction"):  # the sweep comes last
        for file in files_of(results / name):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    assert len(analysis.open_result(tmp_path).points) == 3
    for file in files_of(results / "friction_one"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert analysis.open_result(tmp_path).points.empty and analysis.open_result(tmp_path).name == "friction_one"


@pytest.mark.parametrize("name", ["smooth", "friction"])
def test_each_point_has_figure_files(results: Path, name: str,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["all" if name == "smooth" else "friction", str(results / name)]) == 0
    files = {Path(line).name for line in capsys.readouterr().out.splitlines()}
    of_points, of_all = (("pair", "convergence") if name == "smooth" else
                         ("histories", "friction_convergence"))
    assert {f"{of_points}_{KEY.replace('.', '_')}_{ratio:g}.png" for ratio in RATIOS} <= files
    assert f"{of_all}.png" in files and f"{of_points}.png" not in files


def test_the_page_of_a_sweep_can_be_mailed(tmp_path: Path) -> None:
    """At most 3 MB with five points, two solvers and thirteen epsilons. The files beside the page are larger, so that
    a page with all of them inside would not pass."""
    run("experiments/convergence/knife_edge.toml", tmp_path, "--set", f"sweep.{KEY}=[0.25, 0.5, 1, 2, 4]",
        "--set", "epsilon.from=1e-1", "--set", "epsilon.count=13")
    assert write_report([tmp_path / "knife_edge"], tmp_path / "out", jobs=2) == []
    page = tmp_path / "out" / "knife_edge.html"
    assert 3e5 < page.stat().st_size < 3e6
    assert page.read_text(encoding="utf-8").count("<img") > 2 * 15, "layer, pair, energy and work of the points, twice"
    beside = [path for path in (tmp_path / "out" / "knife_edge").iterdir() if path.suffix in (".svg", ".csv")]
    assert sum(path.stat().st_size for path in beside) > 6e6


@pytest.mark.parametrize("name", ["smooth", "friction"])
def test_the_report_page_has_a_column_for_points(results: Path, tmp_path: Path, name: str,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "FIGURES", {"convergence": catalogue.FIGURES["convergence"]})
    monkeypatch.setattr(friction, "SLIP_FIGURES", {})  # drawn above
    monkeypatch.setattr("rigidlimit.analysis.report.result_page.DRAWINGS", ())
    from rigidlimit.analysis.report.write import write_one
    page = tmp_path / f"{name}.html"
    entry = write_one(results / name, "rolling" if name == "smooth" else "friction", page)
    assert not isinstance(entry, str), entry
    text = page.read_text(encoding="utf-8")
    heads = [re.sub("<[^>]*>", "", x).strip() for x in re.findall(r"<th[^>]*>(.*?)</th>", text, re.DOTALL)]
    assert heads.count(KEY.rsplit(".")[-1]) >= 3, "points, orders, claims or bounds, ..."
    assert "nan" not in re.sub(r"<[^>]*>", "", text).split()


def test_the_python_code_of_the_page_runs(results: Path) -> None:
    page = (ROOT / "docs/figures.md").read_text(encoding="utf-8")
    block = re.search(r"```py\n(.*?)```", page, re.DOTALL)[1]
    for name, here in (("results/knife_edge_sweep", results / "smooth"), ("results/wheel_sweep", results / "friction")):
        assert name in block
        block = block.replace(name, str(here))
    found: dict[str, object] = {}
    exec(compile(block.replace('"system.radius": 0.1', f'"{KEY}": 0.5'), "figures.md", "exec"), found)  # noqa: S102
    assert found["sweep"].points["contact_damping_ratio"][0] == 0.5  # type: ignore[attr-defined]


# --- Without a program


def test_a_point_is_found_by_sufficient_keys() -> None:
    assert SWEEP.find({"contact.damping_ratio": 0.5, "time.end": 2}, "x") == (0.5, 2.0)
    assert SWEEP.find({"contact_damping_ratio": 0.5 * (1.0 + 1e-12), "time_end": 1.0}, "x") == (0.5, 1.0)
    with pytest.raises(AnalysisError, match="2 points have .*the points are time.end = 1; time.end = 2$"):
        SWEEP.find({"contact.damping_ratio": 1.0}, "x")
    with pytest.raises(AnalysisError, match="no point has"):
        SWEEP.find({"contact.damping_ratio": 1.0, "time.end": 1.0 + 1e-6}, "x")


def test_records_of_a_point_are_found_at_any_depth() -> None:
    document = {"rows": [{"swept": {"contact_damping_ratio": r, "time_end": e}, "x": r * e}
                         for r, e in SWEEP.points], "inner": {"all": [1, 2]}}
    assert SWEEP.records_at(document, (1.0, 2.0)) == {"rows": [{"x": 2.0}], "inner": {"all": [1, 2]}}
    settings = {"contact": {"law": "viscous"}, "time": {"end": 9.0, "samples": 3}, "sweep": {}}
    assert SWEEP.resolved_at(settings, (1.0, 2.0)) == {
        "contact": {"law": "viscous", "damping_ratio": 1.0}, "time": {"end": 2.0, "samples": 3}}
    assert settings["time"]["end"] == 9.0, "the file of the sweep is unchanged"


def test_keys_are_normalised_to_dotted_form() -> None:
    assert keys_in({"contact": {"damping_ratio": [1]}, "time.end": [1, 2]}) == [
        "contact.damping_ratio", "time.end"]
    assert keys_in({"time": {"end": {"from": 1.0, "to": 2.0, "count": 2}}}) == ["time.end"]
    assert sweep_from([], {"points": []}) is None and sweep_from([], {}) is None


def test_a_single_study_has_no_points(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="point"):
        analysis.open_result(made_friction.made(tmp_path / "falls")).at({KEY: 1.0})
