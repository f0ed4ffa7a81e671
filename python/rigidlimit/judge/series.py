"""Series of errors and of ratios, from plain lists or arrays."""

import math
from collections.abc import Iterable, Sequence
from typing import SupportsFloat

from .arithmetic import NAN, divide
from ..errors import InputError
from .points import FloorSource, RatioPoint, SeriesPoint, require_series
from .text import named, number, table_line

#: A list, tuple, one-dimensional NumPy array or pandas column of numbers.
Numbers = Iterable[SupportsFloat]


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
        raise InputError(f"{named(name, epsilon)}: {counts}; each needs {epsilon}")


def _require_rows(points: Sequence[SeriesPoint], name: str) -> None:
    try:
        require_series(points)
    except InputError as error:
        hint = " (sort=True sorts the rows)" if "must decrease" in str(error) else ""
        raise InputError(f"{name}: {error}{hint}" if name else f"{error}{hint}") from None


class Series:
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

    Raises
    ------
    InputError
        If ε is NaN, not > 0, repeated or not monotone, an error or floor is negative, or lengths differ.

    Notes
    -----
    A row is evidence if its error is at least ten times its floor. Only evidence enters a fit.
    ``series == claim`` judges the series, with a claim such as ``converges_with_order(2)``.
    """

    # NumPy would compare an array with a series element by element.
    __array_ufunc__ = None

    def __init__(self, epsilon: Numbers, error: Numbers, floor: Numbers | SupportsFloat = 0.0, *, name: str = "",
                 predicted: Numbers | None = None, source: str | Iterable[str] = "unnamed",
                 usable: Iterable[bool] | None = None, sort: bool = False) -> None:
        epsilons = _numbers("epsilon", epsilon)
        n = len(epsilons)
        errors, floors = _numbers("error", error), _column("floor", floor, n)
        predictions = (NAN,) * n if predicted is None else _numbers("predicted", predicted)
        try:
            sources = (FloorSource(source),) * n if isinstance(source, str) else tuple(map(FloorSource, source))
        except ValueError as problem:
            raise InputError(f"source: {problem}; it is one of {', '.join(FloorSource)}") from None
        used = (True,) * n if usable is None else tuple(map(bool, usable))
        _require_lengths(name, n, error=len(errors), floor=len(floors), predicted=len(predictions),
                         source=len(sources), usable=len(used))
        self.name = name
        self.points = tuple(SeriesPoint(epsilons[k], errors[k], floors[k], used[k], sources[k], predictions[k])
                            for k in _by_decreasing_epsilon(epsilons, sort))
        _require_rows(self.points, name)

    @classmethod
    def of_points(cls, points: Sequence[SeriesPoint], name: str = "") -> "Series":
        """A series of rows by decreasing ε. Raises InputError as the constructor does."""
        series = cls.__new__(cls)
        series.name = name
        series.points = tuple(points)
        _require_rows(series.points, name)
        return series

    @property
    def epsilon(self) -> tuple[float, ...]:
        """ε of the rows, largest first."""
        return tuple(p.epsilon for p in self.points)

    @property
    def error(self) -> tuple[float, ...]:
        """Errors of the rows."""
        return tuple(p.error for p in self.points)

    @property
    def floor(self) -> tuple[float, ...]:
        """Error bars of the rows."""
        return tuple(p.floor for p in self.points)

    def ratios(self) -> "RatioSeries":
        """error / predicted with floor / predicted as its uncertainty, without rows that lack a prediction.

        Raises InputError if all of them lack it.
        """
        if all(math.isnan(p.predicted) for p in self.points):
            raise InputError(f"{self.name or 'the series'} has no predicted errors to divide by")
        rows = [(divide(p.error, p.predicted), divide(p.floor, p.predicted)) for p in self.points]
        return RatioSeries(self.epsilon, [r for r, _ in rows], [f for _, f in rows],
                           name=f"{self.name or 'error'} / predicted",
                           usable=[p.usable and not math.isnan(p.predicted) for p in self.points])

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<Series: {named(self.name, len(self))}>"

    def __str__(self) -> str:
        rows = [table_line(number(p.epsilon), number(p.error), number(p.floor), "",
                           "" if p.is_evidence else "<- no evidence") for p in self.points]
        return "\n".join([named(self.name, len(self)), table_line("ε", "error", "floor", ""), *rows])


class RatioSeries:
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

    Raises
    ------
    InputError
        As `Series`.
    """

    __array_ufunc__ = None

    def __init__(self, epsilon: Numbers, ratio: Numbers, floor: Numbers | SupportsFloat = 0.0, *, name: str = "",
                 usable: Iterable[bool] | None = None, sort: bool = False) -> None:
        epsilons, ratios = _numbers("epsilon", epsilon), _numbers("ratio", ratio)
        n = len(epsilons)
        floors = _column("floor", floor, n)
        used = (True,) * n if usable is None else tuple(map(bool, usable))
        _require_lengths(name, n, ratio=len(ratios), floor=len(floors), usable=len(used))
        self.name = name
        self.points = tuple(RatioPoint(epsilons[k], ratios[k], floors[k], used[k])
                            for k in _by_decreasing_epsilon(epsilons, sort))
        _require_rows([SeriesPoint(p.epsilon, abs(p.ratio), p.floor) for p in self.points], name)

    @property
    def epsilon(self) -> tuple[float, ...]:
        """ε of the rows, largest first."""
        return tuple(p.epsilon for p in self.points)

    @property
    def ratio(self) -> tuple[float, ...]:
        """Ratios of the rows."""
        return tuple(p.ratio for p in self.points)

    @property
    def floor(self) -> tuple[float, ...]:
        """Uncertainties of the rows."""
        return tuple(p.floor for p in self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<RatioSeries: {named(self.name, len(self))}>"

    def __str__(self) -> str:
        rows = [table_line(number(p.epsilon), f"{p.ratio:.8g}", number(p.floor), "")
                for p in self.points]
        return "\n".join([named(self.name, len(self)), table_line("ε", "ratio", "floor", ""), *rows])
