"""Motions and figures of a result are those of the package analysis, and need a store."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
from program import ROOT

pytest.importorskip("pandas")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from rigidlimit import analysis  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

STUDY = rl.Study({"name": "knife_edge"}, name="sample", initial={"v": [0.7, 0.0, 1.3]}, time={"end": 1.0},
                 contact={"stiffness": 1.0}, epsilon=rl.geometric(1e-2, 1e-3, 3))
COMPLIANT = {"kind": "compliant", "epsilon": 1e-3}
ROLLING = ["convergence", "layer", "pair", "energy", "drift", "work"]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> rl.Result:
    return STUDY.run(results=tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def friction(tmp_path_factory: pytest.TempPathFactory) -> rl.Result:
    return rl.Study.load(ROOT / "experiments/friction/ball_rolls.toml").run(results=tmp_path_factory.mktemp("results"))


@pytest.mark.parametrize("which", [COMPLIANT, {**COMPLIANT, "tighter": True}, {"kind": "rigid", "solver": "ida"}])
def test_a_motion_has_the_arrays_of_analysis(result: rl.Result, which: dict[str, Any]) -> None:
    assert result.store is not None
    found, expected = result.motion(**which), analysis.open_result(result.store.parent).motion(**which)
    assert found.times.tobytes() == expected.times.tobytes() and found.samples.keys() == expected.samples.keys()
    for name, values in expected.samples.items():
        assert found[name].tobytes() == values.tobytes() and found[name].shape == values.shape, name
    assert found.v.shape == (3, len(found.times)) and np.isfinite(found.v).all()
    assert len(repr(found)) < 300, "no arrays"
    assert not np.array_equal(found.v, result.motion("compliant", epsilon=1e-2).v), "negative control"


@pytest.mark.parametrize("name", ROLLING)
def test_a_figure_of_rolling_has_the_axes_of_analysis(result: rl.Result, name: str) -> None:
    figure = getattr(result, f"plot_{name}")()
    expected = getattr(analysis, f"plot_{name}")(result.store)
    assert isinstance(figure, Figure) and figure.axes
    assert [axis.get_title() for axis in figure.axes] == [axis.get_title() for axis in expected.axes]
    assert [len(axis.lines) for axis in figure.axes] == [len(axis.lines) for axis in expected.axes]


def test_options_reach_the_figure(result: rl.Result) -> None:
    assert len(result.plot_convergence(quantities=["v"]).axes) < len(result.plot_convergence().axes)
    with pytest.raises(ValueError, match="sepia"):
        result.plot_layer(style="sepia")


def test_figures_and_motions_of_friction(friction: rl.Result) -> None:
    for figure in (friction.plot_convergence(), friction.plot_histories()):
        assert isinstance(figure, Figure) and figure.axes
    assert friction.motion("rigid").q.shape[1] == len(friction.motion("rigid").times)


def test_a_figure_that_the_kind_lacks_is_refused(result: rl.Result, friction: rl.Result) -> None:
    from rigidlimit.analysis import AnalysisError

    for refused in (friction.plot_pair, result.plot_histories, result.plot_work_precision, result.plot_damping_map):
        with pytest.raises(AnalysisError, match="results.db|sample"):
            refused()


def test_a_sweep_has_motions_of_its_points_and_one_figure_of_all(tmp_path: Path) -> None:
    sweep = STUDY.with_(sweep={"contact": {"damping_ratio": [0.5, 1.0]}}).run(results=tmp_path)
    half, whole = (sweep.motion("compliant", epsilon=1e-3, damping_ratio=ratio) for ratio in (0.5, 1.0))
    assert not np.array_equal(half.v, whole.v)
    assert sweep.plot_convergence().axes and len(sweep.points) == 2
    assert analysis.open_result(tmp_path / "sample").at({"contact.damping_ratio": 0.5}).motion(
        **COMPLIANT).v.tobytes() == half.v.tobytes()


def test_a_benchmark_has_its_figure(tmp_path: Path) -> None:
    benchmark = rl.Study.load(ROOT / "experiments/benchmarks/classical_work_precision.toml", [
        'problem=[{classical = "kaps"}]', "timing.repeats=0", "tolerance.rtol=[1e-4, 1e-6]"]).run(results=tmp_path)
    assert benchmark.plot_work_precision().axes
    with pytest.raises(ValueError, match="a benchmark has no motions"):
        benchmark.motion("rigid")


def test_every_figure_of_one_result_is_a_method() -> None:
    of_others = {"plot_friction_convergence",  # plot_convergence is it, by kind
                 "plot_expansion",  # of the terms that `rigidlimit expand` writes
                 "plot_methods", "plot_rigid_histories", "plot_trajectories"}  # of scripts/guests impacts; of several studies
    offered = {name for name in analysis.__all__ if name.startswith("plot_")}
    assert {name for name in dir(rl.Result) if name.startswith("plot_")} == offered - of_others


@pytest.mark.parametrize("read", [lambda r: r.motion("rigid"), lambda r: r.plot_pair(), lambda r: r.directory])
def test_without_a_store_it_is_an_input_error(read: Any) -> None:
    kept_nothing = STUDY.run(results=None)
    assert kept_nothing.store is None
    with pytest.raises(rl.InputError, match="sample: this run kept no store"):
        read(kept_nothing)
    assert kept_nothing.plot_convergence().axes, "the table of errors suffices"


def test_a_store_that_holds_another_study_is_refused(tmp_path: Path) -> None:
    first = STUDY.run(results=tmp_path)
    other = STUDY.with_(time={"end": 0.5}).run(results=tmp_path)
    with pytest.raises(rl.InputError, match="replaced by a run with other keys"):
        first.motion(**COMPLIANT)
    assert other.motion(**COMPLIANT).times[-1] == 0.5


def test_the_store_is_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = STUDY.run()
    monkeypatch.chdir("/")
    assert found.motion(**COMPLIANT).times[-1] == 1.0


def test_the_import_loads_neither_pandas_nor_matplotlib() -> None:
    text = ("import sys, rigidlimit, rigidlimit.analysis; rigidlimit.Study;"
            "print(sorted({'pandas', 'matplotlib'} & set(sys.modules)));"
            "rigidlimit.analysis.open_result; rigidlimit.Result; print('pandas' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "False"]


def test_without_matplotlib_the_command_that_installs_it_is_told(result: rl.Result) -> None:
    text = (f"import sys; sys.modules['matplotlib'] = None; import rigidlimit as rl\n"
            f"study = rl.Study.loads({STUDY.resolved!r})\n"
            f"study.run(results={str(result.store.parent.parent)!r}).plot_pair()")  # type: ignore[union-attr]
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert "pip install 'rigidlimit[plot]'" in done.stderr.splitlines()[-1], done.stderr


def test_the_installed_package_has_the_templates_of_pages() -> None:
    folder = files("rigidlimit.analysis.report") / "templates"
    assert {"base.html.j2", "style.css", "sort.js", "points.js"} <= {file.name for file in folder.iterdir()}
