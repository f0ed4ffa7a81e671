"""A result: verdict, claims, tables, motions and figures of a run or of a store. Read only.

    >>> result = open_result("results/two_point_ball")
    >>> result.kind, result.held, list(result.tables)
    >>> result.claims.query("not held")
    >>> result.motion("compliant", epsilon=1e-4, start="rest", slope=0.6).v      # n x K
    >>> result.at({"start": "rest", "slope": 0.6}).tables["errors"]
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .._core import RunResult, printable
from ..errors import InputError
from .interpolation import between, is_uniform
from .sweep import Sweep, Values, flat, sweep_of
from .tables import (RECORDS, AnalysisError, Store, UnknownTable, enumerated, frame, matching, number, run_again, shown,
                     table_of, text)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

EXTENDED = ".rest"  # the part of a 113-bit number beyond its double
HELD = ("held", "nothing expected")
MOTIONS = ("rigid", "compliant")
FILES = {"table": "result.txt", "csv": "errors.csv", "json": "result.json", "markdown": "result.md",
         "latex": "result.tex", "html": "result.html"}  # of `rigidlimit run`, by format


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


class Tables(Mapping[str, "pd.DataFrame"]):
    """The tables of a result by name, each read when it is asked for. An unknown name is a KeyError and an
    AnalysisError, with the known names."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._names = result.table_names()
        self._read: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self:
            raise UnknownTable(f"{self._result.where}: no table '{name}', only {', '.join(self)}{self._result.again()}")
        if name not in self._read:
            self._read[name] = self._result.read_table(name)
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return printable(f"<Tables {', '.join(self)}>")


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """A result, as `Study.run` and `open_result` return it, or one point of a sweep.

    Tables and samples are read on demand. Tables, claims, points and motions need pandas, figures also matplotlib:
    `pip install 'rigidlimit[plot]'`. Every plot_X takes the options of `rigidlimit.analysis.plot_X` and returns a
    matplotlib figure. Do not read the store while another run writes to it.

    Attributes
    ----------
    name : str
    kind : str
        "rolling", "friction" or "benchmark".
    resolved : str
        The study with every default filled in, TOML; of a point, that of its sweep.
    store : Path or None
        results.db; None if the run kept nothing.
    interrupted : bool
        Whether solves are missing.
    computed, reused, missing : int or None
        Numbers of solves of a run: of this run, from the store, not done. None for a result that was opened.

    Raises
    ------
    InputError
        By motions, figures and tables that need the store: the run kept none, or a later run with other keys has
        replaced it.
    AnalysisError
        The kind of the result has no such table, motion or figure, or the store has no data for it. It is a ValueError.
    """

    name: str
    kind: str
    resolved: str
    store: Path | None
    interrupted: bool
    computed: int | None = None
    reused: int | None = None
    missing: int | None = None
    _core: RunResult | None = None  # of a run in memory
    _opened: Store | None = None
    _judged: dict[str, Any] = field(default_factory=dict)  # the document of a store or point
    _whole: Result | None = None  # of a point: its sweep
    _point: tuple[object, ...] = ()  # its values

    @property
    def where(self) -> str:
        """results.db, or the name without a store: the place in messages."""
        return str(self.store or self.name)

    @property
    def directory(self) -> Path:
        """The folder of results.db; InputError without a store."""
        return self.database.path.parent

    @cached_property
    def database(self) -> Store:
        """The open store."""
        if self._opened is not None:
            return self._opened
        if self._whole is not None:
            return self._whole.database
        if self.store is None:
            raise InputError("this run kept no store, which motions and figures are read from: use run(results=FOLDER)",
                             self.name)
        found = Store(self.store)
        if found.study()["resolved"] != self.resolved:
            raise InputError("the store has been replaced by a run with other keys: run this study again",
                             str(self.store))
        return found

    @property
    def hash(self) -> str:
        """That of `resolved`."""
        return str(self.database.study()["hash"])

    @cached_property
    def document(self) -> dict[str, Any]:
        """The whole result as in result.json, of a store without the list `errors`; empty before the first verdict."""
        return self._judged if self._core is None else json.loads(self._core.document())

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The resolved file; empty if unreadable."""
        if self._whole is not None and self._whole.sweep is not None:
            return self._whole.sweep.resolved_at(self._whole.settings, self._point)
        return settings_of(self.resolved)

    @cached_property
    def sweep(self) -> Sweep | None:
        """The swept keys and points; the tables then have one column per swept key."""
        return sweep_of(self.settings, self.document) if self._whole is None else None

    @cached_property
    def judgement(self) -> dict[str, Any]:
        """The document, of a sweep with the swept values as entries of each record, and with facts of the file."""
        if self.sweep is None:
            return self.document
        found = flat(self.document)
        return {**found, **self.facts_at(found, self.settings)}

    @property
    def held(self) -> bool | None:
        """Whether every expectation, bound and claim holds; None before the first verdict."""
        held = self._core.held if self._core is not None else self.document.get("held")
        return held if isinstance(held, bool) else None

    @property
    def verdict(self) -> str:
        """"NAME: held, ...", and a line for each failed claim."""
        if self._core is not None:
            return self._core.verdict
        if self.interrupted or self.held is None:
            return f"{self.name}: {'interrupted, ' * self.interrupted}not judged"
        claims: list[dict[str, Any]] = self.document.get("claims", [])
        if not claims:
            return "" if self.kind == "benchmark" else f"{self.name}: nothing was expected"
        held = {group: [x.get("held") is True for x in claims if x.get("group") == group]
                for group in dict.fromkeys(x.get("group") for x in claims)}
        if self.sweep:
            held = {"points": [x.get("verdict") in HELD for x in self.document["points"]]}
        at = "" if not self.sweep else "at " if self.held else "held at "
        counts = [f"{at}{sum(all_of)} of {len(all_of)} {group}" for group, all_of in held.items()]
        return "\n".join([", ".join([f"{self.name}: {'held' if self.held else 'not held'}", *counts]),
                          *(f"{x.get('name')}: {x.get('message')}" for x in claims if x.get("held") is False)])

    @property
    def columns(self) -> list[str]:
        """The columns of the swept keys; empty for a single study."""
        return list(self.sweep.columns) if self.sweep else []

    @property
    def claims(self) -> pd.DataFrame:
        """The claims, bounds and expected orders: swept columns, name, group, held, message."""
        return frame(self.judgement.get("claims", []), [*self.columns, "name", "group", "held", "message"])

    @property
    def verdicts(self) -> pd.DataFrame:
        """A row for each series of errors against epsilon: swept values, its fitted order with standard error,
        coefficient, verdict, reason and advice. Empty for a benchmark, which has no such series."""
        return frame([{**one.get("swept", {}), **{name: x for name, x in one.items() if name != "swept"}}
                      for one in self.judgement.get("series", [])])

    @property
    def points(self) -> pd.DataFrame:
        """A row for each point of a sweep: swept columns, verdict, number of claims. Empty for a single study."""
        return frame([{**one["swept"], **one} for one in self.judgement.get("points", []) if self.sweep]).drop(
            columns="swept", errors="ignore")

    @property
    def description(self) -> dict[str, Any]:
        """The program's description of the system: names and units of coordinates, velocities and
        contacts, ...; empty without verdicts."""
        found = self.judgement.get("system")
        return found if isinstance(found, dict) else {}

    @cached_property
    def tables(self) -> Tables:
        """A read-only mapping of names to DataFrames, of a sweep with the swept columns; of a point its rows, but all
        runs, solves and findings of the sweep. A run has the tables of its report; a store has those with a CSV file,
        and runs, solves and findings."""
        return Tables(self)

    @property
    def table(self) -> pd.DataFrame:
        """tables["errors"]: a row for each number, with its error bars, order, ratio, verdict and status."""
        return self.tables["errors"]

    def table_names(self) -> tuple[str, ...]:
        if self._whole is not None:
            return tuple(self._whole.tables)
        if self._core is None:
            return self.database.names()
        return (*(RECORDS if self.store else ()), *(name for name in self._core.tables if name not in RECORDS))

    def read_table(self, name: str) -> pd.DataFrame:
        if self._whole is not None and self._whole.sweep is not None:
            return self._whole.sweep.rows_at(self._whole.tables[name], self._point)
        return self.database.table(name) if self._core is None or name in RECORDS else table_of(self._core.table(name))

    def again(self) -> str:
        """The end of a message: the command that makes the result again; "" for a run in memory."""
        return "" if self.store is None else f"; {run_again(self.store.parent)}"

    def text(self, format: str = "table") -> str:
        """The report as the command line prints it: "table", "csv", "json", "markdown", "latex" or "html". That of an
        opened result is in the files beside the store: AnalysisError if they are missing, and for a point."""
        if self._core is not None:
            return self._core.text(format)
        if self._whole is not None or format not in FILES:
            raise AnalysisError(f"{self.where}: no report of {self.name} as {format}")
        try:
            return (self.directory / FILES[format]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise AnalysisError(f"{problem}{self.again()}") from None

    def write(self, directory: str | Path) -> None:
        """Write the files of `rigidlimit run` into a directory, which is created; those of an opened result are
        copied."""
        if self._core is not None:
            self._core.write(str(directory))
            return
        self.text()
        Path(directory).mkdir(parents=True, exist_ok=True)
        for file in [*self.directory.glob("*.csv"), *self.directory.glob("res*.*")]:
            if file.suffix in (".csv", ".toml", *(Path(name).suffix for name in FILES.values())):
                shutil.copy(file, directory)

    def at(self, point: Values) -> Self:
        """One point of a sweep, e.g. at({"contact.damping_ratio": 0.5}); keys, columns and the last parts of
        keys name values."""
        if self.sweep is None:
            raise AnalysisError(f"{self.where}: a single study, without points")
        return self.at_point(self.sweep.find(point, self.where))

    def at_point(self, point: tuple[object, ...]) -> Self:
        sweep = self.sweep
        assert sweep is not None
        found = sweep.records_at(self.judgement, point)
        verdict = next(iter(found.get("points", [])), {}).get("verdict", "")
        interrupted = verdict in ("interrupted", "not begun")
        judged = {**found, "swept": dict(zip(sweep.keys, point)), "held": verdict in HELD, "interrupted": interrupted}
        one = replace(self, name=f"{self.name}, {sweep.text(point)}", interrupted=interrupted, computed=None, reused=None,
                      missing=None, _core=None, _opened=None, _whole=self, _point=point)
        return replace(one, _judged={**judged, **self.facts_at(found, one.settings)})

    def facts_at(self, judgement: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
        """Entries that the judgement of a sweep or point lacks, from the resolved file."""
        return {"system": {"name": str(settings.get("system", {}).get("name", "")), **judgement.get("system", {})}}

    def each_point(self) -> list[Self]:
        """Every point of a sweep, or the single study."""
        return [self.at_point(point) for point in self.sweep.points] if self.sweep else [self]

    def motion(self, kind: str, *, tighter: bool = False, point: Values | None = None,
               **wanted: object) -> Motion:
        """The samples of one motion: kind "rigid" or "compliant", with law, solver, epsilon, tangential_power
        and swept values, as far as several motions differ in them. Numbers match to a relative 1e-9.

        Its times are (K,) [s]; q, v and multiplier are (rows, K), in SI units. AnalysisError if no motion fits, and if
        several fit, with the columns that differ; InputError if the run kept no store.

            >>> study.motion("rigid").v
            >>> study.motion("compliant", law="viscoelastic", epsilon=1e-3, tighter=True)
            >>> sweep.motion("compliant", epsilon=1e-3, damping_ratio=0.5)
        """
        if self.sweep is not None:
            swept = {name: wanted.pop(name) for name in list(wanted) if self.sweep.has(name)}
            return self.at({**(point or {}), **swept}).motion(kind, tighter=tighter, **wanted)
        if point is not None:
            raise AnalysisError(f"{self.where}: a single study, without points")
        if kind not in MOTIONS:
            raise AnalysisError(f"a motion is 'rigid' or 'compliant', not '{kind}'")
        there = self.motions_of(kind, tighter)
        lost = [name for name in wanted if name not in there.columns]
        if lost:
            raise AnalysisError(f"{self.where}: motions have no '{lost[0]}', only {', '.join(there.columns)}")
        found = matching(there, **wanted)  # type: ignore[arg-type]
        if found.empty:
            raise AnalysisError(f"{self.where}: no stored {kind} motion with {described(wanted)}, tighter = "
                                f"{tighter}; stored are {listed(there)} ([output] samples chooses them)")
        differ = {name: list(dict.fromkeys(found[name])) for name in there.columns
                  if found[name].nunique(dropna=False) > 1}
        if differ:
            words = "; ".join(f"{name} ({', '.join(shown(x) for x in values)})" for name, values in differ.items())
            raise AnalysisError(f"{self.where}: {len(found)} {kind} motions fit; they differ in {words}")
        return self.samples_of(found)

    def motions_of(self, kind: str, tighter: bool) -> pd.DataFrame:
        """The finished motions of one kind, with the columns that identify them."""
        raise AnalysisError(f"{self.where}: a {self.kind} has no motions")

    def samples_of(self, found: pd.DataFrame) -> Motion:
        """The samples of the first of these motions with samples."""
        raise NotImplementedError

    def one_point(self, why: str) -> Self:
        """This result; AnalysisError, with the points, for a sweep."""
        if self.sweep is not None:
            raise AnalysisError(self.sweep.name_one(self.where, why))
        return self

    def plot_convergence(self, **options: Any) -> Figure:
        """Errors against epsilon, with fits, predictions, error bars and floors; of rolling or friction."""
        return self._plot("friction_convergence" if self.kind == "friction" else "convergence", options)

    def plot_orders(self, **options: Any) -> Figure:
        """A sweep of rolling: fitted orders against a swept key."""
        return self._plot("orders", options)

    def plot_ensemble(self, **options: Any) -> Figure:
        """Rolling with an ensemble: median and quantiles of the members' errors against epsilon."""
        return self._plot("ensemble", options)

    def plot_layer(self, **options: Any) -> Figure:
        """Rolling: the layer in tau = t / epsilon at several epsilons, and its prediction."""
        return self._plot("layer", options)

    def plot_pair(self, **options: Any) -> Figure:
        """Rolling: the rigid and a compliant motion, overlaid."""
        return self._plot("pair", options)

    def plot_energy(self, **options: Any) -> Figure:
        """Rolling: energy accounts, and their defects."""
        return self._plot("energy", options)

    def plot_drift(self, **options: Any) -> Figure:
        """Rolling: the sliding velocity over time."""
        return self._plot("drift", options)

    def plot_work(self, **options: Any) -> Figure:
        """Rolling: steps, evaluations and time against epsilon."""
        return self._plot("work", options)

    def plot_damping_map(self, **options: Any) -> Figure:
        """A sweep of rolling over the damping: errors."""
        return self._plot("damping_map", options)

    def plot_histories(self, **options: Any) -> Figure:
        """Friction: coordinates and velocities over time, rigid and compliant, with events."""
        return self._plot("histories", options)

    def plot_transitions(self, **options: Any) -> Figure:
        """Friction: errors of event times against epsilon."""
        return self._plot("transitions", options)

    def plot_modes(self, **options: Any) -> Figure:
        """A sweep of friction: the last contact modes over two swept keys."""
        return self._plot("modes", options)

    def plot_wheel(self, **options: Any) -> Figure:
        """Friction: the wheel on the curb at equidistant times."""
        return self._plot("wheel", options)

    def plot_work_precision(self, **options: Any) -> Figure:
        """A benchmark: time and right-hand sides against the error."""
        return self._plot("work_precision", options)

    def plot_order_reduction(self, **options: Any) -> Figure:
        """A benchmark: the observed order over the step and epsilon."""
        return self._plot("order_reduction", options)

    def plot_cost(self, **options: Any) -> Figure:
        """A benchmark: time, steps and right-hand sides against epsilon or the number of bodies."""
        return self._plot("cost", options)

    def _plot(self, name: str, options: dict[str, Any]) -> Figure:
        return getattr(import_module(__package__), f"plot_{name}")(self, **options)

    def facts(self) -> Iterator[tuple[str, str]]:
        """The summary: names and values."""
        yield from [("verdict", self.verdict.partition("\n")[0]), ("kind", self.kind),
                    ("points", str(len(self.sweep.points)) if self.sweep else ""), ("tables", ", ".join(self.tables)),
                    ("file", str(self.store or ""))]

    def __repr__(self) -> str:
        return printable(f"<Result {self.verdict.partition(chr(10))[0] or self.name}>")

    def _repr_html_(self) -> str:
        """Of a run the report in HTML, the body of the document that `rigidlimit run --format html` prints; of an opened result and of a point
        the summary and the claims, in which every text of the file is escaped."""
        if self._core is not None:
            missing = f"<p>Missing solves: {self.missing}. The same run() continues.</p>" if self.missing else ""
            return self._core.html_fragment() + missing
        lines = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                        f"<td style='text-align:left'>{escape(value)}</td></tr>"
                        for name, value in self.facts() if value)
        return (f"<table><caption>{escape(self.name)}</caption>{lines}</table>"
                + (self.claims.to_html(index=False, max_rows=20) if len(self.claims) else ""))


def settings_of(resolved: str) -> dict[str, Any]:
    try:
        return tomllib.loads(resolved)
    except tomllib.TOMLDecodeError:
        return {}


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
