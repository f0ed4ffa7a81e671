"""MuJoCo: its soft contact. The disc is an ellipsoid of nearly no thickness, which touches the plane in one point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from .model import Row, Series, measured
from .problems import Array, Disk, Wheel, disk, ideal_centre, wheel

MODEL = """<mujoco>
<option timestep="{step}" integrator="{integrator}" impratio="{impratio}" gravity="{gravity}" cone="elliptic"/>
<default><geom condim="3" friction="{friction}" solref="{timeconst} 1" solimp="0.9 0.9 0.001"/></default>
<worldbody><geom type="plane" size="0 0 1"/>
<body pos="{centre}"><freejoint/><inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>
<geom type="ellipsoid" size="{size}"/></body></worldbody></mujoco>"""
STICKS = 5.0  # friction with which the disc never reaches its cone


def text(values: Array) -> str:
    return " ".join(map(str, values))


def started(body: Disk | Wheel, step: float, timeconst: float, integrator: str, impratio: float) -> tuple[Any, Any]:
    """Model and state at the start. `timeconst`: s, of solref, with critical damping."""
    start = body.start
    model = mujoco.MjModel.from_xml_string(MODEL.format(
        step=step, integrator=integrator, impratio=impratio, gravity=text(start.gravity), timeconst=timeconst,
        friction=body.friction if isinstance(body, Wheel) else STICKS, centre=text(start.centre), mass=body.mass,
        inertia=text(body.inertias), size=text(body.half_axes)))
    state = mujoco.MjData(model)
    state.qpos[3:] = start.quaternion
    state.qvel[:3], state.qvel[3:] = start.velocity, start.axes.T @ start.angular_velocity
    return model, state


def rows() -> Iterator[Row]:
    d, w = disk(), wheel()
    ideal_centre(d.end)  # now, so that no time of a run contains it

    def end(body: Disk | Wheel, step: float, timeconst: float, integrator: str = "RK4", impratio: float = 1.0) -> Array:
        model, state = started(body, step, timeconst, integrator, impratio)
        mujoco.mj_step(model, state, round(body.end / step))
        return np.array(state.qpos[:3])

    times, short, name = (2e-2, 5e-3, 1.25e-3, 3.125e-4), (2e-2, 5e-3, 2e-3, 1e-3, 5e-4), "timeconst, s"
    yield from measured("MuJoCo", mujoco.__version__, [
        Series("disk", "soft, RK4, step timeconst/10", name, times, lambda c: d.error(end(d, c / 10.0, c))),
        Series("disk", "soft, Euler, step timeconst/10", name, times, lambda c: d.error(end(d, c / 10.0, c, "Euler"))),
        Series("disk", "soft, RK4, step 1 ms", name, short, lambda c: d.error(end(d, 1e-3, c))),
        Series("disk", "soft, RK4, timeconst 5 ms", "step, s", (2e-3, 1e-3, 5e-4), lambda h: d.error(end(d, h, 5e-3))),
        Series("disk", "soft, RK4, timeconst 5 ms", "1/impratio", (1.0, 1e-1, 1e-2, 1e-3),
               lambda i: d.error(end(d, 5e-4, 5e-3, impratio=1.0 / i))),
        Series("wheel", "soft, RK4, step timeconst/10", name, times, lambda c: w.error(end(w, c / 10.0, c)[0])),
        Series("wheel", "soft, Euler, step timeconst/10", name, times,
               lambda c: w.error(end(w, c / 10.0, c, "Euler")[0]))])
