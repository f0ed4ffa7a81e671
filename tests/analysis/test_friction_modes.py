"""The figure of modes shows the table of modes of a sweep."""

from pathlib import Path

import numpy as np
import pytest

from analysis import AnalysisError, friction_modes
from analysis.friction_store import FrictionResult, friction_result
from made_store import Maker

KEYS = ("start", "system.friction_left", "system.friction_right", "system.half_angle", "system.slope")
COLUMNS = tuple(key.replace(".", "_") for key in KEYS)


@pytest.fixture
def groove(tmp_path: Path) -> FrictionResult:
    """2 starts × 3 frictions × 2 half angles × 2 slopes: springs stick from friction = slope on, the rigid
    motion of the smallest friction has other modes, and that of 0.05 several solutions."""
    points = [(start, mu, mu, half_angle, slope) for start in ("rest", "slip") for mu in (0.02, 0.05, 0.2)
              for half_angle in (0.4, 0.8) for slope in (0.1, 0.3)]
    lines: list[list[object]] = []
    for point in points:
        mu, slope = point[1], point[4]
        ends = "stick,stick" if mu >= slope else "slip,slip"
        rigid = "stick,slip" if mu == 0.02 else ends
        lines.append(["groove", *point, "rigid", "projected", 1, "", 0, f"slip,slip > {rigid}", rigid, mu == 0.05])
        lines += [["groove", *point, "compliant", "projected", 1, "cvode_bdf", epsilon, modes, modes, False]
                  for epsilon, modes in ((1e-3, "free,free"), (1e-4, ends))]
    maker = Maker(tmp_path)
    maker.table("modes", f"study,{','.join(COLUMNS)},motion,law,tangential_power,compliant_solver,epsilon,modes,"
                "modes_at_end,several_solutions", lines)
    resolved = "[history]\n[sweep]\n" + "".join(f"{key} = []\n" for key in KEYS)
    return friction_result(maker.finish("groove", {
        "points": [{"swept": dict(zip(COLUMNS, point)), "verdict": "held"} for point in points],
        "system": {"coordinates": [], "velocities": []}}, resolved))


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
