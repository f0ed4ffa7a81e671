"""Experiments of every kind: read from files, dicts and systems, changed, run."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, overload

from . import _core
from .analysis.opening import result_of
from .analysis.result import Result
from .arguments import count_of, jobs_of, number_of
from .errors import InputError
from .executors import solve_on
from .problem import Problem
from .progress import Progress, automatic_progress
from .residual_problem import ResidualProblem
from .stiffness import Stiffness
from .system import System
from .toml_text import toml_key, toml_text, toml_value


def studies() -> list[str]:
    """The names of the studies, sweeps and benchmarks that come with the package, for `Study.load`."""
    return _core.studies()


class Study:
    """A rolling study, friction study, sweep or benchmark. It is immutable and pickles as its file.

    Parameters
    ----------
    system : System or mapping, optional
        The table [system] of the file; a benchmark has none.
    name : str, optional
        study.name, the folder of the results; default: the name of the system.
    **tables
        The other tables of the file, key for key: initial, contact, epsilon, time, solvers, expect, bound, sweep, ...
        `epsilon` may be a list of values.

    Raises
    ------
    InputError
        With the message of the command line; `where` is the place.

    Examples
    --------
    >>> study = Study(System.builtin("knife_edge"), epsilon=geometric(1e-1, 1e-4, 7), time={"end": 2.0})
    >>> study.with_(contact={"damping_ratio": 2.0}).run().table
    """

    _experiment: _core.Experiment

    def __init__(self, system: System | Mapping[str, Any] | None = None, *, name: str | None = None,
                 **tables: Any) -> None:
        if isinstance(system, System):
            tables["system"] = system.to_dict()
        elif isinstance(system, (str, os.PathLike)):
            word = os.fspath(system)
            raise InputError(f"{word!r} is a text: Study.load({word!r}) reads a study of this name or file, "
                             f"System.builtin({word!r}) a system for Study(system, ...)", "system")
        elif system is not None and not isinstance(system, Mapping):
            raise InputError(f"{system!r} must be a System or a mapping, the table [system]", "system")
        elif system is not None:
            tables["system"] = dict(system)
        epsilon = tables.get("epsilon")
        if epsilon is not None and not isinstance(epsilon, Mapping):
            tables["epsilon"] = {"values": epsilon}
        named = name or (system.name if isinstance(system, System) else None)
        if "benchmark" not in tables and named is not None:
            tables["study"] = {"name": named, **tables.get("study", {})}
        self._keep(_core.loads(toml_text(tables), "study", []))

    def _keep(self, core: _core.Experiment) -> None:
        object.__setattr__(self, "_experiment", core)

    @classmethod
    def _of(cls, core: _core.Experiment) -> Study:
        study = cls.__new__(cls)
        study._keep(core)
        return study

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a study cannot be changed; with_() gives a changed copy")

    @classmethod
    def load(cls, path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Study:
        """Read a file.

        Parameters
        ----------
        path : path
            A file; or the name of a study, as for `rigidlimit run knife_edge`: knife_edge.toml of the current folder,
            or else the study that comes with the package (`studies()`).
        overrides : sequence of str
            Texts "dotted.key=TOML value", as for --set.
        """
        file, notice = _core.named_study(os.fspath(path))
        if notice:
            warnings.warn(notice, stacklevel=2)
        return cls._of(_core.load(file, list(overrides)))

    @classmethod
    def loads(cls, text: str, overrides: Sequence[str] = ()) -> Study:
        """Read the text of a file."""
        return cls._of(_core.loads(text, "study", list(overrides)))

    def with_(self, **tables: Any) -> Study:
        """Return a copy with these values: with_(contact={"damping_ratio": 2}). A key replaces its alternatives, as
        with --set: damping replaces damping_ratio."""
        return self._of(self._experiment.changed([f"{key}={value}" for key, value in _overrides(tables, "")]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the study with every default filled in."""
        Path(path).write_text(self.resolved, encoding="utf-8")

    @property
    def name(self) -> str:
        """The folder of its results."""
        return self._experiment.name

    @property
    def question(self) -> str:
        """The question that the results answer."""
        return self._experiment.question

    @property
    def kind(self) -> str:
        """"rolling", "friction" or "benchmark"."""
        return self._experiment.kind

    @property
    def is_sweep(self) -> bool:
        """Whether it runs a study for several values of its keys."""
        return self._experiment.is_sweep

    @property
    def resolved(self) -> str:
        """The text of the study with every default filled in, TOML."""
        return self._experiment.resolved

    def run(self, *, jobs: int | None = None, results: str | os.PathLike[str] | None = "results",
            solve: bool = True, recompute: bool = False, fresh: bool = False, write: bool = True,
            progress: Progress | str | None = "auto", executor: Any = None, parts: int | None = None) -> Result:
        """Solve what the store lacks, judge, and write the files of `rigidlimit run`.

        Parameters
        ----------
        jobs : int, optional
            Solves at a time; default: the number of cores. The result does not depend on it.
        results : path or None
            The folder of results/NAME/results.db; None: nothing is stored or written.
        solve, recompute, fresh : bool
            Whether to solve missing solves, to repeat stored ones and compare, to delete stored ones first.
        write : bool
            Whether to write tables and texts beside the store.
        progress : callable(done, total, what), "auto" or None
            "auto" shows a bar in a notebook, a line on a terminal, and elsewhere prints a line after 10 s and then each
            minute to standard error. It is called in the calling thread.
        executor : concurrent.futures.Executor or dask.distributed.Client, optional
            Its workers solve what the store lacks, part by part; this process stores and judges. Result and files
            are those of one process. If a worker dies, Dask solves its part again, and a pool of processes leaves
            it to this process, with a RuntimeWarning.
        parts : int, optional
            The number of parts for `executor`, at most the number of independent solves; default 64.

        Raises
        ------
        InputError
            If the store cannot be used, or a benchmark with timings gets an executor.
        KeyboardInterrupt
            After Ctrl-C: finished solves stay in the store, and the same call continues.
        """
        at_once = jobs_of(jobs)
        if parts is not None:
            parts = count_of(parts, "parts")
        told = automatic_progress(self.name) if progress == "auto" else progress
        how: dict[str, Any] = {"jobs": at_once, "solve": solve, "recompute": recompute, "fresh": fresh}
        folder = None if results is None else os.fspath(results)
        if executor is None:
            return result_of(self._experiment.run(folder, write=write, progress=told, **how), self.kind)
        if recompute:
            raise InputError("recompute compares solves in one process; leave out executor", "recompute")
        if folder is not None:
            return self._run_on(executor, parts, folder, write, told, how)
        with tempfile.TemporaryDirectory(prefix="rigidlimit-") as temporary:
            return replace(self._run_on(executor, parts, temporary, False, told, how), store=None)

    def _run_on(self, executor: Any, parts: int | None, results: str, write: bool, progress: Any,
                how: dict[str, Any]) -> Result:
        if how["fresh"]:
            self._experiment.run(results, write=False, progress=None, **how | {"solve": False})
        solved = solve_on(executor, self._experiment, results, parts, progress) if how["solve"] else 0
        found = self._experiment.run(results, write=write, progress=progress, **how | {"fresh": False})
        return replace(result_of(found, self.kind), computed=found.computed + solved, reused=found.reused - solved)

    def stiffness_for(self, wanted: Mapping[str, float | str] | None = None, /, *, methods: Sequence[str] = (),
                      engine: str = "", mass: float | None = None, normal_force: float | None = None,
                      body: str = "", jobs: int | None = None, progress: Progress | str | None = "auto",
                      **more: float | str) -> Stiffness:
        """Find the softest contact that keeps the motion within wanted distances of the rigid one.

        The study gives system, start, interval, law, and the ratios of stiffness and damping; see docs/stiffness.md.

        Parameters
        ----------
        wanted, **more : float or str
            Distances by quantity, "q", "v", "lambda" or "gap", or by the name of one component, "x", in the sup norm over the
            whole interval; a key of `wanted` may name norm and window, "lambda.sup.after". A number is in SI units, a
            text has its unit: x="0.1 mm".
        methods : list of str
            Methods whose cost at that contact is measured, or "all" in the list; default: none.
        engine : str
            A simulation program, "drake", "exudyn", "lammps", "mujoco" or "newton": the answer has its settings, for
            a contact with its law.
        mass, normal_force : float, optional
            Of the body, kg, and of its contact, N, for the settings; default: the parameter `mass`, and the mean of
            the rigid motion with friction.
        body : str
            "disc" or "ball", the shape of the body in contact, for an engine; default: known for systems that come with
            the package. For rows of another body the answer has no settings, and `no_settings` says why.
        jobs : int, optional
            Solves at a time; default: the number of cores.
        progress
            As for `run`.

        Examples
        --------
        >>> answer = study.stiffness_for(q=1e-4)
        >>> answer.stiffness, answer.damping, answer.decay_time, answer.costs
        >>> study.stiffness_for(x="0.1 mm", engine="mujoco", normal_force=9.81).settings
        """
        sizes = {**(wanted or {}), **more}
        texts = [f"{key}={size if isinstance(size, str) else repr(number_of(size, key))}" for key, size in sizes.items()]
        if not texts:
            raise InputError("name a wanted error, as stiffness_for(q=1e-4)", self.name)
        told = automatic_progress(self.name) if progress == "auto" else progress
        return Stiffness(_core.stiffness(
            self._experiment, texts, list(methods), engine, *(
                float("nan") if value is None else number_of(value, key)
                for key, value in (("mass", mass), ("normal_force", normal_force))), body, jobs_of(jobs), told), self.kind)

    def prove(self, *, largest_epsilon: float | None = None, progress: Progress | str | None = "auto") -> Result:
        """Prove the constants of convergence for all epsilon in (0, epsilon0] at once, as `rigidlimit prove`.

        Parameters
        ----------
        largest_epsilon : float, optional
            epsilon0, between 1e-5 and 1; default: the largest of the study. Where the proof does not succeed, smaller
            ones are tried.
        progress
            As for `run`: called with the percent of the interval of time that is done, 100, and the stage in words.

        Returns
        -------
        Result
            `tables["constants"]` has the bounds of K, `tables["tried"]` each epsilon0 with its time and the reason of a
            failure, `tables["claims"]` the state of each claim: proved, refuted or open.

        Raises
        ------
        InputError
            For a study that the theorem does not cover (docs/certified.md).

        Examples
        --------
        >>> proof = rl.Study.load("knife_edge_prediction").prove()
        >>> proof.tables["constants"][["quantity", "window", "constant_lower", "constant_upper"]]
        """
        largest = 0.0
        if largest_epsilon is not None:
            largest = number_of(largest_epsilon, "largest_epsilon")
            if not 1e-5 <= largest <= 1.0:
                raise InputError(f"{largest!r}: must be between 1e-5 and 1", "largest_epsilon")
        told = automatic_progress(self.name, "% of the time") if progress == "auto" else progress
        return result_of(_core.prove(self._experiment, largest, told), self.kind)

    @overload
    def rigid(self, form: Literal["eliminated", "semi_explicit"] = "eliminated") -> Problem: ...

    @overload
    def rigid(self, form: Literal["index2", "impulse"]) -> ResidualProblem: ...

    def rigid(self, form: str = "eliminated") -> Problem | ResidualProblem:
        """Ideal rolling of this rolling study.

        Parameters
        ----------
        form : str
            "eliminated": y' = f(t, y) with y = (q, v). "semi_explicit": M y' = f(t, y) with the multipliers in y and a
            singular M, of index 2. "index2": 0 = r(t, y, y') in the same variables. "impulse": the same with the
            impulses of the multipliers, of index 1.
        """
        if form in ("eliminated", "semi_explicit"):
            return Problem(_core.rigid(self._experiment, form == "semi_explicit"))
        if form in ("index2", "impulse"):
            return ResidualProblem(_core.rigid_residual(self._experiment, form == "impulse"))
        raise InputError(f"{form!r}: must be \"eliminated\", \"semi_explicit\", \"index2\" or \"impulse\"", "form")

    def compliant(self, epsilon: float, law: str = "") -> Problem:
        """Compliant rolling at one epsilon as y' = f(t, y), y = (q, v, eta); `law`: one of the study's, default the
        first."""
        return Problem(_core.compliant(self._experiment, number_of(epsilon, "epsilon"), law))

    def __reduce__(self) -> tuple[Callable[[str], Study], tuple[str]]:
        return Study.loads, (self.resolved,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and other.resolved == self.resolved

    def __hash__(self) -> int:
        return hash(self.resolved)

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self.kind}{', sweep' if self.is_sweep else ''}>"

    def _repr_html_(self) -> str:
        from .study_html import study_html

        return study_html(self)


def _overrides(tables: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Dotted keys with their TOML values; lists are values."""
    for name, value in tables.items():
        if isinstance(value, System):
            value = value.to_dict()
        key = prefix + toml_key(name)
        if isinstance(value, Mapping) and value:
            yield from _overrides(value, key + ".")
        elif key == "epsilon":
            yield "epsilon.values", toml_value(value, key)
        else:
            yield key, toml_value(value, key)
