"""References with error bars and predictions of problems below a study."""

import numpy as np
import pytest

import rigidlimit as rl

TIMES = np.linspace(0.0, 2.0, 41)


@pytest.fixture
def study() -> rl.Study:
    return rl.Study({"name": "knife_edge"}, name="sample", initial={"v": [0.7, 0.0, 1.3]}, time={"end": 2.0},
                    epsilon=[1e-2, 1e-3])


def test_the_reference_of_ideal_rolling_meets_the_closed_form_within_its_bars(study: rl.Study) -> None:
    best = study.rigid().reference(TIMES)
    w, u0, s = 1.3, 0.7, 9.81 * np.sin(0.3)  # docs/theory.md, section 8
    x = u0 / w * np.sin(w * TIMES) + s * np.sin(w * TIMES)**2 / (2 * w**2)
    y = u0 / w * (1 - np.cos(w * TIMES)) + s / w * (TIMES / 2 - np.sin(2 * w * TIMES) / (4 * w))
    assert best.success and best.error.shape == best.y.shape and best.multiplier_error.shape == (1, 41)
    rounding = 4e-15  # of the formulas
    assert (np.abs(best.q - [x, y, w * TIMES]) <= best.error[:3] + rounding).all()
    assert best.error.max() < 1e-14
    loose = study.rigid().solve("dopri5", TIMES, rtol=1e-6, atol=1e-8)
    assert (np.abs(loose.y - best.y) > best.error).any(), "negative control"


@pytest.mark.parametrize("epsilon", [1e-1, 1e-3, 1e-8])
def test_the_reference_of_compliant_rolling_meets_an_independent_method(study: rl.Study, epsilon: float) -> None:
    problem = study.compliant(epsilon)
    best = problem.reference(TIMES)
    assert best.success and best.error.max() < 1e-14 and best.multiplier_error.max() < 1e-14
    if epsilon < 1e-3:  # no method in float64 solves it in these variables
        return
    other = problem.solve("cvode_bdf", TIMES, rtol=1e-11, atol=1e-13)
    assert best.error.max() < np.abs(other.y - best.y).max() < 1e-8


def test_the_bars_of_a_law_in_double_cover_another_method(study: rl.Study) -> None:
    problem = study.with_(contact={"law": "viscous"}).compliant(1e-2)
    best = problem.reference(TIMES)
    other = problem.solve("cvode_adams", TIMES, rtol=1e-12, atol=1e-14)
    assert best.success and 0.0 < best.error.max() < 1e-11
    assert np.abs(other.y - best.y).max() < 1e-9


def test_a_reference_starts_where_its_problem_starts(study: rl.Study) -> None:
    y0 = study.compliant(1e-2).y0 + [0.0, 0.0, 0.3, 0.1, 0.0, 0.0, 0.2]  # it slides, and the spring is loaded
    best = study.compliant(1e-2).with_start(y0).reference(TIMES)
    assert np.array_equal(best.y[:, 0], y0)


def test_the_constants_are_those_of_the_tables(study: rl.Study) -> None:
    pytest.importorskip("pandas")
    table = study.run(results=None).table
    for epsilon in (1e-2, 1e-3):
        predicted = study.compliant(epsilon).predicted
        assert predicted is not None
        for norm in ("sup", "l2"):
            for window in ("all", "after"):
                for quantity, term in predicted.leading_terms(norm, window).items():
                    row = table.query("epsilon == @epsilon and quantity == @quantity and norm == @norm and "
                                      "window == @window")
                    np.testing.assert_allclose(term.coefficient, row.predicted_coefficient.item(), rtol=1e-9)
        assert {name: term.order for name, term in predicted.constants.items()} == {"q": 2.0, "v": 1.0, "lambda": 0.0}


def test_outer_terms_and_layer_explain_the_difference_up_to_the_next_order(study: rl.Study) -> None:
    left: dict[float, list[float]] = {}
    without_layer: dict[float, float] = {}
    for epsilon in (2e-2, 1e-2):
        times = np.union1d(TIMES, epsilon * np.linspace(0.0, 5.0, 21))  # some of them in the layer
        problem = study.compliant(epsilon)
        best, rigid, predicted = problem.reference(times), study.rigid().reference(times), problem.predicted
        assert predicted is not None
        terms, outer, layer = predicted.composite(times), predicted.outer(times), predicted.layer(times)
        np.testing.assert_allclose(outer.q + layer.q, terms.q, atol=1e-16)
        left[epsilon] = [float(np.abs(x - y - z).max()) for x, y, z in (
            (best.q, rigid.q, terms.q), (best.v, rigid.v, terms.v),
            (best.multiplier, rigid.multiplier, terms.multiplier))]
        without_layer[epsilon] = float(np.abs(best.multiplier - rigid.multiplier - outer.multiplier).max())
    for coarse, fine, order in zip(left[2e-2], left[1e-2], (3, 3, 3)):
        assert abs(np.log2(coarse / fine) - order) < 0.2
    assert without_layer[1e-2] > 0.8, "negative control: the multiplier jumps by 0.91"


def test_the_rates_of_the_layer_are_the_roots_of_its_equation(study: rl.Study) -> None:
    critical = study.compliant(1e-3).predicted
    over = study.with_(contact={"damping_ratio": 2.0}).compliant(1e-3).predicted
    assert critical is not None and over is not None
    np.testing.assert_allclose(critical.layer.rates, -1e3, rtol=1e-6)  # sqrt(A C) = 1, a double root
    np.testing.assert_allclose(np.sort(over.layer.time_constants), 1e-3 / (2 + np.array([1, -1]) * np.sqrt(3)),
                               rtol=1e-12)
    np.testing.assert_allclose(critical.layer.missing_load, -0.91, rtol=1e-14)
    prepared = study.with_(contact={"preparation": "prepared"}).compliant(1e-3).predicted
    assert prepared is not None and (prepared.layer.missing_load == 0.0).all()
    assert prepared.constants["lambda"].order == 1.0


def test_a_prediction_follows_the_start_of_its_problem(study: rl.Study) -> None:
    problem = study.compliant(1e-3)
    y0 = problem.y0
    y0[6] = -0.5  # the spring carries part of the load
    moved = problem.with_start(y0).predicted
    assert moved is not None
    np.testing.assert_allclose(moved.layer.missing_load, -0.41, rtol=1e-13)


def test_no_prediction_has_a_reason(study: rl.Study) -> None:
    y0 = study.compliant(1e-3).y0
    y0[4] = 0.1
    elastic = study.with_(contact={"law": ["viscoelastic", "elastic"]})
    for problem in (study.rigid(), study.compliant(1e-3).with_start(y0), elastic.compliant(1e-3, "elastic"),
                    study.with_(contact={"damping_exponent": 1.5}).compliant(1e-3)):
        assert problem.predicted is None and problem.no_prediction
    known = elastic.compliant(1e-3)
    assert known.predicted is not None and known.no_prediction == "", "negative control"


def test_wrong_input_is_an_error(study: rl.Study) -> None:
    predicted = study.compliant(1e-3).predicted
    assert predicted is not None
    for wrong in (lambda: predicted.leading_terms("l7"), lambda: predicted.leading_terms("sup", "before"),
                  lambda: predicted.outer([1.0, 0.0]), lambda: predicted.outer([float("nan")]),
                  lambda: predicted.outer([]), lambda: predicted.layer([[0.0]]), lambda: predicted.layer([-1.0]),
                  lambda: predicted.composite(["a"]), lambda: predicted.composite([1.0], order=9)):
        with pytest.raises(rl.InputError):
            wrong()
