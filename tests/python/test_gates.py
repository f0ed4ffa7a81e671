"""The package rigidlimit_gates judges series as the compiled package does: equal bits, words and sentences."""

import math
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rigidlimit as rl

GATES = Path(__file__).resolve().parents[2] / "python/gates"
sys.path.insert(0, str(GATES))  # the wheel is tested by test_gates_wheel.py
import rigidlimit_gates as gates  # noqa: E402
from rigidlimit_gates import bounds, ieee, limits, orders, ratio, verdict  # noqa: E402

COMPILED, PURE = (import_module(f"{package.__name__}.judge") for package in (rl, gates))
TREND = ("orders", "shrinking", "above_floor", "limit", "slow_limit", "next", "horizon")
SOURCES = ("unnamed", "rounding", "solver", "reference", "sampling")
Rows = dict[str, Any]
"""Arguments of Series or RatioSeries."""


# --- Random series

def epsilons_of(draw: random.Random) -> list[float]:
    """2 to 12 ε by a constant, a varying or a tiny ratio."""
    n, first = draw.randint(2, 12), 10.0 ** draw.uniform(-6, 1)
    kind = draw.random()
    if kind < 0.5:
        ratio = draw.choice((2.0, 10.0, math.sqrt(10.0), 1.5, 10.0 ** draw.uniform(0.01, 1)))
        return [first / ratio**k for k in range(n)]
    if kind < 0.95:
        found = [first]
        for _ in range(n - 1):
            found.append(found[-1] / 10.0 ** draw.uniform(0.001, 1.2))
        return found
    found = [first]  # neighbours that differ in their last bits: equal logarithms
    for _ in range(n - 1):
        found.append(found[-1] * (1.0 - draw.choice((2.0**-52, 2.0**-53, 2.0**-40))))
    return found


def law_of(draw: random.Random) -> Callable[[float], float]:
    """K ε^p with a logarithm, a second term, a wave or a jump."""
    p, size = draw.choice((0.0, 0.5, 1.0, 1.5, 2.0, -1.0, draw.uniform(-2, 5))), 10.0 ** draw.uniform(-3, 3)
    q, other = p + draw.choice((0.25, 0.5, 1.0, -0.5)), draw.choice((0.0, 0.1, -0.1, 1.0, -0.9, 30.0))
    m, wave = draw.choice((0.0, 0.0, 1.0, -1.0, 2.0)), draw.choice((0.0, 0.0, 0.01, 0.3))
    constant = draw.choice((0.0, 0.0, 1e-6, 1e-3))

    def law(e: float) -> float:
        logarithm = max(1.0 + math.log(20.0 / e), 0.01) ** m
        power_law = e**p * logarithm + other * e**q
        return float(size * power_law * (1.0 + wave * math.sin(5.0 * math.log(e))) + constant)

    return law


def floors_of(draw: random.Random, values: list[float]) -> list[float]:
    """Bars of all sizes: none, one for all, a share of each value, from rounding to as large as the value."""
    kind = draw.randrange(5)
    if kind == 0:
        return [0.0] * len(values)
    if kind == 1:
        return [10.0 ** draw.uniform(-16, 0)] * len(values)
    share = 10.0 ** draw.uniform(-12, 0.3)
    if kind == 2:
        return [share * abs(v) for v in values]
    return [abs(v) * 10.0 ** draw.uniform(-6, 0.3) for v in values]


def spoil(draw: random.Random, rows: Rows, name: str) -> Rows:
    """Zeros, failed rows, unknown bars, excluded rows, another order of the rows, values that are refused."""
    n = len(rows["epsilon"])
    for value, chance in ((0.0, 0.08), (math.nan, 0.06), (math.inf, 0.04), (5e-324, 0.02), (1e308, 0.02)):
        if draw.random() < chance:
            rows[name][draw.randrange(n)] = value
    for value, chance in ((0.0, 0.06), (math.nan, 0.06), (math.inf, 0.02), (-1.0, 0.01)):
        if draw.random() < chance:
            rows["floor"][draw.randrange(n)] = value
    if draw.random() < 0.15:
        rows["usable"] = [draw.random() < 0.8 for _ in range(n)]
    kind = draw.random()
    columns = [column for column in rows if isinstance(rows[column], list)]
    if kind < 0.1:
        for column in columns:
            rows[column].reverse()
    elif kind < 0.2:
        shuffled = draw.sample(range(n), n)
        for column in columns:
            rows[column] = [rows[column][k] for k in shuffled]
        rows["sort"] = draw.random() < 0.8
    elif kind < 0.22:
        rows["epsilon"][draw.randrange(n)] = draw.choice((0.0, -1.0, math.nan, math.inf))
    return rows


def errors_of(draw: random.Random) -> Rows:
    epsilon, law = epsilons_of(draw), law_of(draw)
    exact = [abs(law(e)) for e in epsilon]
    floor = floors_of(draw, exact)
    error = [abs(v + draw.choice((0.0, 1.0)) * draw.uniform(-f, f)) for v, f in zip(exact, floor)]
    rows: Rows = {"epsilon": epsilon, "error": error, "floor": floor, "name": draw.choice(("", "drift"))}
    if draw.random() < 0.7:
        rows["source"] = [draw.choice(SOURCES) for _ in epsilon]
    if draw.random() < 0.4:
        limit = law_of(draw) if draw.random() < 0.3 else law
        rows["predicted"] = [abs(limit(e)) * (1.0 + draw.choice((0.0, 0.1)) * e) for e in epsilon]
    return spoil(draw, rows, "error")


def ratios_of(draw: random.Random) -> Rows:
    epsilon, law = epsilons_of(draw), law_of(draw)
    target = draw.choice((1.0, 1.0, 1.002, -3.0, 0.0))
    sign = draw.choice((1.0, -1.0))
    scale = draw.choice((1e-3, 1.0)) / max(abs(law(epsilon[0])), 1e-3)
    ratio = [target + sign * scale * law(e) for e in epsilon]
    floor = floors_of(draw, [r - target for r in ratio])
    return spoil(draw, {"epsilon": epsilon, "ratio": ratio, "floor": floor}, "ratio")


def cases() -> Iterator[tuple[Rows, Rows, random.Random]]:
    for seed in range(1500):
        draw = random.Random(seed)
        yield errors_of(draw), ratios_of(draw), draw


# --- Comparison

def plain(value: object) -> object:
    """A value without the package that made it: floats as bits, NaN as one word."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value.hex()
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if type(value).__name__ == "OrderTrend":
        return {name: plain(getattr(value, name)) for name in TREND}
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, (COMPILED._Rows, PURE._Rows)):
        return [type(value).__name__, value.name, [repr(p) for p in value.points]]
    return repr(value)


def outcome(make: Callable[[], object]) -> object:
    """The value of a call, or the class and message of its exception."""
    try:
        return plain(make())
    except Exception as error:  # the classes are compared
        return [type(error).__name__, str(error)]


def series_outcomes(package: ModuleType, rows: Rows, draw: random.Random) -> Iterator[tuple[str, object]]:
    """Each judgement of one series of errors, and each text."""
    made = outcome(lambda: package.Series(**rows))
    yield "Series", made
    if isinstance(made, list) and made[0] != "Series":
        return
    series = package.Series(**rows)
    within = draw.choice((0.05, 0.05, 0.01, 0.2, 1e-4))
    order = draw.choice((0.0, 0.5, 1.0, 1.5, 2.0, -1.0, draw.uniform(-2, 5)))
    level = draw.choice((0.1, 1.0, 1.01, 10.0)) * abs(next(iter(series.error)))
    power, ends = draw.choice((0.0, order, 1.0, 2.0)), (10.0 ** draw.uniform(-8, 1), 10.0 ** draw.uniform(-8, 1))
    bound = package.Bound(level, power, *draw.choice(((), (0.0,), ends)))
    judged = {
        "judge": lambda: package.judge(series),
        "judge order": lambda: package.judge(series, order, within),
        "judge at least": lambda: package.judge(series, at_least=order, within=within),
        "no convergence": lambda: package.judge_no_convergence(series, within),
        "equality": lambda: package.judge_equality(series, level),
        "limit": lambda: package.judge_limit(series, level),
        "bound": lambda: package.judge_bound(series, bound, "drift"),
        "ratios": lambda: package.judge_ratio(series.ratios()),
    }
    for name, judge in judged.items():
        yield name, outcome(judge)
        yield f"text of {name}", outcome(lambda judge=judge: str(judge()))  # type: ignore[misc]
    trend = {rl: COMPILED, gates: PURE}[package].order_trend
    options = package.FitOptions(within, draw.choice((3, 4, 5)))
    terms, steps = [draw.choice((1.0, 0.5, 2.0))] * draw.randint(0, 3), draw.choice((1, 2, 3, 5))
    claim = package.stays_below(level, power).on(*ends)
    yield "fit", outcome(lambda: package.fit_order(series, options))
    yield "orders", outcome(lambda: package.neighbour_orders(series))
    yield "order limit", outcome(lambda: package.order_limit(series))
    yield "trend", outcome(lambda: trend(series.points, steps))
    yield "without terms", outcome(lambda: package.without_terms(series, terms))
    yield "text", str(series)
    yield "limits", [outcome(lambda e=e: (bound.limit(e), bound.covers(e))) for e in series.epsilon]  # type: ignore[misc]
    yield "bound text", [str(bound), claim.describe(), outcome(lambda: claim.explain(series))]
    yield "solver error", outcome(lambda: package.solver_error_stays_below(level).explain(series))
    yield "rows", [[p.is_failed, p.is_evidence, str(p.source)] for p in series.points]


def ratio_outcomes(package: ModuleType, rows: Rows, draw: random.Random) -> Iterator[tuple[str, object]]:
    made = outcome(lambda: package.RatioSeries(**rows))
    yield "RatioSeries", made
    if isinstance(made, list) and made[0] != "RatioSeries":
        return
    series = package.RatioSeries(**rows)
    target, within = draw.choice((1.0, 1.0, -3.0, 0.0, 1.0005)), draw.choice((1e-3, 1e-3, 1e-2, 0.1, 1e-6))
    yield "ratio", outcome(lambda: package.judge_ratio(series, target, within))
    yield "text of ratio", outcome(lambda: package.ratio_tends_to(target, within).explain(series))
    yield "text", str(series)
    yield "rows", [p.is_evidence(within) for p in series.points]


def all_outcomes(package: ModuleType, case: tuple[Rows, Rows, random.Random]) -> list[tuple[str, object]]:
    errors, ratios, draw = case
    return [*series_outcomes(package, errors, draw), *ratio_outcomes(package, ratios, draw)]


@pytest.fixture(scope="module")
def of_compiled() -> list[list[tuple[str, object]]]:
    return [all_outcomes(rl, case) for case in cases()]


def differences(of_compiled: list[list[tuple[str, object]]], first: int = 10**9) -> list[str]:
    """Names of the outcomes in which the packages differ, at most `first` and some."""
    found: list[str] = []
    for seed, (compiled, case) in enumerate(zip(of_compiled, cases())):
        pure = all_outcomes(gates, case)
        found += [f"{seed}: {name}\n{a}\n{b}" for (name, a), (_, b) in zip(compiled, pure) if a != b]
        if len(compiled) != len(pure):
            found.append(f"{seed}: {len(compiled)} and {len(pure)} outcomes")
        if len(found) >= first:
            break
    return found


# --- Tests

def test_1500_random_series_have_the_judgements_of_the_compiled_package(
        of_compiled: list[list[tuple[str, object]]]) -> None:
    different = differences(of_compiled)
    assert not different, f"{len(different)} differ:\n" + "\n".join(different[:5])


def test_the_random_series_reach_every_verdict_and_state(of_compiled: list[list[tuple[str, object]]]) -> None:
    verdicts: dict[str, set[object]] = {}
    for outcomes in of_compiled:
        for name, value in outcomes:
            if isinstance(value, dict):
                verdicts.setdefault(name, set()).add(value.get("verdict") or value.get("state"))
    words = {str(word) for word in rl.Verdict}
    assert verdicts["judge order"] == words - {"settled"}
    assert {"settled", "diverging", "pre-asymptotic", "floor-limited", "inconclusive"} == verdicts["judge"]
    assert verdicts["ratio"] == words - {"settled"}
    assert verdicts["bound"] == {str(word) for word in rl.BoundState}
    assert verdicts["equality"] == {"confirmed", "refuted", "inconclusive"} == verdicts["limit"]
    refused = [value[1] for outcomes in of_compiled for _, value in outcomes
               if isinstance(value, list) and value and value[0] == "InputError"]
    assert len(refused) > 100 and all(any(words in text for text in refused) for words in (
        "is not > 0", "must decrease", "negative error", "refinement ratios", "terms cannot be removed",
        "at least 2", "no predicted errors"))


@pytest.mark.parametrize(("module", "name", "value"), [
    (orders, "evidence_factor", 10.0 * (1.0 + 1e-2)), (verdict, "MAX_SPREAD", 0.051), (verdict, "MIN_POINTS", 5),
    (ratio, "LEAST_POINTS", 4),
    (limits, "expm1", lambda x: ieee.exp(x) - 1.0), (orders, "log", lambda x: ieee.log(x) * (1.0 + 2.0**-52)),
    (bounds, "power", lambda x, p: ieee.exp(p * ieee.log(x)))])
def test_one_changed_constant_or_rounding_is_found(
        of_compiled: list[list[tuple[str, object]]], monkeypatch: pytest.MonkeyPatch,
        module: ModuleType, name: str, value: object) -> None:
    """Negative controls of the comparison."""
    monkeypatch.setattr(module, name, value)
    assert differences(of_compiled, first=1)


def test_both_packages_have_the_same_names() -> None:
    assert set(gates.__all__) == set(COMPILED.__all__) - {"RatioPoint", "SeriesPoint", "order_trend"}
    assert all(hasattr(rl, name) for name in gates.__all__)
    assert COMPILED.__all__ == PURE.__all__
    assert gates.__version__ == rl.__version__ and gates.evidence_factor == rl.evidence_factor
    assert gates.InputError.__name__ == "InputError" and issubclass(gates.InputError, ValueError)


def test_points_have_the_equality_hash_and_repr_of_the_compiled_ones() -> None:
    for package in (COMPILED, PURE):
        point = package.SeriesPoint(1, 2, math.nan, source="solver")
        ratio_point = package.RatioPoint(1, math.nan)
        for one in (point, ratio_point):
            again = pickle.loads(pickle.dumps(one))
            assert again == one and hash(again) == hash(one) and repr(again) == repr(one)
        assert point != ratio_point and point != package.SeriesPoint(1, 2, 0.0)
        with pytest.raises(TypeError):
            package.SeriesPoint("1", 2)
        with pytest.raises(ValueError, match="source: 'luck' is not a source"):
            package.SeriesPoint(1, 2, source="luck")
        with pytest.raises(AttributeError):
            point.error = 3.0
    assert repr(COMPILED.SeriesPoint(1, 2)) == repr(PURE.SeriesPoint(1, 2))


@pytest.mark.parametrize(("made", "expected"), [
    (lambda: ieee.divide(1.0, -0.0), -math.inf), (lambda: ieee.divide(0.0, 0.0), math.nan),
    (lambda: ieee.log(0.0), -math.inf), (lambda: ieee.log(-1.0), math.nan), (lambda: ieee.exp(1e4), math.inf),
    (lambda: ieee.expm1(1e4), math.inf), (lambda: ieee.power(10.0, 400.0), math.inf),
    (lambda: ieee.power(-10.0, 401.0), -math.inf), (lambda: ieee.power(0.0, -1.0), math.inf),
    (lambda: ieee.power(-0.0, -1.0), -math.inf), (lambda: ieee.power(-1.0, 0.5), math.nan),
    (lambda: ieee.power(2.0, 0.5), math.sqrt(2.0))])
def test_operations_return_the_special_values_of_ieee_754(made: Callable[[], float], expected: float) -> None:
    assert plain(made()) == plain(expected)
