"""Figures of a study show the data of its store; the tests use an artificial study with known numbers."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.text import Text

from rigidlimit import analysis
import made_store
from rigidlimit.analysis import AnalysisError, catalogue, convergence, convergence_legend, layer, names, page, pair, pairs, scales, wording
from rigidlimit.analysis.furniture import furnished
from rigidlimit.analysis.tables import error_bars
from rigidlimit.analysis.theme import STYLES
from contrasts import contrast

SMALLEST, LARGEST = made_store.EPSILONS[-1], made_store.EPSILONS[0]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_store.tiny(tmp_path_factory.mktemp("one") / "tiny")


@pytest.fixture(scope="module")
def laws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_store.tiny(tmp_path_factory.mktemp("laws") / "tiny", laws=("viscoelastic", "viscous"))


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    before, windows = dict(plt.rcParams), plt.get_fignums()
    yield
    assert dict(plt.rcParams) == before, "a figure does not change the caller's style"
    assert plt.get_fignums() == windows, "and opens no window"


def labelled(axis: Axes, label: str) -> list:
    return [x for x in axis.lines if x.get_label() == label]


def points(axis: Axes, label: str) -> list[tuple[list[float], list[float]]]:
    """x and y of the centres of the error bars."""
    return [(list(c.lines[0].get_xdata()), list(c.lines[0].get_ydata()))
            for c in axis.containers if c.get_label() == label and len(c.lines[0].get_xdata())]


def legend_texts(axis: Axes) -> list[str]:
    return [x.get_text() for x in axis.get_legend().get_texts()]


# --- Convergence


def test_fit_and_prediction_are_powers_of_epsilon(tiny: Path) -> None:
    """error = fit = prediction = 0.5 eps^p: three equal columns, to the round-off of a power."""
    data = analysis.convergence_data(tiny)
    assert len(data) == 6 * 5 and set(data["norm"]) == {"sup"}
    assert data["fitted"].to_numpy() == pytest.approx(data["error"].to_numpy(), rel=1e-14)
    assert data["predicted"].to_numpy() == pytest.approx(data["error"].to_numpy(), rel=1e-14)
    limited = data[data["status"] != "ok"].iloc[0]
    assert limited["error_bar"] == pytest.approx(0.2 * 0.5 * SMALLEST), "the largest of the three"


def test_an_error_bar_is_the_largest_of_three_errors_and_the_rounding() -> None:
    """As docs/verdicts.md has it; of a proved number half the width of its interval. Control: each of the errors alone."""
    errors = pd.DataFrame({"solver_error": [3.0, 1.0, 1.0, np.nan], "reference_error": [1.0, 3.0, 1.0, 1.0],
                           "sampling_error": [1.0, 1.0, 3.0, 1.0]})
    assert error_bars(errors).tolist() == pytest.approx([3.0, 3.0, 3.0, np.nan], nan_ok=True)
    for name in errors:
        assert not (error_bars(errors[:3]) == errors[:3][name]).all()
    rounded = errors.assign(error_bar=[3.0, 4.0, 1.0, np.nan])
    assert error_bars(rounded).tolist() == pytest.approx([3.0, 4.0, 3.0, np.nan], nan_ok=True)
    proved = rounded.assign(proved_lower=[1.0, np.nan, 0.0, 0.0], proved_upper=[2.0, np.nan, 1.0, 1.0])
    assert error_bars(proved).tolist() == [0.5, 4.0, 0.5, 0.5]


def test_a_law_without_prediction_has_no_predicted_errors(laws: Path) -> None:
    data = analysis.convergence_data(laws, law="viscous")
    assert data["predicted"].isna().all() and data["fitted"].notna().all()


def test_convergence_shows_points_fits_and_floors(tiny: Path) -> None:
    figure = analysis.plot_convergence(tiny)
    axis = figure.axes[1]
    assert axis.get_title() == "$v$ [m/s, rad/s]"
    (all_t, errors), (after, _) = points(axis, "_evidence")
    assert all_t == sorted(made_store.EPSILONS)[1:] and after == sorted(made_store.EPSILONS)
    assert errors == pytest.approx([0.5 * x for x in all_t])
    assert points(axis, "_no evidence") == [([SMALLEST], [0.5 * SMALLEST])], "one hollow point, the right one"
    assert len(labelled(axis, "_fitted")) == len(labelled(axis, "_predicted")) == 2
    bands = [x for x in axis.collections if x.get_label() == "_floor"]
    tops = [max(b.get_paths()[0].vertices[:, 1]) for b in bands]
    assert tops == pytest.approx([0.1 * SMALLEST, 10.0 * 0.1 * SMALLEST]), "the bars, and ten times the bars"
    assert legend_texts(axis) == ["1.000 ± 2e-03, confirmed", "2.000 ± 2e-03, confirmed"]
    assert figure.get_suptitle() == "tiny: held"
    assert [x.get_text() for x in figure.legends[0].get_texts()] == ["all t", "t > 0.5 s"]


def test_laws_share_panels_and_windows_have_separate_ones(laws: Path) -> None:
    figure = analysis.plot_convergence(laws)
    assert len(figure.axes) == 6
    assert [x.get_text() for x in figure.legends[0].get_texts()] == ["1: viscoelastic", "2: viscous"], "the errors are equal"
    assert len(labelled(figure.axes[0], "_fitted")) == 2
    assert len(labelled(figure.axes[0], "_predicted")) == 1, "one law has a prediction"
    assert figure.axes[3].get_title().endswith("t > 0.5 s")


def test_failures_are_marked_and_missing_fits_are_not_drawn(tmp_path: Path) -> None:
    rows = made_store.error_rows("radau_iia", "viscoelastic")
    for row in rows:
        if row["epsilon"] == SMALLEST:
            row.update(model_error=None, solver_error=None, status="failed: max_steps")
        row["verdict"] = "inconclusive"
    result = made_store.result_of(rows)
    for series in result["series"]:
        series.update(order=None, coefficient=None, standard_error=None)
    maker = made_store.Maker(tmp_path / "failed")
    maker.errors(rows)
    axis = analysis.plot_convergence(maker.finish("failed", result, "")).axes[0]
    crosses = [list(x.get_xdata()) for x in labelled(axis, "_failed")]
    assert crosses == [[SMALLEST], [SMALLEST]] and not labelled(axis, "_fitted")
    assert legend_texts(axis) == ["inconclusive", "inconclusive"]


def test_a_distant_floor_is_noted_instead_of_drawn(tiny: Path) -> None:
    """The error bars of lambda are 1e-9: at errors of 0.5 they would compress the panel."""
    data = analysis.convergence_data(tiny)
    data = data[(data["quantity"] == "lambda") & (data["window"] == "all")]
    axis = plt.figure().add_subplot(yscale="log")
    plt.close()
    convergence.set_limits(axis, data)
    convergence.shade_floor(axis, data)
    assert [x.get_text() for x in axis.texts] == ["floor $10^{-9}$, below"]
    assert not axis.collections


def test_a_study_without_a_verdict_is_drawn(tmp_path: Path) -> None:
    maker = made_store.Maker(tmp_path / "early")
    maker.errors(made_store.error_rows("radau_iia", "viscoelastic"))
    figure = analysis.plot_convergence(maker.finish("early", None, "", complete=False))
    assert figure.get_suptitle().startswith("early: not")


# --- The layer, the pair, energy, drift, work


def test_the_layer_equals_the_leading_terms(tiny: Path) -> None:
    """v - v^ = eps e0 tau exp(-tau) + eps^2 OUTER t in component 2: scaled by 1/eps, at tau = 1,
    e0/e + eps^2 OUTER; e0 = -0.91. The difference of numbers of size 1 loses 1e-15/eps."""
    data = analysis.layer_data(tiny)
    assert sorted(set(data["epsilon"])) == [1e-3, 3e-3, 3e-2, 1e-1], "four, including both ends"
    at = data[(data["quantity"] == "v") & (data["component"] == 2) & (data["epsilon"] == SMALLEST)]
    assert at["tau"].max() == pytest.approx(20.0)
    peak = at.iloc[np.argmin(np.abs(at["tau"] - 1.0))]
    assert peak["scaled"] == pytest.approx(-0.91 / np.e + SMALLEST**2 * made_store.OUTER, abs=1e-11)
    assert peak["predicted"] == pytest.approx(-0.91 / np.e, rel=1e-12)
    assert peak["composite"] == pytest.approx(peak["scaled"], abs=1e-11)
    start = data[(data["quantity"] == "lambda") & (data["t"] == 0.0)]
    assert start["scaled"].to_numpy() == pytest.approx(0.91, rel=1e-14), "lambda(0) - Lambda(0)"


def test_the_layer_shows_the_component_that_moves(tiny: Path) -> None:
    figure = analysis.plot_layer(tiny, epsilons=[1e-2, 1e-3])
    assert [a.get_title() for a in figure.axes] == [
        "lateral sliding\n" r"$\lambda_{1} - \Lambda_{1}$ [N]",
        "$y$′\n" r"$(v_{2} - \hat v_{2}) / \varepsilon$ [m/s]",
        "$y$\n" r"$(q_{2} - \hat q_{2}) / \varepsilon^{2}$ [m]"]
    assert [len(a.lines) for a in figure.axes] == [3, 3, 3], "two epsilons and the prediction"
    assert analysis.plot_layer(tiny, component={"v": 1}).axes[1].get_title().startswith("$x$′\n$(v_{1}")


def test_a_layer_without_prediction_has_no_predicted_line(laws: Path) -> None:
    figure = analysis.plot_layer(laws, law="viscous", epsilons=[1e-2])
    assert [len(a.lines) for a in figure.axes] == [1, 1, 1]


def test_the_layer_is_scaled_by_the_order_of_the_study(tiny: Path) -> None:
    study = analysis.open_result(tiny)
    assert [pairs.order_of(study, "viscoelastic", x) for x in ("q", "v", "lambda")] == [2.0, 1.0, 0.0]
    study.series[0]["expected_order"] = 1.0
    assert pairs.order_of(study, "viscoelastic", "q") == 1.0, "the expected order precedes the predicted one"
    assert pairs.order_of(study, "other", "v") == 1.0


def test_the_pair_uses_the_times_of_the_compliant_motion(tiny: Path) -> None:
    data = analysis.pair_data(tiny)
    times = made_store.grid_of(LARGEST)
    x = data[(data["quantity"] == "q") & (data["component"] == 1)]
    assert np.array_equal(x["t"], times)
    assert np.array_equal(x["rigid"], made_store.rigid_motion(times)["q"][0])
    assert np.array_equal(x["compliant"], made_store.compliant_motion(times, LARGEST)["q"][0])
    figure = analysis.plot_pair(tiny)
    assert [len(a.lines) for a in figure.axes] == [4, 2, 4, 2, 2], "two lines per component"


def test_energy_terms_sum_to_the_defect(tiny: Path) -> None:
    """mechanical + spring - work + damper = energy_defect, to the round-off of terms of 1e-2 J."""
    data = analysis.energy_data(tiny, epsilons=[1e-1])
    table = data[data["subject"] == "compliant"].pivot(index="t", columns="name", values="energy")
    left = table["mechanical"] + table["spring"] - table["work"] + table["damper"]
    assert left.to_numpy() == pytest.approx(table["energy_defect"].to_numpy(), rel=0.0, abs=1e-17)
    accounts, defects = analysis.plot_energy(tiny).axes
    assert len(accounts.lines) == 4 and len(defects.lines) == 4 + 1, "four epsilons and the rigid one"


def test_drift_decreases_with_epsilon_and_is_shown_over_t_and_tau(tiny: Path) -> None:
    data = analysis.drift_data(tiny, epsilons=[1e-2, 1e-3])
    largest = data.groupby("epsilon")["sliding"].max()
    assert largest.loc[1e-2] / largest.loc[1e-3] == pytest.approx(10.0, rel=1e-6)
    seconds, scaled = analysis.plot_drift(tiny, epsilons=[1e-2]).axes
    assert len(seconds.lines) == 2 and len(scaled.lines) == 1
    assert scaled.lines[0].get_xdata() == pytest.approx(seconds.lines[1].get_xdata() / 1e-2)
    assert seconds.get_ylim()[0] > 1e-25, "values that decayed to 1e-300 do not set the scale"


def test_work_counts_equal_those_of_the_solves(laws: Path) -> None:
    data = analysis.work_data(laws)
    assert len(data) == 1 + 2 * 5, "one rigid solve, no tighter ones"
    assert len(analysis.work_data(laws, law="viscous")) == 1 + 5
    axis = analysis.plot_work(laws).axes[0]
    steps = [list(x.get_ydata()) for x in axis.lines if len(x.get_xdata()) == 5]
    assert steps == [[140, 130, 120, 110, 100]] * 2
    assert any(list(x.get_ydata()) == [40, 40] for x in axis.lines), "the rigid solve: a level line"


def test_the_pair_has_a_panel_for_each_unit_of_the_system(tiny: Path) -> None:
    """Each panel has a legend with names; v has the colours of q, lambda has separate ones."""
    panels = {axis.get_title(): axis for axis in analysis.plot_pair(tiny).axes}
    assert {title: legend_texts(axis) for title, axis in panels.items()} == {
        "$q$ [m]": ["$x$", "$y$"], "$q$ [rad]": [r"$\varphi$"], "$v$ [m/s]": ["$x$′", "$y$′"],
        "$v$ [rad/s]": [r"$\varphi$′"], r"$\lambda$ [N]": ["lateral sliding"]}
    length, angle, speed, _, force = ({x.get_color() for x in axis.lines} for axis in panels.values())
    assert length == speed and not length & angle and not (length | angle) & force


def test_the_pair_does_not_draw_flat_lines(tiny: Path) -> None:
    """A component below FLAT of the largest range is named below; just above, it is drawn. The compliant motion alone
    may move."""
    t = np.linspace(0.0, 1.0, 11)
    for share, still, shown in ((0.99, 0.0, [1]), (1.01, 0.0, [1, 2]), (0.0, 1.01, [1, 2])):
        rows = pd.concat(pd.DataFrame({"component": k, "rigid": size * t, "compliant": other * t})
                         for k, size, other in ((1, 1.0, 1.0), (2, share * pair.FLAT, still * pair.FLAT)))
        assert pair.moving(rows, 1.0) == shown


T = np.linspace(0.0, 1.0, 401)
NOISE = np.random.default_rng(1).normal(size=(2, len(T)))


@pytest.mark.parametrize(("value", "wave", "noise", "other", "low", "high"), [
    (1.3, 0.0, 0.0, 0.0, 0.0, 2.6),  # constant
    (1.3, 0.0, 1e-15, 0.0, 0.0, 2.6), (1.3, 0.0, 1e-10, 0.0, 0.0, 2.6),  # constant, with noise
    (0.0, 0.0, 0.0, 0.0, -1.0, 1.0), (0.0, 0.0, 1e-17, 1.0, -1.0, 1.0),  # zero
    (0.0, 0.0, 1e-12, 700.0, -1.0, 1.0),
    (0.0, 1e-12, 0.0, 0.0, -1.1e-12, 1.1e-12),  # oscillations: about zero in their own scale,
    (0.0, 1e-12, 0.0, 1.0, -1.1e-12, 1.1e-12),
    (1.3, 1e-8, 1e-15, 0.0, 1.3 - 1.1e-8, 1.3 + 1.1e-8)])  # and about a value
def test_an_axis_does_not_enlarge_round_off(value: float, wave: float, noise: float, other: float,
                                            low: float, high: float) -> None:
    """The limits of one component with its unit; `other` is the size of the quantity's components of other units. Panels
    of matplotlib have margins of 5 %. Control: without the rule, each panel with noise has its height."""
    curves = value + wave * np.sin(20.0 * T) + noise * NOISE
    size = scales.magnitude(curves, [value, other])
    figure, axis = plt.subplots()
    plt.close(figure)
    axis.plot(T, curves.T)
    before = np.ptp(axis.get_ylim())
    scales.limit_zoom(axis, list(curves), size)
    assert axis.get_ylim() == pytest.approx((low, high), rel=1e-9, abs=0.01 * (high - low))
    assert noise == 0.0 or before < 1e-7 * size, "control"


def with_spin(directory: Path, wave: float) -> Path:
    """The artificial study with phi' = OMEGA + wave sin 20 t and noise of 1e-15 in its compliant motions."""
    store = made_store.tiny(directory)
    db = sqlite3.connect(store / "results.db")
    for key, rows, columns, data, kind in db.execute(
            "SELECT key, rows, columns, data, kind FROM samples JOIN solves USING (key) WHERE name = 'v'").fetchall():
        values = np.frombuffer(data, "<f8").reshape(rows, columns, order="F").copy()
        values[2] = made_store.OMEGA + (kind == "compliant") * (
            wave * np.sin(20.0 * np.arange(columns)) + 1e-15 * np.cos(7.0 * np.arange(columns) ** 2))
        samples = {name: np.frombuffer(x, "<f8").reshape(r, c, order="F") for name, r, c, x in db.execute(
            "SELECT name, rows, columns, data FROM samples WHERE key = ? ORDER BY rowid", (key,))} | {"v": values}
        db.execute("UPDATE samples SET data = ? WHERE key = ? AND name = 'v'", (values.tobytes(order="F"), key))
        db.execute("UPDATE solves SET samples_hash = ? WHERE key = ?", (made_store.hash_of_samples(samples), key))
        found = db.execute(made_store.SELECT_SOLVE.replace("?1", "?"), (key,)).fetchone()[:made_store.COVERED]
        db.execute("UPDATE solves SET checksum = ? WHERE key = ?", (made_store.checksum_of(found), key))
    db.commit()
    db.close()
    return store


@pytest.mark.parametrize(("wave", "height"), [(0.0, 2.0 * made_store.OMEGA), (1e-6, 2.2e-6)])
def test_a_constant_velocity_is_a_level_line(tmp_path: Path, wave: float, height: float) -> None:
    """phi' with round-off is level in its panel; an oscillation of 1e-6 fills the panel."""
    figure = analysis.plot_pair(with_spin(tmp_path / "spin", wave))
    axis = next(x for x in figure.axes if x.get_title() == "$v$ [rad/s]")
    assert legend_texts(axis) == [r"$\varphi$′"]
    assert np.ptp(axis.get_ylim()) == pytest.approx(height, rel=0.01)
    assert np.mean(axis.get_ylim()) == pytest.approx(made_store.OMEGA, rel=1e-6)


def test_curves_that_coincide_are_named_and_told_apart(laws: Path) -> None:
    figure = analysis.plot_convergence(laws)
    for axis in figure.axes:
        assert legend_texts(axis)[-1] == "1\u00a0= 2 coincide"
        one, other = [c.lines[0] for c in axis.containers if c.get_label() == "_evidence"]
        assert one.get_marker() != other.get_marker() and one.get_markersize() > other.get_markersize() + 1.0
    x = np.geomspace(1e-1, 1e-5, 9)
    curves = [{"law": law} for law in "abcde"]
    for factors, words in (([1.0, 1.04, 0.97, 2.0, 2.0], "1–3, 4\u00a0= 5 coincide"),
                           ([1.0, 1.01, 1.02, 1.03, 2.0], "1–4 coincide"),
                           ([1.0, 2.0, 1.01, 2.01, 1.02], "1\u00a0= 3\u00a0= 5, 2\u00a0= 4 coincide"),
                           ([1.0, 1.1, 1.2, 1.3, 1.4], "")):
        rows = pd.concat(pd.DataFrame({"law": law, "epsilon": x, "error": f * x}) for law, f in zip("abcde", factors))
        assert convergence_legend.coincidence(rows, curves) == words
    late = rows.assign(error=rows["epsilon"] * np.where((rows["law"] == "b") & (rows["epsilon"] > 1e-2), 2.0, 1.0))
    assert convergence_legend.coincidence(late[late["law"] < "c"], curves[:2]) == "1\u00a0= 2 coincide, ε\u00a0≤\u00a00.01"


@pytest.mark.parametrize(("factor", "hollow"), [(1.1 * convergence_legend.FAR, [0.1]), (0.9 * convergence_legend.FAR, [])])
def test_points_far_from_the_fit_are_hollow_and_named(tmp_path: Path, factor: float, hollow: list[float]) -> None:
    rows = made_store.error_rows("radau_iia", "viscoelastic")
    result = made_store.result_of(rows)
    for row in rows:
        row["status"] = "ok"
        row["model_error"] *= factor if row["epsilon"] == LARGEST else 1.0
    maker = made_store.Maker(tmp_path / "far")
    maker.errors(rows)
    axis = analysis.plot_convergence(maker.finish("far", result, "")).axes[1]
    assert [x for x, _ in points(axis, "_no evidence")] == [hollow, hollow] * bool(hollow)
    assert ("over 3 × off the fit" in legend_texts(axis)) == bool(hollow)


def test_the_layer_names_the_curves_on_the_smallest(tiny: Path) -> None:
    """Limits leave half the height of a curve on both sides, so that a curve of height 1 is in a panel of height 2."""
    tau = np.linspace(0.0, 12.0, 50)
    for share, same in ((1.9 * layer.SEEN, True), (2.1 * layer.SEEN, False)):
        drawn = pd.concat(pd.DataFrame({"epsilon": x, "quantity": q, "tau": tau, "scaled": (1.0 + y) * tau / 12.0})
                          for q, off in (("q", 0.0), ("v", share)) for x, y in ((1e-3, off), (1e-4, 0.0)))
        assert layer.coincides(drawn, 1e-3) == same and not layer.coincides(drawn, 1e-4)
    widths = [line.get_linewidth() for line in analysis.plot_layer(tiny, epsilons=[1e-1, 3e-3, 1e-3]).axes[0].lines[:3]]
    assert widths == sorted(widths, reverse=True) and len(set(widths)) == 3


def test_a_layer_marks_where_a_curve_leaves_its_panel(tiny: Path) -> None:
    """A curve of height 1 at the smallest epsilon is in a panel from -0.5 to 1.5. Control: one that stays inside."""
    tau = np.linspace(0.0, 12.0, 121)
    shape = np.sin(2.0 * np.pi * tau / 12.0) ** 2
    rows = pd.concat(pd.DataFrame({"epsilon": x, "quantity": "q", "tau": tau, "scaled": size * shape, "predicted": np.nan})
                     for x, size in ((1e-1, 2.0), (1e-2, 1.4), (1e-3, 1.0), (1e-4, -3.0), (1e-5, 1.0)))
    assert layer.remark(rows[rows["epsilon"] != 1e-4], 1e-2) == "" and "cut" in layer.remark(rows, 1e-1)
    places, above = layer.exits(rows, 1e-1)
    assert places == pytest.approx([1.9, 7.9], abs=0.11) and above.all()
    assert not layer.exits(rows, 1e-4)[1].any() and len(layer.exits(rows, 1e-2)[0]) == 0
    figure, axis = plt.subplots()
    layer.draw_layer(axis, rows, [1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
    marks = [line for line in axis.lines if line.get_label() == "_cut"]
    assert [(line.get_marker(), len(line.get_xdata())) for line in marks] == [("^", 2), ("v", 2)]
    assert all(line.get_color() == axis.lines[0].get_color() for line in marks[:1])
    plt.close(figure)


def test_units_come_from_the_store_or_are_omitted(tmp_path: Path) -> None:
    """A system of pure numbers has no units, nor does a store without names."""
    rows = made_store.error_rows("radau_iia", "viscoelastic")
    for description, titles in (
            ({"coordinates": [{"name": "a", "unit": "1"}], "contacts": [{"name": "c", "unit": "rad/s"}]},
             ["$q$", "$v$", r"$\lambda$ [N m]"]), ({}, ["$q$", "$v$", r"$\lambda$"])):
        maker = made_store.Maker(tmp_path / str(len(description)))
        maker.errors(rows)
        store = maker.finish("own", made_store.result_of(rows) | {"system": description}, "")
        assert [a.get_title() for a in analysis.plot_convergence(store).axes] == titles


def test_the_gap_of_joints_has_the_units_of_its_rows() -> None:
    joints = {"positions": [{"name": "gap_pin", "unit": "m"}, {"name": "gap_turn", "unit": "rad"}]}
    assert names.units_of(joints, "gap") == " [m, rad]"
    assert names.units_of(joints, "gap_turn") == " [rad]"
    assert names.units_of({}, "gap") == ""
    assert wording.symbol("gap") == r"$\mathrm{gap}$"


@pytest.mark.parametrize(("name", "label"), [
    ("phi'", r"$\varphi$′"), ("x''", "$x$′′"), ("Omega1", r"$\Omega_{\mathrm{1}}$"), ("psi_x'", r"$\psi_{\mathrm{x}}$′"),
    ("yaw", r"$\mathrm{yaw}$"), ("sliding along x", "sliding along x"), ("$\\frac{", r"\$\\frac{"),
    ("", "")])
def test_short_names_are_set_as_mathematics(name: str, label: str) -> None:
    assert names.label(name) == label
    figure = plt.figure()
    figure.text(0.5, 0.5, names.label(name))
    figure.draw_without_rendering()  # no name breaks TeX
    plt.close(figure)


def test_units_are_read_from_comments_of_a_resolved_file() -> None:
    text = "[system]\nname = \"a # b\"\nmass = 1.0   # kg\n[initial]\nq = [0.0, 1.0]   # m, rad\nx = 1.5   # beta\n"
    assert names.commented_units(text) == {"system.mass": ["kg"], "initial.q": ["m", "rad"]}


# --- Properties of all figures


@pytest.mark.parametrize("name", sorted(x for x, kind in catalogue.FIGURES.items() if not kind.needs))
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.filterwarnings("error")
def test_given_panels_keep_their_size(tiny: Path, name: str, layout: str | None) -> None:
    """On a figure of 6.3 in every layout engine succeeds: panels have at least a third of the possible width,
    x labels are on the figure, and legends are inside their panels. A collapsed panel has no width."""
    kind = catalogue.FIGURES[name]
    count = len(kind.plot(tiny).axes)
    lines, across = -(-count // 3), min(count, 3)
    figure, panels = plt.subplots(lines, across, figsize=(6.3, 2.4 * lines), layout=layout)
    plt.close(figure)
    panels = np.atleast_1d(panels).flat[:count]
    kind.plot(tiny, axes=panels)
    figure.draw_without_rendering()
    for axis in panels:
        assert axis.get_window_extent().width > figure.bbox.width / across / 3.0
        assert axis.get_xlabel()
        sheet = figure.bbox
        for words in (axis.xaxis.label, axis.yaxis.label, axis.title):
            box = words.get_window_extent()
            assert not words.get_text() or (
                box.y0 >= -1.0 and box.y1 <= sheet.y1 + 1.0 and box.x0 >= -1.0 and box.x1 <= sheet.x1 + 1.0
                ), f"cut: {words.get_text()} (a pixel for round-off)"
        if axis.get_legend():
            box, room = axis.get_legend().get_window_extent(), axis.get_window_extent()
            assert room.y0 - 1.0 <= box.y0 and box.y1 <= room.y1 + 1.0
            assert room.x0 - 1.0 <= box.x0 and box.x1 <= room.x1 + 1.0, "it overlaps the next panel"
    assert any(axis.get_legend() for axis in panels)


def test_one_panel_needs_no_list(tiny: Path) -> None:
    figure, panel = plt.subplots()
    plt.close(figure)
    assert analysis.plot_convergence(tiny, quantities=["v"], axes=panel) is figure
    assert legend_texts(panel) == ["all t: 1.000 ± 2e-03", "t > 0.5 s: 2.000 ± 2e-03"]


@pytest.mark.parametrize("plot", [analysis.plot_convergence, analysis.plot_pair, analysis.plot_layer])
def test_an_unknown_quantity_is_refused(tiny: Path, plot) -> None:
    with pytest.raises(AnalysisError, match="quantities.*q, v, lambda.*'w'"):
        plot(tiny, quantities=["q", "w"])
    with pytest.raises(AnalysisError, match="quantities.*q, v, lambda"):
        plot(tiny, quantities=[])


@pytest.mark.parametrize("name", sorted(x for x, kind in catalogue.FIGURES.items() if not kind.needs))
@pytest.mark.parametrize("style", sorted(STYLES))
def test_text_of_every_figure_has_contrast(tiny: Path, name: str, style: str) -> None:
    """At least 4.5 to the paper (level AA). test_all_figures.py has sizes and places of texts."""
    figure = catalogue.FIGURES[name].plot(tiny, style=style)
    figure.draw_without_rendering()
    words = [x for x in figure.findobj(Text) if x.get_text()]
    assert len(words) > 20
    for word in words:
        assert contrast(word.get_color(), figure.get_facecolor()) > 4.5, word.get_text()


def test_contrast_has_the_right_extremes() -> None:
    assert contrast("black", "white") == pytest.approx(21.0)
    assert contrast("#777777", "white") < 4.5, "negative control: this grey would fail"


@pytest.mark.parametrize("style", sorted(STYLES))
def test_series_are_distinguishable_in_grey(style: str) -> None:
    """Graphics have a contrast of at least 2 to the paper; curves of similar lightness differ by markers."""
    colours = [x["color"] for x in STYLES[style]["axes.prop_cycle"]]
    assert len(set(colours)) == 7
    assert all(contrast(c, STYLES[style]["axes.facecolor"]) > 2.0 for c in colours)


def test_an_unknown_style_is_refused(tiny: Path) -> None:
    with pytest.raises(AnalysisError, match="style.*light, dark, mono.*'sepia'"):
        analysis.plot_convergence(tiny, style="sepia")


def test_names_wrap_at_the_width_of_the_page() -> None:
    assert page.letters(r"$\varepsilon = 3 \times 10^{-3}$") == len("e = 3 x 10-3")
    assert page.Page(1, 1, names=("one", "two")).names_across == 2
    assert page.Page(1, 1, names=("a rather long name of a solver, of a law",) * 3).names_across == 2
    with furnished(width="one-column"):
        assert page.Page(1, 1, names=("one", "two")).names_across == 2
        assert page.Page(1, 1, names=("a rather long name of a solver, of a law",) * 3).names_across == 1


def test_numbers_are_written_as_powers() -> None:
    assert wording.power_text(1e-3) == "10^{-3}" and wording.power_text(0.03) == "0.03"
    assert wording.power_text(3.162e-4) == r"3.2 \times 10^{-4}" and wording.power_text(1.0) == "1"
    assert pairs.spread_out([5, 4, 3, 2, 1], 3) == [5, 3, 1] and pairs.spread_out([2, 1], 3) == [2, 1]
