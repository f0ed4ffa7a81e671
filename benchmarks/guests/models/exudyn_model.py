"""EXUDYN: its ideal joint of a rolling disc, and its penalty contact of a rolling disc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia

from .model import Row, Series, measured
from .problems import Array, Disk, Wheel, disk, ideal_centre, wheel

STIFFNESS = 1e8  # N/m, of the normal spring; the body starts near rest on it


def centre(body: Disk | Wheel, h: float, tolerance: float = 1e-6, **contact: Any) -> Array:
    """The centre (3,), m, at the end, by generalised-alpha steps of h, s. Without `contact`: ideal rolling.

    `tolerance`: of the iterations within a step for contact and friction; 1 by default of EXUDYN.
    """
    start, system = body.start, exu.SystemContainer().AddSystem()
    sunk = -start.gravity[2] * body.mass / STIFFNESS if contact else 0.0
    own = system.CreateRigidBody(
        inertia=RigidBodyInertia(  # type: ignore[no-untyped-call, unused-ignore]
            body.mass, np.diag(body.inertias)),
        referencePosition=start.centre - [0.0, 0.0, sunk], referenceRotationMatrix=start.axes,
        initialVelocity=start.velocity, initialAngularVelocity=start.angular_velocity, gravity=start.gravity)
    joint = {"bodyNumbers": [system.CreateGround(), own], "axisPosition": [0, 0, 0], "discRadius": body.radius}
    if contact:
        contact.update(contactStiffness=STIFFNESS, contactDamping=2.0 * np.sqrt(STIFFNESS * body.mass))
    (system.CreateRollingDiscPenalty if contact else system.CreateRollingDisc)(**joint, **contact)
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.solution.file.write, steps = False, settings.timeIntegration
    steps.endTime, steps.numberOfSteps = body.end, round(body.end / h)
    steps.discontinuous.iterationTolerance = tolerance
    system.SolveDynamic(settings)
    return np.asarray(system.GetObjectOutputBody(own, exu.OutputVariableType.Position, [0, 0, 0]))


def rows() -> Iterator[Row]:
    d, w = disk(), wheel()
    ideal_centre(d.end)  # now, so that no time of a run contains it

    def viscous(s: float, tolerance: float = 1e-6) -> float:
        return d.error(centre(d, 2e-4, tolerance, viscousFriction=[1.0 / s, 1.0 / s]))

    def dry(zone: float) -> float:
        return w.error(centre(w, 2e-5, dryFriction=2 * [w.friction], dryFrictionProportionalZone=zone,
                              useLinearProportionalZone=True)[0])

    softness, name = (1e-1, 1e-2, 1e-3, 1e-4), "1/viscousFriction, m/s"
    yield from measured("EXUDYN", exu.__version__, [
        Series("disk", "ideal joint", "step, s", (1e-2, 5e-3, 2.5e-3, 1.25e-3), lambda h: d.error(centre(d, h))),
        Series("disk", "viscous penalty", name, softness, viscous),
        Series("disk", "viscous penalty, iterationTolerance 1", name, softness, lambda s: viscous(s, 1.0)),
        Series("wheel", "ideal joint", reason="the joint cannot slip"),
        Series("wheel", "dry penalty", "proportional zone, m/s", (1e-1, 1e-2, 1e-3, 1e-4), dry)])
