"""The result of a run."""

from __future__ import annotations

import json
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import RunResult
from .errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from .analysis import Motion, StoredResult


class Result:
    """Tables, claims, verdict, motions and figures of an experiment, as `Study.run` returns it.

    Tables and texts are those of the run. `opened`, `motion` and every plot_X read the store of the run and need
    pandas; figures need matplotlib: `pip install 'rigidlimit[plot]'`. Every plot_X takes the options of
    `rigidlimit.analysis.plot_X` and returns a matplotlib figure.

    Attributes
    ----------
    name : str
    held : bool
        Whether every expectation, bound and claim holds.
    interrupted : bool
        Whether solves are missing.
    verdict : str
        "NAME: held, ...", and a line for each failed claim.
    claims : list of dict
        name, group, held and message of each.
    tables : list of str
        Names for `table_named`; the first has the errors.
    computed, reused, missing : int
        Numbers of solves: of this run, from the store, not done.
    store : Path or None
        results.db of the run, for motions and figures; None if it kept nothing.

    Raises
    ------
    InputError
        By `opened`, `motion` and plot_X: the run kept no store, or a later run with other keys has replaced it.
    AnalysisError
        By `motion` and plot_X: the kind of the experiment has no such figure, or the store has no data for it. It is a
        ValueError.
    """

    def __init__(self, core: RunResult) -> None:
        self._core = core
        self.name: str = core.name
        self.held: bool = core.held
        self.interrupted: bool = core.interrupted
        self.verdict: str = core.verdict
        self.claims: list[dict[str, Any]] = core.claims
        self.tables: list[str] = core.tables
        self.computed: int = core.computed
        self.reused: int = core.reused
        self.missing: int = core.missing
        self.store: Path | None = Path(core.store).absolute() if core.store else None
        self._resolved: str = core.resolved

    @cached_property
    def table(self) -> pd.DataFrame:
        """The table of errors: a row for each number, with its error bars, order, ratio, verdict and status."""
        return self.table_named(self.tables[0])

    def table_named(self, name: str) -> pd.DataFrame:
        """One of `tables` as a DataFrame; KeyError for another name."""
        import pandas as pd

        return pd.DataFrame(self._core.table(name))

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """A row for each series of errors against epsilon: its fitted order with standard error, coefficient, verdict,
        reason and advice; of a sweep also the swept values. Empty for a benchmark, which has no such series."""
        import pandas as pd

        return pd.DataFrame([{**row.pop("swept", {}), **row} for row in map(dict, self.document.get("series", []))])

    @cached_property
    def document(self) -> dict[str, Any]:
        """The whole result as in result.json."""
        found: dict[str, Any] = json.loads(self._core.document())
        return found

    def text(self, format: str = "table") -> str:
        """The report as the command line prints it: "table", "csv", "json", "markdown", "latex" or "html"."""
        return self._core.text(format)

    def write(self, directory: str) -> None:
        """Writes the files of `rigidlimit run` into a directory, which is created."""
        self._core.write(str(directory))

    @cached_property
    def opened(self) -> StoredResult:
        """The run as `rigidlimit.analysis.open_result` opens it: all its tables, points of a sweep.

        Do not read it while another run writes to the store.
        """
        if self.store is None:
            raise InputError("this run kept no store, which motions and figures are read from: use run(results=FOLDER)",
                             self.name)
        found: StoredResult = _analysis("open_result")(self.store)
        if found.resolved != self._resolved:
            raise InputError("the store has been replaced by a run with other keys: run this study again",
                             str(self.store))
        return found

    def motion(self, kind: str, **which: Any) -> Motion:
        """The samples of one motion.

        Parameters
        ----------
        kind : str
            "rigid" or "compliant".
        **which
            law, solver, epsilon, tangential_power, tighter and swept values, as far as several motions differ in them.

        Returns
        -------
        Motion
            times (K,) [s]; q, v, multiplier (rows, K), in SI units.

        Examples
        --------
        >>> result.motion("compliant", epsilon=1e-3).v
        """
        return self.opened.motion(kind, **which)

    def plot_convergence(self, **options: Any) -> Figure:
        """Errors against epsilon, with fits, predictions, error bars and floors; of rolling or friction."""
        return self._plot("friction_convergence" if self.opened.kind == "friction" else "convergence", options)

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
        """A sweep of rolling over the damping: errors or orders."""
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
        figure: Figure = _analysis(f"plot_{name}")(self.opened, **options)
        return figure

    def __repr__(self) -> str:
        return f"<Result {self.verdict.splitlines()[0] if self.verdict else self.name}>"

    def _repr_html_(self) -> str:
        """The report in HTML, as `rigidlimit run --format html` prints it."""
        missing = f"<p>Missing solves: {self.missing}. The same run() continues.</p>" if self.missing else ""
        return self.text("html") + missing


def _analysis(name: str) -> Any:
    """A function of rigidlimit.analysis; ModuleNotFoundError, with the command that installs it, without pandas or
    matplotlib."""
    try:
        return getattr(import_module(".analysis", __package__), name)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(f"{missing.name} is not installed: pip install 'rigidlimit[plot]'",
                                  name=missing.name) from None
