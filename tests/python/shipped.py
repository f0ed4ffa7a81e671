"""Systems of experiments/ as Python functions."""

from typing import Any

import rigidlimit as rl


def skate() -> rl.System:
    return rl.System(
        "skate", coordinates=["x", "y", "phi"], parameters={"m": 1.0, "J": 0.2},
        kinetic_coenergy=lambda q, v, p: p.m / 2 * (v.x**2 + v.y**2) + p.J / 2 * v.phi**2,
        constraint=lambda q, v, p: [rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x])


SKATE = """
[system]
name = "skate"
coordinates = [
  {name = "x", start = 0.0, start_rate = 0.0},
  {name = "y", start = 0.0, start_rate = 0.0},
  {name = "phi", start = 0.0, start_rate = 0.0},
]
kinetic_coenergy = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
potential = 0
constraint = ["cos(phi)*y' - sin(phi)*x'"]
[system.parameters]
m = {default = 1.0}
J = {default = 0.2}
[initial]
q = [0.0, 0.0, 0.0]
v = [0.7, 0.0, 1.3]
"""


def switched_blade() -> rl.System:
    return rl.System(
        "switched_blade", ["x", "y", "heading"],
        {"mass": 1.0, "inertia": 0.3, "speed": 0.7, "drive": 1.0, "gravity": 9.81},
        units={"x": "m", "y": "m", "heading": "rad", "mass": "kg"}, title="Blade with a drive that is switched",
        kinetic_coenergy=lambda v, p: p.mass / 2 * (v.x**2 + v.y**2) + p.inertia / 2 * v.heading**2,
        potential=lambda q, p: p.mass * p.gravity * rl.maximum(0, q.x - 0.5) * 0.02,
        applied_force=lambda p, t: [rl.where(t < 0.513, p.drive, -p.drive), 0, 0],
        constraint=lambda q, v: [{"row": -rl.sin(q.heading) * v.x + rl.cos(q.heading) * v.y,
                                  "name": "lateral sliding"}],
        start=lambda p: {"q": {"heading": 0.3},
                         "v": {"x": p.speed * rl.cos(0.3), "y": p.speed * rl.sin(0.3),
                               "heading": 0.4}})


def roller_racer() -> rl.System:
    def constraint(q: Any, v: Any, p: Any) -> list[Any]:
        bar = q.theta + q.steer
        return [{"row": rl.cos(q.theta) * v.y - rl.sin(q.theta) * v.x, "name": "seat sideways"},
                {"row": (rl.cos(bar) * v.y - rl.sin(bar) * v.x + p.rear * rl.cos(q.steer) * v.theta
                         + p.front * (v.theta + v.steer)), "name": "handlebar sideways"}]

    def drive(q: Any, v: Any, p: Any, t: Any) -> list[Any]:
        return [0, 0, 0, (p.stiffness * (p.amplitude * rl.sin(p.frequency * t) - q.steer)
                          + p.damping * (p.amplitude * p.frequency * rl.cos(p.frequency * t) - v.steer))]

    return rl.System(
        "roller_racer", ["x", "y", "theta", "steer"],
        {"mass": 3.0, "seat_inertia": 0.2, "bar_inertia": 0.05, "rear": 0.4, "front": 0.1, "stiffness": 3.0,
         "damping": 0.6, "amplitude": 0.6, "frequency": 3.0, "speed": 0.5},
        units={"x": "m", "y": "m", "theta": "rad", "steer": "rad"},
        kinetic_coenergy=lambda v, p: (p.mass / 2 * (v.x**2 + v.y**2) + p.seat_inertia / 2 * v.theta**2
                                       + p.bar_inertia / 2 * (v.theta + v.steer)**2),
        applied_force=drive, constraint=constraint,
        quasi_velocities=lambda q, v: [rl.cos(q.theta) * v.x + rl.sin(q.theta) * v.y, v.steer],
        start={"q": {"steer": 0.3},
               "v": {"x": "speed", "theta": "speed*sin(0.3)/(rear*cos(0.3) + front)"}})


def suslov() -> rl.System:
    def rates(q: Any, v: Any) -> list[Any]:
        e0, e1, e2, e3 = q
        w1, w2, w3 = v
        return [-(e1 * w1 + e2 * w2 + e3 * w3) / 2, (e0 * w1 + e2 * w3 - e3 * w2) / 2,
                (e0 * w2 + e3 * w1 - e1 * w3) / 2, (e0 * w3 + e1 * w2 - e2 * w1) / 2]

    def force(q: Any, v: Any, p: Any) -> list[Any]:
        e0, e1, e2, e3 = q
        w1, w2, w3 = v
        L1 = p.I11 * w1 + p.I13 * w3
        L2 = p.I22 * w2 + p.I23 * w3
        L3 = p.I13 * w1 + p.I23 * w2 + p.I33 * w3
        g1, g2 = 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1)
        return [w3 * L2 - w2 * L3 + p.weight * g2, w1 * L3 - w3 * L1 - p.weight * g1, w2 * L1 - w1 * L2]

    return rl.System(
        "suslov", ["e0", "e1", "e2", "e3"],
        {"I11": {"default": 1.0, "unit": "kg m^2", "above": 0.0}, "I22": 1.5, "I33": 2.0, "I13": 0.6, "I23": 0.0,
         "weight": 0.0},
        velocities=["w1", "w2", "w3"], units={"w1": "rad/s", "w2": "rad/s", "w3": "rad/s"}, rates=rates,
        start={"q": [1.0, 0.0, 0.0, 0.0], "v": {"w1": 1.2, "w2": -0.5}},
        invariants=lambda q: [(sum(e**2 for e in q) - 1) / 2],
        mass_matrix=lambda p: [[p.I11, 0, p.I13], [0, p.I22, p.I23], [p.I13, p.I23, p.I33]], force=force,
        potential=lambda q, p: p.weight * (q.e0**2 - q.e1**2 - q.e2**2 + q.e3**2),
        constraint=lambda v: [{"row": v.w3, "name": "about the third axis", "unit": "rad/s"}],
        quasi_velocities=lambda v: [v.w1, v.w2])


def two_wheeled_cart() -> rl.System:
    def kinetic_coenergy(q: Any, v: Any, p: Any) -> Any:
        return (p.mass / 2 * ((v.x - p.centre * rl.sin(q.phi) * v.phi)**2
                              + (v.y + p.centre * rl.cos(q.phi) * v.phi)**2)
                + p.inertia / 2 * v.phi**2 + p.wheel_inertia / 2 * (v.left**2 + v.right**2)
                + p.caster_inertia / 2 * (v.phi + v.swivel)**2)

    def constraint(q: Any, v: Any, p: Any) -> dict[str, Any] | list[Any]:
        forward = rl.cos(q.phi) * v.x + rl.sin(q.phi) * v.y
        rows = {
            "axle sideways": rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x,
            "left wheel along": forward - p.half_track * v.phi - p.radius * v.left,
            "right wheel along": forward + p.half_track * v.phi - p.radius * v.right,
            "caster sideways": (rl.cos(q.phi + q.swivel) * v.y - rl.sin(q.phi + q.swivel) * v.x
                                + p.base * rl.cos(q.swivel) * v.phi - p.trail * (v.phi + v.swivel))}
        return [{"name": name, "row": row} for name, row in rows.items()]

    return rl.System(
        "two_wheeled_cart",
        [{"name": "x", "unit": "m", "start_rate": "speed*cos(0.2)"},
         {"name": "y", "unit": "m", "start_rate": "speed*sin(0.2)"},
         {"name": "phi", "unit": "rad", "start": 0.2, "start_rate": lambda p: p.turning},
         {"name": "left", "unit": "rad", "start_rate": lambda p: (p.speed - p.half_track * p.turning) / p.radius},
         {"name": "right", "unit": "rad", "start_rate": lambda p: (p.speed + p.half_track * p.turning) / p.radius},
         {"name": "swivel", "unit": "rad", "start": 0.4,
          "start_rate": "(base*cos(0.4)*turning - speed*sin(0.4))/trail - turning"}],
        {"mass": 4.0, "inertia": 0.15, "centre": 0.08, "half_track": 0.2, "radius": 0.1, "wheel_inertia": 0.01,
         "base": 0.3, "trail": 0.1, "caster_inertia": 0.02, "slope": 0.1, "gravity": 9.81, "friction": 0.01,
         "swivel_friction": 0.02, "left_torque": 0.05, "right_torque": 0.08, "speed": 0.5, "turning": 0.6},
        kinetic_coenergy=kinetic_coenergy, constraint=constraint,
        potential=lambda q, p: -p.mass * p.gravity * rl.sin(p.slope) * (q.x + p.centre * rl.cos(q.phi)),
        dissipation=lambda v, p: (p.friction / 2 * (v.left**2 + v.right**2)
                                  + p.swivel_friction / 2 * v.swivel**2),
        applied_force=lambda p: [0, 0, 0, p.left_torque, p.right_torque, 0],
        quasi_velocities=lambda q, v: [rl.cos(q.phi) * v.x + rl.sin(q.phi) * v.y, v.phi])
