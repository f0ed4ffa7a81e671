"""Claims on a series for the tests of any project: ``assert series == converges_with_order(2)``."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Generic, NoReturn, TypeVar

from .bound import Bound, BoundJudgement, judge_bound, solver_errors
from .ratio import RatioJudgement, judge_ratio
from .rules import judge
from .series import RatioSeries, Series
from .text import lines, named
from .verdict import Judgement

S = TypeVar("S", Series, RatioSeries)


class Claim(ABC, Generic[S]):
    """A statement on a series. ``series == claim`` is True if the judgement confirms it.

    Notes
    -----
    Comparison with anything but the right kind of series raises TypeError, so that a mistake fails in both
    directions, ``==`` and ``!=``. So does the truth value of a claim, which stands for a forgotten series.
    """

    # NumPy would compare an array element by element.
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    _kind: type[S]

    @abstractmethod
    def describe(self) -> str:
        """The claim in words, "converges with order 2 ± 0.05"."""

    @abstractmethod
    def holds(self, series: S) -> bool:
        """Whether the judgement confirms the claim."""

    @abstractmethod
    def judged(self, series: S) -> object:
        """The judgement, whose text shows the series."""

    def explain(self, series: S) -> str:
        """The claim, the verdict with its reason, and the series as a table with the broken rows marked."""
        verb = "holds for" if self.holds(series) else "does not hold for"
        return lines([f"{self.describe()}: {verb} {named(series.name, len(series))}", str(self.judged(series))])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, self._kind):
            raise TypeError(f"'{self.describe()}' judges a {self._kind.__name__}, not a {type(other).__name__}")
        return self.holds(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> NoReturn:
        raise TypeError(f"'{self.describe()}' has no series: write assert series == …")

    def __repr__(self) -> str:
        return f"<{self.describe()}>"


@dataclass(frozen=True, eq=False, repr=False)
class ConvergesWithOrder(Claim[Series]):
    """The claim of `converges_with_order`."""

    order: float
    within: float = 0.05
    _kind = Series

    def describe(self) -> str:
        return f"converges with order {self.order:g} ± {self.within:g}"

    def judged(self, series: Series) -> Judgement:
        return judge(series, self.order, self.within)

    def holds(self, series: Series) -> bool:
        return self.judged(series).confirmed


@dataclass(frozen=True, eq=False, repr=False)
class StaysBelow(Claim[Series]):
    """The claim of `stays_below`."""

    bound: Bound
    _kind = Series

    def on(self, from_: float, to: float) -> "StaysBelow":
        """The claim for the ε of [from_, to] only; the ends in either order."""
        return StaysBelow(replace(self.bound, from_=from_, to=to))

    def describe(self) -> str:
        return f"stays below {self.bound}"

    def judged(self, series: Series) -> BoundJudgement:
        return judge_bound(series, self.bound)

    def holds(self, series: Series) -> bool:
        return self.judged(series).held


@dataclass(frozen=True, eq=False, repr=False)
class SolverErrorStaysBelow(Claim[Series]):
    """The claim of `solver_error_stays_below`."""

    ceiling: float
    _kind = Series

    def describe(self) -> str:
        return f"has solver errors up to {self.ceiling:g} at most"

    def judged(self, series: Series) -> BoundJudgement:
        return judge_bound(solver_errors(series), Bound(self.ceiling), "solver error")

    def holds(self, series: Series) -> bool:
        return self.judged(series).held


@dataclass(frozen=True, eq=False, repr=False)
class RatioTendsTo(Claim[RatioSeries]):
    """The claim of `ratio_tends_to`."""

    target: float = 1.0
    within: float = 1e-3
    _kind = RatioSeries

    def describe(self) -> str:
        return f"tends to {self.target:g} ± {self.within:g}"

    def judged(self, series: RatioSeries) -> RatioJudgement:
        return judge_ratio(series, self.target, self.within)

    def holds(self, series: RatioSeries) -> bool:
        return self.judged(series).confirmed


def converges_with_order(order: float, within: float = 0.05) -> ConvergesWithOrder:
    """Claim that the error falls with one order over the smallest ε, and that this order is `order` ± `within`.

    It holds where `judge` gives the verdict `confirmed`. An order that is too high does not hold either.
    """
    return ConvergesWithOrder(float(order), float(within))


def stays_below(constant: float, order: float = 0.0) -> StaysBelow:
    """Claim that error + floor ≤ constant · ε^order in every row; ``.on(from, to)`` for an interval in ε.

    It holds where `judge_bound` holds. An undecided row, within its error bar, does not hold.
    """
    return StaysBelow(Bound(float(constant), float(order)))


def solver_error_stays_below(ceiling: float) -> SolverErrorStaysBelow:
    """Claim that every floor is known and ≤ ceiling: the solver is accurate enough whatever the errors are."""
    return SolverErrorStaysBelow(float(ceiling))


def ratio_tends_to(target: float = 1.0, within: float = 1e-3) -> RatioTendsTo:
    """Claim that measured / predicted tends to `target`: `judge_ratio` gives the verdict `confirmed`."""
    return RatioTendsTo(float(target), float(within))
