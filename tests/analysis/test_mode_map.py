"""The mode map shows the data of modes.csv."""

import math
from pathlib import Path

import numpy as np
import pytest

from analysis import AnalysisError, mode_map
from analysis import __main__ as command

HEADER = ("study,start,slope,half_angle,friction_left,friction_right,unloaded_threshold,"
          "wedged_threshold,rigid_outcome,rigid,rigid_notes,compliant_outcome,compliant,first_rim,agree,"
          "rigid_events")


@pytest.fixture
def groove(tmp_path: Path) -> Path:
    """2 slopes x 2 half angles x 3 frictions from rest; the ball rolls above its threshold."""
    lines = [HEADER]
    for slope in (0.1, 0.3):
        for half_angle in (0.4, 0.8):
            threshold = math.cos(half_angle) * math.tan(slope) / (1 + 2.5 * math.cos(half_angle)**2)
            for mu in (0.02, 0.05, 0.2):
                mode = "RR" if mu >= threshold else "SS"
                rigid = mode if mu > 0.03 else "SS > RS"
                lines.append(f"groove,rest,{slope},{half_angle},{mu},{mu},{threshold},{2 * threshold},"
                             f"success,{rigid},{int(mu == 0.05)},success,{mode},nan,1,")
    lines.append("groove,slip,0.1,0.4,0.02,0.02,0.1,0.2,no_consistent_mode,,0,success,SS > SR,nan,0,")
    (tmp_path / "modes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_the_last_mode_is_shown(groove: Path) -> None:
    data = mode_map.mode_map_data(groove)
    assert set(data[data["friction_left"] == 0.02]["rigid_final"]) == {"RS", ""}
    assert data.iloc[-1]["compliant_final"] == "SR"


def test_cells_have_the_right_places(groove: Path) -> None:
    data = mode_map.mode_map_data(groove)
    rows = data[(data["start"] == "rest") & (data["slope"] == 0.3)]
    frictions, angles, numbers = mode_map.cells(rows, "compliant_final")
    assert list(frictions) == [0.02, 0.05, 0.2] and list(angles) == [0.4, 0.8]
    assert [mode_map.MODES[int(k)] for k in numbers[0]] == ["SS", "SS", "RR"]
    one = data[data["start"] == "slip"]
    assert np.isnan(mode_map.cells(one, "rigid_final")[2]).all(), "no rigid motion, no colour"


def test_borders_enclose_the_centres() -> None:
    assert mode_map.borders(np.array([1.0, 2.0, 4.0])) == pytest.approx([0.5, 1.5, 3.0, 5.0])
    assert len(mode_map.borders(np.array([3.0]))) == 2


def test_differing_rigid_modes_are_marked(groove: Path) -> None:
    figure = mode_map.plot_mode_map(groove, "rest")
    marks = [x for x in figure.axes[0].lines if x.get_label() == "_sign"]
    assert [x.get_marker() for x in marks] == ["x", "."]
    assert set(marks[0].get_xdata()) == {0.02} and set(marks[1].get_xdata()) == {0.05}
    with pytest.raises(AnalysisError, match="unknown start 'spin'"):
        mode_map.plot_mode_map(groove, "spin")


def test_an_unknown_mode_is_refused(groove: Path) -> None:
    path = groove / "modes.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("SS > SR", "SX"), encoding="utf-8")
    with pytest.raises(AnalysisError, match="unknown mode 'SX'"):
        mode_map.mode_map_data(groove)


def test_all_files_are_written(groove: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (groove / "thresholds.csv").write_text(
        "study,slope,half_angle,unloaded,wedged,rigid_slips_below,rigid_rolls_from,compliant,epsilon,"
        "complaint\ng,0.1,0.4,0.05,0.1,0.05,0.05,0.0500001,1e-3,\n", encoding="utf-8")
    (groove / "internal_forces.csv").write_text(
        "study,stiffness_ratio,epsilon,outcome,predicted,compliant,rigid,normal_left,normal_right,"
        "rim_predicted\ng,0.5,1e-3,success,1.0,1.0001,1.0,5,5,0.2\n", encoding="utf-8")
    assert mode_map.threshold_data(groove)["compliant_off"].iloc[0] == pytest.approx(2e-6)
    assert command.main(["mode_map", str(groove)]) == 0
    names = {Path(x).name for x in capsys.readouterr().out.splitlines()}
    assert {"modes_rest.png", "modes_slip.svg", "groove.pdf"} <= names
