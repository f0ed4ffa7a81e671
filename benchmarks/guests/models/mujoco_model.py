"""MuJoCo: its soft contact. The disc is an ellipsoid of nearly no thickness, which touches the plane in one point."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

import mujoco
import numpy as np

from .laws import disk_error, plane_error, reference_acceleration, without_turning
from .model import Check, Ladder, Row, Series, measured
from .problems import Array, Body, Disk, Settings, Track, Wheel, ball, disk, ideal_centre, in_parts, wheel

MODEL = """<mujoco>
<option timestep="{step}" integrator="{integrator}" impratio="{impratio}" gravity="{gravity}" cone="elliptic"/>
<default><geom condim="3" friction="{friction}" solref="{solref}" solimp="{impedance} {impedance} 0.001"/></default>
<worldbody><geom type="plane" size="0 0 1"/>
<body pos="{centre}"><freejoint/><inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>
<geom type="ellipsoid" size="{size}"/></body></worldbody></mujoco>"""
STICKS = 5.0  # friction with which the disc never reaches its cone
# Greatest b step at the impedance 0.9. Euler: that of the critically damped normal row, whose characteristic polynomial
# has the root -1. RK4: that of the friction row, with i = A/(A + R) for A = 5/m and R = 1/(9 m).
EULER_LIMIT = (sqrt(8.0) - 2.0) / 0.45
RK4_LIMIT = 2.785 / (45.0 / 46.0)


def text(values: Array) -> str:
    return " ".join(map(str, values))


def solref(timeconst: float, direct: bool) -> tuple[float, float]:
    """Both values of `solref` for critical damping. `direct`: minus stiffness, 1/s^2, and minus damping, 1/s.

    They are the same contact for any impedance, except that MuJoCo raises a time constant below two steps.
    """
    return (-timeconst**-2, -2.0 / timeconst) if direct else (timeconst, 1.0)


def started(body: Disk | Wheel, step: float, timeconst: float, integrator: str, impratio: float, direct: bool = False,
            impedance: float = 0.9) -> tuple[Any, Any]:
    """Model and state at the start. `timeconst`: s, of solref, with critical damping; `direct`: `solref`."""
    return built(body, step=step, integrator=integrator, impratio=impratio, impedance=impedance,
                 solref=text(np.array(solref(timeconst, direct))),
                 friction=body.friction if isinstance(body, Wheel) else STICKS)


def built(body: Body, **settings: Any) -> tuple[Any, Any]:
    """Model and state at the start with the settings of MODEL."""
    start = body.start
    model = mujoco.MjModel.from_xml_string(MODEL.format(
        gravity=text(start.gravity), centre=text(start.centre), mass=body.mass, inertia=text(body.inertias),
        size=text(body.half_axes), **settings))
    state = mujoco.MjData(model)
    state.qpos[3:] = start.quaternion
    state.qvel[:3], state.qvel[3:] = start.velocity, start.axes.T @ start.angular_velocity
    return model, state


def end(body: Disk | Wheel, step: float, timeconst: float, integrator: str = "RK4", impratio: float = 1.0,
        direct: bool = False) -> Array:
    """The centre (3,), m, at the end."""
    model, state = started(body, step, timeconst, integrator, impratio, direct)
    mujoco.mj_step(model, state, round(body.end / step))
    if not np.isfinite(state.qpos).all() or state.ncon == 0:
        raise ArithmeticError("leaves the ground")
    return np.array(state.qpos[:3])


def follow(body: Body, settings: Settings, parts: int) -> Track:
    """Times, s, and centres (3,), m, of a run with the settings of `rigidlimit stiffness --engine mujoco`."""
    model, state = built(body, step=settings["timestep"], integrator=settings["integrator"],
                         impratio=settings["impratio"], impedance=settings["solimp[0]"],
                         solref=f"{settings['solref[0]']} {settings['solref[1]']}", friction=settings["friction"])
    for steps in in_parts(body.end, settings["timestep"], parts):
        mujoco.mj_step(model, state, steps)
        yield state.time, np.array(state.qpos[:3])


def error(body: Disk | Wheel, step: float, timeconst: float, integrator: str = "RK4", direct: bool = False) -> float:
    centre = end(body, step, timeconst, integrator, direct=direct)
    return body.error(centre[0]) if isinstance(body, Wheel) else body.error(centre)


def rows() -> Iterator[Row]:
    d, w, b = disk(), wheel(), ball()
    ideal_centre(d.end)  # now, so that no time of a run contains it
    times, short, name = (2e-2, 5e-3, 1.25e-3, 3.125e-4), (2e-2, 5e-3, 2e-3, 1e-3, 5e-4), "timeconst, s"
    tenth, direct = "soft, {}, step timeconst/10", "2/damping, s"

    def directly(problem: str, body: Disk | Wheel, integrator: str) -> Series:
        return Series(problem, f"direct, {integrator}, step 1 ms", direct, short,
                      lambda c: error(body, 1e-3, c, integrator, True))

    yield from measured("MuJoCo", mujoco.__version__, [
        Series("disk", tenth.format("RK4"), name, times, lambda c: error(d, c / 10.0, c)),
        Series("disk", tenth.format("Euler"), name, times, lambda c: error(d, c / 10.0, c, "Euler")),
        Series("disk", "soft, RK4, step 1 ms", name, short, lambda c: error(d, 1e-3, c)),
        directly("disk", d, "RK4"), directly("disk", d, "Euler"), directly("disk", d, "implicitfast"),
        Series("disk", "direct, RK4, 2/damping 1 ms", "step, s", (2e-3, 1e-3, 5e-4, 2.5e-4),
               lambda h: error(d, h, 1e-3, "RK4", True)),
        Series("disk", "direct, Euler, 2/damping 1 ms", "step, s", (1e-3, 5e-4, 2.5e-4, 1.25e-4),
               lambda h: error(d, h, 1e-3, "Euler", True)),
        Series("disk", "soft, RK4, timeconst 5 ms", "step, s", (2e-3, 1e-3, 5e-4), lambda h: error(d, h, 5e-3)),
        Series("disk", "soft, RK4, timeconst 5 ms", "1/impratio", (1.0, 1e-1, 1e-2, 1e-3),
               lambda i: d.error(end(d, 5e-4, 5e-3, impratio=1.0 / i))),
        Series("wheel", tenth.format("RK4"), name, times, lambda c: error(w, c / 10.0, c)),
        Series("wheel", tenth.format("Euler"), name, times, lambda c: error(w, c / 10.0, c, "Euler")),
        directly("wheel", w, "RK4"), directly("wheel", w, "Euler"),
        Series("ball", tenth.format("RK4"), name, times, lambda c: error(b, c / 10.0, c)),
        directly("ball", b, "RK4")])


def checks() -> Iterator[Check]:
    """Laws to leading order, and the limits of the settings as MuJoCo itself reports them."""
    d, w, b = disk(), wheel(), ball()

    def check(problem: str, law: str, setting: str, quantity: str, found: float, predicted: float) -> Check:
        return Check("MuJoCo", mujoco.__version__, problem, law, setting, quantity, found, predicted)

    law, row, impedance = "J v' = (1 - i) free - i b J v, b = 2/(d timeconst)", (1.0 / 0.9 - 1.0) / d.mass, 0.9
    for c in (5e-3, 1.25e-3, 3.125e-4):
        b_d = 2.0 / (impedance * c)
        yield check("disk", law, f"solref {c:g} 1, step timeconst/10, RK4", "error, m", error(d, c / 10.0, c),
                    disk_error(d, without_turning(b_d, row)))
    for direct in (False, True):
        for c in (3.125e-4, 7.8125e-5):
            b_d = 2.0 / (impedance * c)
            name = " ".join(f"{value:g}" for value in solref(c, direct))
            yield check("wheel", law, f"solref {name}, step timeconst/40, RK4", "error of x, m",
                        end(w, c / 40.0, c, direct=direct)[0] - w.state(w.end)[0],
                        plane_error(w, reference_acceleration(w, b_d, impedance), 8.0 / b_d))
    c = 1.25e-3
    yield check("ball", law, f"solref {c:g} 1, step timeconst/40, RK4", "error of x, m",
                end(b, c / 40.0, c)[0] - b.state(b.end)[0],
                plane_error(b, reference_acceleration(b, 2.0 / (impedance * c), impedance), 8.0 / (2.0 / c)))
    for direct in (False, True):
        model, state = started(d, 1e-3, 5e-4, "RK4", 1.0, direct)
        state.qpos[2] -= 1e-6  # into the plane
        mujoco.mj_forward(model, state)
        limit = 5e-4 if direct else 2e-3
        yield check("disk", "no limit" if direct else "floor of timeconst: 2 steps",
                    "solref -4e6 -4000, step 0.001 s" if direct else "solref 0.0005 1, step 0.001 s", "b, 1/s",
                    state.efc_KBIP[1, 1], 2.0 / (impedance * limit))
    model, state = started(d, 1e-3, 5e-3, "RK4", 1.0, impedance=1.0)
    state.qpos[2] -= 1e-6
    mujoco.mj_forward(model, state)
    yield check("disk", "clip of the impedance", "solimp 1 1 0.001", "1 - d", 1.0 - state.efc_KBIP[0, 2], 1e-4)
    for integrator, limit in (("Euler", EULER_LIMIT), ("RK4", RK4_LIMIT)):
        yield check("disk", "stable below the limit of the method", f"direct, {integrator}, step 0.001 s",
                    "greatest b step", 1e-3 * _greatest(d, integrator), limit)


def _greatest(body: Disk, integrator: str) -> float:
    """The greatest b, 1/s, with which the disc at a step of 1 ms ends within 0.05 m of the ideal motion."""
    low, high = 100.0, 10000.0
    while high - low > 10.0:
        middle = 0.5 * (low + high)
        try:
            good = error(body, 1e-3, 2.0 / (0.9 * middle), integrator, True) < 0.05
        except ArithmeticError:
            good = False
        low, high = (middle, high) if good else (low, middle)
    return low


def ladders() -> Iterator[Ladder]:
    times = (2e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5)
    for problem, body in (("disk", disk()), ("wheel", wheel()), ("ball", ball())):
        yield Ladder("MuJoCo", problem, "soft, RK4, step timeconst/10", "timeconst, s", times,
                     lambda c, body=body: error(body, c / 10.0, c))  # type: ignore[misc]
        yield Ladder("MuJoCo", problem, "direct, RK4, step 2/damping", "2/damping, s", times,
                     lambda c, body=body: error(body, c, c, "RK4", True))  # type: ignore[misc]
