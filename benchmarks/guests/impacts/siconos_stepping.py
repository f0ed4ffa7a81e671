"""Moreau-Jean time stepping by Siconos 4.4 with planar friction contact, theta = 1/2.

Impacts follow Newton's law, friction follows Coulomb's law for the impulses of a whole step:

    v_n+ >= -e v_n-,  p >= 0,  complementary;    |l| <= mu p,  l opposes v_t+

Newton's law lacks the two phases of Poisson's law (curb_by_hand.py). Both agree for one contact with
a normal through the centre. Poisson's phases then give p = (1 + e) p1. Friction only reduces |v_t|,
so its clamp with (1 + e) p1 equals that with p1 and then e p1. With e = 0 there is one phase. The
laws differ with e > 0 if two contacts receive impulses at one instant: Newton leaves a resting
contact at rest (v_n+ = -e 0), Poisson returns e p1 to it. They also differ over a finite step, which
treats all impacts within h as simultaneous.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

from guests.impacts.planar_bodies import Body

Array = np.ndarray


class Contact(sk.LagrangianScleronomousR):
    """y = (g, 0), Jacobian (N; T). The object owns the SimpleMatrix, and C() returns it: the
    wrapper would free its copy of a NumPy array before reading it."""

    def __init__(self, body: Body, i: int) -> None:
        super().__init__()
        self.body, self.i = body, i
        self.matrix = sk.SimpleMatrix(2, 3)
        self.setJachqPtr(self.matrix)

    def C(self) -> sk.SimpleMatrix:
        return self.matrix

    def computeh(self, q: Array, z: Array, y: Array) -> None:
        y[0], y[1] = self.body.gap(self.i, np.asarray(q)), 0.0

    def computeJachq(self, q: Array, z: Array) -> None:
        for row, values in enumerate(self.body.rows(self.i, np.asarray(q))):
            for column, value in enumerate(values):
                self.matrix.setValue(row, column, float(value))

    def computeDotJachq(self, *unused: object) -> None:
        """Time stepping calls this function but does not use the result."""


@dataclass
class Steps:
    """K steps of size h; row k is the state after step k, row 0 the start."""

    h: float
    t: Array  # K + 1
    q: Array  # K + 1 x 3
    v: Array
    friction: Array  # K + 1 x nc, N s: impulses l, opposing sliding as in the program
    normal: Array  # p, N s


def step_through(body: Body, h: float) -> Steps:
    count = round(body.end / h)
    h = body.end / count
    mass, q0, v0 = np.diag(body.inertia), body.q.copy(), body.v.copy()
    weight = np.array([0.0, -body.inertia[0] * body.gravity, 0.0])
    system = sk.LagrangianLinearTIDS(q0, v0, mass)  # keeps pointers, so all must outlive it
    system.setFExtPtr(weight)
    law = sk.NewtonImpactFrictionNSL(body.restitution, 0.0, body.friction, 2)
    relations = [Contact(body, i) for i in range(len(body.contacts))]
    interactions = [sk.Interaction(law, relation) for relation in relations]
    problem = sk.NonSmoothDynamicalSystem(0.0, body.end)
    problem.insertDynamicalSystem(system)
    for interaction in interactions:
        problem.link(interaction, system)
    scheme, grid = sk.MoreauJeanOSI(0.5), sk.TimeDiscretisation(0.0, h)
    solver = sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_LEMKE)  # a pivoting method: exact
    stepping = sk.TimeStepping(problem, grid, scheme, solver)
    stepping.setNewtonTolerance(1e-10)

    nc = len(body.contacts)
    steps = Steps(h, h * np.arange(count + 1), np.zeros((count + 1, 3)), np.zeros((count + 1, 3)),
                  np.zeros((count + 1, nc)), np.zeros((count + 1, nc)))
    steps.q[0], steps.v[0] = body.q, body.v
    for k in range(1, count + 1):
        if not stepping.hasNextEvent():
            raise RuntimeError(f"{body.name}: Siconos ended at step {k} of {count}")
        stepping.computeOneStep()
        steps.q[k], steps.v[k] = system.q(), system.velocity()
        for i, interaction in enumerate(interactions):
            impulse = interaction.lambda_(1)
            steps.normal[k, i], steps.friction[k, i] = impulse[0], -impulse[1]
        stepping.nextStep()
    return steps
