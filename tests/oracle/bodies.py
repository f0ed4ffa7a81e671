"""Bodies of the oracle: the equations of the studies of this folder, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pair import Body

Array = np.ndarray


def sleigh(stiffness: float = 1.6, damping: float = 1.1) -> Body:
    """sleigh_switches.toml: one blade at (x, y), the centre of mass ahead of it, and two switched forces."""
    mass, inertia, arm = 1.4, 0.22, 0.12  # 2 x 0.7 and 2 x 0.11 of the kinetic co-energy

    def matrix(q: Array) -> Array:
        s, c = np.sin(q[2]), np.cos(q[2])
        return np.array([[mass, 0.0, -mass * arm * s], [0.0, mass, mass * arm * c],
                         [-mass * arm * s, mass * arm * c, inertia + mass * arm**2]])

    def force(q: Array, v: Array, t: Any, below: Sequence[bool]) -> Array:
        centripetal = mass * arm * v[2]**2
        return np.array([(0.5 if below[0] else -0.6) - 0.25 * v[0] + centripetal * np.cos(q[2]),
                         -0.25 * v[1] + centripetal * np.sin(q[2]), 1.2 if below[1] else -0.8])

    return Body(np.array([0.0, 0.0, 0.25]), np.array([0.8 * np.cos(0.25), 0.8 * np.sin(0.25), 0.6]), matrix, force,
                rows=lambda q: np.array([[-np.sin(q[2]), np.cos(q[2]), 0.0]]),
                rows_rate=lambda q, v: -v[2] * np.array([[np.cos(q[2]), np.sin(q[2]), 0.0]]),
                stiffness=np.array([[stiffness]]), damping=np.array([[damping]]), distribution=np.eye(1),
                switches=[lambda q, v, t: v[2] + 0.3 * t + 0.2 * q[0] - 1.05, lambda q, v, t: q[0] - 0.35])


BLADES = (-0.4, 0.3, 1.1)  # rad: angles of the three blades to the body
STIFFNESS = np.array([[1.5, 0.3, -0.2], [0.3, 1.1, 0.25], [-0.2, 0.25, 0.8]])
DAMPING = np.array([[1.3, -0.15, 0.2], [-0.15, 1.0, 0.1], [0.2, 0.1, 1.6]])


def blades(ahead: Any = 0.7, stiffness: Array = STIFFNESS, damping: Array = DAMPING,
           dq: Sequence[Any] = (0.0, 0.0, 0.0), dv: Sequence[Any] = (0.0, 0.0, 0.0)) -> Body:
    """three_blades.toml: three blades whose axles meet at the point (ahead, aside) of the body: rank 2.

    With R1 = v_across + ahead h' and R2 = -v_along + aside h', the row of a blade is cos(a) R1 + sin(a) R2. The first
    two rows are independent, the third is a combination of them. The start is that of the file moved by dq and dv,
    with its velocity projected on G v = 0.
    """
    aside, mass, inertia, arm, slope, drag = 0.25, 1.2, 0.3, 0.2, 0.8, 0.3

    def matrix(q: Array) -> Array:
        s, c = np.sin(q[2]), np.cos(q[2])
        zero = 0.0 * q[2]
        return np.array([[mass + zero, zero, -mass * arm * s], [zero, mass + zero, mass * arm * c],
                         [-mass * arm * s, mass * arm * c, inertia + mass * arm**2 + zero]])

    def force(q: Array, v: Array, t: Any, below: Sequence[bool]) -> Array:
        s, c, centripetal = np.sin(q[2]), np.cos(q[2]), mass * arm * v[2]**2
        # The centre of mass is at x + arm cos(h) on a slope along x: the potential is -slope times this.
        return np.array([slope - drag * v[0] + centripetal * c, -drag * v[1] + centripetal * s,
                         -slope * arm * s - 0.1 * v[2] + 0.9 * np.cos(3.0 * t)])

    def of_angle(a: float, q: Array) -> list[Any]:
        return [-np.sin(q[2] + a), np.cos(q[2] + a), ahead * np.cos(a) + aside * np.sin(a) + 0.0 * q[2]]

    def rate(a: float, q: Array, v: Array) -> list[Any]:
        return [-v[2] * np.cos(q[2] + a), -v[2] * np.sin(q[2] + a), 0.0 * q[2]]

    angles = np.array([[np.cos(a), np.sin(a)] for a in BLADES])
    rows = lambda q: np.array([of_angle(a, q) for a in BLADES])  # noqa: E731
    # The start of the file rolls for ahead = 0.7, dq = 0 and dv = 0; otherwise it is projected, orthogonally in M.
    start = np.array([0.0, 0.0, 0.2]) + 0j + np.array(dq)
    velocity = np.array([np.cos(0.2) * 0.275 + np.sin(0.2) * 0.77, np.sin(0.2) * 0.275 - np.cos(0.2) * 0.77, 1.1]) + dv
    G, M = rows(start)[:2], matrix(start)
    impulse = np.linalg.solve(M, G.T)
    velocity = velocity - impulse @ np.linalg.solve(G @ impulse, G @ velocity)
    return Body(start, velocity, matrix, force, rows, lambda q, v: np.array([rate(a, q, v) for a in BLADES]),
                stiffness, damping, angles @ np.linalg.inv(angles[:2]))


def disc(damping_ratio: float = 0.7, stiffness: float = 1.0) -> Body:
    """disc_slip.toml: a disc slips under a given normal force that changes with time, then rolls."""
    matrix, row = np.diag([1.3, 0.02]), np.array([[1.0, -0.15]])
    return slipping(matrix, row, [1.2, 0.0], lambda t: np.array([0.4 * np.cos(t), 0.05 + 0.02 * t]),
                    lambda t: 0.2 * 9.0 * (1.0 + 0.4 * np.sin(3.0 * t)), damping_ratio, stiffness)


def wheel(damping_ratio: float = 1.0) -> Body:
    """experiments/friction/wheel_slip_to_roll.toml: a homogeneous wheel released without spin on a slope."""
    m, r, g, slope = 1.0, 0.1, 9.81, 0.3
    return slipping(np.diag([m, 0.5 * m * r**2]), np.array([[1.0, -r]]), [1.0, 0.0],
                    lambda t: np.array([m * g * np.sin(slope), 0.0]), lambda t: 0.25 * m * g * np.cos(slope),
                    damping_ratio)


def slipping(matrix: Array, row: Array, velocity: Sequence[float], force: Any, bound: Any, ratio: float,
             stiffness: float = 1.0) -> Body:
    delassus = row @ np.linalg.solve(matrix, row.T)
    return Body(np.zeros(2), np.array(velocity), lambda q: matrix, lambda q, v, t, below: force(t), lambda q: row,
                lambda q, v: 0.0 * row, stiffness * np.eye(1), 2.0 * ratio * np.sqrt(stiffness / delassus), np.eye(1),
                friction=bound)
