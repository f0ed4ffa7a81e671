# Types of the names that __init__.py imports on first use.
from .animation import AnimationOptions, animate
from .bench import (cost_data, order_reduction_data, plot_cost, plot_order_reduction,
                    plot_work_precision, work_precision_data)
from .convergence import convergence_data, plot_convergence
from .damping_map import damping_map_data, plot_damping_map
from .drift import drift_data, plot_drift
from .energy import energy_data, plot_energy
from .ensemble import ensemble_data, plot_ensemble
from .expansion import expansion_data, plot_expansion
from .export import export_motions, export_tables
from .layer import layer_data, plot_layer
from .friction_modes import modes_data, plot_modes
from .pair import pair_data, plot_pair
from .friction_convergence import (plot_friction_convergence, plot_transitions,
                                   friction_convergence_data, transitions_data)
from .friction_curb import (plot_trajectories, plot_wheel, trajectory_data,
                            wheel_positions_data)
from .friction_histories import histories_data, plot_histories, plot_rigid_histories
from .friction_methods import methods_data, plot_methods
from .result import Motion, Result
from .opening import open_result
from .store import Curve
from .opening import load
from .orders import orders_data, plot_orders
from .tables import AnalysisError
from .work import plot_work, work_data

__all__ = [
    "AnalysisError", "AnimationOptions", "Curve", "Motion", "Result", "animate",
    "convergence_data", "cost_data", "damping_map_data", "drift_data", "energy_data", "ensemble_data",
    "expansion_data", "export_motions", "export_tables", "histories_data", "layer_data", "load", "methods_data", "modes_data",
    "open_result", "order_reduction_data", "orders_data", "pair_data", "plot_convergence",
    "plot_cost", "plot_damping_map", "plot_drift", "plot_energy", "plot_ensemble", "plot_expansion", "plot_histories",
    "plot_layer", "plot_methods", "plot_modes", "plot_order_reduction", "plot_orders", "plot_pair", "plot_rigid_histories",
    "plot_friction_convergence", "plot_trajectories", "plot_transitions", "plot_wheel", "plot_work",
    "plot_work_precision", "friction_convergence_data", "trajectory_data",
    "transitions_data", "wheel_positions_data", "work_data", "work_precision_data"]
