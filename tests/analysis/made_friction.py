"""A small friction result in the program's format: a wheel falls onto the floor beside the curb, once,
and stays there."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from made_store import Maker

G, FALL = 10.0, 0.3  # m/s^2, s
EPSILONS = (1e-2, 1e-3)
NAN = float("nan")


def height(t: np.ndarray) -> np.ndarray:
    return 0.1 + 0.5 * G * np.maximum(FALL**2 - t**2, 0.0)


def write(directory: Path, name: str, header: str, lines: list[list[object]], maker: Maker | None = None) -> None:
    if maker is not None:
        maker.table(name, header, lines)
    (directory / f"{name}.csv").write_text("\n".join([header, *(",".join(map(str, one)) for one in lines)]) + "\n",
                    encoding="utf-8")


def made(directory: Path, *, restitution: float = 0.0, system: str = "wheel_and_curb", resolved: str = "",
         more: dict[str, object] | None = None) -> Path:
    """`more`: further entries of the judgement, and claims beside those about orders."""
    maker = Maker(directory)
    name = directory.name
    law = ["projected", 1, "cvode_bdf"]
    common = {"law": "projected", "tangential_power": 1.0, "compliant_solver": "cvode_bdf", "events": "", "norm": "sup",
              "window": "all", "standard_error": 0.001, "verdict": "confirmed", "reason": "", "within": 0.05,
              "held": True}
    series = [{**common, "quantity": "q", "order": 1.0, "coefficient": 2.0, "expected_order": 1.0},
              {**common, "quantity": "v", "order": 0.0, "coefficient": 3.0, "expected_convergence": "none"}]
    units = {"coordinates": "m m rad", "velocities": "m/s m/s rad/s"}
    parameters = {"mass": 10.0, "inertia": 0.05, "radius": 0.1, "height": 0.05, "edge": 0.4, "gravity": G,
                  "friction": 0.4, "restitution": restitution}
    claims = [{"name": f"order of {s['quantity']}", "group": "expectations", "held": True, "message": "made"}
              for s in series]
    result = {"name": name, "kind": "friction", "sweep": False, "end": 1.0, "held": True, "series": series, "system": {
        "name": system,
        "parameters": [{"name": one, "value": value, "unit": "", "meaning": ""} for one, value in parameters.items()],
        **{what: [{"name": one + ("'" if what == "velocities" else ""), "unit": unit}
                  for one, unit in zip(("x", "y", "phi"), units[what].split())] for what in units}}}
    places = ["q1", "q2", "q3"]
    write(directory, "events", ",".join(
        ["study,event,t,kind,contacts,modes,energy_lost", *places, *(f"v{k}_before" for k in (1, 2, 3)),
         *(f"v{k}_after" for k in (1, 2, 3))]),
          [[name, 0, FALL, "impact", "floor", "free free stick", 45.0, 0.7, 0.1, 0.0, 0, -G * FALL, 0,
            0, 0, 0], [name, 1, FALL + 1e-3, "impact", "floor", "free free stick", 0.0, 0.7, 0.1, 0.0,
                       0, -0.01, 0, 0, 0, 0]], maker)
    t = np.linspace(0.0, 1.0, 41)
    lines = []
    for motion, epsilon in [("rigid", 0.0), *(("projected", e) for e in EPSILONS)]:
        for k in range(len(t)):
            v = -G * t[k] if t[k] < FALL else 0.0
            lines.append([motion, 1, "cvode_bdf" if epsilon else "event_driven", epsilon, t[k], 0.7,
                          height(t[k]) - epsilon * (t[k] > FALL), 0.0, 0.0, v, 0.0, "free free free"])
    write(directory, "motions", "motion,tangential_power,solver,epsilon,t,q1,q2,q3,v1,v2,v3,modes",
          lines)
    errors = [[name, system, *law, e, quantity, "", norm, "all", size, 1e-6, 1e-9, NAN, NAN,
               "confirmed", "ok" if e > 5e-3 else "solver_limited"]
              for quantity, norm, size_of in (("q", "sup", lambda e: 2 * e), ("v", "sup", lambda e: 3.0),
                                              ("v", "l2", lambda e: e**0.5))
              for e in EPSILONS for size in [size_of(e)]]
    write(directory, "errors", "study,system,law,tangential_power,compliant_solver,epsilon,quantity,events,norm,"
          "window,model_error,solver_error,reference_error,sampling_error,order,verdict,status", errors, maker)
    write(directory, "event_times", "study,event,kind,contacts,t_rigid,law,tangential_power,compliant_solver,"
          "epsilon,t,difference,solver_error,order",
          [[name, 0, "impact", "floor", FALL, *law, e, FALL + 0.5 * e, 0.5 * e, 1e-9, NAN]
           for e in EPSILONS], maker)
    more = more or {}
    return maker.finish(name, {**result, **more, "claims": [*claims, *more.get("claims", [])]}, resolved)
