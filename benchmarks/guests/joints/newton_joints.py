"""Newton: ball joints of its solvers on the processor, in single precision.

The body has the moment of inertia 0.1 kg m^2, since explicit steps must resolve the least inertia that a joint feels.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from math import sqrt
from typing import Any

import newton
import numpy as np
import warp as wp

from .cell import Cell, Joint, Load, measured

RELEASE = version("newton")
DEFAULT_STEP = 1e-3  # s: none is built in; its examples take a tenth of 1/60 s or 1 ms
ITERATIONS, RELAXATION = 10, 0.7  # of XPBD; RELAXATION is its default joint_linear_relaxation
INERTIA = 0.1


def modelled(load: Load) -> Any:
    wp.config.quiet, wp.config.log_level = True, wp.LOG_WARNING
    builder = newton.ModelBuilder()
    body = builder.add_link(xform=wp.transform(wp.vec3(*load.arm), wp.quat_identity()), mass=load.mass,
                            inertia=wp.mat33(*np.diag(3 * [load.inertia]).ravel()))
    joint = builder.add_joint_ball(-1, body, parent_xform=wp.transform_identity(),
                                   child_xform=wp.transform(-wp.vec3(*load.arm), wp.quat_identity()))
    builder.add_articulation([joint])
    builder.color()  # for VBD
    model = builder.finalize(device="cpu")
    model.set_gravity((0.0, 0.0, -load.gravity))
    return model


def gap(load: Load, solver_of: Callable[[Any], Any], step: float) -> float:
    """The greatest gap of a swing, or that at rest, m."""
    model = modelled(load)
    solver, control = solver_of(model), model.control()
    now, then = model.state(), model.state()
    newton.eval_fk(model, model.joint_q, model.joint_qd, now)
    arm, greatest, here = -np.array(load.arm), 0.0, 0.0
    for _ in range(round(load.end / step)):
        now.clear_forces()
        solver.step(now, then, control, None, step)
        now, then = then, now
        place, (*imaginary, w) = np.split(now.body_q.numpy()[0].astype(np.float64), [3])
        here = float(np.linalg.norm(
            place + arm + 2.0 * np.cross(imaginary, np.cross(imaginary, arm) + w * arm)))
        greatest = max(greatest, here)
    return greatest if load.swings else here


def semi_implicit(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
    """joint_attach_ke = Λ/gap; the damper and the step are those of the least inertia that the joint feels."""
    stiffness = load.multiplier / wanted
    least = 1.0 / (1.0 / load.mass + np.dot(load.arm, load.arm) / load.inertia)
    damping = 2.0 * sqrt(stiffness * least)
    return (f"joint_attach_ke {stiffness:.4g} N/m, joint_attach_kd {damping:.4g} N s/m",
            min(DEFAULT_STEP, 0.2 * sqrt(least / stiffness)),
            lambda h: gap(load, lambda model: newton.solvers.SolverSemiImplicit(
                model, angular_damping=0.0, joint_attach_ke=stiffness, joint_attach_kd=damping), h))


def vbd(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
    stiffness = load.multiplier / wanted
    damping = 2.0 * sqrt(stiffness * load.mass)
    return (f"rigid_joint_linear_ke {stiffness:.4g} N/m, rigid_joint_linear_kd {damping:.4g} N s/m", 5e-4,
            lambda h: gap(load, lambda model: newton.solvers.SolverVBD(
                model, iterations=10, rigid_joint_linear_ke=stiffness, rigid_joint_linear_kd=damping), h))


def xpbd(load: Load, wanted: float) -> tuple[str, float, Callable[[float], float]]:
    """A step adds Λ h^2/m to the gap, and n iterations keep the share (1 - r p)^n of it, p = h^2/(h^2 + m alpha).

    So  gap = Λ h^2/m q/(1 - q),  q = (1 - r p)^n:  with q and p from the wanted gap, alpha = h^2 (1/p - 1)/m. For alpha far
    above h^2/m it is Λ alpha/(r n): joint_linear_compliance is no compliance of a joint, but r n times that.
    """
    step = 1e-4
    fall = load.multiplier * step**2 / load.mass
    p = (1.0 - (wanted / (wanted + fall))**(1.0 / ITERATIONS)) / RELAXATION
    if p >= 1.0:
        raise ValueError("no compliance has a gap so small at this step")
    compliance = step**2 / load.mass * (1.0 / p - 1.0)
    return (f"joint_linear_compliance {compliance:.4g} m/N, {ITERATIONS} iterations", step,
            lambda h: gap(load, lambda model: newton.solvers.SolverXPBD(
                model, iterations=ITERATIONS, joint_linear_relaxation=RELAXATION,
                joint_linear_compliance=compliance), h))


def cells() -> Iterator[Cell]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from measured("Newton", RELEASE, [
            Joint("ball joint", name, DEFAULT_STEP, prepare, INERTIA)
            for name, prepare in (("semi-implicit", semi_implicit), ("VBD", vbd), ("XPBD", xpbd))])
