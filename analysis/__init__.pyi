# Types of the names that __init__.py imports on first use.
from analysis.animation import AnimationOptions, animate
from analysis.bench import (order_reduction_data, plot_order_reduction, plot_work_precision,
                            work_precision_data)
from analysis.convergence import convergence_data, plot_convergence
from analysis.damping_map import damping_map_data, plot_damping_map
from analysis.drift import drift_data, plot_drift
from analysis.energy import energy_data, plot_energy
from analysis.export import export_motions, export_tables
from analysis.layer import layer_data, plot_layer
from analysis.friction_modes import modes_data, plot_modes
from analysis.pair import pair_data, plot_pair
from analysis.friction_convergence import (plot_friction_convergence, plot_transitions,
                                       friction_convergence_data, transitions_data)
from analysis.friction_curb import (plot_trajectories, plot_wheel, trajectory_data,
                                wheel_positions_data)
from analysis.friction_histories import histories_data, plot_histories, plot_rigid_histories
from analysis.friction_methods import methods_data, plot_methods
from analysis.result import Motion, Result, open_result
from analysis.store import Curve, load
from analysis.tables import AnalysisError
from analysis.work import plot_work, work_data

__all__ = [
    "AnalysisError", "AnimationOptions", "Curve", "Motion", "Result", "animate",
    "convergence_data", "damping_map_data", "drift_data", "energy_data", "export_motions",
    "export_tables", "histories_data", "layer_data", "load", "methods_data", "modes_data",
    "open_result", "order_reduction_data", "pair_data", "plot_convergence",
    "plot_damping_map", "plot_drift", "plot_energy", "plot_histories", "plot_layer",
    "plot_methods", "plot_modes", "plot_order_reduction", "plot_pair", "plot_rigid_histories",
    "plot_friction_convergence", "plot_trajectories", "plot_transitions", "plot_wheel", "plot_work",
    "plot_work_precision", "friction_convergence_data", "trajectory_data",
    "transitions_data", "wheel_positions_data", "work_data", "work_precision_data"]
