"""Knife edge on an incline and Chaplygin sleigh: one blade, q = (x, y, phi) of its contact point.

The contact force determines the forward, leftward and angular acceleration of the blade. w is the
sliding velocity to the left, u the forward speed.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from peers.systems import Floats, System


def sliding(q: Floats, v: Floats) -> list[float]:
    return [-sin(q[2]) * v[0] + cos(q[2]) * v[1]]


def sliding_derivatives(q: Floats, v: Floats) -> np.ndarray:
    c, s = cos(q[2]), sin(q[2])
    return np.array([[0.0, 0.0, -c * v[0] - s * v[1], -s, c, 0.0]])


def adapted(q: Floats, v: Floats) -> list[float]:
    c, s = cos(q[2]), sin(q[2])
    return [c * v[0] + s * v[1], v[2], -s * v[0] + c * v[1]]


def velocity(q: Floats, uw: Floats) -> list[float]:
    c, s = cos(q[2]), sin(q[2])
    return [c * uw[0] - s * uw[2], s * uw[0] + c * uw[2], uw[1]]


def knife_edge() -> System:
    mass, inertia, downhill = 1.0, 0.5, 9.81 * sin(0.3)

    def acceleration(q: Floats, v: Floats, lam: Floats) -> list[float]:
        push = lam[0] / mass
        return [downhill + sin(q[2]) * push, -cos(q[2]) * push, 0.0]

    def acceleration_derivatives(q: Floats, v: Floats, lam: Floats) -> np.ndarray:
        c, s, push = cos(q[2]), sin(q[2]), lam[0] / mass
        d = np.zeros((3, 7))
        d[0, 2], d[1, 2] = c * push, s * push
        d[0, 6], d[1, 6] = s / mass, -c / mass
        return d

    def adapted_rates(q: Floats, uw: Floats, lam: Floats) -> list[float]:
        c, s = cos(q[2]), sin(q[2])
        u, omega, w = uw
        return [c * u - s * w, s * u + c * w, omega,
                downhill * c + omega * w, 0.0, -downhill * s - lam[0] / mass - omega * u]

    def adapted_derivatives(q: Floats, uw: Floats, lam: Floats) -> np.ndarray:
        c, s = cos(q[2]), sin(q[2])
        u, omega, w = uw
        d = np.zeros((6, 7))
        d[0, 2:6] = -s * u - c * w, c, 0.0, -s
        d[1, 2:6] = c * u - s * w, s, 0.0, c
        d[2, 4] = 1.0
        d[3, 2:6] = -downhill * s, 0.0, w, omega
        d[5, 2:7] = -downhill * c, -omega, -u, 0.0, -1.0 / mass
        return d

    return System("knife_edge", 3, 1, [0.0, 0.0, 0.0], [0.7, 0.0, 1.3],
                  lambda q: [1.0 / mass],
                  acceleration, acceleration_derivatives, sliding, sliding_derivatives, adapted,
                  velocity, adapted_rates, adapted_derivatives)


def chaplygin_sleigh() -> System:
    """The centre of mass is at distance a ahead of the blade: the force also turns the sleigh."""
    mass, inertia, a = 1.0, 0.5, 0.4
    mobility = 1.0 / mass + a * a / inertia  # A: Delassus matrix of the blade, 1/kg
    turn = a / inertia

    def acceleration(q: Floats, v: Floats, lam: Floats) -> list[float]:
        c, s = cos(q[2]), sin(q[2])
        forward, left = a * v[2] * v[2], -mobility * lam[0]
        return [c * forward - s * left, s * forward + c * left, turn * lam[0]]

    def acceleration_derivatives(q: Floats, v: Floats, lam: Floats) -> np.ndarray:
        c, s = cos(q[2]), sin(q[2])
        forward, left = a * v[2] * v[2], -mobility * lam[0]
        d = np.zeros((3, 7))
        d[0, 2], d[1, 2] = -s * forward - c * left, c * forward - s * left
        d[0, 5], d[1, 5] = 2.0 * a * v[2] * c, 2.0 * a * v[2] * s
        d[:, 6] = mobility * s, -mobility * c, turn
        return d

    def adapted_rates(q: Floats, uw: Floats, lam: Floats) -> list[float]:
        c, s = cos(q[2]), sin(q[2])
        u, omega, w = uw
        return [c * u - s * w, s * u + c * w, omega,
                a * omega * omega + omega * w, turn * lam[0], -mobility * lam[0] - omega * u]

    def adapted_derivatives(q: Floats, uw: Floats, lam: Floats) -> np.ndarray:
        c, s = cos(q[2]), sin(q[2])
        u, omega, w = uw
        d = np.zeros((6, 7))
        d[0, 2:6] = -s * u - c * w, c, 0.0, -s
        d[1, 2:6] = c * u - s * w, s, 0.0, c
        d[2, 4] = 1.0
        d[3, 4:6] = 2.0 * a * omega + w, omega
        d[4, 6] = turn
        d[5, 3:7] = -omega, -u, 0.0, -mobility
        return d

    return System("chaplygin_sleigh", 3, 1, [0.0, 0.0, 0.0], [0.5, 0.0, 1.5],
                  lambda q: [mobility],
                  acceleration, acceleration_derivatives, sliding, sliding_derivatives, adapted,
                  velocity, adapted_rates, adapted_derivatives)
