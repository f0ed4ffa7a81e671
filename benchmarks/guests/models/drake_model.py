"""Drake: its discrete contact approximations, and its error-controlled integrator CENIC. All have point contact."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from math import hypot, sqrt
from typing import Any

import numpy as np
from pydrake.geometry import AddContactMaterial, Ellipsoid, HalfSpace, ProximityProperties
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

from .laws import disk_error, of_normal_force, plane_error, quadratic, soft
from .model import Check, Ladder, Row, Series, measured
from .problems import Array, Body, Disk, Settings, Track, Wheel, ball, disk, ideal_centre, wheel

logging.getLogger("drake").setLevel(logging.ERROR)  # its warning of deformable bodies at each start
STICKS = 5.0  # friction with which the disc never reaches its cone
SIGMA = 1e-3  # of Drake's source: no function of Python sets it
RELEASE = version("drake")


@dataclass(frozen=True)
class Contact:
    """The settings of the contact.

    Attributes
    ----------
    approximation : str
        "Sap", "Lagged", "Similar" or "Tamsi": of `set_discrete_contact_approximation`; "cenic": the integrator.
    step : float
        s; for CENIC the greatest one.
    stiction : float
        `set_stiction_tolerance`, m/s; SAP has none.
    dissipation : float
        Of Hunt and Crossley, s/m; SAP has none.
    stiffness : float
        `point_contact_stiffness` of each of the two bodies, N/m; in series the contact has half of it.
    relaxation : float
        `relaxation_time`, s, of each of the two bodies, for SAP alone; the contact has the sum.
    near_rigid : float
        `set_sap_near_rigid_threshold`.
    accuracy : float
        Of CENIC; 0 for fixed steps.
    """

    approximation: str
    step: float
    stiction: float = 1e-4
    stiffness: float = 1e8
    dissipation: float = 0.0
    relaxation: float = 1e-2
    near_rigid: float = 1.0
    accuracy: float = 0.0


@dataclass(frozen=True)
class End:
    """The end of a run: centre (3,), m; sliding speed, m/s, and contact force (3,), N; number of steps."""

    centre: Array
    slip: float
    force: Array
    steps: int


def simulate(body: Disk | Wheel, contact: Contact, end: float = 0.0) -> End:
    """Run to `end`, s; 0: to that of the body."""
    simulator, plant, own = started(body, contact)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    advance(simulator, end or body.end)
    results = plant.get_contact_results_output_port().Eval(context)
    touching = results.num_point_pair_contacts() > 0
    pair = results.point_pair_contact_info(0) if touching else None
    by_cenic = contact.approximation == "cenic"
    steps = simulator.get_integrator().get_num_steps_taken() if by_cenic else simulator.get_num_discrete_updates()
    return End(np.array(plant.EvalBodyPoseInWorld(context, own).translation()),
               pair.slip_speed() if pair else np.nan, pair.contact_force() if pair else np.full(3, np.nan), steps)


def advance(simulator: Any, until: float) -> None:
    try:
        simulator.AdvanceTo(until)
    except RuntimeError as failure:
        known = "failed to converge" in str(failure)
        raise ArithmeticError("its solver fails to converge at this step" if known else str(failure)) from failure


def follow(body: Body, settings: Settings, parts: int) -> Track:
    """Times, s, and centres (3,), m, of a run with the settings of `rigidlimit stiffness --engine drake`."""
    simulator, plant, own = started(body, Contact(
        settings["integration_scheme"], settings["max_step_size"], settings["stiction_tolerance"],
        settings["point_contact_stiffness"], settings["hunt_crossley_dissipation"], accuracy=settings["accuracy"]))
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for k in range(1, parts + 1):
        advance(simulator, body.end * k / parts)
        yield body.end * k / parts, np.array(plant.EvalBodyPoseInWorld(context, own).translation())


def started(body: Body, contact: Contact) -> tuple[Any, Any, Any]:
    """Simulator, plant and body, which starts on the deflection of its weight."""
    start, friction = body.start, body.friction if isinstance(body, Wheel) else STICKS
    builder, by_cenic = DiagramBuilder(), contact.approximation == "cenic"
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.0 if by_cenic else contact.step)
    plant.set_name("plant")
    if not by_cenic:
        plant.set_discrete_contact_approximation(getattr(DiscreteContactApproximation, f"k{contact.approximation}"))
        plant.set_sap_near_rigid_threshold(contact.near_rigid)
    own = plant.AddRigidBody("body", SpatialInertia(
        body.mass, [0.0, 0.0, 0.0], UnitInertia(*body.inertias / body.mass)))  # type: ignore[arg-type]
    for of, shape, name in ((plant.world_body(), HalfSpace(), "ground"), (own, Ellipsoid(*body.half_axes), "rim")):
        properties = ProximityProperties()
        AddContactMaterial(contact.dissipation, contact.stiffness, CoulombFriction(friction, friction), properties)
        properties.AddProperty("material", "relaxation_time", contact.relaxation)
        plant.RegisterCollisionGeometry(of, RigidTransform(), shape, name, properties)
    plant.mutable_gravity_field().set_gravity_vector(start.gravity)
    plant.Finalize()
    plant.set_stiction_tolerance(contact.stiction)
    simulator: Any = Simulator(builder.Build())
    if by_cenic:
        ApplySimulatorConfig(SimulatorConfig(
            integration_scheme="cenic", max_step_size=contact.step, accuracy=contact.accuracy or 1e-3,
            use_error_control=contact.accuracy > 0.0), simulator)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    sunk = np.array([0.0, 0.0, -start.gravity[2] * body.mass / (0.5 * contact.stiffness)])
    plant.SetFreeBodyPose(context, own, RigidTransform(RotationMatrix(start.axes), start.centre - sunk))
    plant.SetFreeBodySpatialVelocity(context=context, body=own,
                                     V_JpJc=SpatialVelocity(
                                         start.angular_velocity, start.velocity))  # type: ignore[arg-type]
    simulator.Initialize()
    return simulator, plant, own


def error(body: Disk | Wheel, contact: Contact) -> float:
    centre = simulate(body, contact).centre
    return body.error(centre[0]) if isinstance(body, Wheel) else body.error(centre)


def delassus(body: Disk | Wheel) -> float:
    """Drake's estimate w of the inverse inertia at the contact, 1/kg: a third of the norm of W (3, 3) at the start.

    It takes the diagonal of the mass matrix in the axes of space alone, so that w depends on the lean.
    """
    start = body.start
    inertia = np.diag(start.axes @ np.diag(body.inertias) @ start.axes.T)
    arm = -body.radius * start.axes[:, 2]
    lever = np.array([[0.0, -arm[2], arm[1]], [arm[2], 0.0, -arm[0]], [-arm[1], arm[0], 0.0]])
    return float(np.linalg.norm(np.eye(3) / body.mass - lever @ np.diag(1.0 / inertia) @ lever)) / 3.0


def rows() -> Iterator[Row]:
    d, w, b = disk(), wheel(), ball()
    ideal_centre(d.end)  # now, so that no time of a run contains it
    steps, speeds, step, zone = (1e-2, 1e-3, 1e-4), (1e-1, 1e-2, 1e-3, 1e-4), "step, s", "stiction tolerance, m/s"
    yield from measured("Drake", RELEASE, [
        Series("disk", "SAP", step, steps, lambda h: error(d, Contact("Sap", h))),
        Series("disk", "SAP, step 1 ms", "1/point_contact_stiffness, m/N", (1e-4, 1e-5, 1e-6, 1e-7),
               lambda c: error(d, Contact("Sap", 1e-3, stiffness=1.0 / c))),
        Series("disk", "SAP, step 1 ms", "near-rigid threshold", (1.0, 1e-1, 1e-2),
               lambda beta: error(d, Contact("Sap", 1e-3, near_rigid=beta, stiffness=1e12))),
        Series("disk", "SAP, step 1 ms", "relaxation time, s", (1e-1, 1e-2, 1e-3),
               lambda tau: error(d, Contact("Sap", 1e-3, relaxation=tau))),
        Series("disk", "Lagged, tolerance 1e-6", step, steps, lambda h: error(d, Contact("Lagged", h, 1e-6))),
        Series("disk", "Similar, tolerance 1e-6", step, steps, lambda h: error(d, Contact("Similar", h, 1e-6))),
        Series("disk", "TAMSI, tolerance 1e-3", step, steps, lambda h: error(d, Contact("Tamsi", h, 1e-3))),
        Series("disk", "Lagged, step 0.1 ms", zone, speeds, lambda v: error(d, Contact("Lagged", 1e-4, v))),
        Series("disk", "CENIC, tolerance 1e-6", "accuracy", (1e-3, 1e-5, 1e-7),
               lambda a: error(d, Contact("cenic", 0.1, 1e-6, accuracy=a))),
        Series("wheel", "SAP", step, (1e-2, 1e-3, 1e-4, 1e-5), lambda h: error(w, Contact("Sap", h))),
        *(Series("wheel", f"{name}, step 0.01 ms", zone, speeds[:3],
                 lambda v, name=name: error(w, Contact(name.capitalize(), 1e-5, v)))  # type: ignore[misc]
          for name in ("Lagged", "Similar", "TAMSI")),
        Series("wheel", "CENIC, tolerance 1e-6", "accuracy", (1e-3, 1e-5, 1e-7),
               lambda a: error(w, Contact("cenic", 0.1, 1e-6, accuracy=a))),
        Series("wheel", "CENIC, accuracy 1e-8", zone, speeds,
               lambda v: error(w, Contact("cenic", 0.1, v, accuracy=1e-8))),
        Series("ball", "SAP", step, (1e-2, 1e-3, 1e-4, 1e-5), lambda h: error(b, Contact("Sap", h))),
        Series("ball", "CENIC, accuracy 1e-9, tolerance 1e-6", "1/point_contact_stiffness, m/N",
               (1e-4, 1e-5, 1e-6, 1e-7),
               lambda c: error(b, Contact("cenic", 0.1, 1e-6, stiffness=1.0 / c, accuracy=1e-9))),
        Series("ball", "Lagged, step 0.01 ms", zone, speeds, lambda v: error(b, Contact("Lagged", 1e-5, v))),
        Series("ball", "CENIC, tolerance 1e-6", "accuracy", (1e-3, 1e-5, 1e-7),
               lambda a: error(b, Contact("cenic", 0.1, 1e-6, accuracy=a)))])


def rolling_share(body: Wheel) -> float:
    """Force of friction in rolling over its bound."""
    return body.down * body.axial_ratio / (1.0 + body.axial_ratio) / (body.friction * body.pressing)


def checks() -> Iterator[Check]:
    d, w, b = disk(), wheel(), ball()

    def check(problem: str, law: str, setting: str, quantity: str, found: float, predicted: float) -> Check:
        return Check("Drake", RELEASE, problem, law, setting, quantity, found, predicted)

    name = "damper 1/(sigma w dt)"
    for problem, body in (("wheel", w), ("disk", d)):
        for h in (1e-2, 1e-3) if body is w else (1e-4, 1e-5):
            end = simulate(body, Contact("Sap", h), 0.0 if body is w else 2e-3)
            yield check(problem, name, f"SAP, step {h:g} s", "d, N s/m", hypot(*end.force[:2]) / end.slip,
                        1.0 / (SIGMA * delassus(body) * h))
    share = rolling_share(w)
    soft_zone, quadratic_zone = share / sqrt(1.0 - share**2), 1.0 - sqrt(1.0 - share)
    for approximation, law, zone in (("Lagged", "mu N s/sqrt(1 + s^2), s = w/v_s", soft_zone),
                                     ("Similar", "mu N s/sqrt(1 + s^2), s = w/v_s", soft_zone),
                                     ("cenic", "mu N s/sqrt(1 + s^2), s = w/v_s", soft_zone),
                                     ("Tamsi", "mu N s (2 - s), s = w/v_s", quadratic_zone)):
        contact = Contact(approximation, 1e-5, 1e-2)
        label = {"cenic": "CENIC, fixed", "Tamsi": "TAMSI"}.get(approximation, approximation)
        yield check("wheel", law, f"{label} step 1e-05 s, v_s = 0.01 m/s", "creep, m/s",
                    simulate(w, contact).slip, zone * contact.stiction)
        of = quadratic if approximation == "Tamsi" else soft
        for problem, body in (("wheel", w), ("ball", b)):
            found, limit = (simulate(body, Contact(approximation, 1e-5, v)).centre[0] for v in (1e-2, 1e-6))
            yield check(problem, law, f"{label} step 1e-05 s, v_s = 0.01 m/s against 1e-06", "shift of x, m",
                        found - limit, plane_error(body, of(1e-2), 0.1) - plane_error(body, of(1e-6), 1e-5))
    for approximation, label in (("Lagged", "Lagged"), ("cenic", "CENIC, fixed")):
        for v in (1e-2, 1e-3):
            found, limit = (simulate(d, Contact(approximation, 1e-4, z, 1e6, 10.0 if label == "Lagged" else 0.0)).centre
                            for z in (v, 1e-7))
            softly = of_normal_force(lambda s, v=v: -STICKS * s / hypot(*s, v))  # type: ignore[misc]
            yield check("disk", "mu N s/sqrt(1 + s^2), s = w/v_s",
                        f"{label} step 0.0001 s, v_s = {v:g} m/s against 1e-07", "shift, m",
                        hypot(*(found - limit)[:2]), disk_error(d, softly))
    for k in (1e4, 1e5):
        arm = b.radius - 0.5 * b.mass * b.pressing / (0.5 * k)
        yield check("ball", "arm: the radius minus half the depth", f"CENIC, accuracy 1e-09, stiffness {k:g} N/m",
                    "error of x, m", simulate(b, Contact("cenic", 0.1, 1e-6, k, accuracy=1e-9)).centre[0]
                    - b.state(b.end)[0], replace(b, axial_ratio=b.axial_ratio * (b.radius / arm)**2).state(b.end)[0]
                    - b.state(b.end)[0])
    yield from _floors(w, check)


def _floors(w: Wheel, check: Any) -> Iterator[Check]:
    """Where the settings of the user end."""
    share, n, h = rolling_share(w), w.mass * w.pressing, 1e-2
    soft_zone = share / sqrt(1.0 - share**2)
    for approximation, inverse in (("Lagged", delassus(w)), ("Similar", delassus(w)), ("cenic", 2.65 / w.mass)):
        end = simulate(w, Contact(approximation, h, 1e-9, 1e6))
        label = "CENIC, fixed" if approximation == "cenic" else approximation
        formula = "2.65/m" if approximation == "cenic" else "w"
        yield check("wheel", f"floor of v_s: mu sigma {formula} N dt", f"{label} step {h:g} s, v_s = 1e-09 m/s",
                    "creep, m/s", end.slip, soft_zone * w.friction * SIGMA * inverse * n * h)
    for approximation, label, step in (("Lagged", "Lagged", 1e-4), ("Lagged", "Lagged", 1e-5),
                                       ("Similar", "Similar", 1e-5), ("cenic", "CENIC, fixed", 1e-5)):
        yield check("ball", "floor of the solver: it stops above 0", f"{label} step {step:g} s, v_s = 0.01 m/s",
                    "sliding at the end, m/s", simulate(ball(), Contact(approximation, step, 1e-2)).slip, 0.0)
    for beta in (1.0, 0.1):
        contact = Contact("Sap", 1e-3, near_rigid=beta, stiffness=1e14)
        depth = w.radius - simulate(w, contact).centre[2]
        limit = 4.0 * np.pi**2 / (beta**2 * delassus(w) * contact.step * (contact.step + 2.0 * contact.relaxation))
        yield check("wheel", "clip of the normal stiffness: 4 pi^2/(beta^2 w dt (dt + tau))",
                    f"SAP, step 0.001 s, near-rigid threshold {beta:g}", "k_n, N/m", n / depth, limit)


def ladders() -> Iterator[Ladder]:
    steps = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6)
    accuracies = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
    for problem, body in (("disk", disk()), ("wheel", wheel()), ("ball", ball())):
        yield Ladder("Drake", problem, "SAP", "step, s", steps,
                     lambda h, body=body: error(body, Contact("Sap", h)))  # type: ignore[misc]
        yield Ladder("Drake", problem, "CENIC, tolerance 1e-6", "accuracy", accuracies,
                     lambda a, body=body: error(body, Contact("cenic", 0.1, 1e-6, accuracy=a)))  # type: ignore[misc]
