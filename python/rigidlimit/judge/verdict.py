"""The verdict on a convergence series: one word and one sentence."""

import math
from dataclasses import dataclass
from enum import StrEnum

from .exponential import Limit
from .orders import OrderFit, neighbour_orders
from .points import FloorSource
from .series import Series
from .text import lines, number, order_text, table_line, with_bar


class Verdict(StrEnum):
    """Possible verdicts; each equals its word in the tables. p: fitted order, p*: the expected one."""

    CONFIRMED = "confirmed"  #: settled tail, |p − p*| ≤ within
    REFUTED = "refuted"  #: settled tail of another (also a higher) order, and no trend leads to p*
    SETTLED = "settled"  #: settled tail, no expected order
    PRE_ASYMPTOTIC = "pre-asymptotic"  #: the orders still change, towards p* if one is expected
    FLOOR_LIMITED = "floor-limited"  #: too few points of evidence because floors hide others
    DIVERGING = "diverging"  #: the error grows as ε shrinks, without expected growth
    INCONCLUSIVE = "inconclusive"  #: anything else


_ADVICE = {
    Verdict.CONFIRMED: "The error falls with the expected order over the smallest ε that are evidence. Nothing to do.",
    Verdict.REFUTED: "The error has another order than expected. If the order is too low, check for an initial layer, "
                     "inconsistent data or a wrong term. If it is too high, the leading error term vanishes: choose "
                     "data in general position.",
    Verdict.SETTLED: "The error follows one order; none was expected. Add an [[expect]] to judge it.",
    Verdict.PRE_ASYMPTOTIC: "The orders still move towards their limit. Add smaller ε, and tighter tolerances if the "
                            "errors there come near the floor.",
    Verdict.FLOOR_LIMITED: "Other errors hide the model error at too many ε. Tighten the solver tolerances, improve "
                           "the reference, take more samples, or use larger ε.",
    Verdict.DIVERGING: "The error grows as ε shrinks: there is no convergence in this norm and window. Check the "
                       "initial data, the limit compared with, and whether the quantity has an impulse.",
    Verdict.INCONCLUSIVE: "The series shows no order; see the reason. Correct failed solves, add ε for a longer "
                          "series, or reduce the noise with tighter tolerances.",
}


@dataclass(slots=True)
class HiddenRows:
    """Number of rows hidden by their floor, by source of the floor."""

    unnamed: int = 0
    rounding: int = 0
    solver: int = 0
    reference: int = 0
    sampling: int = 0

    def count(self, source: FloorSource) -> None:
        """Count one more row of this source."""
        setattr(self, source.value, getattr(self, source.value) + 1)

    def all(self) -> int:
        """Number of hidden rows."""
        return self.unnamed + self.rounding + self.solver + self.reference + self.sampling


@dataclass(frozen=True, slots=True)
class Expectation:
    """Expected order p* (None: report the fitted one), and the tolerance on p, also the spread of a settled tail."""

    order: float | None = None
    within: float = 0.05


def advice(verdict: Verdict, hidden: HiddenRows | None = None) -> str:
    """Next step for a user, in one or two sentences; specific where the sources of the floors are known."""
    if hidden is None or verdict != Verdict.FLOOR_LIMITED or hidden.unnamed == hidden.all():
        return _ADVICE[verdict]
    text = "Other errors hide the model error at too many ε."
    if hidden.rounding > 0:
        text += " Motions that agree to rounding show no order: use larger ε, or data in general position."
    if hidden.solver > 0:
        text += " Tighten the solver tolerances, or use larger ε."
    if hidden.reference > 0:
        text += " Improve the reference, or use larger ε."
    if hidden.sampling > 0:
        text += " Take more samples; tighter tolerances do not help."
    return text


@dataclass(frozen=True, slots=True)
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

    @property
    def advice(self) -> str:
        """Next step, in one or two sentences."""
        return advice(self.verdict, self.hidden)

    def fit_text(self) -> str:
        """Line with the fitted order and the limit; empty without a fit."""
        if not math.isfinite(self.order):
            return ""
        text = f"fitted order {with_bar(self.order, self.standard_error)} over {self.fit.count} of {len(self.series)} ε"
        return text if math.isnan(self.limit.value) else \
            text + f"; for ε → 0: {with_bar(self.limit.value, self.limit.error)}"

    def table(self) -> str:
        """The series, with marks beside rows that are no evidence or that have another order than expected."""
        rows = [table_line("ε", "error", "floor", "order")]
        for point, order in zip(self.series.points, neighbour_orders(self.series), strict=True):
            rows.append(table_line(number(point.epsilon), number(point.error), number(point.floor),
                                   "-" if math.isnan(order) else order_text(order),
                                   self._mark(point.is_evidence, order)))
        return "\n".join(rows)

    def _mark(self, is_evidence: bool, order: float) -> str:
        expected, within = self.expectation.order, self.expectation.within
        if not is_evidence:
            return "<- no evidence"
        if self.confirmed or expected is None or not abs(order - expected) > within:
            return ""
        return f"<- not {expected:g} ± {within:g}"

    def __str__(self) -> str:
        return lines([f"{self.verdict}: {self.reason}", self.fit_text(), self.advice, self.table()])
