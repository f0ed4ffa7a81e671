"""EXUDYN: its ideal joint of a rolling disc, and its penalty contact of a rolling disc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia

from .laws import disk_error, of_normal_force, plane_error, proportional
from .model import Check, Ladder, Row, Series, measured
from .problems import Array, Body, Disk, Settings, Track, Wheel, ball, disk, ideal_centre, wheel

STIFFNESS = 1e8  # N/m, of the normal spring; the body starts near rest on it


def started(body: Body, **contact: Any) -> tuple[Any, Any]:
    """System and number of the body, at rest on the normal spring. Without `contact`: ideal rolling."""
    start, system = body.start, exu.SystemContainer().AddSystem()
    rests = contact and start.centre[2] <= body.radius
    sunk = -start.gravity[2] * body.mass / contact["contactStiffness"] if rests else 0.0
    own = system.CreateRigidBody(
        inertia=RigidBodyInertia(  # type: ignore[no-untyped-call, unused-ignore]
            body.mass, np.diag(body.inertias)),
        referencePosition=start.centre - [0.0, 0.0, sunk], referenceRotationMatrix=start.axes,
        initialVelocity=start.velocity, initialAngularVelocity=start.angular_velocity, gravity=start.gravity)
    joint = {"bodyNumbers": [system.CreateGround(), own], "axisPosition": [0, 0, 0], "discRadius": body.radius}
    (system.CreateRollingDiscPenalty if contact else system.CreateRollingDisc)(**joint, **contact)
    return system, own


def steps_of(end: float, count: int, tolerance: float) -> Any:
    settings = exu.SimulationSettings()
    settings.solution.file.write, steps = False, settings.timeIntegration
    steps.endTime, steps.numberOfSteps = end, count
    steps.discontinuous.iterationTolerance = tolerance
    return settings


def centre(body: Disk | Wheel, h: float, tolerance: float = 1e-6, **contact: Any) -> Array:
    """The centre (3,), m, at the end, by generalised-alpha steps of h, s. Without `contact`: ideal rolling.

    `tolerance`: of the iterations within a step for contact and friction; 1 by default of EXUDYN.
    """
    if contact:
        contact.update(contactStiffness=STIFFNESS, contactDamping=2.0 * np.sqrt(STIFFNESS * body.mass))
    system, own = started(body, **contact)
    system.Assemble()
    system.SolveDynamic(steps_of(body.end, round(body.end / h), tolerance))
    return np.asarray(system.GetObjectOutputBody(own, exu.OutputVariableType.Position, [0, 0, 0]))


def follow(body: Body, settings: Settings, parts: int) -> Track:
    """Times, s, and centres (3,), m, of a run with the settings of `rigidlimit stiffness --engine exudyn`."""
    contact: dict[str, Any] = {name: settings[name] for name in ("contactStiffness", "contactDamping")}
    contact |= {name: 2 * [settings[name]] for name in ("viscousFriction", "dryFriction") if name in settings}
    if "dryFriction" in settings:
        contact |= {"dryFrictionProportionalZone": settings["dryFrictionProportionalZone"],
                    "useLinearProportionalZone": settings["useLinearProportionalZone"] == "True"}
    system, own = started(body, **contact)
    sensor = system.AddSensor(exu.itemInterface.SensorBody(bodyNumber=own, storeInternal=True,
                                                           outputVariableType=exu.OutputVariableType.Position))
    system.Assemble()
    run = steps_of(body.end, int(settings["numberOfSteps"]), settings["discontinuous.iterationTolerance"])
    run.solution.sensors.writePeriod = body.end / parts
    system.SolveDynamic(run)
    for t, *position in system.GetSensorStoredData(sensor):
        yield t, np.array(position)


def viscous(body: Disk, softness: float, tolerance: float = 1e-6, h: float = 2e-4) -> float:
    """Error, m. `softness`: 1/viscousFriction, m/s."""
    return body.error(centre(body, h, tolerance, viscousFriction=[1.0 / softness, 1.0 / softness]))


def dry(body: Wheel, zone: float, h: float = 2e-5) -> float:
    """Position, m, at the end. `zone`: dryFrictionProportionalZone, m/s."""
    return float(centre(body, h, dryFriction=2 * [body.friction], dryFrictionProportionalZone=zone,
                        useLinearProportionalZone=True)[0])


def rows() -> Iterator[Row]:
    d, w, b = disk(), wheel(), ball()
    ideal_centre(d.end)  # now, so that no time of a run contains it
    softness, name = (1e-1, 1e-2, 1e-3, 1e-4), "1/viscousFriction, m/s"
    zones, zone = (1e-1, 1e-2, 1e-3, 1e-4), "proportional zone, m/s"
    yield from measured("EXUDYN", exu.__version__, [
        Series("disk", "ideal joint", "step, s", (1e-2, 5e-3, 2.5e-3, 1.25e-3), lambda h: d.error(centre(d, h))),
        Series("disk", "viscous penalty", name, softness, lambda s: viscous(d, s)),
        Series("disk", "viscous penalty, iterationTolerance 1", name, softness, lambda s: viscous(d, s, 1.0)),
        Series("wheel", "ideal joint", reason="the joint cannot slip"),
        Series("wheel", "dry penalty", zone, zones, lambda z: w.error(dry(w, z))),
        Series("ball", "dry penalty", zone, zones, lambda z: b.error(dry(b, z, 1e-4))),
        Series("ball", "dry penalty, step 20 us", zone, zones[:1], lambda z: b.error(dry(b, z)))])


def checks() -> Iterator[Check]:
    d, w, b = disk(), wheel(), ball()
    for softness in (1e-2, 1e-3):
        yield Check("EXUDYN", exu.__version__, "disk", "damper viscousFriction N",
                    f"viscousFriction {1.0 / softness:g} s/m", "error, m", viscous(d, softness),
                    disk_error(d, of_normal_force(lambda s, c=softness: -s / c)))  # type: ignore[misc]
    for problem, body, zone, h in (("wheel", w, 1e-2, 2e-5), ("wheel", w, 1e-3, 2e-5),
                                   ("ball", b, 1e-1, 1e-4), ("ball", b, 1e-2, 1e-4)):
        yield Check("EXUDYN", exu.__version__, problem, "damper mu N/zone up to mu N",
                    f"dryFrictionProportionalZone {zone:g} m/s", "error of x, m",
                    dry(body, zone, h) - body.state(body.end)[0], plane_error(body, proportional(zone), zone))


def ladders() -> Iterator[Ladder]:
    d, steps = disk(), (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5)
    yield Ladder("EXUDYN", "disk", "ideal joint", "step, s", steps, lambda h: d.error(centre(d, h)))
    yield Ladder("EXUDYN", "disk", "viscous penalty, 1/viscousFriction 1 m/s^2 step", "step, s", steps,
                 lambda h: viscous(d, h, h=h))
    for problem, body in (("wheel", wheel()), ("ball", ball())):
        yield Ladder("EXUDYN", problem, "dry penalty, zone 20 m/s^2 step", "step, s", steps,
                     lambda h, body=body: body.error(dry(body, 20.0 * h, h)))  # type: ignore[misc]
