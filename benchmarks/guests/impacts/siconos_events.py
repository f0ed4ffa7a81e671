"""Event-driven simulation by Siconos 4.4 (LSODAR between events, a complementarity problem at each)
of a ball that falls without sliding.

It has no friction at the level of accelerations, so it cannot simulate the wheel on the curb.
"""

from __future__ import annotations

import numpy as np
import siconos.kernel as sk

from guests.impacts.event_rows import EventRow
from guests.impacts.planar_bodies import Body

Array = np.ndarray
IMPACTS, ACCELERATIONS = 1, 0  # SICONOS_OSNSP_ED_IMPACT, SICONOS_OSNSP_ED_SMOOTH_ACC
NONSMOOTH = 2  # type of an event that is not a step of the grid


def can_follow(body: Body) -> bool:
    """Whether the body has one contact with a level floor and never slides, so friction is zero."""
    return len(body.contacts) == 1 and float(body.rows(0, body.q)[1] @ body.v) == 0.0


def follow(body: Body, grid: float = 0.05, most: int = 1000) -> tuple[list[EventRow], Array]:
    """Events and the final (q, v). `grid`: s, interval of additional stops."""
    q, v, mass = body.q[1:2].copy(), body.v[1:2].copy(), np.array([[body.inertia[0]]])
    weight, normal = np.array([-body.inertia[0] * body.gravity]), np.array([[1.0]])
    offset = np.array([body.gap(0, body.q) - body.q[1]])
    system = sk.LagrangianLinearTIDS(q, v, mass)  # keeps pointers, so all must outlive it
    system.setFExtPtr(weight)
    relation, law = sk.LagrangianLinearTIR(normal, offset), sk.NewtonImpactNSL(body.restitution)
    contact = sk.Interaction(law, relation)
    problem = sk.NonSmoothDynamicalSystem(0.0, body.end)
    problem.insertDynamicalSystem(system)
    problem.link(contact, system)
    times, scheme, impacts, forces = (sk.TimeDiscretisation(0.0, grid), sk.LsodarOSI(), sk.LCP(),
                                      sk.LCP())
    simulation = sk.EventDriven(problem, times)
    simulation.insertIntegrator(scheme)
    simulation.insertNonSmoothProblem(impacts, IMPACTS)
    simulation.insertNonSmoothProblem(forces, ACCELERATIONS)
    simulation.setPrintStat(False)

    def whole(t: float, height: float, speed: float) -> tuple[Array, Array]:
        """All coordinates; x and phi keep their initial velocity."""
        at = body.q + t * body.v
        moving = body.v.copy()
        at[1], moving[1] = height, speed
        return at, moving

    events: list[EventRow] = []
    while simulation.hasNextEvent() and len(events) < most:
        simulation.advanceToEvent()
        t, before = simulation.nextTime(), float(system.velocity()[0])
        struck = simulation.eventsManager().nextEvent().getType() == NONSMOOTH
        simulation.processEvents()
        if struck:
            after = float(system.velocity()[0])
            at, v_before = whole(t, float(system.q()[0]), before)
            impulse = np.array([0.0, body.inertia[0] * (after - before)])
            events.append(EventRow(t, "impact", body.contacts[0], at, v_before,
                                   whole(t, 0.0, after)[1], impulse, "free",
                                   0.5 * body.inertia[0] * (before**2 - after**2)))
    end = whole(body.end, float(system.q()[0]), float(system.velocity()[0]))
    return events, np.concatenate(end)
