"""What rigidlimit wrote, as tables and figures. Reads files under results/, computes no physics.

    >>> import analysis
    >>> analysis.load("results/knife_edge").groupby("verdict").size()
    >>> analysis.plot_convergence("results/knife_edge").savefig("convergence.pdf")

Every plot_X(study, ..., style="light") returns a matplotlib Figure ("dark": for dark pages) and has
its X_data(study, ...), the figure as a DataFrame. Figures of a store also draw into `axes` of yours.
"""

from analysis.animation import AnimationOptions, animate
from analysis.bench import (order_reduction_data, plot_order_reduction, plot_work_precision,
                            work_precision_data)
from analysis.convergence import convergence_data, plot_convergence
from analysis.damping_map import damping_map_data, plot_damping_map
from analysis.drift import drift_data, plot_drift
from analysis.energy import energy_data, plot_energy
from analysis.export import export_motions, export_tables
from analysis.layer import layer_data, plot_layer
from analysis.pair import pair_data, plot_pair
from analysis.store import Curve, Motion, StudyData, load, open_study
from analysis.tables import AnalysisError
from analysis.work import plot_work, work_data

__all__ = [
    "AnalysisError", "AnimationOptions", "Curve", "Motion", "StudyData", "animate",
    "convergence_data", "damping_map_data", "drift_data", "energy_data", "export_motions",
    "export_tables", "layer_data", "load", "open_study", "order_reduction_data", "pair_data",
    "plot_convergence", "plot_damping_map", "plot_drift", "plot_energy", "plot_layer",
    "plot_order_reduction", "plot_pair", "plot_work", "plot_work_precision", "work_data",
    "work_precision_data"]
