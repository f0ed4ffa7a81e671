"""References for Siconos: the curb by the independent solver, the ball by its formulas."""

from __future__ import annotations

import numpy as np

from guests.impacts.curb_by_hand import Curb, Event, motion
from guests.impacts.event_rows import EventRow
from guests.impacts.planar_bodies import Body

Array = np.ndarray


def row_of(event: Event, inertia: Array) -> EventRow:
    lost = 0.5 * float(inertia @ (event.before**2 - event.after**2))
    return EventRow(event.t, event.kind, event.contacts, event.q, event.before, event.after,
                    event.impulse, event.modes.replace(",", " "), lost)


def curb_reference(body: Body) -> tuple[list[EventRow], Array]:
    """Events and the final (q, v). ImportError without SciPy."""
    m, _, J = body.inertia
    history = motion(Curb(body.restitution, m=m, J=J, mu=body.friction, g=body.gravity),
                     body.q, body.v, body.end)
    return [row_of(event, body.inertia) for event in history.events], history.states[:, -1]


def ball_reference(body: Body, shortest: float = 1e-9) -> tuple[list[EventRow], Array]:
    """Alternating flights and impacts until a flight is shorter than `shortest`; then the ball
    slides and rolls. It starts above the floor, without spin upwards."""
    N, T = body.rows(0, body.q)
    m, _, J = body.inertia
    r, g, mu, e = float(T[2]), body.gravity, body.friction, body.restitution
    mobile = 1.0 / (1.0 / m + r * r / J)  # kg: friction impulse per change of w
    events, t, q, v = [], 0.0, body.q.copy(), body.v.copy()

    def fly(dt: float, a: Array) -> None:
        nonlocal t, q, v
        dt = min(dt, body.end - t)
        q, v, t = q + dt * (v + 0.5 * dt * a), v + dt * a, t + dt

    fall, height = np.array([0.0, -g, 0.0]), q[1] - r
    flight = (v[1] + np.sqrt(v[1]**2 + 2.0 * g * height)) / g
    while t + flight < body.end and flight > shortest:
        fly(flight, fall)
        before, p = v.copy(), m * -v[1] * (1.0 + e)
        friction = float(np.clip(mobile * (T @ v), -mu * p, mu * p))
        v = v - friction * T / body.inertia
        v[1] = -e * before[1]
        lost = 0.5 * float(body.inertia @ (before**2 - v**2))
        events.append(EventRow(t, "impact", "floor", q.copy(), before, v.copy(),
                               np.array([friction, p]), "free", lost))
        flight = 2.0 * v[1] / g
    if flight > shortest:
        fly(flight, fall)  # the motion ends in flight
        return events, np.concatenate([q, v])
    v[1] = 0.0
    if abs(T @ v) > 1e-12:
        slide = -np.sign(T @ v) * mu * m * g * T / body.inertia
        duration = -float((T @ v) / (T @ slide))
        ends = t + duration < body.end
        fly(duration, slide)
        if ends:
            events.append(EventRow(t, "stick", "floor", q.copy(), v.copy(), v.copy(), np.zeros(2),
                                   "stick"))
    fly(body.end - t, np.zeros(3))
    return events, np.concatenate([q, v])


def reference_of(body: Body) -> tuple[list[EventRow], Array] | None:
    """The reference of the body; None for the curb without SciPy."""
    if len(body.contacts) == 1:
        return ball_reference(body)
    try:
        return curb_reference(body)
    except ImportError:
        return None
