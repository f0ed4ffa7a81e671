"""Tables and figures of rigidlimit's results. Reads files under results/ and computes no physics.

    >>> from rigidlimit import analysis
    >>> analysis.open_result("results/knife_edge").claims
    >>> analysis.plot_convergence("results/knife_edge").savefig("convergence.pdf")

open_result opens a result of any kind. Every plot_X(result, ..., style="light") takes it or its folder, and
returns a matplotlib Figure (style="dark" for dark pages, style="mono" in greys; width="one-column" for one of two
columns). X_data(result, ...) returns the same data as a DataFrame. Every figure also draws into your `axes`.
"""

from __future__ import annotations

# Public names and their modules. A module is imported on first use, because importing matplotlib and
# pandas takes a second or two. __init__.pyi has the types.
_HOMES = {name: module for module, names in {
    "animation": "AnimationOptions animate",
    "bench": "cost_data order_reduction_data plot_cost plot_order_reduction plot_work_precision work_precision_data",
    "convergence": "convergence_data plot_convergence",
    "damping_map": "damping_map_data plot_damping_map",
    "drift": "drift_data plot_drift",
    "energy": "energy_data plot_energy",
    "ensemble": "ensemble_data plot_ensemble",
    "expansion": "expansion_data plot_expansion",
    "export": "export_motions export_tables",
    "layer": "layer_data plot_layer",
    "friction_modes": "modes_data plot_modes",
    "pair": "pair_data plot_pair",
    "friction_convergence": "plot_friction_convergence plot_transitions "
                        "friction_convergence_data transitions_data",
    "friction_curb": "plot_trajectories plot_wheel trajectory_data wheel_positions_data",
    "friction_histories": "histories_data plot_histories plot_rigid_histories",
    "friction_methods": "methods_data plot_methods",
    "opening": "load open_result",
    "orders": "orders_data plot_orders",
    "result": "Motion Result",
    "store": "Curve",
    "tables": "AnalysisError",
    "work": "plot_work work_data",
}.items() for name in names.split()}

__all__ = sorted(_HOMES)  # noqa: PLE0605 # a computed list of names


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .tables import imported

    globals()[name] = getattr(imported(f"{__name__}.{_HOMES[name]}"), name)
    return globals()[name]


def __dir__() -> list[str]:
    return [*globals(), *__all__]
