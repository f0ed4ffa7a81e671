"""The figure of modes shows the table of modes of a sweep."""

from pathlib import Path

import numpy as np
import pytest

from rigidlimit.analysis import AnalysisError, friction_modes
from rigidlimit.analysis.friction_store import FrictionResult
import made_modes
from made_modes import COLUMNS


@pytest.fixture
def groove(tmp_path: Path) -> FrictionResult:
    return made_modes.groove(tmp_path)


def test_a_point_has_the_last_modes_at_the_smallest_epsilon(groove: FrictionResult) -> None:
    data = friction_modes.modes_data(groove)
    assert len(data) == 24
    assert set(data[data["system_friction_left"] == 0.02]["rigid"]) == {"stick,slip"}
    assert set(data["compliant"]) == {"slip,slip", "stick,stick"}, "free,free belongs to a larger epsilon"
    assert set(data[data["several_solutions"]]["system_friction_left"]) == {0.05}


def test_axes_follow_the_swept_values(groove: FrictionResult) -> None:
    data = friction_modes.modes_data(groove)
    axis = friction_modes.axes_of(data, list(COLUMNS))
    assert axis == friction_modes.Axis("system_friction_left", "system_half_angle", ("system_slope",), ("start",))
    with pytest.raises(AnalysisError, match="two swept numbers"):
        friction_modes.axes_of(data, list(COLUMNS[:3]))  # both frictions change together: one number


def test_cells_have_the_right_places(groove: FrictionResult) -> None:
    data = friction_modes.modes_data(groove)
    axis = friction_modes.axes_of(data, list(COLUMNS))
    rows = friction_modes.chosen(data, {"start": "rest", "system_slope": 0.1})
    xs, ys, numbers = friction_modes.cells(rows, axis, ["stick,stick", "slip,slip"])
    assert list(xs) == [0.02, 0.05, 0.2] and list(ys) == [0.4, 0.8]
    assert numbers.tolist() == [[1, 1, 0], [1, 1, 0]]
    rows = rows.assign(compliant="")
    assert np.isnan(friction_modes.cells(rows, axis, [])[2]).all(), "no motion, no colour"


def test_rigid_motions_that_differ_are_marked(groove: FrictionResult) -> None:
    figure = friction_modes.plot_modes(groove)
    marks = [x for x in figure.axes[0].lines if x.get_label() == "_sign"]
    assert [x.get_marker() for x in marks] == ["x", "."]
    assert set(marks[0].get_xdata()) == {0} and set(marks[1].get_xdata()) == {1}
    assert len(figure.axes) == 4, "two starts × two slopes"
