"""Drake: constraints of SAP between two points, two frames, and at a distance. CENIC 1.51 refuses all three.

A constraint between a body and the body of the world ends Python with a segmentation fault in 1.51.1; a body that is
welded to the world does not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib.metadata import version
from math import inf, pi, sqrt
from typing import Any

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, DiscreteContactApproximation
from pydrake.multibody.tree import RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

from .cell import SHARE, Cell, Joint, Load, measured

logging.getLogger("drake").setLevel(logging.ERROR)
RELEASE = version("drake")
DEFAULT_STEP = 1e-3  # s: that of MultibodyPlantConfig
BETA = 0.1  # of Drake's source, for each constraint; set_sap_near_rigid_threshold does not change it


def started(kind: str, load: Load, step: float, stiffness: float, damping: float, cenic: bool) -> tuple[Any, Any, Any]:
    """Simulator, plant and gap as a function of the context."""
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.0 if cenic else step)
    plant.set_name("plant")
    if not cenic:
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    arm = kind == "weld" and load.swings
    turning = (0.5 if arm else 1.0) * load.inertia

    def body(name: str, mass: float) -> Any:
        return plant.AddRigidBody(name, SpatialInertia(mass, [0.0, 0.0, 0.0], UnitInertia(*3 * [turning / mass])))  # type: ignore[arg-type]

    bob, base, place = body("bob", load.mass), body("base", 0.01 * load.mass), np.array(load.arm)
    if kind == "distance" and not load.swings:
        place = np.array([0.0, 0.0, -load.length])
    if arm:
        plant.AddJoint(RevoluteJoint("hinge", plant.world_frame(), base.body_frame(), [0, 1, 0]))  # type: ignore[arg-type]
    else:
        plant.WeldFrames(plant.world_frame(), base.body_frame())
    if kind == "distance":
        plant.AddDistanceConstraint(base, np.zeros(3), bob, np.zeros(3), load.length, stiffness, damping)
    elif kind == "ball":
        plant.AddBallConstraint(base, np.zeros(3), bob, -place)
    else:
        plant.AddWeldConstraint(base, RigidTransform(place) if arm else RigidTransform(), bob, RigidTransform())
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -load.gravity])  # type: ignore[arg-type]
    plant.Finalize()
    simulator: Any = Simulator(builder.Build())
    if cenic:
        ApplySimulatorConfig(SimulatorConfig(integration_scheme="cenic", max_step_size=step), simulator)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetFreeBodyPose(context, bob, RigidTransform(place))
    simulator.Initialize()

    def gap() -> float:
        here, there = (plant.EvalBodyPoseInWorld(context, one) for one in (bob, base))
        if kind == "distance":
            return float(abs(np.linalg.norm(here.translation()) - load.length))
        if kind == "ball":
            return float(np.linalg.norm(here @ -place))
        return float(np.linalg.norm(here.translation() - (there @ place)))

    return simulator, plant, gap


def gap(kind: str, load: Load, step: float, stiffness: float = inf, damping: float = 0.0, cenic: bool = False) -> float:
    """The greatest gap of a swing, or that at rest, m."""
    simulator, plant, now = started(kind, load, step, stiffness, damping, cenic)
    greatest = 0.0
    end = load.end if load.swings else max(load.end, 40.0 * step)  # 40 of its steps bring it to rest
    for k in range(1, round(end / step) + 1):
        simulator.AdvanceTo(k * step)
        greatest = max(greatest, now())
    return greatest if load.swings else now()


def delassus(kind: str, load: Load) -> float:
    """w = |W|/n, Frobenius' norm of W (n, n) = J M^-1 J^T of a constraint at the start, over its number of rows.

    A weld adds rows of rotations, in 1/(kg m^2), to those of translations, in 1/kg.
    """
    x = np.array(load.arm)
    inertia = (0.5 if kind == "weld" and load.swings else 1.0) * load.inertia
    if kind == "ball":
        lever = np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])
        w = np.eye(3) / load.mass - lever @ lever / inertia
    else:
        w = np.diag(3 * [1.0 / inertia] + 3 * [1.0 / load.mass])
        if load.swings:
            row = np.concatenate([[0.0, 1.0, 0.0], np.cross([0.0, 1.0, 0.0], x)])
            w = w + np.outer(row, row) / inertia
    return float(np.linalg.norm(w)) / len(w)


def near_rigid(kind: str) -> Callable[[Load, float], tuple[str, float, Callable[[float], float]]]:
    """The step alone sets the gap:  h^2 (beta^2 w Λ/(2 pi^2) + a),  a = v^2/L.

    The first part is Λ/k with k = 2 pi^2/(beta^2 h^2 w); the second is the shift of SAP's steps, h a (h + tau)/2 with
    tau = h.
    """
    def prepare(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
        soft = BETA**2 * delassus(kind, load) * load.multiplier / (2.0 * pi**2)
        step = sqrt(wanted / (soft + load.acceleration))
        return f"step {step:.4g} s", step, lambda h: gap(kind, load, h)

    return prepare


def spring(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
    """k = Λ/gap and a critical damper. The step has the shift h a (h + c/k)/2 of SHARE of the gap."""
    stiffness = load.multiplier / wanted
    damping = 2.0 * sqrt(stiffness * load.mass)
    relaxation = damping / stiffness
    step = relaxation / 10.0
    if load.acceleration:
        step = min(step, sqrt(0.25 * relaxation**2 + 2.0 * SHARE * wanted / load.acceleration) - 0.5 * relaxation)
    return (f"stiffness {stiffness:.4g} N/m, damping {damping:.4g} N s/m", step,
            lambda h: gap("distance", load, h, stiffness, damping))


def cenic(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
    return "", DEFAULT_STEP, lambda h: gap("ball", load, h, cenic=True)


def cells() -> Iterator[Cell]:
    yield from measured("Drake", RELEASE, [
        Joint("ball constraint", "SAP", DEFAULT_STEP, near_rigid("ball")),
        Joint("weld constraint", "SAP", DEFAULT_STEP, near_rigid("weld")),
        Joint("distance constraint", "SAP", DEFAULT_STEP, spring)])
    *_, last = measured("Drake", RELEASE, [Joint("ball constraint", "CENIC", DEFAULT_STEP, cenic)])
    yield last
