"""The disc in space and the wheel in the plane, with their contacts, for Siconos."""

from __future__ import annotations

from typing import Any

import numpy as np
import siconos.kernel as sk

from .problems import Disk, Wheel


class Rim(sk.NewtonEuler3DR):  # type: ignore[misc]
    """The lowest point of a disc over the plane. The views of Siconos' vectors are written in place."""

    def __init__(self, radius: float) -> None:
        super().__init__()
        self.radius = radius

    def computeh(self, time: float, q: Any, y: Any) -> None:
        """The gap y[0] of q: the centre, and the quaternion with its scalar first."""
        q = np.asarray(q)
        w, i, j, k = q[3:]
        axle = np.array([w * w + i * i - j * j - k * k, 2.0 * (i * j + w * k), 2.0 * (i * k - w * j)])
        up = np.array([0.0, 0.0, 1.0])
        heading = np.cross(axle, up) / np.hypot(axle[0], axle[1])
        lowest = q[:3] - self.radius * np.cross(heading, axle)
        self.pc1()[:], self.pc2()[:], self.nc()[:] = lowest, [lowest[0], lowest[1], 0.0], up
        y[0] = lowest[2]


class Held:
    """A body of Siconos, which keeps pointers to `arrays`, and the relation of its contact."""

    def __init__(self, body: Any, weight: Any, relation: Any, *arrays: Any) -> None:
        body.setFExtPtr(weight)
        self.body, self.relation, self.arrays = body, relation, (weight, *arrays)


def disk_in_space(disk: Disk) -> Held:
    start, inertia = disk.start, np.diag(disk.inertia * np.array([1.0, 0.5, 0.5]))
    q, v = np.append(start.centre, start.quaternion), np.append(start.velocity, start.axes.T @ start.angular_velocity)
    body = sk.NewtonEulerDS(q, v, disk.mass, inertia)
    return Held(body, disk.mass * start.gravity, Rim(disk.radius), q, v, inertia)


def wheel_in_plane(wheel: Wheel) -> Held:
    """q = (x, height, phi); the rows of the contact: the height over the plane, and the sliding."""
    q, v = np.array([0.0, wheel.radius, 0.0]), np.array([wheel.v0, 0.0, 0.0])
    mass, weight = np.diag([wheel.mass, wheel.mass, wheel.inertia]), wheel.mass * wheel.start.gravity[[0, 2, 1]]
    rows, offset = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, -wheel.radius]]), np.array([-wheel.radius, 0.0])
    body, relation = sk.LagrangianLinearTIDS(q, v, mass), sk.LagrangianLinearTIR(rows, offset)
    return Held(body, weight, relation, q, v, mass, rows, offset)
