"""Series, judgements and claims of rigidlimit.judge."""

import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
from rigidlimit.judge import order_trend

EPSILON = [0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125]
ROOT = Path(__file__).resolve().parents[2]
untyped: Any = rl.Series  # for values that a type checker refuses


def midpoint_errors() -> rl.Series:
    """Errors of the midpoint rule for e^x on [0, 1]: (e − 1)/24 h² up to h⁴."""
    error = [abs(sum(h * math.exp((i + 0.5) * h) for i in range(round(1 / h))) - math.expm1(1.0)) for h in EPSILON]
    return rl.Series(EPSILON, error, 1e-14, name="midpoint rule",
                     predicted=[math.expm1(1) / 24 * h**2 for h in EPSILON])


def power_law(order: float, **options: object) -> rl.Series:
    return rl.Series(EPSILON, [3.0 * e**order for e in EPSILON], **options)  # type: ignore[arg-type]


def test_midpoint_rule_converges_as_theory_has_it() -> None:
    series = midpoint_errors()
    assert series == rl.converges_with_order(2, within=0.05)
    assert series == rl.stays_below(0.072, order=2)
    assert series == rl.stays_below(0.072, 2).on(0.01, 0.1)
    assert series == rl.solver_error_stays_below(1e-13)
    assert series.ratios() == rl.ratio_tends_to(1, 1e-3)
    assert rl.converges_with_order(2) == series


def test_claims_that_do_not_hold() -> None:
    series = midpoint_errors()
    assert series != rl.converges_with_order(1)
    assert series != rl.converges_with_order(3)
    assert series != rl.stays_below(0.0715, order=2)
    assert series != rl.solver_error_stays_below(1e-15)
    assert series.ratios() != rl.ratio_tends_to(1.1, 1e-3)
    assert not series == rl.converges_with_order(1)


def test_a_least_order_holds_for_every_higher_order() -> None:
    """ε^p has neighbour orders p up to rounding."""
    eps = [0.1 / 2**k for k in range(8)]
    for p in (0.5, 1.0, 2.0, 3.0):
        series = rl.Series(eps, [e**p for e in eps])
        for least in (p - 1.0, p, p + 0.04):
            assert series == rl.converges_with_order(at_least=least)
            assert rl.judge(series, at_least=least).confirmed
        assert series != rl.converges_with_order(at_least=p + 0.1)
        assert series != rl.converges_with_order(p - 1.0), "the two-sided claim"
    for wrong in ({}, {"order": 1.0, "at_least": 1.0}):
        with pytest.raises(rl.InputError):
            rl.converges_with_order(**wrong)


def test_judgement_has_the_fit_the_limit_and_the_reason() -> None:
    found = rl.judge(midpoint_errors(), order=2, within=0.05)
    assert found.verdict == "confirmed" and found.confirmed
    assert found.order == pytest.approx(2.0, abs=2e-3) and found.order == found.fit.order
    assert 0.0 < found.standard_error < 1e-3
    assert found.limit.value == pytest.approx(2.0, abs=1e-4)
    assert found.fit.coefficient == pytest.approx(0.0716, rel=1e-2)
    assert found.reason == "order 2.000 ± 0.0002 over 6 of 6 ε, 0.25 … 0.00781; expected 2 ± 0.05"
    assert found.advice.startswith("The error falls with the expected order")


def test_text_of_a_refuted_order_marks_the_rows_with_another_order() -> None:
    lines = str(rl.judge(power_law(1, floor=1e-12), order=2)).splitlines()
    assert lines[0].startswith("refuted: order 1.000 ± ") and lines[0].endswith("expected 2 ± 0.05")
    assert lines[1].startswith("fitted order 1.0") and "for ε → 0: 1.0" in lines[1]
    assert lines[2].startswith("The error has another order than expected.")
    assert lines[3] == "           ε         error       floor       order"
    assert lines[4] == "   2.500e-01     7.500e-01   1.000e-12           -"
    assert lines[5] == "   1.250e-01     3.750e-01   1.000e-12       1.000  <- not 2 ± 0.05"
    assert len(lines) == 4 + len(EPSILON)


def test_rows_below_ten_floors_are_no_evidence() -> None:
    found = rl.judge(power_law(2, floor=1e-2, source="sampling"), order=2)
    assert found.verdict == rl.Verdict.FLOOR_LIMITED and found.hidden.sampling == 5
    assert "<- no evidence" in str(found) and found.advice.endswith("tighter tolerances do not help.")


def test_text_of_a_bound_marks_the_broken_rows() -> None:
    found = rl.judge_bound(power_law(1), rl.Bound(3.1 * 0.125**-1, 2.0))
    assert not found.held and found.worst == 5
    marks = [line.rpartition("<-")[2].strip() if "<-" in line else "" for line in str(found).splitlines()[2:]]
    assert marks == ["", "", "broken", "broken", "broken", "broken"]
    assert str(rl.Bound(10.0, 2.5, 1e-2, 1e-4)) == "10 ε^2.5 for 0.0001 ≤ ε ≤ 0.01"
    assert rl.judge_bound(power_law(1), rl.Bound(1.0, 0.0, 2.0, 3.0)).reason == "none of 6 rows lies in the interval"


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("row", [0, 2, 5])
def test_a_series_with_a_failed_row_holds_no_claim(bad: float, row: int) -> None:
    error = [3.0 * e**2 for e in EPSILON]
    ratio = [1.0 + 1e-6 * e for e in EPSILON]
    flat = [1.0 for _ in EPSILON]
    assert rl.Series(EPSILON, error) == rl.converges_with_order(2)
    assert rl.RatioSeries(EPSILON, ratio) == rl.ratio_tends_to(1)
    for values in (error, ratio, flat):
        values[row] = bad
    assert rl.Series(EPSILON, error) != rl.converges_with_order(2)
    assert "but 1 row failed" in rl.judge(rl.Series(EPSILON, error), 2).reason
    assert rl.Series(EPSILON, error) != rl.stays_below(100.0)
    assert rl.RatioSeries(EPSILON, ratio) != rl.ratio_tends_to(1)
    assert not rl.judge_no_convergence(rl.Series(EPSILON, flat)).confirmed
    # Negative control: a row that the caller excludes is no failure.
    used = [k != row for k in range(len(EPSILON))]
    assert rl.Series(EPSILON, error, usable=used) == rl.converges_with_order(2)
    assert rl.RatioSeries(EPSILON, ratio, usable=used) == rl.ratio_tends_to(1)


def test_unknown_floors_hold_no_bound() -> None:
    assert power_law(1, floor=math.nan) != rl.stays_below(100.0)
    assert power_law(1, floor=math.nan) != rl.solver_error_stays_below(1.0)


def test_text_of_ratios_marks_the_rows_that_are_too_far() -> None:
    ratios = rl.RatioSeries(EPSILON, [1.1 + e for e in EPSILON], [1e-6] * 5 + [1.0])
    found = rl.judge_ratio(ratios)
    assert found.verdict == "refuted" and found.limit.value == pytest.approx(1.1)
    assert sum("<- too far" in line for line in str(found).splitlines()) == 5
    assert str(found).splitlines()[-1].endswith("<- no evidence")


def test_series_may_be_given_in_increasing_order_or_sorted_on_request() -> None:
    backwards = rl.Series(EPSILON[::-1], midpoint_errors().error[::-1], np.full(6, 1e-14))
    assert backwards.points == rl.Series(EPSILON, midpoint_errors().error, 1e-14).points
    mixed = rl.Series([0.1, 0.4, 0.2], [1, 4, 2], [0.1, 0.3, 0.2], sort=True)
    assert mixed.epsilon == (0.4, 0.2, 0.1) and mixed.error == (4, 2, 1) and mixed.floor == (0.3, 0.2, 0.1)
    with pytest.raises(rl.InputError, match=r"row 2: epsilon = 0.2 after 0.1; must decrease \(sort=True sorts"):
        rl.Series([0.4, 0.1, 0.2], [1, 2, 4])


def test_arrays_of_numpy_are_accepted() -> None:
    epsilon = np.geomspace(1e-1, 1e-4, 7)
    for dtype in (np.float64, np.float32):
        series = rl.Series(epsilon, (2 * epsilon**1.5).astype(dtype), np.float64(0.0))
        assert series == rl.converges_with_order(np.float64(1.5))
        assert all(type(x) is float for x in series.error)
    with pytest.raises(TypeError, match="judges a Series, not a ndarray"):
        assert epsilon == rl.converges_with_order(1)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: rl.Series([0.1, math.nan], [1, 2]), "row 1: epsilon = nan is not > 0"),
    (lambda: rl.Series([0.1, math.nan], [1, 2], sort=True, name="drop"), "drop: row 1: epsilon = nan is not > 0"),
    (lambda: rl.Series([math.inf, 1], [1, 2]), "row 0: epsilon = inf is not > 0"),
    (lambda: rl.Series([0.1, 0.0], [1, 2]), "row 1: epsilon = 0 is not > 0"),
    (lambda: rl.Series([0.1, 0.1], [1, 2]), "row 1: epsilon = 0.1 after 0.1; must decrease"),
    (lambda: rl.Series([0.2, 0.1], [1, -2]), "row 1: negative error -2 or floor 0"),
    (lambda: rl.Series([0.2, 0.1], [1, 2], [0, -1e-3]), "row 1: negative error 2 or floor -0.001"),
    (lambda: rl.Series([0.2, 0.1], [1, 2, 3]), "a series of 2 ε: 3 values of error, 2 values of floor"),
    (lambda: rl.Series([0.2, 0.1], [1, 2], [0.1], name="drop"), "drop of 2 ε: .*1 values of floor.*each needs 2"),
    (lambda: rl.Series([0.2, 0.1], [1, 2], usable=[True]), "1 values of usable"),
    (lambda: untyped([0.2, 0.1], ["1", 2]), "error, row 0: '1' is not a number"),
    (lambda: untyped([0.2, 0.1], [1, None]), "error, row 1: None is not a number"),
    (lambda: untyped([0.2, 0.1], [1, 2j]), "error, row 1: 2j is not a number"),
    (lambda: untyped(0.1, 2), "epsilon = 0.1 is not a list of numbers"),
    (lambda: untyped("0.1", [1]), "epsilon = '0.1' is not a list of numbers"),
    (lambda: untyped([0.1], [1], None), "floor = None is not a list of numbers"),
    (lambda: rl.Series(np.ones((2, 2)), [1, 2]), "epsilon has 2 dimensions; a series needs 1"),
    (lambda: rl.Series([0.1], [1], source="luck"), "source: 'luck' .*one of unnamed, rounding"),
    (lambda: rl.Series([0.1], [1]).ratios(), "the series has no predicted errors"),
    (lambda: rl.RatioSeries([0.1, 0.2, 0.15], [1, 1, 1]), "row 1: epsilon = 0.2 after 0.1; must decrease"),
    (lambda: rl.RatioSeries([0.2, 0.1], [1, -1], -1), "floor -1"),
    (lambda: rl.judge(power_law(1), within=0), "expected order 0 within 0: not a tolerance > 0"),
    (lambda: rl.judge(power_law(1), math.nan), "expected order nan within 0.05"),
    (lambda: power_law(1) == rl.converges_with_order(1, -1), "expected order 1 within -1"),
    (lambda: rl.fit_order(power_law(1), rl.FitOptions(min_points=2)), "min_points = 2 at least 3"),
    (lambda: rl.fit_order(power_law(1), rl.FitOptions(max_spread=math.nan)), "max_spread = nan must be > 0"),
    (lambda: power_law(1) == rl.stays_below(-1), r"bound -1 eps\^0: the constant must be > 0 and finite"),
    (lambda: power_law(1) == rl.stays_below(1).on(-1, 2), "bound for eps from -1 to 2: not an interval"),
    (lambda: rl.judge_ratio(rl.RatioSeries([0.1], [1]), 1, 0), "ratio 1 within 0: not a tolerance > 0"),
    (lambda: rl.judge_equality(power_law(1), 0), "equality within 0 of 6 errors cannot be judged"),
    (lambda: rl.without_terms(power_law(1), [-1]), "a further term cannot have order -1"),
    (lambda: rl.without_terms(rl.Series([4, 2, 1.5], [4, 2, 1]), [1]), "refinement ratios 2 and 1.33.* differ"),
    (lambda: rl.without_terms(power_law(1), [1] * 6), "6 terms cannot be removed from 6 rows"),
    (lambda: order_trend(power_law(1).points, 1), "steps = 1 must be at least 2"),
])
def test_bad_input_raises_an_input_error_with_a_sentence(make: Callable[[], object], message: str) -> None:
    with pytest.raises(rl.InputError, match=message):
        make()
    assert issubclass(rl.InputError, ValueError)


@pytest.mark.parametrize("judged", [
    lambda: midpoint_errors() == rl.ratio_tends_to(1), lambda: midpoint_errors() != rl.ratio_tends_to(1),
    lambda: midpoint_errors().ratios() == rl.converges_with_order(2), lambda: [1, 2] != rl.converges_with_order(2),
    lambda: bool(rl.converges_with_order(2))])
def test_claims_refuse_anything_but_their_kind_of_series(judged: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        judged()


def test_short_series_decide_nothing() -> None:
    for n in range(3):
        found = rl.judge(rl.Series(EPSILON[:n], EPSILON[:n]), 1)
        assert found.verdict == "inconclusive" and f"evidence at {n} of {n} ε, 4 needed" in str(found)
    assert rl.Series([], []) != rl.stays_below(1.0)
    assert rl.judge_ratio(rl.RatioSeries([], [])).verdict == "inconclusive"


def test_odd_values_raise_nothing() -> None:
    odd = [0.0, 5e-324, 1e-300, 1.0, 1e300, math.inf, math.nan]
    for a in odd:
        for b in odd:
            series = rl.Series([1e300, 1.0, 1e-10, 1e-300, 5e-324], [1.0, a, 1.0, b, a], [0.0, 0.0, b, 0.0, a])
            for order in (None, -3.0, 0.0, 300.0):
                str(rl.judge(series, order))
            str(rl.judge_bound(series, rl.Bound(1.0, 300.0)))
            str(rl.judge_ratio(rl.RatioSeries(series.epsilon, series.error, series.floor), 1.0))
            rl.order_limit(series)


def test_series_and_judgements_can_be_pickled() -> None:
    found = pickle.loads(pickle.dumps(rl.judge(midpoint_errors(), 2)))
    assert found.series.points == midpoint_errors().points and str(found) == str(rl.judge(midpoint_errors(), 2))


def test_text_of_a_series() -> None:
    assert repr(midpoint_errors()) == "<Series: midpoint rule of 6 ε>"
    lines = str(midpoint_errors()).splitlines()
    assert lines[0] == "midpoint rule of 6 ε" and len(lines) == 8
    assert repr(rl.stays_below(0.5, 1).on(0, 1)) == "<stays below 0.5 ε for ε ≤ 1>"


def test_function_and_subpackage_share_the_name_judge() -> None:
    from rigidlimit.judge import Series
    assert callable(rl.judge) and Series is rl.Series


def test_import_needs_only_the_standard_library() -> None:
    code = "import sys, rigidlimit; print(sorted({'numpy', 'pytest', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT / "python", capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
