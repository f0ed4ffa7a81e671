"""Newton: six of its solvers, on the processor. All keep the state in single precision.

"semi-implicit": symplectic Euler steps with an explicit spring ke, damper kd, and a damper kf along the plane up to mu
N. "XPBD": its iterations move the body out of the plane and undo its sliding, at most mu times as far. "MuJoCo Warp":
MuJoCo's soft contact in single precision. "Featherstone" has the contact of the first, and other steps of rotation.
"VBD" and "Steel" run with their defaults. The disc is an ellipsoid of nearly no thickness.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from math import sqrt
from typing import Any

import newton
import numpy as np
import warp as wp

from .laws import damper, disk_error, of_damper, plane_error
from .model import Check, Ladder, Row, Series, measured
from .problems import Array, Ball, Body, Disk, Settings, Track, Wheel, ball, disk, ideal_centre, in_parts, wheel

RELEASE = version("newton")
STICKS = 5.0  # friction with which the disc never reaches its cone
NEAR = 0.01  # m, from which on the collision of the plane is sought


@dataclass(frozen=True)
class Contact:
    """A solver, its step, s, and the spring ke, N/m, with the damper kf, N s/m, of the explicit ones.

    The damper kd of the normal spring is critical. `iterations` and `relaxation`: of XPBD. `timeconst`: s, of MuJoCo's
    solref, with critical damping.
    """

    solver: str
    step: float
    kf: float = 0.0
    ke: float = 1e5
    iterations: int = 2
    relaxation: float = 0.8
    timeconst: float = 0.02

    def started(self, model: Any) -> Any:
        """The solver; none damps rotation, which two of them do by default."""
        if self.solver == "XPBD":
            return newton.solvers.SolverXPBD(model, iterations=self.iterations,
                                             rigid_contact_relaxation=self.relaxation)
        if self.solver == "MuJoCo Warp":
            return newton.solvers.SolverMuJoCo(model, cone="elliptic", iterations=100, ls_iterations=50)
        if self.solver in ("VBD", "Steel"):
            return getattr(newton.solvers, f"Solver{self.solver}")(model)
        of = {"semi-implicit": newton.solvers.SolverSemiImplicit, "Featherstone": newton.solvers.SolverFeatherstone}
        return of[self.solver](model, angular_damping=0.0)


class Run:
    """A body and its motion under a solver."""

    def __init__(self, body: Body, contact: Contact, friction: float, kd: float | None = None) -> None:
        wp.config.quiet, wp.config.log_level = True, wp.LOG_WARNING
        own, start = contact.solver == "MuJoCo Warp", body.start
        builder = newton.ModelBuilder()
        if own:
            newton.solvers.SolverMuJoCo.register_custom_attributes(builder)
        shape = newton.ModelBuilder.ShapeConfig(
            density=0.0, ke=contact.ke, kd=2.0 * sqrt(contact.ke * body.mass) if kd is None else kd, kf=contact.kf,
            mu=friction, mu_torsional=0.0, mu_rolling=0.0, gap=NEAR)
        explicit = contact.solver in ("semi-implicit", "Featherstone") and start.centre[2] <= body.radius
        sunk = -start.gravity[2] * body.mass / contact.ke if explicit else 0.0
        w, *imaginary = start.quaternion
        number = builder.add_body(
            xform=wp.transform(wp.vec3(*(start.centre - [0.0, 0.0, sunk])), wp.quat(*imaginary, w)), mass=body.mass,
            inertia=wp.mat33(*np.diag(body.inertias).ravel()))
        more = {"custom_attributes": {"mujoco:solref": wp.vec2(contact.timeconst, 1.0), "mujoco:solref_mode": 1}}
        if isinstance(body, Ball):
            builder.add_shape_sphere(number, radius=body.radius, cfg=shape, **(more if own else {}))
        else:
            rx, ry, rz = body.half_axes
            builder.add_shape_ellipsoid(number, rx=rx, ry=ry, rz=rz, cfg=shape, **(more if own else {}))
        builder.add_shape_plane(plane=(0.0, 0.0, 1.0, 0.0), width=0.0, length=0.0, cfg=shape, **(more if own else {}))
        builder.color()  # for VBD
        self.model, self.radius = builder.finalize(device="cpu"), body.radius
        self.model.set_gravity(tuple(map(float, start.gravity)))
        self.solver, self.step, self.graph = contact.started(self.model), contact.step, None
        self.states = self.model.state(), self.model.state()
        self.pipeline = self.contacts = None
        if not own:
            pipeline: Any = newton.CollisionPipeline(self.model)
            self.pipeline, self.contacts = pipeline, pipeline.contacts()
        first = self.states[0]
        first.body_qd.assign(np.hstack([start.velocity, start.angular_velocity])[None].astype(np.float32))
        newton.eval_ik(self.model, first, first.joint_q, first.joint_qd)

    def _once(self) -> None:
        now, then = self.states
        now.clear_forces()
        if self.pipeline:
            self.pipeline.collide(now, self.contacts)
        self.solver.step(now, then, None, self.contacts, self.step)
        now.assign(then)

    def forward(self, steps: int) -> None:
        """The first step loads the kernels; then one is recorded, so that the others need no Python."""
        for _ in range(steps):
            if self.graph:
                wp.capture_launch(self.graph)
                continue
            self._once()
            with wp.ScopedCapture(device="cpu") as capture:
                self._once()
            self.graph = capture.graph

    @property
    def centre(self) -> Array:
        return np.asarray(self.states[0].body_q.numpy()[0, :3], dtype=np.float64)

    @property
    def sliding(self) -> Array:
        """(2,) velocity of the lowest point of a wheel or ball along the plane, m/s."""
        v, omega = np.split(self.states[0].body_qd.numpy()[0].astype(np.float64), 2)
        return (v + np.cross(omega, [0.0, 0.0, -self.radius]))[:2]


def ended(body: Disk | Wheel, contact: Contact) -> Run:
    run = Run(body, contact, body.friction if isinstance(body, Wheel) else STICKS)
    run.forward(round(body.end / contact.step))
    if not abs(run.centre[2]) < 2.0 * body.radius:
        raise ArithmeticError("leaves the ground")
    return run


def error(body: Disk | Wheel, contact: Contact) -> float:
    centre = ended(body, contact).centre
    return body.error(centre[0]) if isinstance(body, Wheel) else body.error(centre)


def follow(body: Body, settings: Settings, parts: int) -> Track:
    """Times, s, and centres (3,), m, of a run with the settings of `rigidlimit stiffness --engine newton`."""
    contact = Contact("semi-implicit", settings["timestep"], settings["kf"], settings["ke"])
    run, t = Run(body, contact, settings["mu"], settings["kd"]), 0.0
    for steps in in_parts(body.end, contact.step, parts):
        run.forward(steps)
        t += steps * contact.step
        yield t, run.centre


def explicit(solver: str, step: float) -> Contact:
    """The damper kf that the step resolves: 0.1 kg over the step for bodies of 1 kg."""
    return Contact(solver, step, kf=0.1 / step)


def rows() -> Iterator[Row]:
    bodies: tuple[tuple[str, Disk | Wheel], ...] = (("disk", disk()), ("wheel", wheel()), ("ball", ball()))
    ideal_centre(disk().end)  # now, so that no time of a run contains it
    steps, dampers = (1e-3, 3e-4, 1e-4, 3e-5), (1e-1, 1e-2, 1e-3)
    series = []
    for problem, body in bodies:
        for solver in ("semi-implicit", "Featherstone"):
            series.append(Series(problem, f"{solver}, kf 0.1 kg/step", "step, s", steps,
                                 lambda h, body=body, solver=solver:  # type: ignore[misc]
                                 error(body, explicit(solver, h))))
        series.append(Series(problem, "semi-implicit, step 0.1 ms", "1/kf, m/(N s)", dampers,
                             lambda c, body=body:  # type: ignore[misc]
                             error(body, Contact("semi-implicit", 1e-4, 1.0 / c))))
        for solver, values in (("XPBD", (1e-2, 1e-3, 1e-4, 1e-5)), ("VBD", (1e-2, 1e-3, 1e-4)),
                               ("Steel", (1e-2, 1e-3, 1e-4))):
            series.append(Series(problem, solver, "step, s", values,
                                 lambda h, body=body, solver=solver:  # type: ignore[misc]
                                 error(body, Contact(solver, h))))
        series.append(Series(problem, "MuJoCo Warp, step timeconst/10", "timeconst, s", (2e-2, 5e-3, 1.25e-3),
                             lambda c, body=body:  # type: ignore[misc]
                             error(body, Contact("MuJoCo Warp", c / 10.0, timeconst=c))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from measured("Newton", RELEASE, series)


def checks() -> Iterator[Check]:
    def check(problem: str, law: str, setting: str, quantity: str, found: float, predicted: float) -> Check:
        return Check("Newton", RELEASE, problem, law, setting, quantity, found, predicted)

    w, law, step = wheel(), "damper kf up to mu N", 1e-4
    friction = w.mass * w.down * w.axial_ratio / (1.0 + w.axial_ratio)  # of rolling, N
    for solver in ("semi-implicit", "Featherstone"):
        runs = {kf: ended(w, Contact(solver, step, kf)) for kf in (30.0, 1000.0)}
        for kf, run in runs.items():
            yield check("wheel", law, f"{solver}, kf {kf:g} N s/m, step {step:g} s", "creep, m/s", run.sliding[0],
                        friction / kf)
        soft, stiff = (plane_error(w, damper(w, kf), w.friction * w.mass * w.pressing / kf) for kf in runs)
        yield check("wheel", law, f"{solver}, kf 30 against 1000 N s/m, step {step:g} s", "shift of x, m",
                    runs[30.0].centre[0] - runs[1000.0].centre[0], soft - stiff)
    d, contact = disk(), Contact("semi-implicit", step, 30.0)
    yield check("disk", "damper kf", f"semi-implicit, kf 30 N s/m, step {step:g} s", "error, m", error(d, contact),
                disk_error(d, of_damper(contact.kf)))
    yield floor()


def floor() -> Check:
    """Rounding of x alone: the ball slides without friction, and each step adds v h in 24 bits."""
    b, h = ball(), 1e-5
    run, count = Run(b, Contact("semi-implicit", h), 0.0), round(b.end / h)
    run.forward(count)
    rounded = np.cumsum(np.full(count, b.v0 * h, np.float32), dtype=np.float32)[-1]
    return Check("Newton", RELEASE, "ball", "floor: each step rounds x to 24 bits",
                 f"semi-implicit, no friction, step {h:g} s", "error of x, m", run.centre[0] - b.v0 * b.end,
                 float(rounded) - b.v0 * b.end)


def ladders() -> Iterator[Ladder]:
    steps = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5)
    for problem, body in (("disk", disk()), ("wheel", wheel()), ("ball", ball())):
        yield Ladder("Newton", problem, "semi-implicit, kf 0.1 kg/step", "step, s", steps,
                     lambda h, body=body: error(body, explicit("semi-implicit", h)))  # type: ignore[misc]
        yield Ladder("Newton", problem, "XPBD", "step, s", steps,
                     lambda h, body=body: error(body, Contact("XPBD", h)))  # type: ignore[misc]
