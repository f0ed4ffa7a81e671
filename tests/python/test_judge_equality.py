"""The Python judgement equals the C++ one: the same words and sentences, the same numbers to 1e-12."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rigidlimit as rl
from compared_series import answers_of_cpp, random_ratios, random_series, request, study_series

Answer = tuple[str, str, str, list[float]]
COUNT = 1000


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> list[rl.Series]:
    """1000 series, of studies and random."""
    of_studies = study_series(tmp_path_factory.mktemp("results"))
    assert len(of_studies) > 100
    return of_studies + random_series(COUNT - len(of_studies), seed=20)


def of_fit(fit: rl.OrderFit) -> list[float]:
    return [float(x) for x in dataclasses.astuple(fit)]


def of_judgement(found: rl.Judgement) -> Answer:
    numbers = [*of_fit(found.fit), *dataclasses.astuple(found.hidden), found.limit.value, found.limit.error,
               *rl.neighbour_orders(found.series)]
    return found.verdict, found.reason, found.advice, [float(x) for x in numbers]


def of_bound(found: rl.BoundJudgement) -> Answer:
    numbers = [found.limit, found.factor, -1.0 if found.worst is None else float(found.worst), *map(float, found.rows)]
    return str(found.state), found.reason, str(found.bound), numbers


def of_ratio(found: rl.RatioJudgement) -> Answer:
    numbers = [*of_fit(found.approach), float(found.last), found.ratio, found.limit.value, found.limit.error]
    return found.verdict, found.reason, "", numbers


def ratios_of(s: rl.Series) -> rl.RatioSeries:
    """The errors themselves as ratios: judged against a target near the last one."""
    return rl.RatioSeries(s.epsilon, s.error, s.floor, usable=[p.usable for p in s.points])


CLAIMS: dict[str, Callable[..., Answer]] = {
    "order": lambda s, p, within: of_judgement(rl.judge(s, None if math.isnan(p) else p, within)),
    "none": lambda s, within: of_judgement(rl.judge_no_convergence(s, within)),
    "equal": lambda s, limit: of_judgement(rl.judge_equality(s, limit)),
    "limit": lambda s, limit: of_judgement(rl.judge_limit(s, limit)),
    "bound": lambda s, *bound: of_bound(rl.judge_bound(s, rl.Bound(*bound))),
    "ratio": lambda s, *target: of_ratio(rl.judge_ratio(ratios_of(s), *target)),
    "fit": lambda s, spread, points: ("fit", "", "", of_fit(rl.fit_order(s, rl.FitOptions(spread, int(points))))),
    "terms": lambda s, count, *orders: of_judgement(rl.judge(rl.without_terms(s, orders))),
}


def requests_on(k: int, s: rl.Series) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The claims on series number k; their parameters lie near what the series shows."""
    fitted = rl.fit_order(s).order
    order = round(2.0 * fitted) / 2.0 if math.isfinite(fitted) else 1.0
    within = (0.05, 0.02, 0.2, 1e-3)[k % 4]
    yield "order", (math.nan, within)
    for p in (order, order + (0.1, -0.1, 0.25, 1.0)[k % 4]):
        yield "order", (p, within)
    fit = rl.fit_order(s, rl.FitOptions(within))
    if math.isfinite(fit.order):  # just inside and just outside of the tolerance and of the error bars
        reach, sign = within + 2.0 * fit.standard_error + fit.floor_error, (-1.0) ** k
        for distance in (within, reach):
            for factor in (0.999, 1.001):
                yield "order", (fit.order + sign * factor * distance, within)
    yield "none", (within,)
    yield "fit", (within, float(3 + k % 4))
    finite = [e for e in s.error if math.isfinite(e)] or [1.0]
    for limit in (max(finite) * 1.0001 + 1e-300, -1.0 if k % 50 == 0 else 0.5 * max(finite) + 1e-300):
        yield "equal", (limit,)
        yield "limit", (limit,)
    middle = s.epsilon[len(s) // 2] if len(s) else 1.0
    yield "bound", ((finite[-1] / middle**order + 1e-300), order, 0.0, middle)
    yield "bound", (max(finite) + 1e-300, 0.0, middle, math.inf)
    for target, tolerance in ((1.0, 1e-3), (finite[-1], 1e-3 * finite[-1] + 1e-300),
                              (finite[-1] + 0.02 * finite[0], 0.01 * finite[0] + 1e-300)):
        yield "ratio", (target, tolerance)
    yield "terms", (1.0, order + 1.0)
    yield "terms", (2.0, order + 1.0, -1.0 if k % 50 == 0 else order + 2.0)


def ratio_requests_on(k: int, s: rl.Series) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Targets just inside and just outside of the reach of a trend, of the limit and of the tolerance."""
    within, sign, last = (1e-3, 1e-2)[k % 2], (-1.0) ** (k // 2), s.error[-1]
    limit = rl.judge_ratio(ratios_of(s), 1.0, within).limit
    spread = max(s.error[-3:]) - min(s.error[-3:])
    yield "ratio", (1.0, within)
    yield "ratio", (1.02, within)
    for factor in (0.999, 1.001):
        yield "ratio", (last + sign * factor * within, within)
        yield "ratio", (last + sign * factor * 1e-3 * within, within)
        yield "ratio", (last + sign * factor * 10.0 * spread, within)
        yield "ratio", (last + 2.0 * sign, factor * 1e3 * spread + 1e-300)
        if math.isfinite(limit.value):
            yield "ratio", (limit.value + sign * factor * (within + limit.error), within)


def answer(claim: str, parameters: tuple[float, ...], s: rl.Series) -> Answer:
    try:
        return CLAIMS[claim](s, *parameters)
    except rl.InputError as error:
        return "error", str(error), "", []


def difference(mine: Answer, cpp: list[str], relative: float = 1e-12) -> str:
    """A sentence on the first difference; empty if there is none."""
    word, reason, advice, numbers = mine
    if [word, reason] != cpp[:2] or (word != "error" and advice != cpp[2]):
        return f"{mine[:3]} is not {cpp[:3]}"
    theirs = [float(x) for x in cpp[3:]]
    if len(numbers) != len(theirs):
        return f"{len(numbers)} numbers, not {len(theirs)}"
    for k, (a, b) in enumerate(zip(numbers, theirs, strict=True)):
        if not (a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= relative * abs(b)):
            return f"number {k} is {a!r}, not {b!r}"
    return ""


def test_judgements_equal_those_of_cpp(series: list[rl.Series]) -> None:
    cases = [(claim, parameters, s) for k, s in enumerate(series) for claim, parameters in requests_on(k, s)]
    found = answers_of_cpp([request(*case) for case in cases])
    assert len(series) == COUNT and len(found) == len(cases)
    differences = [f"{case[0]} {case[1]} on {case[2]!r}: {text}" for case, cpp in zip(cases, found, strict=True)
                   if (text := difference(answer(*case), cpp))]
    assert not differences, "\n".join([f"{len(differences)} of {len(cases)} differ", *differences[:10]])
    words = {(case[0], cpp[0]) for case, cpp in zip(cases, found, strict=True)}
    assert {word for claim, word in words if claim == "order"} == set(rl.Verdict)
    assert {word for claim, word in words if claim == "ratio"} == set(rl.Verdict) - {rl.Verdict.SETTLED}
    assert {word for claim, word in words if claim == "bound"} == set(map(str, rl.BoundState))
    assert {"error"} <= {word for _, word in words}


def test_judgements_of_ratios_equal_those_of_cpp() -> None:
    cases = [(claim, parameters, s) for k, s in enumerate(random_ratios(500, seed=21))
             for claim, parameters in ratio_requests_on(k, s)]
    found = answers_of_cpp([request(*case) for case in cases])
    differences = [f"{case[1]} on {case[2]}: {text}" for case, cpp in zip(cases, found, strict=True)
                   if (text := difference(answer(*case), cpp))]
    assert not differences, "\n".join([f"{len(differences)} of {len(cases)} differ", *differences[:10]])
    assert {cpp[0] for cpp in found} == set(rl.Verdict) - {rl.Verdict.SETTLED}


def test_another_tolerance_gives_other_verdicts(series: list[rl.Series]) -> None:
    orders = [round(2.0 * f) / 2.0 if math.isfinite(f := rl.fit_order(s).order) else 1.0 for s in series]
    found = answers_of_cpp([request("order", (p, 0.05), s) for p, s in zip(orders, series, strict=True)])
    changed = [rl.judge(s, p, within=0.2).verdict != cpp[0] for p, s, cpp in zip(orders, series, found, strict=True)]
    assert 50 < sum(changed) < len(series)


def test_a_number_that_is_off_by_a_billionth_is_a_difference() -> None:
    assert not difference(("fit", "", "", [1.0, math.nan]), ["fit", "", "", "1", "nan"])
    assert "number 0" in difference(("fit", "", "", [1.0 + 1e-9]), ["fit", "", "", "1"])
    assert "not" in difference(("settled", "", "", []), ["refuted", "", ""])


def test_series_of_studies_have_the_verdicts_of_their_tables(tmp_path: Path) -> None:
    settled = [s for s in study_series(tmp_path) if s.name.startswith("realisations elastic") and " l2 all" in s.name]
    assert len(settled) == 3 and all(rl.judge(s).verdict == "settled" for s in settled)
