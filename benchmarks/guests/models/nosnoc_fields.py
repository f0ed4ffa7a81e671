"""The two problems as Filippov systems of nosnoc: one vector field on each side of a surface of no sliding."""

from __future__ import annotations

from typing import Any

import casadi as ca
import nosnoc
import numpy as np

from .problems import Disk, Wheel

SIDES = np.array([[1], [-1]])


def of_wheel(wheel: Wheel) -> Any:
    x, a = ca.SX.sym("x", 3), wheel.friction * wheel.pressing  # x, x' and r phi'
    fields = [ca.vertcat(x[1], wheel.down - sign * a, sign * a / wheel.axial_ratio) for sign in (1.0, -1.0)]
    return nosnoc.NosnocModel(x=x, x0=np.array([0.0, wheel.v0, 0.0]), F=[ca.horzcat(*fields)], c=[x[1] - x[2]],
                              S=[SIDES])


def of_disk(disk: Disk) -> Any:
    """q = (x, y, yaw, lean, spin) and v = q'; Lagrange's equations, differentiated by CasADi."""
    q, v = ca.SX.sym("q", 5), ca.SX.sym("v", 5)
    s, c, r, inertia = ca.sin(q[3]), ca.cos(q[3]), disk.radius, disk.inertia
    bound = 2.0 * disk.mass * disk.gravity  # N, of the friction in each direction; ideal rolling needs less
    kinetic = (0.5 * disk.mass * (v[0]**2 + v[1]**2 + (r * s * v[3])**2) + 0.25 * inertia * (v[3]**2 + (c * v[2])**2)
               + 0.5 * inertia * (v[4] + s * v[2])**2)
    inverse, momentum = ca.inv(ca.hessian(kinetic, v)[0]), ca.gradient(kinetic, v)
    force = ca.gradient(kinetic - disk.mass * disk.gravity * r * c, q) - ca.jacobian(momentum, q) @ v
    sliding = ca.vertcat(ca.cos(q[2]) * v[0] + ca.sin(q[2]) * v[1] - r * (v[4] + s * v[2]),
                         ca.cos(q[2]) * v[1] - ca.sin(q[2]) * v[0] + r * c * v[3])
    pushed = [ca.vertcat(ca.SX.zeros(5), bound * inverse @ ca.gradient(sliding[i], v)) for i in range(2)]
    x0 = np.array([0.0, 0.0, 0.0, disk.lean, 0.0,
                   *disk.start.velocity[:2], disk.yaw_rate, disk.lean_rate, disk.spin_rate])
    return nosnoc.NosnocModel(x=ca.vertcat(q, v), x0=x0, f_0=ca.vertcat(v, inverse @ force), c=[sliding[0], sliding[1]],
                              F=[ca.horzcat(-push, push) for push in pushed], S=[SIDES, SIDES])
