"""Bodies of the oracle: the equations of the studies of this folder, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from oracle_pair import Body

Array = np.ndarray


class Plane:
    """Inertia of a body in the plane, q = (x, y, h), whose centre of mass is at the distance a ahead of (x, y)."""

    def __init__(self, mass: float, inertia: float, arm: float) -> None:
        self.mass, self.inertia, self.arm = mass, inertia, arm

    def matrix(self, q: Array) -> Array:
        m, a, s, c = self.mass, self.arm, np.sin(q[2]), np.cos(q[2])
        return np.array([[m, 0.0, -m * a * s], [0.0, m, m * a * c],
                         [-m * a * s, m * a * c, self.inertia + m * a**2]])

    def acceleration(self, q: Array, force: Array) -> Array:
        """M(q)^-1 force: Euler's equation about the centre of mass, then Newton's equation."""
        a, s, c = self.arm, np.sin(q[2]), np.cos(q[2])
        turn = (force[2] + a * (s * force[0] - c * force[1])) / self.inertia
        return np.array([force[0] / self.mass + a * s * turn, force[1] / self.mass - a * c * turn, turn])

    def force(self, q: Array, v: Array, drag: float, along: Any, couple: Any) -> Array:
        """Inertia force of the turning, a drag at (x, y), a force along x and a couple."""
        centripetal = self.mass * self.arm * v[2]**2
        return np.array([along - drag * v[0] + centripetal * np.cos(q[2]),
                         -drag * v[1] + centripetal * np.sin(q[2]), couple])


def sleigh(stiffness: float = 1.6, damping: float = 1.1) -> Body:
    """sleigh_switches.toml: one blade at (x, y), the centre of mass ahead of it, and two switched forces."""
    plane = Plane(1.4, 0.22, 0.12)  # 2 x 0.7 and 2 x 0.11 of the kinetic co-energy

    def force(q: Array, v: Array, t: Any, below: Sequence[bool]) -> Array:
        return plane.force(q, v, 0.25, 0.5 if below[0] else -0.6, 1.2 if below[1] else -0.8)

    return Body(np.array([0.0, 0.0, 0.25]), np.array([0.8 * np.cos(0.25), 0.8 * np.sin(0.25), 0.6]), plane.matrix,
                plane.acceleration, force, rows=lambda q: np.array([[-np.sin(q[2]), np.cos(q[2]), 0.0]]),
                rows_rate=lambda q, v: np.array([[-v[2] * np.cos(q[2]), -v[2] * np.sin(q[2]), 0.0]]),
                stiffness=np.array([[stiffness]]), damping=np.array([[damping]]), distribution=np.eye(1),
                switches=[lambda q, v, t: v[2] + 0.3 * t + 0.2 * q[0] - 1.05, lambda q, v, t: q[0] - 0.35])


BLADES = np.array([-0.4, 0.3, 1.1])  # rad: angles of the three blades to the body
STIFFNESS = np.array([[1.5, 0.3, -0.2], [0.3, 1.1, 0.25], [-0.2, 0.25, 0.8]])
DAMPING = np.array([[1.3, -0.15, 0.2], [-0.15, 1.0, 0.1], [0.2, 0.1, 1.6]])


def blades(ahead: Any = 0.7, stiffness: Array = STIFFNESS, damping: Array = DAMPING,
           dq: Sequence[Any] = (0.0, 0.0, 0.0), dv: Sequence[Any] = (0.0, 0.0, 0.0)) -> Body:
    """three_blades.toml: three blades whose axles meet at the point (ahead, aside) of the body: rank 2.

    With R1 = v_across + ahead h' and R2 = -v_along + aside h', the row of a blade is cos(a) R1 + sin(a) R2. The first
    two rows are independent, the third is a combination of them. The start is that of the file moved by dq and dv,
    with its velocity projected on G v = 0.
    """
    aside, slope = 0.25, 0.8
    plane = Plane(1.2, 0.3, 0.2)

    def force(q: Array, v: Array, t: Any, below: Sequence[bool]) -> Array:
        # The centre of mass is at x + arm cos(h) on a slope along x: the potential is -slope times this.
        return plane.force(q, v, 0.3, slope, -slope * plane.arm * np.sin(q[2]) - 0.1 * v[2] + 0.9 * np.cos(3.0 * t))

    lever = ahead * np.cos(BLADES) + aside * np.sin(BLADES)

    def rows(q: Array) -> Array:
        return np.array([-np.sin(q[2] + BLADES), np.cos(q[2] + BLADES), lever]).T

    def rows_rate(q: Array, v: Array) -> Array:
        return np.array([-v[2] * np.cos(q[2] + BLADES), -v[2] * np.sin(q[2] + BLADES), 0.0 * BLADES]).T

    # The start of the file rolls for ahead = 0.7, dq = 0 and dv = 0; otherwise it is projected, orthogonally in M.
    start = np.array([0.0, 0.0, 0.2]) + 0j + np.array(dq)
    velocity = np.array([np.cos(0.2) * 0.275 + np.sin(0.2) * 0.77, np.sin(0.2) * 0.275 - np.cos(0.2) * 0.77, 1.1]) + dv
    G = rows(start)[:2]
    impulse = np.linalg.solve(plane.matrix(start), G.T)
    velocity = velocity - impulse @ np.linalg.solve(G @ impulse, G @ velocity)
    angles = np.array([np.cos(BLADES), np.sin(BLADES)]).T
    return Body(start, velocity, plane.matrix, plane.acceleration, force, rows, rows_rate, stiffness, damping,
                angles @ np.linalg.inv(angles[:2]))


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
    return Body(np.zeros(2), np.array(velocity), lambda q: matrix, lambda q, f: f / np.diag(matrix),
                lambda q, v, t, below: force(t), lambda q: row, lambda q, v: 0.0 * row, stiffness * np.eye(1),
                2.0 * ratio * np.sqrt(stiffness / delassus), np.eye(1), friction=bound)
