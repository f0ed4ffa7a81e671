"""The figure of orders shows the fits of a sweep, and the figure of errors stays readable with many curves."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

from rigidlimit import analysis
import made_store
from rigidlimit.analysis import AnalysisError, convergence, convergence_legend, orders
from rigidlimit.analysis.page import Page, width_of_text

BETAS, ZETAS = [0.0, 1.0, 2.0], [0.25, 0.5, 1.0, 2.0]


def drawn(axis: Axes) -> dict[tuple[float, float], float]:
    """The order at each (place, order) of the points, with its standard error."""
    points = {}
    for container in axis.containers:
        x, y = container.lines[0].get_data()
        bars = container.lines[2][0].get_segments() if len(x) else []
        points |= {(a, b): 0.5 * (bar[1][1] - bar[0][1]) for a, b, bar in zip(x, y, bars)}
    return points


@pytest.mark.parametrize(("against", "places"), [("contact.damping_ratio", ZETAS), ("damping_exponent", BETAS),
                                                 (None, ZETAS)])
def test_orders_are_the_fits_of_the_sweep(orders_map: Path, against: str | None, places: list[float]) -> None:
    """One point for each cell at its value of the key, with the standard error of the fit."""
    figure = analysis.plot_orders(orders_map, against=against)
    study = analysis.open_result(orders_map)
    column = "contact_damping_exponent" if places is BETAS else "contact_damping_ratio"
    for axis, quantity in zip(figure.axes, "qv"):
        wanted = {(one["swept"][column], one["order"]): one["standard_error"] for one in study.series
                  if (one["quantity"], one["norm"], one["window"]) == (quantity, "sup", "all")}
        found = drawn(axis)
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12) and len(found) == 12
        assert {x for x, _ in found} == set(places)
    assert len(figure.legends[0].get_texts()) == 12 // len(places), "a colour for each value of the other key"


def test_the_prediction_is_the_theory_of_the_exponent(orders_map: Path) -> None:
    """docs/theory.md, section 5: v has the order max(1, beta) for an unloaded start, q 2, lambda 0."""
    data = analysis.orders_data(orders_map)
    data = data[data["window"] == "all"]
    for quantity, theory in {"q": lambda _: 2.0, "v": lambda beta: max(1.0, beta), "lambda": lambda _: 0.0}.items():
        rows = data[data["quantity"] == quantity]
        assert list(rows["predicted_order"]) == [theory(beta) for beta in rows["contact_damping_exponent"]]
    line = next(x for x in analysis.plot_orders(orders_map, against="damping_exponent").axes[1].lines
                if x.get_label() == "_predicted")
    assert list(line.get_xdata()) == BETAS and list(line.get_ydata()) == [1.0, 1.0, 2.0]


def test_what_is_not_swept_is_refused(orders_map: Path, tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match=r"'contact.stiffness' is not swept.*contact.damping_exponent"):
        analysis.plot_orders(orders_map, against="contact.stiffness")
    made_store.tiny(tmp_path / "tiny")
    with pytest.raises(AnalysisError, match="single study"):
        analysis.orders_data(tmp_path / "tiny")


def test_many_curves_have_counts_in_place_of_names(orders_map: Path) -> None:
    """12 curves: below each panel the verdicts, whose numbers add up; at most FEW names at the foot. With 9 of them,
    each has its own line."""
    figure = analysis.plot_convergence(orders_map)
    assert len(figure.legends[0].get_texts()) == len(BETAS)
    for axis in figure.axes:
        lines = [x.get_text() for x in axis.get_legend().get_texts()]
        numbers = [int(line.split()[0]) for line in lines if not line.startswith("over")]
        assert sum(numbers) == 12
    few = analysis.open_result(orders_map)
    rows = convergence.convergence_data(few)
    curves = [dict(zip(few.series_keys, key)) for key in rows.groupby(few.series_keys, sort=False).groups]
    page = Page(1, 3)
    rows = rows[(rows["window"] == "all") & (rows["quantity"] == "v")]
    assert len(convergence_legend.words_below(rows, curves[:9], False, page).of_curves) == 9


def test_a_single_key_names_a_few_of_its_values(tmp_path: Path, orders_map: Path) -> None:
    family = orders.family_of(analysis.open_result(orders_map))
    many = orders.Family(family.study, family.against, (family.against,), tuple((float(k),) for k in range(40)))
    assert len(many.shown) == len(many.handles()) == orders.MOST_NAMES
    assert many.shown[0].endswith("= 0") and many.shown[-1].endswith("= 39"), "the ends are among them"
    assert len(family.shown) == len(family.others) == len(BETAS), "names that differ in another key are all shown"


@pytest.mark.parametrize("text", ["1.996 ± 1e-03, confirmed", "1.99999999 ± 4e-08, pre-asymptotic", "confirmed"])
@pytest.mark.parametrize("columns", [1, 3, 4])
def test_a_line_that_is_too_wide_is_folded(text: str, columns: int) -> None:
    """Each part fits beside its handle, or is a word that cannot be folded."""
    page = Page(1, columns)
    lines = convergence_legend.folded(text, ", ", page).split("\n")
    assert " ".join(lines) == text
    assert (len(lines) == 2) == (width_of_text(text) > page.beside_handle and ", " in text)


def test_runs_are_joined() -> None:
    random = np.random.default_rng(3)
    for _ in range(200):
        places = sorted(random.choice(30, size=random.integers(1, 30), replace=False).tolist())
        back = []
        for word in convergence_legend.runs(places):
            first, _, last = word.partition("–")
            back += range(int(first) - 1, int(last or first))
            assert not last or int(last) - int(first) >= 2
        assert back == places
