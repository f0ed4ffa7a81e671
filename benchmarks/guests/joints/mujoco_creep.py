"""MuJoCo: the creep of a capsule that two pads hold by friction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import mujoco

from .creep_row import Creep
from .settings import creep

MASS, PAD, FRICTION, GRIP, GRAVITY = 0.05, 0.1, 0.6, 15.0, 9.81  # kg, kg, -, N, m/s^2
MODEL = """<mujoco><option timestep="{step}" integrator="implicitfast" impratio="{impratio}" cone="{cone}"
gravity="0 0 -9.81"/>
<default><geom friction="0.6 0 0" condim="3" solref="{timeconst} 1" solimp="{impedance} {impedance} 0.001"/></default>
<worldbody>
<body><freejoint/><inertial pos="0 0 0" mass="0.05" diaginertia="1e-5 1e-5 1e-5"/>
<geom type="capsule" size="0.01 0.02"/></body>
<body pos="-0.02 0 0"><joint type="slide" axis="1 0 0"/><geom type="box" size="0.01 0.03 0.06" mass="0.1"/></body>
<body pos="0.02 0 0"><joint type="slide" axis="1 0 0"/><geom type="box" size="0.01 0.03 0.06" mass="0.1"/></body>
</worldbody></mujoco>"""


def speed(cone: str, impratio: float, timeconst: float, impedance: float, end: float = 1.0) -> float:
    """Of the fall of the capsule between `end`/2 and `end`, m/s."""
    step = timeconst / 20.0
    model = mujoco.MjModel.from_xml_string(MODEL.format(
        step=step, impratio=impratio, cone=cone, timeconst=timeconst, impedance=impedance))
    model.opt.tolerance, model.opt.iterations = 1e-14, 200
    state = mujoco.MjData(model)
    state.qfrc_applied[6:8] = GRIP, -GRIP
    half = round(0.5 * end / step)
    mujoco.mj_step(model, state, half)
    height = float(state.qpos[2])
    mujoco.mj_step(model, state, half)
    if state.ncon != 4:
        raise ArithmeticError(f"{state.ncon} contact points in place of 4")
    return (height - float(state.qpos[2])) / (half * step)


def predicted(cone: str, impratio: float, timeconst: float, impedance: float) -> float:
    """Four points share the weight; Â is 1/m + 1/(mass of a pad), 30/kg."""
    return creep(impedance, timeconst, 1.0 / MASS + 1.0 / PAD, 0.25 * MASS * GRAVITY, impratio,
                 FRICTION if cone == "pyramidal" else None)


def creeps() -> Iterator[Creep]:
    for cone, impratio, timeconst, impedance in product(
            ("elliptic", "pyramidal"), (1.0, 10.0, 100.0), (5e-3, 2e-2), (0.9, 0.99, 0.999)):
        setting = (cone, impratio, timeconst, impedance)
        yield Creep(mujoco.__version__, *setting, speed(*setting), predicted(*setting))
