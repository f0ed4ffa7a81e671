"""The rolling disc, q = (x, y, psi, theta, phi): centre, yaw, tilt, spin; u = (psi', theta', phi').

The equations follow from K* and P of src/rigidlimit/systems/rolling/rolling_disk.hpp. With
I = kappa m r^2, the spin n = phi' + sin(theta) psi' about the axle, B = m r^2 sin^2(theta) + I/2:

    I n' = r lam_1,   psi'' = -2 theta' phi'/cos(theta),
    B theta'' = -m r^2 sin cos theta'^2 + cos psi' I (phi' + sin psi'/2) + m g r sin - r cos lam_2

The forces on the centre are -lam_1 along the heading and -lam_2 to the left.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from peers.systems import Floats, System

MASS, RADIUS, GRAVITY = 1.0, 0.5, 9.81
AXIAL = 0.5 * MASS * RADIUS**2
TILT, YAW_RATE, TILT_RATE, SPIN_RATE = 0.3, 1.0, 0.2, 4.0  # the start


def inertia(s: float) -> float:
    """B, the inertia of the tilting motion with the rise of the centre, kg m^2."""
    return MASS * RADIUS**2 * s * s + 0.5 * AXIAL


def turning(theta: float, rates: Floats, lam: Floats) -> tuple[float, float, float]:
    """psi'', theta'', phi''."""
    c, s = cos(theta), sin(theta)
    yaw, tilt, spin = rates
    moment = (-MASS * RADIUS**2 * s * c * tilt * tilt + c * yaw * AXIAL * (spin + 0.5 * s * yaw)
              + MASS * GRAVITY * RADIUS * s - RADIUS * c * lam[1])
    return (-2.0 * tilt * spin / c, moment / inertia(s),
            RADIUS * lam[0] / AXIAL - c * tilt * yaw + 2.0 * s / c * tilt * spin)


def turning_derivatives(theta: float, rates: Floats, lam: Floats) -> np.ndarray:
    """Derivatives of `turning` by (theta, psi', theta', phi', lam_1, lam_2), 3 x 6."""
    c, s = cos(theta), sin(theta)
    yaw, tilt, spin = rates
    B, mr2 = inertia(s), MASS * RADIUS**2
    tilt_acceleration = turning(theta, rates, lam)[1]
    d = np.zeros((3, 6))
    d[0] = -2.0 * tilt * spin * s / (c * c), 0.0, -2.0 * spin / c, -2.0 * tilt / c, 0.0, 0.0
    slope = (-mr2 * (c * c - s * s) * tilt * tilt - s * yaw * AXIAL * (spin + 0.5 * s * yaw)
             + 0.5 * c * c * yaw * yaw * AXIAL + MASS * GRAVITY * RADIUS * c + RADIUS * s * lam[1]
             - 2.0 * mr2 * s * c * tilt_acceleration)
    d[1] = slope, c * AXIAL * (spin + s * yaw), -2.0 * mr2 * s * c * tilt, c * yaw * AXIAL, 0.0, \
        -RADIUS * c
    d[1] /= B
    d[2] = (s * tilt * yaw + 2.0 * tilt * spin / (c * c), -c * tilt, -c * yaw + 2.0 * s / c * spin,
            2.0 * s / c * tilt, RADIUS / AXIAL, 0.0)
    return d


def acceleration(q: Floats, v: Floats, lam: Floats) -> list[float]:
    c, s = cos(q[2]), sin(q[2])
    return [(s * lam[1] - c * lam[0]) / MASS, -(s * lam[0] + c * lam[1]) / MASS,
            *turning(q[3], v[2:], lam)]


def acceleration_derivatives(q: Floats, v: Floats, lam: Floats) -> np.ndarray:
    c, s = cos(q[2]), sin(q[2])
    d = np.zeros((5, 12))
    d[0, 2], d[0, 10], d[0, 11] = (c * lam[1] + s * lam[0]) / MASS, -c / MASS, s / MASS
    d[1, 2], d[1, 10], d[1, 11] = (s * lam[1] - c * lam[0]) / MASS, -s / MASS, -c / MASS
    turns = turning_derivatives(q[3], v[2:], lam)
    d[2:, 3], d[2:, 7:12] = turns[:, 0], turns[:, 1:]
    return d


def sliding(q: Floats, v: Floats) -> list[float]:
    c, s = cos(q[2]), sin(q[2])
    return [c * v[0] + s * v[1] - RADIUS * (v[4] + sin(q[3]) * v[2]),
            -s * v[0] + c * v[1] + RADIUS * cos(q[3]) * v[3]]


def sliding_derivatives(q: Floats, v: Floats) -> np.ndarray:
    c, s = cos(q[2]), sin(q[2])
    ct, st = cos(q[3]), sin(q[3])
    d = np.zeros((2, 10))
    d[0, 2:8] = -s * v[0] + c * v[1], -RADIUS * ct * v[2], 0.0, c, s, -RADIUS * st
    d[0, 9] = -RADIUS
    d[1, 2:9] = -c * v[0] - s * v[1], -RADIUS * st * v[3], 0.0, -s, c, 0.0, RADIUS * ct
    return d


def adapted(q: Floats, v: Floats) -> list[float]:
    return [*v[2:], *sliding(q, v)]


def centre(q: Floats, uw: Floats) -> tuple[float, float]:
    """Velocity of the centre along the heading and to the left."""
    yaw, tilt, spin, w1, w2 = uw
    return w1 + RADIUS * (spin + sin(q[3]) * yaw), w2 - RADIUS * cos(q[3]) * tilt


def velocity(q: Floats, uw: Floats) -> list[float]:
    c, s = cos(q[2]), sin(q[2])
    ahead, left = centre(q, uw)
    return [c * ahead - s * left, s * ahead + c * left, *uw[:3]]


def adapted_rates(q: Floats, uw: Floats, lam: Floats) -> list[float]:
    c, s = cos(q[2]), sin(q[2])
    yaw, tilt, spin = uw[:3]
    ahead, left = centre(q, uw)
    turns = turning(q[3], uw[:3], lam)
    return [c * ahead - s * left, s * ahead + c * left, yaw, tilt, spin, *turns,
            -lam[0] / MASS + yaw * left - RADIUS**2 * lam[0] / AXIAL,
            -lam[1] / MASS - yaw * ahead
            + RADIUS * (cos(q[3]) * turns[1] - sin(q[3]) * tilt * tilt)]


def adapted_derivatives(q: Floats, uw: Floats, lam: Floats) -> np.ndarray:
    c, s = cos(q[2]), sin(q[2])
    ct, st = cos(q[3]), sin(q[3])
    yaw, tilt, _, _, _ = uw
    ahead, left = centre(q, uw)
    by_ahead, by_left = np.zeros(12), np.zeros(12)
    by_ahead[[3, 5, 7, 8]] = RADIUS * ct * yaw, RADIUS * st, RADIUS, 1.0
    by_left[[3, 6, 9]] = RADIUS * st * tilt, -RADIUS * ct, 1.0
    turns = np.zeros((3, 12))
    by_turns = turning_derivatives(q[3], uw[:3], lam)
    turns[:, 3], turns[:, 5:8], turns[:, 10:] = by_turns[:, 0], by_turns[:, 1:4], by_turns[:, 4:]

    d = np.zeros((10, 12))
    d[0] = c * by_ahead - s * by_left
    d[1] = s * by_ahead + c * by_left
    d[0, 2], d[1, 2] = -s * ahead - c * left, c * ahead - s * left
    d[2, 5] = d[3, 6] = d[4, 7] = 1.0
    d[5:8] = turns
    d[8] = yaw * by_left
    d[8, 5] += left
    d[8, 10] -= 1.0 / MASS + RADIUS**2 / AXIAL
    d[9] = -yaw * by_ahead + RADIUS * ct * turns[1]
    d[9, 3] -= RADIUS * (st * turning(q[3], uw[:3], lam)[1] + ct * tilt * tilt)
    d[9, 5] -= ahead
    d[9, 6] -= 2.0 * RADIUS * st * tilt
    d[9, 11] -= 1.0 / MASS
    return d


def delassus(q: Floats) -> list[float]:
    return [1.0 / MASS + RADIUS**2 / AXIAL,
            1.0 / MASS + RADIUS**2 * cos(q[3]) ** 2 / inertia(sin(q[3]))]


def rolling_disk() -> System:
    c, s = cos(TILT), sin(TILT)
    v0 = [RADIUS * (SPIN_RATE + s * YAW_RATE), -RADIUS * c * TILT_RATE, YAW_RATE, TILT_RATE,
          SPIN_RATE]
    return System("rolling_disk", 5, 2, [0.0, 0.0, 0.0, TILT, 0.0], v0, delassus, acceleration,
                  acceleration_derivatives, sliding, sliding_derivatives, adapted, velocity,
                  adapted_rates, adapted_derivatives)
