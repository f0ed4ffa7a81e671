"""Motions and figures of a run, read from its store by rigidlimit.analysis."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .analysis import Motion
    from .analysis import Result as OpenedResult


class ResultFigures:
    """The part of a Result that reads its store.

    Every plot_X takes the options of `rigidlimit.analysis.plot_X` and returns a matplotlib figure. All of it needs
    pandas, and figures need matplotlib: `pip install 'rigidlimit[plot]'`.

    Attributes
    ----------
    name : str
    store : Path or None
        results.db of the run; None if it kept nothing.

    Raises
    ------
    InputError
        The run kept no store, or a later run with other keys has replaced it.
    AnalysisError
        The kind of the experiment has no such figure, or the store has no data for it. It is a ValueError.
    """

    name: str
    store: Path | None
    _resolved: str  # the study with every default, TOML

    @cached_property
    def opened(self) -> OpenedResult:
        """The run as `rigidlimit.analysis.open_result` opens it: tables, claims, points of a sweep.

        Do not read it while another run writes to the store.
        """
        if self.store is None:
            raise InputError("this run kept no store, which motions and figures are read from: use run(results=FOLDER)",
                             self.name)
        found: OpenedResult = _analysis("open_result")(self.store)
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
            times (K,) [s]; q, v, multiplier (rows, K), in the units of the system.

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


def _analysis(name: str) -> Any:
    """A function of rigidlimit.analysis; ModuleNotFoundError, with the command that installs it, without pandas or
    matplotlib."""
    try:
        return getattr(import_module(".analysis", __package__), name)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(f"{missing.name} is not installed: pip install 'rigidlimit[plot]'",
                                  name=missing.name) from None
