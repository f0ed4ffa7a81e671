"""MuJoCo: `connect` and `weld`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np

from .cell import SHARE, Cell, Joint, Load, measured
from .settings import JointSettings, mujoco_joint_settings

DEFAULT_STEP = 2e-3  # s
MODEL = """<mujoco><option timestep="{step}" integrator="{integrator}" gravity="0 0 -{gravity}"/>
<worldbody>{arm}<body name="bob" pos="{place}"><freejoint/>
<inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/></body></worldbody>
<equality><{row} solref="{timeconst} {dampratio}" solimp="{impedance} {impedance} 0.001"/></equality></mujoco>"""
ARM = """<body name="arm"><joint type="hinge" axis="0 1 0"/>
<inertial pos="0 0 0" mass="0.01" diaginertia="{inertia} {inertia} {inertia}"/></body>"""


def text(values: Any) -> str:
    return " ".join(map(str, values))


def built(kind: str, load: Load, settings: JointSettings, integrator: str, step: float) -> tuple[Any, Any]:
    """Model and state at the start. A body that swings in a weld is welded to an arm of nearly no mass."""
    arm = kind == "weld" and load.swings
    inertia = 0.5 * load.inertia if arm else load.inertia
    rows = {"connect": f'connect body1="bob" anchor="{text(-np.array(load.arm))}"',
            "weld": 'weld body1="bob"' + (' body2="arm"' if arm else "")}
    model = mujoco.MjModel.from_xml_string(MODEL.format(
        step=step, integrator=integrator, gravity=load.gravity, place=text(load.arm), mass=load.mass, inertia=inertia,
        arm=ARM.format(inertia=inertia) if arm else "", row=rows[kind], timeconst=settings.timeconst,
        dampratio=settings.dampratio, impedance=settings.impedance))
    state = mujoco.MjData(model)
    mujoco.mj_forward(model, state)
    return model, state


def mass_inverse(state: Any, row: int = 0) -> float:
    """Â of a row: `efc_diagApprox`, or what `efc_R` and the impedance in `efc_KBIP` say of it in releases without."""
    impedance = state.efc_KBIP[row, 2]
    return float(state.efc_R[row] * impedance / (1.0 - impedance))


def stiffness(state: Any, row: int = 0) -> float:
    """k = K d/R of a row at its present gap, from `efc_KBIP` and `efc_R`."""
    return float(state.efc_KBIP[row, 0] * state.efc_KBIP[row, 2] / state.efc_R[row])


def gap(kind: str, load: Load, settings: JointSettings, integrator: str, step: float) -> float:
    """The greatest gap of a swing, or that at rest, m."""
    model, state = built(kind, load, settings, integrator, step)
    if not load.swings:
        mujoco.mj_step(model, state, round(load.end / step))
        mujoco.mj_forward(model, state)
        return float(np.linalg.norm(state.efc_pos[:3]))
    greatest = 0.0
    for _ in range(round(load.end / step)):
        mujoco.mj_step(model, state)
        greatest = max(greatest, float(state.efc_pos[:3] @ state.efc_pos[:3]))
    return float(np.sqrt(greatest))


def settings_of(kind: str, load: Load, wanted: float, timeconst: float = 5e-3) -> JointSettings:
    """Of the law, with the Â that the model itself has."""
    probe = mujoco_joint_settings(wanted, load.multiplier, 1.0)
    inverse = mass_inverse(built(kind, load, probe, "Euler", DEFAULT_STEP)[1])
    return mujoco_joint_settings(wanted, load.multiplier, inverse, timeconst=timeconst)


def prepared(kind: str, integrator: str) -> Callable[[Load, float], tuple[str, float, Callable[[float], float]]]:
    def prepare(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
        settings = settings_of(kind, load, wanted)
        step = settings.step() if integrator == "RK4" else settings.step(SHARE, wanted, load.acceleration)
        return (f"solref {settings.timeconst:.4g} 1, d {settings.impedance:.5f}", step,
                lambda h: gap(kind, load, settings, integrator, h))

    return prepare


def cells() -> Iterator[Cell]:
    yield from measured("MuJoCo", mujoco.__version__, [
        Joint(kind, integrator, DEFAULT_STEP, prepared(kind, integrator))
        for kind, integrators in (("connect", ("RK4", "Euler", "implicitfast")), ("weld", ("RK4", "Euler")))
        for integrator in integrators])
