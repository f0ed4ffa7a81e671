"""Figures of friction studies show the data of their files."""

import math
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import made_friction
from made_pairs import ROLLING, write_store
from rigidlimit.analysis import AnalysisError, friction_curb, friction_histories, friction_marks
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis.friction_convergence import (plot_friction_convergence, friction_convergence_data, told_apart,
                                       transitions_data)
from rigidlimit.analysis.friction_methods import methods_data
from rigidlimit.analysis import open_result


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return made_friction.made(tmp_path / "falls")


def test_the_rigid_curve_is_first_and_shapes_are_right(study: Path) -> None:
    opened = open_result(study)
    assert list(opened.motions["epsilon"].drop_duplicates()) == [0.0, 1e-2, 1e-3]
    assert opened.rigid.q.shape == (3, 41) and opened.rigid.v.shape == (3, 41)
    rigid, slow = opened.motion("rigid"), opened.motion("compliant", epsilon=1e-3)
    assert np.isnan(rigid.epsilon) and (rigid.q - slow.q)[1, -1] == pytest.approx(1e-3), "it lags by epsilon"
    with pytest.raises(AnalysisError, match=r"2 compliant motions fit; they differ in epsilon \(0.01, 0.001\)"):
        opened.motion("compliant")
    assert open_result(study).labels("velocities") == ["x' [m/s]", "y' [m/s]", "phi' [rad/s]"]
    assert [c.epsilon for c in open_result(study).compliant(1)] == [1e-2], "the largest epsilons differ most"


def test_a_jump_is_drawn_at_its_event(study: Path) -> None:
    """Both one-sided limits at the event, in this order, although it has no sample."""
    opened = open_result(study)
    t, v = friction_histories.with_jumps(opened.rigid, opened.events, 1)
    at = np.flatnonzero(t == made_friction.FALL)
    assert list(np.diff(at)) == [1] * (len(at) - 1) and v[at[0]] == -3.0 and v[at[1]] == 0.0
    assert np.all(np.diff(t) >= 0.0)
    t, _ = friction_histories.with_jumps(opened.compliant()[0], opened.events, 1)
    assert len(t) == 41, "a compliant motion has no jump"


def test_positions_equal_the_samples_at_equal_times(study: Path) -> None:
    """11 of 41 samples, every fourth: no interpolation, only the round-off of one sum."""
    places = friction_curb.wheel_positions_data(study, 11)
    assert np.diff(places["t"]) == pytest.approx(np.full(10, 0.1))
    expected = made_friction.height(places["t"].to_numpy())
    assert places["y"].to_numpy() == pytest.approx(expected, abs=1e-12)


def test_the_path_keeps_its_corners(study: Path) -> None:
    opened = open_result(study)
    path = friction_curb.path_of(opened.rigid, opened.events)
    assert path.shape == (2, 41 + 2) and path[1].min() == 0.1


def test_rapid_impacts_of_one_contact_share_a_mark(study: Path) -> None:
    events = open_result(study).events
    assert len(events) == 2 and len(friction_marks.shown_events(events, 1.0)) == 1
    assert len(friction_marks.shown_events(events, 0.01)) == 2, "far apart on a short axis"
    assert len(friction_marks.shown_events(events.assign(contacts=["floor", "wall"]), 1.0)) == 2


def test_errors_have_bars_orders_and_expectations(study: Path) -> None:
    data = friction_convergence_data(study)
    assert set(data["measure"]) == {"q sup all", "v sup all"}, "l2 has no expectation"
    q = data[data["measure"] == "q sup all"]
    assert list(q["order_expected"]) == [1.0, 1.0] and list(q["order_fitted"]) == [1.0, 1.0]
    assert all(math.isnan(x) for x in q["error_bar"]), "unknown if one of the three is unknown"
    v = data[data["measure"] == "v sup all"]
    assert set(v["expected"]) == {"no convergence"} and v["order_expected"].isna().all()


def test_slope_and_hollow_points_are_drawn(study: Path) -> None:
    axis = plot_friction_convergence(study).axes[0]
    assert axis.get_xlabel() == r"$\varepsilon$" and axis.get_title() == "$q$ [m, rad]"
    slope = next(x for x in axis.lines if x.get_label() == "_slope")
    x, y = slope.get_data()
    assert np.log(y[1] / y[0]) / np.log(x[1] / x[0]) == pytest.approx(1.0)
    faces = {c.lines[0].get_markerfacecolor() for c in axis.containers if len(c.lines[0].get_xdata())}
    assert len(faces) == 2, "evidence is filled, other points are hollow"


def test_transitions_give_differences_in_time(study: Path) -> None:
    assert list(transitions_data(study)["difference"]) == [0.005, 0.0005]
    with sqlite3.connect(study / "results.db") as db:
        db.execute("UPDATE event_times SET difference = NULL")
    with pytest.raises(AnalysisError, match="no event"):
        transitions_data(study)


def test_coinciding_events_do_not_compress_the_others(study: Path) -> None:
    data = transitions_data(study)
    tiny = data.assign(event=1, difference=data["difference"] * 1e-7)
    assert told_apart(pd.concat([data, tiny])) == ([0], {1: pytest.approx(5e-10)})
    assert told_apart(tiny) == ([1], {})


def test_similar_histories_have_a_row_of_differences(tmp_path: Path) -> None:
    """made_friction: y lags by epsilon after the impact, 0.01 of a range of 0.45; v is equal. Each has a row
    of differences; with 0.2 instead of 0.01 the curves of q are distinct, those of v are not."""
    study = open_result(made_friction.made(tmp_path / "falls"))
    t, found = friction_histories.difference(study.compliant()[0], study.rigid, "q", 1)
    assert found == pytest.approx(np.where(t > made_friction.FALL, -1e-2, 0.0), abs=1e-15)
    alike = [friction_histories.look_alike(study.compliant(), study.rigid, x, 1) for x in "qv"]
    assert alike == [False, True], "1e-2 is more than 1 % of 0.45, 0 is not"
    figure = friction_histories.plot_histories(study)
    drawn = [line for axis in figure.axes for line in axis.lines if line.get_label() == "_difference"]
    assert len(figure.axes) == 4 and len(drawn) == 2 * 2, "one component moves; two epsilons"
    study.motions.loc[study.motions["law"] != "rigid", "v2"] += 1.0
    assert len(friction_histories.plot_histories(study).axes) == 2, "negative control: no histories look alike"


def test_files_are_written_and_missing_figures_omitted(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ball = made_friction.made(tmp_path / "ball", system="bouncing_ball")
    assert command.main(["friction", str(ball)]) == 0
    out, err = capsys.readouterr()
    names = {Path(x).name for x in out.splitlines()}
    assert {"histories.png", "histories.csv", "friction_convergence.svg", "transitions.pdf"} <= names
    assert "wheel.png" not in names and "wheel omitted: " in err
    assert command.main(["friction", str(ball), "--style", "both"]) == 0
    assert capsys.readouterr().err.count("omitted") == err.count("omitted"), "once for both styles"


def test_two_rigid_motions_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = (made_friction.made(tmp_path / name) for name in "ab")
    out = tmp_path / "both"
    assert command.main(["friction_compare", str(a), str(b), "-o", str(out)]) == 0
    assert (out / "trajectories.png").read_bytes().startswith(b"\x89PNG")
    assert (out / "velocities.svg").is_file()
    assert command.main(["friction_compare", str(a), str(b), "-o", str(out), "--names", "one"]) == 2
    ball = made_friction.made(tmp_path / "ball", system="bouncing_ball")
    assert command.main(["friction_compare", str(a), str(ball), "-o", str(out)]) == 2
    assert "different systems" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["results.db", "motions.csv"])
def test_a_missing_file_is_named(study: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (study / name).unlink()
    assert command.main(["friction", str(study)]) == (2 if name == "results.db" else 0)
    assert f"{study / name}: no such file; `rigidlimit run EXPERIMENT.toml` makes it again" in capsys.readouterr().err


def test_a_missing_column_is_named(study: Path) -> None:
    text = (study / "motions.csv").read_text(encoding="utf-8")
    (study / "motions.csv").write_text(text.replace("solver", "method", 1), encoding="utf-8")
    with pytest.raises(AnalysisError, match="no column 'solver'"):
        open_result(study).motion("rigid")
    assert len(open_result(study).events) == 2, "the tables do not need motions.csv"


def test_methods_are_read_with_their_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "comparison.csv").write_text(
        "what,by hand,Siconos h = 0.001 minus by hand,Siconos h = 0.0001 minus by hand\n"
        "impact floor,0.5,1e-3,1e-4\nx at the end,2.0,-2e-3,nan\n", encoding="utf-8")
    data = methods_data(tmp_path)
    assert list(data["step"]) == [1e-3, 1e-3, 1e-4, 1e-4]
    assert set(data["method"]) == {"Siconos"} and set(data["first"]) == {"by hand"}
    assert command.main(["friction_methods", str(tmp_path)]) == 0
    assert (tmp_path / "methods.png").is_file()
    (tmp_path / "comparison.csv").unlink()
    assert command.main(["friction_methods", str(tmp_path)]) == 2
    assert "scripts/guests impacts" in capsys.readouterr().err


def test_claims_and_expected_orders_are_one_table(tmp_path: Path) -> None:
    claims = [{"name": "events impact floor", "group": "claims", "held": False, "message": "found stick floor"}]
    found = open_result(made_friction.made(tmp_path / "falls", more={"claims": claims, "held": False}))
    assert found.held is False and found.points.empty
    assert list(found.claims["held"]) == [True, True, False]
    assert list(found.claims["group"]) == ["expectations", "expectations", "claims"]
    assert found.claims["name"].iloc[-1] == "events impact floor"
    assert found.claims["message"].iloc[-1] == "found stick floor"
    with pytest.raises(AnalysisError, match="no table 'modes', only .*events"):
        found.tables["modes"]


def test_a_figure_of_another_kind_is_refused_with_one_that_the_result_has(tmp_path: Path) -> None:
    rolling = write_store(tmp_path / "pairs", "knife_edge", ROLLING["knife_edge"])
    with pytest.raises(AnalysisError, match=r"kind rolling.*plot_convergence\(\)"):
        friction_histories.plot_histories(rolling)
