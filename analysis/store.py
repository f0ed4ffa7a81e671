"""The store of a study, results/NAME/results.db: tables as DataFrames, trajectories as arrays. Read only.

    >>> from analysis import load, open_study
    >>> errors = load("results/knife_edge")                      # one row per error: table.csv
    >>> study = open_study("results/knife_edge")
    >>> motion = study.motion("compliant", epsilon=1e-2)
    >>> motion.times.shape, motion.q.shape                       # (K,), (nq, K)
"""

from __future__ import annotations

import json
import sqlite3
import tomllib
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.json_files import check
from analysis.kinds import is_sweep_of_friction
from analysis.sweep import Sweep, Values, flat, solves_at, sweep_of
from analysis.tables import (AnalysisError, check_kind, distinct, matching, matrix, number, opened,
                             read_grid, read_samples, read_table, text)

EXTENDED = ".rest"  # the part of a 113-bit number beyond its double


@dataclass(frozen=True)
class Motion:
    """The samples of one solve: columns are times; NaN after the end of a failed solve."""

    key: str
    kind: str
    law: str
    solver: str
    epsilon: float  # NaN for a rigid motion
    times: np.ndarray  # K, s
    samples: dict[str, np.ndarray] = field(repr=False)  # rows x K by the store's names; 1 x 1: a flag

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
        """This motion at some of its times, which must match bit for bit."""
        columns = np.searchsorted(self.times, times)
        known = columns < len(self.times)
        if not known.all() or not np.array_equal(self.times[columns], times):
            raise AnalysisError(f"the grid of solve {self.key} lacks some of the requested times")
        return Motion(self.key, self.kind, self.law, self.solver, self.epsilon, times,
                      {name: x[:, columns] if x.shape[1] == len(self.times) else x
                       for name, x in self.samples.items()})

    def minus(self, other: Motion, name: str) -> np.ndarray:
        """samples[name] minus those of `other` at the times of this motion: rows x K.

        If both were solved in 113 bits, so is the difference, leading parts first.
        """
        other = other.at(self.times)
        difference = self[name] - other[name]
        rest = name + EXTENDED
        if rest in self.samples and rest in other.samples:
            difference = difference + (self[rest] - other[rest])
        return difference


@dataclass(frozen=True)
class Curve:
    """A derived curve of the program: rows x K at its times."""

    subject: str
    name: str
    law: str
    solver: str
    epsilon: float  # NaN for a rigid curve
    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, repr=False)
class StudyData:
    """The contents of a store. Tables are read immediately, samples and curves on demand."""

    path: Path  # results.db
    name: str
    resolved: str  # TOML
    hash: str
    complete: bool  # every solve of the plan is stored
    result: dict[str, Any]  # the object of table.json; empty without verdicts
    table: pd.DataFrame  # the columns of table.csv
    solves: pd.DataFrame  # those of the plan, in its order
    runs: pd.DataFrame
    findings: pd.DataFrame
    curves: pd.DataFrame  # stored curves: subject, law, solver, epsilon, name
    settings: dict[str, Any]  # the resolved study; empty if unreadable
    sweep: Sweep | None = None  # the tables then have one column per swept key
    untold: str = ""  # of a point: why its solves are unknown

    @property
    def series_keys(self) -> list[str]:
        """The columns that identify a series of a norm, window and quantity."""
        return [*(self.sweep.columns if self.sweep else ()), "law", "rigid_solver", "compliant_solver"]

    @property
    def points(self) -> list[dict[str, object]]:
        """The swept keys and values of a sweep, one dictionary per point; empty for a single study."""
        return self.sweep.values() if self.sweep else []

    def at(self, point: Values) -> StudyData:
        """One point of a sweep as a study, e.g. at({"contact.damping_ratio": 0.5}). Only single studies
        have curves."""
        if self.sweep is None:
            raise AnalysisError(f"{self.path}: a single study, without points")
        return self.at_point(self.sweep.find(point, self.path))

    def at_point(self, point: tuple[object, ...]) -> StudyData:
        sweep = self.sweep
        assert sweep is not None
        settings = sweep.resolved_at(self.settings, point)
        found = sweep.records_at(self.result, point)
        verdict = next(iter(found.get("points", [])), {}).get("verdict", "")
        result = {**found, "swept": dict(zip(sweep.keys, point)), "held": verdict in ("held", "nothing expected"),
                  "interrupted": verdict in ("interrupted", "not begun"), **self.facts_at(settings)}
        solves, untold = self.solves.iloc[:0], ""
        try:
            solves = solves_at(sweep, self.table, self.solves, settings, point, self.path)
        except AnalysisError as problem:  # its table is known nevertheless
            untold = str(problem)
        return replace(self, name=f"{self.name}, {sweep.text(point)}", settings=settings, result=result,
                       table=sweep.rows_at(self.table, point), solves=solves, sweep=None, untold=untold)

    def facts_at(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Entries that the result of a sweep lacks, from its resolved file."""
        return {"system": str(settings.get("system", {}).get("name", "")),
                "after": settings.get("time", {}).get("after"),
                "against": settings.get("study", {}).get("against", "rigid"), "laws": self.laws(),
                "source": settings.get("study", {}).get("source", ""),
                "swept_columns": dict(zip(self.sweep.columns, self.sweep.keys)) if self.sweep else {}}

    @property
    def directory(self) -> Path:
        return self.path.parent

    def __repr__(self) -> str:
        return f"<StudyData {'; '.join(f'{name}: {value}' for name, value in self.facts())}>"

    def _repr_html_(self) -> str:
        """The summary in a notebook; every text of the file is escaped."""
        return in_html(f"Study {self.name}", self.facts())

    def facts(self) -> list[tuple[str, str]]:
        """The summary of the study: names and values."""
        epsilons = self.epsilons()
        spread = f"{len(epsilons)}, {epsilons[0]:g} to {epsilons[-1]:g}" if epsilons else "none solved"
        state = ("not judged yet" if not self.result else
                 "held" if self.result.get("held") else "not held")
        found = [("study", self.name), ("system", str(self.result.get("system", ""))),
                 ("verdict", state + ("" if self.complete else ", incomplete")),
                 ("laws", ", ".join(self.laws())),
                 ("solvers", ", ".join(distinct(self.table["compliant_solver"]))),
                 ("epsilons", spread), ("points", str(len(self.points) or "")),
                 ("errors", str(len(self.table))), ("solves", str(len(self.solves))),
                 ("file", str(self.path))]
        return [(name, value) for name, value in found if value]

    @property
    def after(self) -> float:
        """Start of the window "after", s; NaN without verdicts."""
        return number(self.result.get("after"))

    @property
    def series(self) -> list[dict[str, Any]]:
        """The fits and verdicts, one per law, solver pair, quantity, norm and window."""
        return list(self.result.get("series", []))

    @property
    def description(self) -> dict[str, Any]:
        """The program's description of the system: names and units of coordinates, velocities and
        contacts, ...; empty without verdicts."""
        found = self.result.get("description")
        return found if isinstance(found, dict) else {}

    def laws(self) -> list[str]:
        return distinct(self.table["law"])

    def epsilons(self, law: str | None = None, solver: str | None = None) -> list[float]:
        """The epsilons of the finished compliant motions, decreasing."""
        found = matching(self.solves[self.solves["kind"] == "compliant"], law=law, solver=solver)
        return sorted({float(x) for x in found["epsilon"]}, reverse=True)

    def motion(self, kind: str, law: str | None = None, solver: str | None = None,
               epsilon: float | None = None, tighter: bool = False,
               point: Values | None = None) -> Motion:
        """The samples of one solve: kind "rigid" or "compliant"; the first match in the order of the plan.

        `epsilon` matches to a relative 1e-9. `point`: of a sweep. AnalysisError, with the known solves,
        if none matches, or if solves of several points match.

            >>> study.motion("rigid").v                         # n x K
            >>> study.motion("compliant", law="viscoelastic", epsilon=1e-3, tighter=True)
            >>> sweep.motion("compliant", epsilon=1e-3, point={"contact.damping_ratio": 0.5})
        """
        if point is not None:
            return self.at(point).motion(kind, law, solver, epsilon, tighter)
        if self.sweep is not None:
            self.refuse_without_point(f"each point may have its own {kind} solve")
        wanted = {"law": None if kind == "rigid" else law, "solver": solver, "epsilon": epsilon}
        if self.untold:
            raise AnalysisError(self.untold)
        there = self.solves[(self.solves["kind"] == kind) & (self.solves["status"] == "finished")]
        found = matching(there, **wanted)
        found = found[found["tighter"] == tighter]
        if found.empty:
            raise AnalysisError(f"{self.path}: no finished {kind} solve with {described(wanted)}, "
                                f"tighter = {tighter}; known are {listed(there)}")
        with opened(self.path) as db:
            for _, row in found.iterrows():
                motion = read_motion(db, row)
                if motion.samples:
                    return motion
        raise AnalysisError(f"{self.path}: solve {found.iloc[0]['key']} has no samples")

    def refuse_without_point(self, why: str) -> None:
        """AnalysisError, with the points, for a sweep."""
        if self.sweep is not None:
            raise AnalysisError(self.sweep.name_one(self.path, why))

    def motion_of(self, key: str) -> Motion:
        """The samples of the solve with this key of `solves`."""
        found = matching(self.solves, key=key)
        if found.empty:
            raise AnalysisError(f"{self.path}: no solve with the key {key}")
        with opened(self.path) as db:
            return read_motion(db, found.iloc[0])

    def curve(self, subject: str, name: str, law: str | None = None, solver: str | None = None,
              epsilon: float | None = None) -> Curve:
        """A derived curve of the program, e.g. curve("predicted", "lambda", epsilon=1e-3).

        Returns the first match; AnalysisError, with the known curves, if none matches.
        """
        wanted = {"subject": subject, "name": name, "law": law, "solver": solver,
                  "epsilon": epsilon}
        found = matching(self.curves, **wanted)
        if found.empty:
            there = sorted({f"{s} {n}" for s, n in zip(self.curves["subject"], self.curves["name"])})
            raise AnalysisError(f"{self.path}: no curve with {described(wanted)}; known are "
                                f"{', '.join(there) or 'none'}")
        row = found.iloc[0]
        with opened(self.path) as db:
            rows, columns, data, grid = db.execute(
                "SELECT rows, columns, data, grid FROM curves WHERE rowid = ?",
                (int(row["rowid"]),)).fetchone()
            return Curve(subject, name, text(row["law"]), text(row["solver"]),
                         number(row["epsilon"]), read_grid(db, grid), matrix(data, rows, columns))

    def has_curve(self, subject: str, name: str, **wanted: str | float | None) -> bool:
        return not matching(self.curves, subject=subject, name=name, **wanted).empty


def load(study: str | Path) -> pd.DataFrame:
    """The errors and verdicts of results/NAME (or of a results.db), with the columns of table.csv. A sweep
    adds one column per swept key.

        >>> table = load("results/knife_edge")
        >>> table.query("quantity == 'v' and norm == 'sup' and status == 'ok'")
    """
    path = Path(study)
    if path.is_dir() and is_sweep_of_friction(path):
        return pd.read_csv(path / "errors.csv", na_values=["nan"], keep_default_na=False)
    return open_study(study).table


def open_study(study: str | Path | StudyData) -> StudyData:
    """Opens the store of results/NAME (or a results.db) read only; an open study is returned unchanged.

    AnalysisError, with the path, if there is no store, if the file is not a store of rigidlimit, or if a
    newer program wrote it.
    """
    if isinstance(study, StudyData):
        return study
    path = Path(study)
    path = path / "results.db" if path.is_dir() else path
    with opened(path) as db:
        check_kind(db, path)
        head = db.execute("SELECT name, resolved, hash, result, complete FROM study").fetchone()
        if head is None:
            raise AnalysisError(f"{path}: holds no study yet")
        name, resolved, found_hash, result, complete = head
        judged = judgement(result, path)
        settings = settings_of(resolved or "")
        sweep = sweep_of(settings, judged)
        data = StudyData(
            path=path, name=name, resolved=resolved or "", hash=found_hash or "", sweep=sweep,
            settings=settings,
            complete=bool(complete), result=flat(judged) if sweep else judged,
            table=read_table(db, "SELECT * FROM errors ORDER BY rowid"),
            solves=flagged(read_table(  # points of a sweep may share solves
                db, "SELECT s.* FROM solves AS s JOIN (SELECT key, min(position) AS position FROM plan "
                    "GROUP BY key) AS p ON s.key = p.key ORDER BY p.position")),
            runs=read_table(db, "SELECT * FROM runs ORDER BY id"),
            findings=read_table(db, "SELECT * FROM findings ORDER BY id"),
            curves=read_table(
                db, "SELECT rowid AS rowid, subject, law, solver, epsilon, name FROM curves "
                    "ORDER BY rowid"))
        if sweep is not None and "tangential_power" in data.table.columns:
            raise AnalysisError(f"{path}: a sweep of friction; in Python open_friction reads its points, "
                                f"{sweep.listed()}")
        if sweep is not None:
            data.result.update(data.facts_at(data.settings))
        return data


def settings_of(resolved: str) -> dict[str, Any]:
    try:
        return tomllib.loads(resolved)
    except tomllib.TOMLDecodeError:
        return {}


def judgement(text: str | None, path: Path) -> dict[str, Any]:
    """The object of table.json; empty without verdicts."""
    try:
        found = json.loads(text) if text else {}
    except (TypeError, ValueError, RecursionError) as problem:
        raise AnalysisError(f"{path}: the column result is not JSON: {problem}") from None
    check(found, {}, str(path), "the column result")
    return found


def read_motion(db: sqlite3.Connection, row: pd.Series) -> Motion:
    return Motion(row["key"], row["kind"], text(row["law"]), text(row["solver"]),
                  number(row["epsilon"]), read_grid(db, row["grid"]), read_samples(db, row["key"]))


def in_html(caption: str, facts: list[tuple[str, str]]) -> str:
    """An HTML table of two columns; all texts are escaped."""
    lines = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                    f"<td style='text-align:left'>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table><caption>{escape(caption)}</caption>{lines}</table>"


def described(wanted: dict[str, str | float | None]) -> str:
    words = [f"{name} = {value}" for name, value in wanted.items() if value is not None]
    return ", ".join(words) or "anything"


def listed(solves: pd.DataFrame, most: int = 12) -> str:
    words = list(dict.fromkeys(
        " ".join(filter(None, (text(s.law), text(s.solver),
                               "" if np.isnan(number(s.epsilon)) else f"{s.epsilon:g}")))
        for s in solves.itertuples()))
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return "; ".join(words[:most]) + more if words else "none"


def flagged(solves: pd.DataFrame) -> pd.DataFrame:
    return solves.assign(tighter=solves["tighter"].astype(bool))
