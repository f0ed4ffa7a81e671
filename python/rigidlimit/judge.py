"""Convergence orders, floors, verdicts, bounds and ratios of plain series.

The rules are those of src/rigidlimit/convergence/, compiled in the package rigidlimit and in Python in the package
rigidlimit_gates. Both have this module, which accepts lists and NumPy arrays, and names the results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NoReturn, SupportsFloat, TypeVar

from . import _core
from ._core import RatioPoint, SeriesPoint, order_trend
from .errors import InputError
from .words import BoundState, FloorSource, Verdict

__all__ = [
    "Bound", "BoundJudgement", "BoundState", "Claim", "FitOptions", "FloorSource", "HiddenRows", "InputError",
    "Judgement", "Limit", "OrderFit", "RatioJudgement", "RatioPoint", "RatioSeries", "Series", "SeriesPoint", "Verdict",
    "converges_with_order", "evidence_factor", "fit_order", "judge", "judge_bound", "judge_equality", "judge_limit",
    "judge_no_convergence", "judge_ratio", "neighbour_orders", "order_limit", "order_trend", "ratio_tends_to",
    "solver_error_stays_below", "stays_below", "without_terms"]

#: A model error must exceed the other errors this many times to be evidence.
evidence_factor: float = _core.evidence_factor

#: A list, tuple, one-dimensional NumPy array or pandas column of numbers.
Numbers = Iterable[SupportsFloat]


# --- Texts

def _named(name: str, rows: int) -> str:
    """Short name of a series: "midpoint rule of 6 ε"."""
    return f"{name or 'a series'} of {rows} ε"


def _lines(*parts: str) -> str:
    """The nonempty parts, one a line."""
    return "\n".join(part for part in parts if part)


# --- Series

def _numbers(name: str, values: Numbers) -> tuple[float, ...]:
    dimensions = getattr(values, "ndim", 1)
    if dimensions != 1:
        raise InputError(f"{name} has {dimensions} dimensions; a series needs 1")
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(f"{name} = {values!r} is not a list of numbers")
    found = []
    for k, value in enumerate(values):
        try:
            if isinstance(value, (str, bytes)):
                raise TypeError
            found.append(float(value))
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{name}, row {k}: {value!r} is not a number") from None
    return tuple(found)


def _column(name: str, values: Numbers | SupportsFloat, rows: int) -> tuple[float, ...]:
    """One number a row; a single number stands for all rows."""
    if isinstance(values, (int, float)) or getattr(values, "ndim", None) == 0:
        return (float(values),) * rows  # type: ignore[arg-type]
    return _numbers(name, values)  # type: ignore[arg-type]


def _by_decreasing_epsilon(epsilon: Sequence[float], sort: bool) -> list[int]:
    """Row numbers by decreasing ε: as given, reversed if ε increases throughout, or sorted on request.

    Other series stay as given: the check for a series names their first wrong row.
    """
    rows = range(len(epsilon))
    if any(math.isnan(e) for e in epsilon):
        return list(rows)
    if sort:
        return sorted(rows, key=lambda k: -epsilon[k])
    if len(rows) > 1 and all(epsilon[k - 1] < epsilon[k] for k in rows[1:]):
        return list(reversed(rows))
    return list(rows)


def _require_lengths(name: str, epsilon: int, **columns: int) -> None:
    if any(length != epsilon for length in columns.values()):
        counts = ", ".join(f"{length} values of {column}" for column, length in columns.items())
        raise InputError(f"{_named(name, epsilon)}: {counts}; each needs {epsilon}")


P = TypeVar("P", SeriesPoint, RatioPoint)


def _checked(require: Callable[[Sequence[P]], None], points: Iterable[P], name: str) -> tuple[P, ...]:
    """The rows, if they form a series."""
    rows = tuple(points)
    try:
        require(rows)
    except InputError as error:
        hint = " (sort=True sorts the rows)" if "must decrease" in str(error) else ""
        raise InputError(f"{name}: {error}{hint}" if name else f"{error}{hint}") from None
    return rows


class _Rows(Generic[P]):
    """Rows by decreasing ε, and their name."""

    name: str
    points: tuple[P, ...]

    # NumPy would compare an array with a series element by element.
    __array_ufunc__ = None

    @property
    def epsilon(self) -> tuple[float, ...]:
        """ε of the rows, largest first."""
        return tuple(p.epsilon for p in self.points)

    @property
    def floor(self) -> tuple[float, ...]:
        """Error bars of the rows."""
        return tuple(p.floor for p in self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {_named(self.name, len(self))}>"


class Series(_Rows[SeriesPoint]):
    """Errors e(ε) of a computation, by decreasing ε.

    Parameters
    ----------
    epsilon : numbers, shape (n,)
        The refined parameter, > 0: a stiffness parameter, a step size. It decreases or increases throughout;
        increasing rows are reversed.
    error : numbers, shape (n,)
        Errors ≥ 0, in any unit; NaN or infinite: the row failed, and no claim holds for the series.
    floor : number or numbers, shape (n,)
        Error bars of the errors in the same unit, ≥ 0, for instance the solver error; NaN: unknown.
    name : str
        For the failure text.
    predicted : numbers, shape (n,), optional
        Errors that a theory predicts, K ε^p; NaN: none.
    source : str or strings, shape (n,)
        Origin of the floors: "unnamed", "rounding", "solver", "reference" or "sampling". The advice depends on it.
    usable : bools, shape (n,), optional
        False: ignore the row.
    sort : bool
        Accept the rows in any order and sort them.

    Attributes
    ----------
    epsilon, floor : tuple of float, shape (n,)
        ε and error bars of the rows, largest ε first.
    points : tuple of SeriesPoint, shape (n,)
        The rows, largest ε first.

    Raises
    ------
    InputError
        If ε is NaN, not > 0, repeated or not monotone, an error or floor is negative, or lengths differ.

    Notes
    -----
    A row is evidence if its error is at least ten times its floor. Only evidence enters a fit.
    ``series == claim`` judges the series, with a claim such as ``converges_with_order(2)``.
    """

    def __init__(self, epsilon: Numbers, error: Numbers, floor: Numbers | SupportsFloat = 0.0, *, name: str = "",
                 predicted: Numbers | None = None, source: str | Iterable[str] = "unnamed",
                 usable: Iterable[bool] | None = None, sort: bool = False) -> None:
        epsilons = _numbers("epsilon", epsilon)
        n = len(epsilons)
        errors, floors = _numbers("error", error), _column("floor", floor, n)
        predictions = (math.nan,) * n if predicted is None else _numbers("predicted", predicted)
        try:
            sources = (FloorSource(source),) * n if isinstance(source, str) else tuple(map(FloorSource, source))
        except ValueError as problem:
            raise InputError(f"source: {problem}; it is one of {', '.join(FloorSource)}") from None
        used = (True,) * n if usable is None else tuple(map(bool, usable))
        _require_lengths(name, n, error=len(errors), floor=len(floors), predicted=len(predictions),
                         source=len(sources), usable=len(used))
        self.name = name
        self.points = _checked(_core.require_series, (
            SeriesPoint(epsilons[k], errors[k], floors[k], used[k], sources[k], predictions[k])
            for k in _by_decreasing_epsilon(epsilons, sort)), name)

    @classmethod
    def of_points(cls, points: Sequence[SeriesPoint], name: str = "") -> "Series":
        """A series of rows by decreasing ε. Raises InputError as the constructor does."""
        series = cls.__new__(cls)
        series.name = name
        series.points = _checked(_core.require_series, points, name)
        return series

    @property
    def error(self) -> tuple[float, ...]:
        """Errors of the rows."""
        return tuple(p.error for p in self.points)

    def ratios(self) -> "RatioSeries":
        """error / predicted with floor / predicted as its uncertainty, without rows that lack a prediction.

        Raises InputError if all of them lack it.
        """
        if all(math.isnan(p.predicted) for p in self.points):
            raise InputError(f"{self.name or 'the series'} has no predicted errors to divide by")
        rows = _core.ratios_of(self.points)
        return RatioSeries([p.epsilon for p in rows], [p.ratio for p in rows], [p.floor for p in rows],
                           name=f"{self.name or 'error'} / predicted", usable=[p.usable for p in rows])

    def __str__(self) -> str:
        return f"{_named(self.name, len(self))}\n{_core.table_of_errors(self.points)}"


class RatioSeries(_Rows[RatioPoint]):
    """Measured over predicted values r(ε), by decreasing ε.

    Parameters
    ----------
    epsilon : numbers, shape (n,)
        As of `Series`.
    ratio : numbers, shape (n,)
        Dimensionless, of any sign; NaN: the row failed.
    floor : number or numbers, shape (n,)
        Uncertainty of each ratio, ≥ 0; NaN: unknown.
    name, usable, sort
        As of `Series`.

    Attributes
    ----------
    epsilon, floor, points
        As of `Series`, with rows of the class RatioPoint.

    Raises
    ------
    InputError
        As `Series`.
    """

    def __init__(self, epsilon: Numbers, ratio: Numbers, floor: Numbers | SupportsFloat = 0.0, *, name: str = "",
                 usable: Iterable[bool] | None = None, sort: bool = False) -> None:
        epsilons, ratios = _numbers("epsilon", epsilon), _numbers("ratio", ratio)
        n = len(epsilons)
        floors = _column("floor", floor, n)
        used = (True,) * n if usable is None else tuple(map(bool, usable))
        _require_lengths(name, n, ratio=len(ratios), floor=len(floors), usable=len(used))
        self.name = name
        self.points = _checked(_core.require_ratios, (
            RatioPoint(epsilons[k], ratios[k], floors[k], used[k])
            for k in _by_decreasing_epsilon(epsilons, sort)), name)

    @property
    def ratio(self) -> tuple[float, ...]:
        """Ratios of the rows."""
        return tuple(p.ratio for p in self.points)

    def __str__(self) -> str:
        return f"{_named(self.name, len(self))}\n{_core.table_of_ratios(self.points)}"


# --- Orders

@dataclass(frozen=True)
class Limit:
    """A limit for ε → 0 and its error; NaN: none."""

    value: float = math.nan
    error: float = math.nan


@dataclass(frozen=True)
class FitOptions:
    """Options of `fit_order`.

    Attributes
    ----------
    max_spread : float
        > 0: neighbour orders may differ this much from the fit.
    min_points : int
        ≥ 3: points of a settled window; a series of 3 rows needs 3.
    """

    max_spread: float = 0.05
    min_points: int = 4


@dataclass(frozen=True)
class OrderFit:
    """e = K ε^p over a window of the series; NaN: not available from so few points.

    Attributes
    ----------
    order : float
        p, from 3 points of evidence on.
    standard_error : float
        Of p, from the residuals of the fit.
    floor_error : float
        Largest change of p that the floors of the points allow.
    coefficient : float
        K, in units of the error.
    spread : float
        Largest |neighbour order − p|, neighbours within the window.
    first, last : int
        Rows of the largest and of the smallest ε used.
    count : int
        Points used: the evidence among rows first to last.
    settled : bool
        True: the window is a tail with one order; False: all evidence.
    """

    order: float = math.nan
    standard_error: float = math.nan
    floor_error: float = math.nan
    coefficient: float = math.nan
    spread: float = math.nan
    first: int = 0
    last: int = 0
    count: int = 0
    settled: bool = False


def fit_order(series: Series, options: FitOptions | None = None) -> OrderFit:
    """Fit log e = log K + p log ε by ordinary least squares over the evidence.

    The window is the longest tail of the evidence with at least `min_points` points; it ends at the smallest ε that
    is evidence. In it each neighbour order lies within `max_spread` (and the effect of its two floors) of the fit of
    the tail, and the standard error does not exceed `max_spread`. Without such a tail the fit is over all evidence,
    with ``settled = False``; with no evidence the numbers are NaN.

    Raises
    ------
    InputError
        If max_spread ≤ 0 or min_points < 3.
    """
    options = options or FitOptions()
    return OrderFit(*_core.fit_order(series.points, options.max_spread, options.min_points))


def neighbour_orders(series: Series) -> list[float]:
    """p_k = log(e_{k−1}/e_k) / log(ε_{k−1}/ε_k), one per row; NaN in the first row and beside unusable rows.

    The sign is kept: negative where the error grows. Rows below the floor get a number too, for reading.
    """
    return _core.neighbour_orders(series.points)


def order_limit(series: Series) -> Limit:
    """The order extrapolated to ε → 0: the limit of the neighbour orders of the evidence.

    The limit removes the trend that a fit over finitely many ε keeps: e = K ε^p (1 + a ε) has the fitted order
    p + O(a ε) and the limit p. The error also contains the limit of p∞ − m/(c − log ε), the trend of
    ε^p (log 1/ε)^m, if that trend fits the last neighbour orders at least as well as a power of ε. Both are
    extrapolations: neither bounds the order at smaller ε.
    """
    return Limit(*_core.order_limit(series.points))


def without_terms(series: Series, orders: Iterable[float]) -> Series:
    """Eliminate the terms ε^s, s of `orders`, from e = K ε^p + L ε^s + …, one after the other.

    e'(ε_k) = (ρ^s e(ε_k) − e(ε_{k−1}))/(ρ^s − 1) with ρ = ε_{k−1}/ε_k turns K ε^p into K ε^p (ρ^s − ρ^p)/(ρ^s − 1):
    the order is unchanged. Nothing is fitted, and p is not used. Each s costs the row of the largest ε, and a floor
    grows by a factor of at most (ρ^s + 1)/(ρ^s − 1). A row is not usable if one of its two rows is not, or if e' is
    not positive. It failed if one of them failed.

    Raises
    ------
    InputError
        If the refinement ratios differ (by 1e-6), an s is not positive and finite, or there are as many s as rows.
    """
    return Series.of_points(_core.without_terms(series.points, [float(s) for s in orders]), series.name)


# --- Verdicts on errors

@dataclass(frozen=True)
class HiddenRows:
    """Number of rows hidden by their floor, by source of the floor."""

    unnamed: int = 0
    rounding: int = 0
    solver: int = 0
    reference: int = 0
    sampling: int = 0

    def all(self) -> int:
        """Number of hidden rows."""
        return self.unnamed + self.rounding + self.solver + self.reference + self.sampling


@dataclass(frozen=True)
class Expectation:
    """Expected order p* (None: report the fitted one), and the tolerance on p, also the spread of a settled tail.

    With `least`, p* is the least order, and every p ≥ p* − within is expected.
    """

    order: float | None = None
    within: float = 0.05
    least: bool = False

    def __str__(self) -> str:
        if self.order is None:
            return "any"
        return f"at least {self.order:g} - {self.within:g}" if self.least else f"{self.order:g} ± {self.within:g}"


@dataclass(frozen=True)
class Judgement:
    """The verdict on a series of errors; its text shows the series as a table.

    Attributes
    ----------
    verdict : Verdict
        Equal to its word: ``judgement.verdict == "confirmed"``.
    fit : OrderFit
        The fit behind the verdict.
    limit : Limit
        The order extrapolated to ε → 0, and its error.
    reason : str
        "order 1.998 ± 0.001 over 9 of 13 ε, 0.01 … 0.0001; expected 2 ± 0.05".
    hidden : HiddenRows
        Rows below ten times their floor, by source of the floor.
    advice : str
        Next step, in one or two sentences.
    series : Series
        The judged series.
    expectation : Expectation
        The expected order and its tolerance.
    """

    verdict: Verdict
    fit: OrderFit
    limit: Limit
    reason: str
    hidden: HiddenRows
    advice: str
    series: Series
    expectation: Expectation

    @property
    def order(self) -> float:
        """The fitted order p; NaN from fewer than 3 points of evidence."""
        return self.fit.order

    @property
    def standard_error(self) -> float:
        """Standard error of p, from the residuals of the fit."""
        return self.fit.standard_error

    @property
    def confirmed(self) -> bool:
        """Whether the verdict is `confirmed`."""
        return self.verdict == Verdict.CONFIRMED

    def fit_text(self) -> str:
        """Line with the fitted order and the limit; empty without a fit."""
        if not math.isfinite(self.order):
            return ""
        order = _core.with_bar(self.order, self.standard_error)
        text = f"fitted order {order} over {self.fit.count} of {len(self.series)} ε"
        return text if math.isnan(self.limit.value) else \
            text + f"; for ε → 0: {_core.with_bar(self.limit.value, self.limit.error)}"

    def table(self) -> str:
        """The series, with marks beside rows that are no evidence or that have another order than expected."""
        expected = self.expectation
        return _core.table_of_orders(self.series.points, expected.order, expected.within, expected.least, self.confirmed)

    def __str__(self) -> str:
        return _lines(f"{self.verdict}: {self.reason}", self.fit_text(), self.advice, self.table())


_Fit = tuple[float, float, float, float, float, int, int, int, bool]
_Found = tuple[str, _Fit, tuple[float, float], str, tuple[int, int, int, int, int], str]


def _judgement(found: _Found, series: Series, expected: Expectation = Expectation()) -> Judgement:
    verdict, fit, limit, reason, hidden, advice = found
    return Judgement(Verdict(verdict), OrderFit(*fit), Limit(*limit), reason, HiddenRows(*hidden), advice, series,
                     expected)


def _expectation(order: float | None, within: float, at_least: float | None) -> Expectation:
    if order is not None and at_least is not None:
        raise InputError("order and at_least exclude each other: give one of them")
    least = order if at_least is None else at_least
    return Expectation(None if least is None else float(least), float(within), at_least is not None)


def judge(series: Series, order: float | None = None, within: float = 0.05, *,
          at_least: float | None = None) -> Judgement:
    """Judge one series of errors.

    Parameters
    ----------
    series : Series
        Errors by decreasing ε.
    order : float, optional
        The expected order p*. It may be 0 (flat) or negative (growing). None: report the fitted order.
    within : float
        Tolerance on p, > 0, and the spread allowed to the neighbour orders of a settled tail.
    at_least : float, optional
        In place of `order`: the least order p*. |p − p*| below is then max(p* − p, 0).

    Returns
    -------
    Judgement
        p ± σ is the fit of `fit_order` at max_spread = within. The first rule that holds decides:

        * confirmed: settled, not leaving, |p − p*| ≤ within, and no row failed; inconclusive with a failed row
        * pre-asymptotic: the trend of the orders leads to p*
        * diverging: p < −max(within, 3σ), and p* is not negative
        * pre-asymptotic: another clean order, but the drift of the order or a predicted error leads to p*
        * refuted: another clean order, |p − p*| > within + 2σ + floor_error, and no drift closes the gap
        * settled, or pre-asymptotic with shrinking steps: nothing was expected
        * floor-limited: too few points of evidence, and floors hide the others
        * inconclusive: otherwise

    Raises
    ------
    InputError
        If within ≤ 0, the order is not finite, or both `order` and `at_least` are given.
    """
    expected = _expectation(order, within, at_least)
    return _judgement(_core.judge(series.points, expected.order, expected.within, expected.least), series, expected)


def judge_no_convergence(series: Series, within: float = 0.05) -> Judgement:
    """Judge "these errors do not tend to zero": a negative control.

    Confirmed where `judge` confirms the order 0 ± within, or finds the series diverging; otherwise its verdict for
    that order, `refuted` for a series that converges. A series that tends to zero slower than ε^within, or starts to
    below its smallest ε, cannot be distinguished from one that does not. Raises as `judge`.
    """
    within = float(within)
    return _judgement(_core.judge_no_convergence(series.points, within), series, Expectation(0.0, within))


def judge_equality(series: Series, limit: float) -> Judgement:
    """Judge "these errors are zero".

    Confirmed if no error exceeds its floor evidence_factor times, and error + floor ≤ limit at every ε. Refuted if an
    error is evidence, or if error − floor > limit. Inconclusive otherwise, also with failed rows.

    Raises
    ------
    InputError
        If the series is empty or limit ≤ 0.
    """
    return _judgement(_core.judge_equality(series.points, float(limit)), series)


def judge_limit(series: Series, limit: float) -> Judgement:
    """Judge "these errors are at most `limit` at every ε": `judge_bound` with K = limit, p = 0.

    Confirmed if the bound is held, refuted if it is broken, inconclusive otherwise. Raises as `judge_bound`.
    """
    return _judgement(_core.judge_limit(series.points, float(limit)), series)


# --- Bounds

@dataclass(frozen=True)
class Bound:
    """The claim e(ε) ≤ K ε^p for every ε of an interval, its ends included.

    Its text is "10 ε^2.5", "0.91" (p = 0) or "10 ε^2.5 for 0.0001 ≤ ε ≤ 0.01".

    Attributes
    ----------
    constant : float
        K > 0, in units of the error.
    power : float
        p, any finite number; 0: a ceiling.
    from_, to : float
        Ends of the interval in ε, ≥ 0, in either order.
    """

    constant: float
    power: float = 0.0
    from_: float = 0.0
    to: float = math.inf

    def _compiled(self) -> _core.Bound:
        return _core.Bound(float(self.constant), float(self.power), float(self.from_), float(self.to))

    def limit(self, epsilon: float) -> float:
        """K ε^p."""
        return self._compiled().limit(epsilon)

    def covers(self, epsilon: float) -> bool:
        """Whether ε lies within the interval, with a tolerance of 1e-9 ε, because the ε of a series are rounded."""
        return self._compiled().covers(epsilon)

    def require(self) -> None:
        """Raise InputError unless K > 0 and finite, p is finite, and both ends are ≥ 0."""
        _core.judge_bound([], self._compiled(), "")

    def __str__(self) -> str:
        return str(self._compiled())


@dataclass(frozen=True)
class BoundJudgement:
    """The state of a series with respect to a bound; its text shows the series as a table.

    Attributes
    ----------
    state : BoundState
        Of the worst row; outside: no row in the interval.
    rows : tuple of BoundState
        One for each row of the series.
    worst : int or None
        Row of greatest weight; among equals, of largest factor.
    limit : float
        K ε^p of the worst row.
    factor : float
        Its error over that limit.
    reason : str
        "error 1.766e-05 ± 3e-10 is 55.8 times the limit 3.162e-07", of the worst row.
    """

    state: BoundState
    rows: tuple[BoundState, ...]
    worst: int | None
    limit: float
    factor: float
    reason: str
    series: Series
    bound: Bound
    measured: str = "error"

    @property
    def held(self) -> bool:
        """True only for decided rows: undecided, unknown and an empty interval do not hold."""
        return self.state == BoundState.HELD

    def table(self) -> str:
        """The series and its limits, with marks beside the rows that do not hold."""
        return _core.table_of_limits(self.series.points, self.bound._compiled(), self.measured)

    def __str__(self) -> str:
        at = "" if self.worst is None else f"{self.state} at ε = {self.series.points[self.worst].epsilon:.4g}: "
        return _lines(at + self.reason, self.table())


def judge_bound(series: Series, bound: Bound, measured: str = "error") -> BoundJudgement:
    """Judge error + floor ≤ K ε^p row by row, each with its own error bar.

    Parameters
    ----------
    series : Series
        Errors by decreasing ε.
    bound : Bound
        K, p and the interval in ε.
    measured : str
        Name of the numbers in the reason.

    Raises
    ------
    InputError
        If K is not positive and finite, p is not finite, or the interval has a negative or NaN end.
    """
    state, rows, worst, limit, factor, reason = _core.judge_bound(series.points, bound._compiled(), measured)
    return BoundJudgement(BoundState(state), tuple(map(BoundState, rows)), worst, limit, factor, reason, series, bound,
                          measured)


# --- Ratios

@dataclass(frozen=True)
class RatioTarget:
    """Target r*, and the tolerance > 0 on the ratio at the smallest ε that is evidence."""

    target: float = 1.0
    within: float = 1e-3


@dataclass(frozen=True)
class RatioJudgement:
    """The verdict on a series of ratios; its text shows the series as a table.

    Attributes
    ----------
    verdict : Verdict
        Equal to its word.
    last : int
        Row of the smallest ε that is evidence.
    ratio : float
        measured / predicted in that row; NaN: none.
    limit : Limit
        The last three ratios of evidence extrapolated to ε → 0, with the error of the extrapolation and the floors.
    approach : OrderFit
        |r − r*| = K ε^p over the rows where it exceeds ten floors.
    reason : str
        "ratio 1.0004 ± 2e-05 at ε = 0.0001; …; expected 1 ± 0.001".
    """

    verdict: Verdict
    last: int
    ratio: float
    limit: Limit
    approach: OrderFit
    reason: str
    series: RatioSeries
    target: RatioTarget

    @property
    def confirmed(self) -> bool:
        """Whether the verdict is `confirmed`."""
        return self.verdict == Verdict.CONFIRMED

    def table(self) -> str:
        """The ratios and their distances to the target, with marks beside rows that are no evidence or too far."""
        return _core.table_of_distances(self.series.points, self.target.target, self.target.within, self.confirmed)

    def __str__(self) -> str:
        limit = self.limit
        extrapolated = "" if math.isnan(limit.value) else f"ratio for ε → 0: {_core.with_bar(limit.value, limit.error)}"
        return _lines(f"{self.verdict}: {self.reason}", extrapolated, self.table())


def judge_ratio(series: RatioSeries, target: float = 1.0, within: float = 1e-3) -> RatioJudgement:
    """Judge whether ratios tend to r* = `target`.

    Returns
    -------
    RatioJudgement
        With d = |r − r*| over the evidence (ratios with floor ≤ within), the first rule that holds decides:

        * floor-limited: fewer than 3 points of evidence, enough with the uncertain ones
        * inconclusive: fewer than 3, or an uncertain row at a smaller ε lies outside within + its floor
        * confirmed: d ≤ within at the smallest ε, and d did not grow over the last three points so fast that the same
          growth once more exceeds within
        * pre-asymptotic: d fell over the last three points, and their limit or slower trend leads to r*
        * refuted: |r∞ − r*| > within + the error of the limit r∞, also with its floors, and no two terms of ε, as of
          a ratio that turns, lead to r*
        * diverging: d grows at an increasing rate
        * inconclusive: otherwise

    Raises
    ------
    InputError
        If within ≤ 0 or r* is not finite.
    """
    wanted = RatioTarget(float(target), float(within))
    verdict, last, ratio, limit, approach, reason = _core.judge_ratio(series.points, wanted.target, wanted.within)
    return RatioJudgement(Verdict(verdict), last, ratio, Limit(*limit), OrderFit(*approach), reason, series, wanted)


# --- Claims for the tests of any project: ``assert series == converges_with_order(2)``

S = TypeVar("S", Series, RatioSeries)


class Claim(Generic[S]):
    """A statement on a series. ``series == claim`` is True if the judgement confirms it.

    Notes
    -----
    Comparison with anything but the right kind of series raises TypeError, so that a mistake fails in both
    directions, ``==`` and ``!=``. So does the truth value of a claim, which stands for a forgotten series.
    """

    _kind: type[S]
    _judged: Callable[[S], Judgement | BoundJudgement | RatioJudgement]

    # NumPy would compare an array element by element.
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, text: str, kind: type[S],
                 judged: Callable[[S], Judgement | BoundJudgement | RatioJudgement]) -> None:
        self._text, self._kind, self._judged = text, kind, judged

    def describe(self) -> str:
        """The claim in words, "converges with order 2 ± 0.05"."""
        return self._text

    def judged(self, series: S) -> Judgement | BoundJudgement | RatioJudgement:
        """The judgement, whose text shows the series."""
        return self._judged(series)

    def holds(self, series: S) -> bool:
        """Whether the judgement confirms the claim."""
        found = self._judged(series)
        return found.held if isinstance(found, BoundJudgement) else found.confirmed

    def explain(self, series: S) -> str:
        """The claim, the verdict with its reason, and the series as a table with the broken rows marked."""
        verb = "holds for" if self.holds(series) else "does not hold for"
        return _lines(f"{self._text}: {verb} {_named(series.name, len(series))}", str(self.judged(series)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, self._kind):
            raise TypeError(f"'{self._text}' judges a {self._kind.__name__}, not a {type(other).__name__}")
        return self.holds(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> NoReturn:
        raise TypeError(f"'{self._text}' has no series: write assert series == …")

    def __repr__(self) -> str:
        return f"<{self._text}>"


class StaysBelow(Claim[Series]):
    """The claim of `stays_below`."""

    def __init__(self, bound: Bound) -> None:
        super().__init__(f"stays below {bound}", Series, lambda series: judge_bound(series, bound))
        self.bound = bound

    def on(self, from_: float, to: float) -> "StaysBelow":
        """The claim for the ε of [from_, to] only; the ends in either order."""
        return StaysBelow(replace(self.bound, from_=from_, to=to))


def converges_with_order(order: float | None = None, within: float = 0.05, *,
                         at_least: float | None = None) -> Claim[Series]:
    """Claim that the error falls with one order over the smallest ε, and that this order is `order` ± `within`.

    It holds where `judge` gives the verdict `confirmed`. An order that is too high does not hold either, but with
    `at_least` = p in place of `order` every order ≥ p − `within` does.
    """
    if order is None and at_least is None:
        raise InputError("converges_with_order needs an order, or at_least")
    return Claim(f"converges with order {_expectation(order, within, at_least)}", Series,
                 lambda series: judge(series, order, within, at_least=at_least))


def stays_below(constant: float, order: float = 0.0) -> StaysBelow:
    """Claim that error + floor ≤ constant · ε^order in every row; ``.on(from, to)`` for an interval in ε.

    It holds where `judge_bound` holds. An undecided row, within its error bar, does not hold.
    """
    return StaysBelow(Bound(float(constant), float(order)))


def solver_error_stays_below(ceiling: float) -> Claim[Series]:
    """Claim that every floor is known and ≤ ceiling: the solver is accurate enough whatever the errors are."""
    bound = Bound(float(ceiling))

    def judged(series: Series) -> BoundJudgement:
        floors = Series.of_points([SeriesPoint(p.epsilon, p.floor) for p in series.points],
                                  f"solver error of {_named(series.name, len(series))}")
        return judge_bound(floors, bound, "solver error")

    return Claim(f"has solver errors up to {bound.constant:g} at most", Series, judged)


def ratio_tends_to(target: float = 1.0, within: float = 1e-3) -> Claim[RatioSeries]:
    """Claim that measured / predicted tends to `target`: `judge_ratio` gives the verdict `confirmed`."""
    return Claim(f"tends to {float(target):g} ± {float(within):g}", RatioSeries,
                 lambda series: judge_ratio(series, target, within))
