"""Eliminate terms of known order from a series."""

import math
from collections.abc import Iterable, Sequence

from .arithmetic import NAN, divide, power
from ..errors import InputError
from .points import SeriesPoint
from .series import Series
from .text import shortest


def _ratio_of(points: Sequence[SeriesPoint]) -> float:
    """The one refinement ratio of a series."""
    ratio = points[0].epsilon / points[1].epsilon
    for k in range(2, len(points)):
        here = points[k - 1].epsilon / points[k].epsilon
        if not abs(here / ratio - 1.0) <= 1e-6:
            raise InputError(f"refinement ratios {shortest(ratio)} and {shortest(here)} differ, so no term can be "
                             "removed")
    return ratio


def _without_term(points: Sequence[SeriesPoint], factor: float) -> list[SeriesPoint]:
    rest = []
    for coarse, fine in zip(points[:-1], points[1:], strict=True):
        error = divide(factor * fine.error - coarse.error, factor - 1.0)
        floor = divide(factor * fine.floor + coarse.floor, factor - 1.0)
        positive = error > 0.0
        failed = coarse.is_failed or fine.is_failed
        rest.append(SeriesPoint(fine.epsilon, error if positive and not failed else NAN, floor,
                                failed or (coarse.usable and fine.usable and positive), fine.source))
    return rest


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
    removed = [float(s) for s in orders]
    rest: Sequence[SeriesPoint] = series.points
    if not removed:
        return series
    if len(removed) >= len(rest):
        raise InputError(f"{len(removed)} terms cannot be removed from {len(rest)} rows")
    ratio = _ratio_of(rest)
    for s in removed:
        if not s > 0.0 or not math.isfinite(s):
            raise InputError(f"a further term cannot have order {shortest(s)}")
        rest = _without_term(rest, power(ratio, s))
    return Series.of_points(rest, series.name)
