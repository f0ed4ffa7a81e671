"""Every plot function on a small result, so that properties of all figures are tested together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from rigidlimit import analysis
import made_bench
import made_ensemble
import made_friction
import made_modes
import made_store
import made_terms

TABLE = """what,by hand,Siconos h = 0.001 minus by hand,Siconos h = 0.0001 minus by hand,own h = 0.001 minus by hand
impact floor,0.5,1e-3,1e-4,2e-3
x at the end,2.0,-2e-3,-1e-4,4e-3
"""
METHODS = {f"method_{k}": ("own", 5) for k in range(6)} | made_bench.METHODS
SPEED = {name: 1e-5 * 2.0**k for k, name in enumerate(METHODS)}
HALF_DECADES = [10.0**(-0.5 * k) for k in range(9)]


def made(folder: Path, orders_map: Path, plane_map: Path) -> dict[str, Callable[..., Figure]]:
    """Plot functions by name; each takes style, width and axes."""
    folder.mkdir(parents=True, exist_ok=True)
    store = made_store.tiny(folder / "tiny")
    laws = made_store.tiny(folder / "laws", laws=("viscoelastic", "viscous"))
    curb, other = (made_friction.made(folder / name) for name in ("curb", "other"))
    terms = folder / "terms.csv"
    made_terms.terms().to_csv(terms, index=False)
    (folder / "comparison.csv").write_text(TABLE, encoding="utf-8")
    benches = {}
    for name, lines in (
            ("work_precision", made_bench.work_precision(METHODS, SPEED)),
            ("order_reduction", made_bench.order_reduction(h=HALF_DECADES, formulations=("adapted", "natural"))),
            ("cost_epsilon", made_bench.cost_epsilon(METHODS, SPEED)), ("cost_count", made_bench.cost_count())):
        (folder / name).mkdir()
        benches[name] = made_bench.write(folder / name, lines)
    return {
        "convergence": partial(analysis.plot_convergence, store),
        "convergence_sweep": partial(analysis.plot_convergence, orders_map),
        "convergence_laws": partial(analysis.plot_convergence, laws),
        "ensemble": partial(analysis.plot_ensemble, made_ensemble.made(folder / "ensemble")),
        "layer": partial(analysis.plot_layer, store),
        "pair": partial(analysis.plot_pair, store),
        "energy": partial(analysis.plot_energy, store),
        "drift": partial(analysis.plot_drift, store),
        "work": partial(analysis.plot_work, laws),
        "expansion": partial(analysis.plot_expansion, terms),
        "wheel": partial(analysis.plot_wheel, curb),
        "trajectories": partial(analysis.plot_trajectories, [curb, other]),
        "histories": partial(analysis.plot_histories, curb),
        "rigid_histories": partial(analysis.plot_rigid_histories, [curb, other], quantity="v"),
        "friction_convergence": partial(analysis.plot_friction_convergence, curb),
        "transitions": partial(analysis.plot_transitions, curb),
        "modes": partial(analysis.plot_modes, made_modes.groove(folder / "groove")),
        "methods": partial(analysis.plot_methods, folder),
        "orders": partial(analysis.plot_orders, orders_map),
        "damping_errors": partial(analysis.plot_damping_map, orders_map),
        "damping_plane": partial(analysis.plot_damping_map, plane_map),
        "work_precision": partial(analysis.plot_work_precision, benches["work_precision"]),
        "order_reduction": partial(analysis.plot_order_reduction, benches["order_reduction"]),
        "order_reduction_method": partial(analysis.plot_order_reduction, benches["order_reduction"], method="quick"),
        "cost": partial(analysis.plot_cost, benches["cost_epsilon"]),
        "cost_count": partial(analysis.plot_cost, benches["cost_count"]),
    }


NAMES = ("convergence", "convergence_sweep", "convergence_laws", "ensemble", "layer", "pair", "energy", "drift", "work", "expansion",
         "wheel", "trajectories", "histories", "rigid_histories", "friction_convergence", "transitions", "modes", "methods",
         "orders", "damping_errors", "damping_plane", "work_precision", "order_reduction",
         "order_reduction_method", "cost", "cost_count")
