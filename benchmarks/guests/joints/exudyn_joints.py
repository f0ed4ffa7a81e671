"""EXUDYN: its springs and dampers between two points, and between two frames, in place of a joint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia

from .cell import Cell, Joint, Load, measured
from .settings import STEPS

DEFAULT_STEP = 1e-2  # s: 100 steps of a run of 1 s


def gap(kind: str, load: Load, stiffness: float, step: float) -> float:
    """The greatest gap of a swing, or that at rest, m. The damper is critical; a turn has k L^2/100."""
    system = exu.SystemContainer().AddSystem()
    arm = kind == "rigid body" and load.swings
    inertia = np.diag(3 * [0.5 * load.inertia if arm else load.inertia])
    ground, damping = system.CreateGround(), 2.0 * sqrt(stiffness * load.mass)
    own = system.CreateRigidBody(inertia=RigidBodyInertia(  # type: ignore[no-untyped-call, unused-ignore]
        load.mass, inertia), referencePosition=list(load.arm), gravity=[0.0, 0.0, -load.gravity])
    at = [0.0, 0.0, 0.0] if kind == "rigid body" else [-x for x in load.arm]
    base, on_base = ground, [0.0, 0.0, 0.0]
    if arm:
        base, on_base = system.CreateRigidBody(inertia=RigidBodyInertia(  # type: ignore[no-untyped-call, unused-ignore]
            0.01 * load.mass, inertia)), list(load.arm)
        system.CreateGenericJoint(itemNumbers=[ground, base], position=[0, 0, 0], constrainedAxes=[1, 1, 1, 1, 0, 1])
    ends = {"itemNumbers": [base, own], "localPosition0": on_base, "localPosition1": at}
    if kind == "rigid body":
        turn = 0.01 * stiffness * load.length**2
        system.CreateRigidBodySpringDamper(
            **ends, stiffness=np.diag(3 * [stiffness] + 3 * [turn]),
            damping=np.diag(3 * [damping] + 3 * [2.0 * sqrt(turn * inertia[0, 0])]), useIntrinsicFormulation=True)
    else:
        system.CreateCartesianSpringDamper(**ends, stiffness=3 * [stiffness], damping=3 * [damping])
    sensors = [system.AddSensor(exu.itemInterface.SensorBody(
        bodyNumber=body, localPosition=place, storeInternal=True,
        outputVariableType=exu.OutputVariableType.Position)) for body, place in ((own, at), (base, on_base))]
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.solution.file.write, steps = False, settings.timeIntegration
    steps.endTime, steps.numberOfSteps = load.end, round(load.end / step)
    settings.solution.sensors.writePeriod = step
    system.SolveDynamic(settings)
    ours, others = (system.GetSensorStoredData(sensor)[:, 1:] for sensor in sensors)
    gaps = np.linalg.norm(ours - others, axis=1)
    return float(gaps.max() if load.swings else gaps[-1])


def prepared(kind: str) -> Callable[[Load, float], tuple[str, float, Callable[[float], float]]]:
    def prepare(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
        stiffness = load.multiplier / wanted
        return (f"stiffness {stiffness:.4g} N/m", sqrt(load.mass / stiffness) / STEPS,
                lambda h: gap(kind, load, stiffness, h))

    return prepare


def cells() -> Iterator[Cell]:
    yield from measured("EXUDYN", exu.__version__, [
        Joint(f"{kind} spring", "generalised alpha", DEFAULT_STEP, prepared(kind))
        for kind in ("Cartesian", "rigid body")])
