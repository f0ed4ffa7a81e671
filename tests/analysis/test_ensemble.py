"""The figure of an ensemble shows the quantiles of the table, and the study among its members."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

from rigidlimit import analysis
import made_ensemble
import made_store
from made_ensemble import ORDERS, SHARES
from rigidlimit.analysis import AnalysisError, catalogue

EPSILONS = np.array(sorted(made_store.EPSILONS))
PANELS = [(quantity, window) for window in ("all", "after") for quantity in ("q", "v", "lambda")]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_ensemble.made(tmp_path_factory.mktemp("ensemble") / "made")


@pytest.fixture(scope="module")
def panels(store: Path) -> dict[tuple[str, str], Axes]:
    return dict(zip(PANELS, analysis.plot_ensemble(store).axes, strict=True))


def line(axis: Axes, label: str) -> np.ndarray | None:
    """The heights of the line with this label."""
    return next((np.asarray(one.get_ydata(), dtype=float) for one in axis.lines if one.get_label() == label), None)


def band(axis: Axes, label: str) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper edge of a band at EPSILONS."""
    corners = next(one for one in axis.collections if one.get_label() == label).get_paths()[0].vertices
    at = [corners[np.isclose(corners[:, 0], x, rtol=1e-12), 1] for x in EPSILONS]
    return np.array([y.min() for y in at]), np.array([y.max() for y in at])


def holds(edges: tuple[np.ndarray, np.ndarray], values: np.ndarray) -> bool:
    return bool(np.all(edges[0] <= values) and np.all(values <= edges[1]))


def test_data_are_the_table(store: Path) -> None:
    data = analysis.ensemble_data(store)
    assert len(data) == len(ORDERS) * len(EPSILONS)
    for (quantity, window), order in ORDERS.items():
        rows = data[(data["quantity"] == quantity) & (data["window"] == window)]
        for name, share in SHARES.items():
            assert rows[name].to_numpy() == pytest.approx(share * rows["epsilon"].to_numpy() ** order, rel=1e-14)
    assert set(analysis.ensemble_data(store, quantities=["v"])["quantity"]) == {"v"}


@pytest.mark.parametrize("at", PANELS)
def test_line_and_bands_are_those_of_the_table(panels: dict[tuple[str, str], Axes], at: tuple[str, str]) -> None:
    axis, scale = panels[at], EPSILONS ** ORDERS[at]
    median = line(axis, "_median")
    assert median is not None and median == pytest.approx(SHARES["median"] * scale, rel=1e-14)
    inner, outer = band(axis, "_band"), band(axis, "_range")
    for found, names in ((inner, ("quantile_05", "quantile_95")), (outer, ("least", "largest"))):
        for edge, name in zip(found, names):
            assert edge == pytest.approx(SHARES[name] * scale, rel=1e-14)
    assert holds(inner, median) and holds(outer, inner[0]) and holds(outer, inner[1])
    assert not holds(inner, outer[1]), "negative control"


@pytest.mark.parametrize("at", PANELS)
def test_points_are_the_errors_of_the_study(panels: dict[tuple[str, str], Axes], at: tuple[str, str]) -> None:
    drawn = [one for one in panels[at].containers if one.get_label() == "_study"]
    found = np.sort(np.concatenate([np.asarray(one[0].get_ydata(), dtype=float) for one in drawn]))
    assert found == pytest.approx(np.sort(0.5 * EPSILONS ** ORDERS[at]), rel=1e-14)
    limited = [len(one[0].get_ydata()) for one in drawn if one[0].get_markerfacecolor() == "#ffffff"]
    assert limited == [1 if at == ("v", "all") else 0], "the point that is no evidence is hollow"


@pytest.mark.parametrize("at", PANELS)
def test_the_guide_has_the_slope_of_the_median_order(panels: dict[tuple[str, str], Axes], at: tuple[str, str]) -> None:
    guide = line(panels[at], "_guide")
    assert guide is not None
    assert np.diff(np.log(guide)) / np.diff(np.log(EPSILONS)) == pytest.approx(ORDERS[at] + 0.001, abs=1e-9)
    assert np.all(guide < SHARES["least"] * EPSILONS ** ORDERS[at]), "below all members"


def test_an_error_bar_is_a_line_near_the_members_and_else_a_note(tmp_path: Path) -> None:
    for bar, near in ((1e-7, True), (1e-13, False)):
        figure = analysis.plot_ensemble(made_ensemble.made(tmp_path / f"{bar}", bar), quantities=["q"])
        axis = figure.axes[0]
        assert ("largest error bar" in [text.get_text() for text in figure.legends[0].get_texts()]) == near
        drawn = line(axis, "_bar")
        assert (drawn is not None) == near
        assert any("error bars" in text.get_text() for text in axis.texts) != near
        if drawn is not None:
            assert drawn == pytest.approx(bar) and axis.get_ylim()[0] < bar


def test_a_study_without_an_ensemble_is_refused(store: Path, tmp_path: Path) -> None:
    single = analysis.open_result(made_store.tiny(tmp_path / "tiny"))
    for function in (analysis.ensemble_data, analysis.plot_ensemble):
        with pytest.raises(AnalysisError, match="without an ensemble"):
            function(single)
    assert "ensemble" not in catalogue.names_for(single)
    assert "ensemble" in catalogue.names_for(analysis.open_result(store)), "negative control"


def test_an_unknown_window_is_refused(store: Path) -> None:
    assert len(analysis.plot_ensemble(store, windows=["after"]).axes) == 3
    with pytest.raises(AnalysisError, match="windows must be of all, after, not 'before'"):
        analysis.plot_ensemble(store, windows=["before"])
