"""Stores written by the program in this test: the data agree with its other output and with mechanics."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rigidlimit import analysis
import made_store
from rigidlimit.analysis import catalogue
from rigidlimit.analysis.store import RollingResult
from programs import PROGRAM, ROOT

EPSILONS = [1e-2, 1e-3, 1e-4]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> RollingResult:
    if not PROGRAM.exists() and "RIGIDLIMIT_PROGRAM" not in os.environ:
        pytest.skip("the program is not built (scripts/test builds it)")
    results = tmp_path_factory.mktemp("results")
    said = subprocess.run(
        [PROGRAM, "run", ROOT / "experiments/prediction/knife_edge_prediction.toml", "--results", results,
         "--quiet", "--set", f"epsilon.values={EPSILONS}"],
        check=False, capture_output=True, text=True, timeout=120)
    assert said.returncode in (0, 1), said.stderr  # three epsilons are few: exit status 1 is acceptable, too
    return analysis.open_result(results / "knife_edge_prediction")


def test_the_table_equals_table_csv(study: RollingResult) -> None:
    written = pd.read_csv(study.directory / "errors.csv")
    columns = [*made_store.ERROR_COLUMNS, "error_bar", "predicted_order"]
    assert list(study.table.columns) == list(written.columns) == columns
    for name in written.columns:
        if written[name].dtype.kind in "if":
            assert np.array_equal(written[name], study.table[name], equal_nan=True), name
        else:
            assert list(written[name]) == list(study.table[name]), name


def test_the_study_is_complete_and_has_verdicts(study: RollingResult) -> None:
    assert not study.interrupted and study.name == study.judgement["name"] == "knife_edge_prediction"
    assert study.epsilons() == EPSILONS and study.after == 0.5 and len(study.series) >= 6
    assert len(study.tables["runs"]) == 1 and study.tables["runs"]["ended"].notna().all()


def test_the_rigid_motion_equals_the_closed_form(study: RollingResult) -> None:
    """docs/theory.md, section 8, in numbers below 10 to rtol 1e-13: 1e-11 allows for error growth."""
    motion = study.motion("rigid", solver="radau_iia")
    expected = made_store.rigid_motion(motion.times)
    for name in ("q", "v", "lambda"):
        assert motion[name] == pytest.approx(expected[name], rel=0.0, abs=1e-11)
    late = made_store.rigid_motion(motion.times + 1e-9)["v"]
    assert motion.v != pytest.approx(late, rel=0.0, abs=1e-11), "a nanosecond is detected"


def test_errors_equal_those_of_the_motions(study: RollingResult) -> None:
    """The sup norm of v over all t is the peak beside the largest sample. For t exp(-t) with 12 samples per
    unit it exceeds this sample by at most (1/24)^2/2 = 8.7e-4."""
    for epsilon in EPSILONS:
        gap = study.motion("compliant", epsilon=epsilon).minus(
            study.motion("rigid", solver="radau_iia"), "v")
        row = study.table.query(f"quantity == 'v' and norm == 'sup' and window == 'all' "
                                f"and epsilon == {epsilon!r}").iloc[0]
        rise = row["model_error"] / np.abs(gap).max() - 1.0
        assert -1e-12 <= rise < 8.7e-4


def test_the_layer_converges_linearly_to_the_prediction(study: RollingResult) -> None:
    """docs/theory.md, section 4: (v - v^)/eps = prediction + O(eps); the outer term eps^2 v2 with |v2|
    below 20 gives at most 20 eps."""
    data = analysis.layer_data(study, quantities=["v"])
    for epsilon, rows in data.groupby("epsilon"):
        assert (rows["scaled"] - rows["predicted"]).abs().max() < 20.0 * epsilon
    peak = data[data["epsilon"] == EPSILONS[-1]]["predicted"].abs().max()
    assert peak == pytest.approx(0.91 / np.e, rel=2e-3), "section 9, on a grid of width 1/12"


@pytest.mark.parametrize("name", sorted(x for x, kind in catalogue.FIGURES.items() if not kind.needs))
def test_every_figure_has_data(study: RollingResult, name: str) -> None:
    figure = catalogue.FIGURES[name].plot(study)
    assert all(axis.has_data() for axis in figure.axes)
    assert not catalogue.FIGURES[name].data(study).empty
