"""A result that `rigidlimit run` stored, results/NAME, of any kind: verdict, claims, tables and motions. Read only.

    >>> result = open_result("results/two_point_ball")
    >>> result.kind, result.held, result.tables
    >>> result.claims.query("not held")
    >>> result.motion("compliant", epsilon=1e-4, start="rest", slope=0.6).v      # n x K
    >>> result.at({"start": "rest", "slope": 0.6}).table("errors")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from .._core import printable
from .interpolation import between, is_uniform
from .sweep import Sweep, Values
from .tables import AnalysisError, Store, enumerated, matching, number, run_again, shown, text

EXTENDED = ".rest"  # the part of a 113-bit number beyond its double
DRAWN_BY = {"rolling": "all", "friction": "friction", "benchmark": "bench"}  # commands of scripts/plot
HELD = ("held", "nothing expected")
MOTIONS = ("rigid", "compliant")


@dataclass(frozen=True)
class Motion:
    """The samples of one solve: columns are times; NaN after the end of a failed solve."""

    key: str  # "": of motions.csv
    kind: str
    law: str
    solver: str
    epsilon: float  # NaN for a rigid motion
    times: np.ndarray = field(repr=False)  # K, s
    samples: dict[str, np.ndarray] = field(repr=False)  # rows x K by the store's names; 1 x 1: a flag
    tangential_power: float = 1.0  # of a friction law

    def __getitem__(self, name: str) -> np.ndarray:
        """samples[name]; AnalysisError, with the known names, if there is none."""
        if name not in self.samples:
            raise AnalysisError(f"solve {self.key} has no samples '{name}', only "
                                f"{', '.join(sorted(self.samples)) or 'none'}")
        return self.samples[name]

    @property
    def q(self) -> np.ndarray:
        return self["q"]

    @property
    def v(self) -> np.ndarray:
        return self["v"]

    @property
    def multiplier(self) -> np.ndarray:
        """The contact force: Lambda of a rigid motion, lambda of a compliant one."""
        return self["lambda"]

    def at(self, times: np.ndarray) -> Motion:
        """This motion at some of its times, which must match bit for bit. A rigid motion on a uniform grid also
        between them: studies of many epsilons sample it for polynomials of degree 7."""
        columns = np.searchsorted(self.times, times)
        inside = bool(np.all(columns < len(self.times)) and np.all(times >= self.times[0]))
        there = inside and np.array_equal(self.times[columns], times)
        if not there and not (inside and self.kind == "rigid" and is_uniform(self.times)):
            raise AnalysisError(f"the grid of solve {self.key} lacks some of the requested times")

        def taken(values: np.ndarray) -> np.ndarray:
            if values.shape[1] != len(self.times):
                return values
            return values[:, columns] if there else between(self.times, values, times)
        return replace(self, times=times, samples={name: taken(x) for name, x in self.samples.items()})

    def minus(self, other: Motion, name: str) -> np.ndarray:
        """samples[name] minus those of `other` at the times of this motion: rows x K.

        `name`: "q", "v" or "lambda", or another of `samples`; "multiplier" is "lambda".
        If both were solved in 113 bits, so is the difference, leading parts first.
        """
        name = "lambda" if name == "multiplier" else name
        other = other.at(self.times)
        difference = self[name] - other[name]
        rest = name + EXTENDED
        if rest in self.samples and rest in other.samples:
            difference = difference + (self[rest] - other[rest])
        return difference


@dataclass(frozen=True, repr=False, eq=False)
class StoredResult:
    """A stored result, or one point of a sweep. Tables and samples are read on demand.

    A run in Python, whose result is a `rigidlimit.Result`, gives it as `opened`.
    """

    store: Store
    kind: str  # "rolling", "friction" or "benchmark"
    name: str
    resolved: str  # TOML
    hash: str
    complete: bool  # every solve of the plan is stored
    judgement: dict[str, Any]  # the JSON of the result; empty before the first verdict
    settings: dict[str, Any]  # the resolved file; empty if unreadable
    tables: tuple[str, ...]
    sweep: Sweep | None = None  # the tables then have one column per swept key
    whole: StoredResult | None = None  # of a point: its sweep
    point: tuple[object, ...] = ()  # its values
    read: dict[str, pd.DataFrame] = field(default_factory=dict)  # tables by name

    @property
    def path(self) -> Path:
        """results.db"""
        return self.store.path

    @property
    def directory(self) -> Path:
        return self.path.parent

    @property
    def held(self) -> bool | None:
        """Whether every claim holds; None if nothing was judged or claimed."""
        return held_of(self.judgement)

    @property
    def columns(self) -> list[str]:
        """The columns of the swept keys; empty for a single study."""
        return list(self.sweep.columns) if self.sweep else []

    @property
    def claims(self) -> pd.DataFrame:
        """The claims, bounds and expected orders: swept columns, name, group, held, message."""
        columns = [*self.columns, "name", "group", "held", "message"]
        return pd.DataFrame(self.judgement.get("claims", []), columns=columns)

    @property
    def description(self) -> dict[str, Any]:
        """The program's description of the system: names and units of coordinates, velocities and
        contacts, ...; empty without verdicts."""
        found = self.judgement.get("system")
        return found if isinstance(found, dict) else {}

    @property
    def points(self) -> pd.DataFrame:
        """A row for each point of a sweep: swept columns, verdict, number of claims. Empty for a single study."""
        return pd.DataFrame([{**one["swept"], **one} for one in self.judgement.get("points", []) if self.sweep]).drop(
            columns="swept", errors="ignore")

    def table(self, name: str) -> pd.DataFrame:
        """A table, of a sweep with the swept columns; of a point its rows, but all runs, solves and findings of the
        sweep. AnalysisError, with the known names, for another name."""
        if name not in self.tables:
            raise AnalysisError(f"{self.path}: no table '{name}', only {', '.join(self.tables)}; "
                                f"{run_again(self.directory)}")
        if name not in self.read:
            if self.whole is not None and self.whole.sweep is not None:
                self.read[name] = self.whole.sweep.rows_at(self.whole.table(name), self.point)
            else:
                self.read[name] = self.store.table(name)
        return self.read[name]

    def at(self, point: Values) -> Self:
        """One point of a sweep, e.g. at({"contact.damping_ratio": 0.5}); keys, columns and the last parts of
        keys name values."""
        if self.sweep is None:
            raise AnalysisError(f"{self.path}: a single study, without points")
        return self.at_point(self.sweep.find(point, self.path))

    def at_point(self, point: tuple[object, ...]) -> Self:
        sweep = self.sweep
        assert sweep is not None
        found = sweep.records_at(self.judgement, point)
        verdict = next(iter(found.get("points", [])), {}).get("verdict", "")
        settings = sweep.resolved_at(self.settings, point)
        judgement = {**found, "swept": dict(zip(sweep.keys, point)), "held": verdict in HELD,
                     "interrupted": verdict in ("interrupted", "not begun"), **self.facts_at(found, settings)}
        return replace(self, name=f"{self.name}, {sweep.text(point)}", settings=settings, judgement=judgement,
                       sweep=None, whole=self, point=point, read={})

    def facts_at(self, judgement: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Entries that the judgement of a sweep or point lacks, from the resolved file."""
        return {"system": {"name": str(settings.get("system", {}).get("name", "")), **judgement.get("system", {})}}

    def each_point(self) -> list[Self]:
        """Every point of a sweep, or the single study."""
        return [self.at_point(point) for point in self.sweep.points] if self.sweep else [self]

    def motion(self, kind: str, *, tighter: bool = False, point: Values | None = None,
               **wanted: object) -> Motion:
        """The samples of one motion: kind "rigid" or "compliant", with law, solver, epsilon, tangential_power
        and swept values. Numbers match to a relative 1e-9. AnalysisError if no motion fits, and if several
        fit, with the columns that differ.

            >>> study.motion("rigid").v
            >>> study.motion("compliant", law="viscoelastic", epsilon=1e-3, tighter=True)
            >>> sweep.motion("compliant", epsilon=1e-3, damping_ratio=0.5)
        """
        if self.sweep is not None:
            swept = {name: wanted.pop(name) for name in list(wanted) if self.sweep.has(name)}
            return self.at({**(point or {}), **swept}).motion(kind, tighter=tighter, **wanted)
        if point is not None:
            raise AnalysisError(f"{self.path}: a single study, without points")
        if kind not in MOTIONS:
            raise AnalysisError(f"a motion is 'rigid' or 'compliant', not '{kind}'")
        there = self.motions_of(kind, tighter)
        lost = [name for name in wanted if name not in there.columns]
        if lost:
            raise AnalysisError(f"{self.path}: motions have no '{lost[0]}', only {', '.join(there.columns)}")
        found = matching(there, **wanted)  # type: ignore[arg-type]
        if found.empty:
            raise AnalysisError(f"{self.path}: no stored {kind} motion with {described(wanted)}, tighter = "
                                f"{tighter}; stored are {listed(there)} ([output] samples chooses them)")
        differ = {name: list(dict.fromkeys(found[name])) for name in there.columns
                  if found[name].nunique(dropna=False) > 1}
        if differ:
            words = "; ".join(f"{name} ({', '.join(shown(x) for x in values)})" for name, values in differ.items())
            raise AnalysisError(f"{self.path}: {len(found)} {kind} motions fit; they differ in {words}")
        return self.samples_of(found)

    def motions_of(self, kind: str, tighter: bool) -> pd.DataFrame:
        """The finished motions of one kind, with the columns that identify them."""
        raise AnalysisError(f"{self.path}: a {self.kind} has no motions")

    def samples_of(self, found: pd.DataFrame) -> Motion:
        """The samples of the first of these motions with samples."""
        raise NotImplementedError

    def one_point(self, why: str) -> Self:
        """This result; AnalysisError, with the points, for a sweep."""
        if self.sweep is not None:
            raise AnalysisError(self.sweep.name_one(self.path, why))
        return self

    def facts(self) -> Iterator[tuple[str, str]]:
        """The summary: names and values."""
        claims = self.claims
        yield from [("name", self.name), ("kind", self.kind),
                    ("verdict", {None: "nothing claimed" if self.judgement else "not judged yet", True: "held",
                                 False: "not held"}[self.held] + ("" if self.complete else ", incomplete")),
                    ("claims", f"{claims['held'].sum()} of {len(claims)} held" if len(claims) else ""),
                    ("points", str(len(self.points) or "")), ("tables", ", ".join(self.tables)),
                    ("file", str(self.path))]

    def __repr__(self) -> str:
        return printable(f"<{type(self).__name__} {'; '.join(f'{name}: {value}' for name, value in self.facts() if value)}>")

    def _repr_html_(self) -> str:
        """The summary in a notebook, and the claims; every text of the file is escaped."""
        lines = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                        f"<td style='text-align:left'>{escape(value)}</td></tr>"
                        for name, value in self.facts() if value)
        return (f"<table><caption>{escape(self.name)}</caption>{lines}</table>"
                + (self.claims.to_html(index=False, max_rows=20) if len(self.claims) else ""))


def held_of(judgement: dict[str, Any]) -> bool | None:
    held = judgement.get("held")
    return held if held is False or (held is True and judgement.get("claims")) else None


def expected_text(series: dict[str, Any]) -> str:
    """The expectation of a series: an order, "no convergence", a bound, or ""."""
    if "expected_order" in series:
        return f"{series['expected_order']:g}"
    if "expected_at_least" in series:
        return f"at least {series['expected_at_least']:g}"
    words = {"none": "no convergence", "exact": "no error", "bounded": f"at most {number(series.get('within')):g}"}
    return words.get(str(series.get("expected_convergence")), "")


def described(wanted: dict[str, Any]) -> str:
    words = [f"{name} = {value}" for name, value in wanted.items() if value is not None]
    return ", ".join(words) or "anything"


def listed(motions: pd.DataFrame) -> str:
    words = list(dict.fromkeys(" ".join(filter(None, (text(row["law"]), text(row["solver"]), shown(row["epsilon"])
                                                      if row["epsilon"] == row["epsilon"] else "")))
                               for row in motions.to_dict("records")))
    return enumerated(words) or "none"
