"""The figures of a study by name, written as PNG, SVG, PDF, and their data as CSV."""

from __future__ import annotations

from pathlib import Path

from . import convergence, drift, energy, ensemble, layer, orders, pair, work
from .figures import FigureKind, file_name
from .result import Result
from .store import RollingResult
from .opening import rolling


FIGURES: dict[str, FigureKind] = {
    "convergence": FigureKind(
        convergence.plot_convergence, convergence.convergence_data,
        "errors against epsilon, with fits, predictions, error bars and floors", of_sweep=True),
    "orders": FigureKind(orders.plot_orders, orders.orders_data,
                         "orders of a sweep against a swept key, with standard errors and predictions",
                         of_sweep=True, needs="sweep"),
    "ensemble": FigureKind(ensemble.plot_ensemble, ensemble.ensemble_data,
                           "errors of the members of an ensemble: median, bands of quantiles, and the study",
                           needs="ensemble"),
    "layer": FigureKind(
        layer.plot_layer, layer.layer_data,
        "the layer in tau = t / epsilon at several epsilons, and its prediction"),
    "pair": FigureKind(pair.plot_pair, pair.pair_data,
                       "trajectories of the rigid and the compliant motion, overlaid"),
    "energy": FigureKind(energy.plot_energy, energy.energy_data,
                         "energy accounts and their defect"),
    "drift": FigureKind(drift.plot_drift, drift.drift_data, "the sliding velocity over time"),
    "work": FigureKind(work.plot_work, work.work_data, "steps, evaluations and time against epsilon"),
}


def names_for(study: RollingResult) -> list[str]:
    """The figures of FIGURES that exist for a study or a sweep."""
    there = {"": True, "sweep": study.sweep is not None, "ensemble": ensemble.has_ensemble(study)}
    return [name for name, kind in FIGURES.items() if there[kind.needs]]


def draw_figure(name: str, study: str | Path | Result, style: str = "light",
                directory: Path | None = None) -> list[Path]:
    """Draws one of FIGURES beside the store (or into `directory`) and returns the files. A sweep gives one
    figure per point, unless the points share it.

    AnalysisError if the store has no data for it.
    """
    study = rolling(study)
    directory = study.directory if directory is None else directory
    return [file for its_name, one in figures_of(study, name)
            for file in FIGURES[name].draw(one, directory, its_name, style)]


def figures_of(study: RollingResult, name: str) -> list[tuple[str, RollingResult]]:
    """The file names of a figure of FIGURES, with the study or point that each shows."""
    if study.sweep is None or FIGURES[name].of_sweep:
        return [(name, study)]
    return [(file_name(name, study.sweep.text(point)), study.at_point(point)) for point in study.sweep.points]
