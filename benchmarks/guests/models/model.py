"""The rows of the table, and how a series of runs becomes rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite, log, nan
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """One run of an engine, or the reason why there is none.

    Attributes
    ----------
    problem : str
        "disk", "wheel" or "ball": problems.py.
    error : float
        Distance, m, of the centre from its ideal position at the end, in the plane.
    order : float
        log(error/error before)/log(value/value before) in the same series.
    transition : float
        Error of the time, s, at which the wheel begins to roll, if the engine reports that time.
    reason : str
        Why `error` is NaN.
    """

    engine: str
    version: str
    problem: str
    law: str
    parameter: str
    value: float = nan
    error: float = nan
    order: float = nan
    transition: float = nan
    seconds: float = nan
    reason: str = ""


@dataclass(frozen=True)
class Series:
    """A contact law of an engine, and what it computes for each value of a parameter.

    `run` returns the error in m, or with the error of the transition in s; it is None where the engine cannot
    pose the problem, and `reason` says why.
    """

    problem: str
    law: str
    parameter: str = ""
    values: tuple[float, ...] = ()
    run: Callable[[float], float | tuple[float, float]] | None = None
    reason: str = ""


@dataclass(frozen=True)
class Check:
    """A measured `quantity`, with its unit, beside the prediction of a law, at a `setting` of an engine."""

    engine: str
    version: str
    problem: str
    law: str
    setting: str
    quantity: str
    measured: float
    predicted: float

    @property
    def ratio(self) -> float:
        return self.measured / self.predicted if self.predicted else nan


@dataclass(frozen=True)
class Ladder:
    """Runs of growing cost of one engine: `run` returns the error in m for each of `settings`, the cheapest first."""

    engine: str
    problem: str
    law: str
    parameter: str
    settings: tuple[float, ...]
    run: Callable[[float], float]


def measured(engine: str, version: str, series: Iterable[Series]) -> Iterator[Row]:
    """Run all series. A run that fails is a row with the reason; a missing package is left to the caller."""
    for one in series:
        name = (engine, version, one.problem, one.law, one.parameter)
        if one.run is None:
            yield Row(*name, reason=one.reason)
            continue
        before = Row(*name)
        for value in one.values:
            started = perf_counter()
            try:
                result = one.run(value)
            except ImportError:
                raise
            except Exception as failure:
                yield Row(*name, value=value, reason=f"{type(failure).__name__}: {' '.join(str(failure).split())}")
                continue
            seconds = perf_counter() - started
            error, transition = result if isinstance(result, tuple) else (result, nan)
            if not isfinite(error):
                yield Row(*name, value=value, seconds=seconds, reason="the motion does not end with a finite number")
                continue
            known = before.error > 0.0 and error > 0.0
            order = log(error / before.error) / log(value / before.value) if known else nan
            before = Row(*name, value, error, order, transition, seconds)
            yield before
