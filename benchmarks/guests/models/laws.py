"""The error of our own model with the law of each contact, computed without the engine.

The models here have a rigid normal contact, and tangential force by the law: stiff equations, which scipy's Radau IIA
solves to 1e-10. `plane_error` has the wheel and the ball, `disk_error` the disc.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, sqrt

import numpy as np
from scipy.integrate import solve_ivp

from .problems import Array, Disk, Wheel, ideal_centre

Slip = Callable[[float], float]  # force over its bound (friction times normal force), of the sliding velocity in m/s
TIGHT = {"method": "Radau", "rtol": 1e-10, "atol": 1e-13}


def proportional(zone: float) -> Slip:
    """Viscous below the sliding velocity `zone`, m/s, Coulomb's above: EXUDYN's dry penalty."""
    return lambda w: max(-1.0, min(1.0, w / zone))


def soft(zone: float) -> Slip:
    """Drake's Lagged, Similar and CENIC."""
    return lambda w: w / hypot(w, zone)


def quadratic(zone: float) -> Slip:
    """Drake's TAMSI: s (2 - s) with s = w/zone below 1."""
    return lambda w: float(np.sign(w)) * (1.0 if abs(w) >= zone else abs(w) / zone * (2.0 - abs(w) / zone))


def damper(body: Wheel, d: float) -> Slip:
    """A damper of d, N s/m, bounded by Coulomb's friction."""
    return proportional(body.friction * body.mass * body.pressing / d)


def reference_acceleration(body: Wheel, b: float, impedance: float) -> Slip:
    """MuJoCo: J times the acceleration is (1 - i) times the unconstrained one minus i b J v. `b`: 1/s.

    `impedance`: of the normal row; that of the friction, i, is larger, because MuJoCo takes the inverse inertia of the
    normal row, 1/m, for both.
    """
    inverse, row = (1.0 + 1.0 / body.axial_ratio) / body.mass, (1.0 - impedance) / impedance / body.mass
    own, bound = inverse / (inverse + row), body.friction * body.mass * body.pressing
    return lambda w: max(-1.0, min(1.0, own * (body.down + b * w) / inverse / bound))


def plane_error(body: Wheel, slip: Slip, narrow: float) -> float:
    """By how much x exceeds the exact position at the end, m. `narrow`: m/s, the velocity scale of the law.

    The velocity of the centre is the ideal one plus k/(1 + k) times the excess of the sliding velocity over the ideal
    one, so that the error is an integral of that velocity, which loses no digits.
    """
    k, bound = body.axial_ratio, body.friction * body.pressing

    def rate(_: float, y: Array) -> list[float]:
        return [body.down - (1.0 + 1.0 / k) * bound * slip(y[0]), y[0]]

    w, travelled, t = body.v0, 0.0, 0.0
    for until in (body.transition - 3.0 * narrow / bound, body.transition + 3.0 * narrow / bound, body.end):
        if t < until:  # solved in three parts, so that no step misses the transition
            run = solve_ivp(rate, (t, until), [w, travelled], **TIGHT)
            w, travelled, t = float(run.y[0, -1]), float(run.y[1, -1]), until
    return k / (1.0 + k) * (travelled - 0.5 * body.v0 * body.transition)


def spring_error(body: Wheel, stiffness: float, damping: float) -> float:
    """As `plane_error`, for a spring, N/m, beside a damper, N s/m, whose sum Coulomb's friction bounds (LAMMPS).

    The spring starts unloaded. While it slides the sliding velocity falls linearly, until the force of the loaded
    spring and the damper falls below the bound.
    """
    k = body.axial_ratio
    inverse, bound = (1.0 + 1.0 / k) / body.mass, body.friction * body.mass * body.pressing

    def rate(_: float, y: Array) -> list[float]:  # sliding velocity, deflection, sliding distance
        return [body.down - inverse * (stiffness * y[1] + damping * y[0]), y[0], y[0]]

    def loaded(_: float, y: Array) -> float:
        return float(stiffness * y[1] + damping * y[0] - bound)

    loaded.terminal = True  # type: ignore[attr-defined]
    t, y = 0.0, np.array([body.v0, 0.0, 0.0])
    if damping * body.v0 < bound:
        run = solve_ivp(rate, (0.0, body.end), y, events=loaded, **TIGHT)
        t, y = float(run.t[-1]), run.y[:, -1]
    fall = inverse * bound - body.down
    w = damping * fall / stiffness
    sliding = (y[0] - w) / fall
    y = np.array([w, (bound - damping * w) / stiffness, y[2] + 0.5 * (y[0] + w) * sliding])
    run = solve_ivp(rate, (t + sliding, body.end), y, **TIGHT)
    return k / (1.0 + k) * (float(run.y[2, -1]) - 0.5 * body.v0 * body.transition)


def _cross(a: Array, b: Array) -> Array:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


Tangential = Callable[[Array, Array, Array], Array]


def of_normal_force(per_normal: Callable[[Array], Array]) -> Tangential:
    """A law whose force along the plane is the normal force times a function (2,) of the sliding velocity."""

    def force(w: Array, inverse: Array, free: Array) -> Array:
        direction = np.append(per_normal(w), 1.0)
        return np.asarray(-free[2] / float(inverse[2] @ direction) * direction)

    return force


def of_damper(d: float) -> Tangential:
    """A damper, N s/m, that never reaches the bound."""

    def force(w: Array, inverse: Array, free: Array) -> Array:
        along = -d * w
        return np.append(along, -(free[2] + inverse[2, :2] @ along) / inverse[2, 2])

    return force


def without_turning(b: float, row: float) -> Tangential:
    """MuJoCo: rows with the softness `row`, 1/kg, whose reference acceleration is -b J v, and no J' v."""

    def force(w: Array, inverse: Array, free: Array) -> Array:
        matrix, right = inverse.copy(), -free[:3].copy()
        matrix[:2, :2] += row * np.eye(2)
        right[:2] = -b * w - free[3:]
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)

    return force


def disk_end(disk: Disk, force: Tangential) -> Array:
    """The centre (2,), m, at the end.

    `force` gets the sliding velocity (2,), the inverse inertia W (3, 3) at the contact, and the accelerations without
    force there: (3,) of the contact point of the moving normal, (w)' = W F + free[:3], and (2,) J v' = W F + free[3:].
    """
    start, (axial, across), m, r = disk.start, disk.inertias[:2], disk.mass, disk.radius
    vertical, gravity = np.array([0.0, 0.0, 1.0]), disk.start.gravity

    def rate(_: float, y: Array) -> Array:
        axle, v, omega = y[2:5], y[5:8], y[8:11]
        turning = _cross(omega, axle)
        p, dp = _cross(axle, vertical), _cross(turning, vertical)
        length = sqrt(p @ p)
        heading = p / length
        dheading = (dp - heading * (heading @ dp)) / length
        arm, darm = -r * _cross(heading, axle), -r * (_cross(dheading, axle) + _cross(heading, turning))
        inertia_inverse = np.eye(3) / across + (1.0 / axial - 1.0 / across) * np.outer(axle, axle)
        gyroscopic = inertia_inverse @ (-(axial - across) * (omega @ axle) * turning)
        lever = np.array([[0.0, -arm[2], arm[1]], [arm[2], 0.0, -arm[0]], [-arm[1], arm[0], 0.0]])
        inverse = np.eye(3) / m - lever @ inertia_inverse @ lever
        plain = gravity + _cross(gyroscopic, arm)
        f = force((v + _cross(omega, arm))[:2], inverse, np.append(plain + _cross(omega, darm), plain[:2]))
        return np.concatenate([v[:2], turning, gravity + f / m, gyroscopic + inertia_inverse @ _cross(arm, f)])

    y = np.concatenate([start.centre[:2], start.axes[:, 0], start.velocity, start.angular_velocity])
    run = solve_ivp(rate, (0.0, disk.end), y, method="LSODA", rtol=1e-9, atol=1e-11)
    return np.asarray(run.y[:2, -1])


def disk_error(disk: Disk, force: Tangential) -> float:
    """Distance, m, of the centre at the end from the ideal motion."""
    x, y = disk_end(disk, force) - np.array(ideal_centre(disk.end))
    return hypot(x, y)
