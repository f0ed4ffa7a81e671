"""Siconos: Coulomb's friction by Moreau-Jean time stepping, in the plane and in space."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import partial
from math import isnan, nan

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

from .model import Row, Series, measured
from .problems import disk, wheel
from .siconos_bodies import Held, disk_in_space, wheel_in_plane

STICKS = 5.0  # friction with which the disc never reaches its cone
STUCK = 1e-9  # m/s, sliding velocity below which the wheel rolls; it slides by more in the step before


def times(held: Held, friction: float, end: float, h: float, theta: float, dimension: int) -> Iterator[float]:
    """Step through, and yield the time after each step. Contacts are inelastic; `dimension` of the space: 2 or 3."""
    law = sk.NewtonImpactFrictionNSL(0.0, 0.0, friction, dimension)
    contact, problem = sk.Interaction(law, held.relation), sk.NonSmoothDynamicalSystem(0.0, end)
    problem.insertDynamicalSystem(held.body)
    problem.link(contact, held.body)
    method = sn.SICONOS_FRICTION_2D_LEMKE if dimension == 2 else sn.SICONOS_FRICTION_3D_NSGS
    scheme, grid, solver = sk.MoreauJeanOSI(theta), sk.TimeDiscretisation(0.0, h), sk.FrictionContact(dimension, method)
    solver.numericsSolverOptions().dparam[0] = 1e-12  # tolerance; the pivoting method in the plane has none
    stepping = sk.TimeStepping(problem, grid, scheme, solver)
    stepping.setNewtonTolerance(1e-10)
    for k in range(round(end / h)):
        stepping.hasNextEvent()
        stepping.computeOneStep()
        stepping.nextStep()
        yield (k + 1) * h


def rows() -> Iterator[Row]:
    d, w = disk(), wheel()

    def rolls(h: float, theta: float) -> float:
        held = disk_in_space(d)
        for _ in times(held, STICKS, d.end, h, theta, 3):
            pass
        return d.error(np.array(held.body.q()))

    def slips(h: float, theta: float) -> tuple[float, float]:
        held, transition = wheel_in_plane(w), nan
        for t in times(held, w.friction, w.end, h, theta, 2):
            v = held.body.velocity()
            transition = t if isnan(transition) and abs(v[0] - w.radius * v[2]) < STUCK else transition
        return w.error(held.body.q()[0]), abs(transition - w.transition)

    version = subprocess.check_output(["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"], text=True)
    yield from measured("Siconos", version, [
        Series(problem, f"Coulomb, theta = {theta:g}", "step, s", steps, partial(run, theta=theta))
        for problem, run, steps in (("disk", rolls, (1e-2, 1e-3, 1e-4)),
                                    ("wheel", slips, (1e-2, 1e-3, 1e-4, 1e-5))) for theta in (0.5, 1.0)])
