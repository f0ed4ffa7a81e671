"""Wheels and balls in planar motion: side views of a slope, a turntable from above."""

from __future__ import annotations

import numpy as np

from .bodies import (Parameters, Picture, Shape, circle, columns, heading, joined, placed,
                     polyline, turned)

SPOKES = 6


def wheel_marks(radius: float) -> np.ndarray:
    """Spokes, and a ring around the traced point of the rim, the lowest one at angle 0."""
    spokes = [np.array([[0.0, radius * np.sin(a)], [0.0, -radius * np.cos(a)]])
              for a in 2.0 * np.pi * np.arange(SPOKES) / SPOKES]
    return joined(*spokes, circle(0.08 * radius, 16) + np.array([[0.0], [-radius]]))


def on_slope(points: np.ndarray, parameters: Parameters) -> np.ndarray:
    """From (down the slope, off it) to (right, up)."""
    return turned(points, -parameters.get("slope", 0.0))


def wheel_pose(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """(x, phi) -> (x, r, phi): the wheel stays on the plane."""
    return np.array([q[0], np.full_like(q[0], parameters["radius"]), q[1]])


def wheel_euler_pose(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """(x, y, p, q) -> (x, y, phi) with p = cos theta/2, q = sin theta/2 and phi = -theta, which
    rises when the wheel rolls down."""
    return np.array([q[0], q[1], -2.0 * np.unwrap(np.arctan2(q[3], q[2]))])


def wheel_shapes(pose: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    x, y, phi = pose
    radius = parameters["radius"]
    return [Shape(on_slope(placed(curve, x, y, -phi), parameters), role)
            for curve, role in ((circle(radius), "body"), (wheel_marks(radius), "mark"))]


def wheel_contacts(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    return on_slope(np.array([[pose[0]], [pose[1] - parameters["radius"]]]), parameters)


def wheel_pushes(pose: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return on_slope(np.array([[-force[0]], [0.0]]), parameters)


def wheel_traced(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    """The marked point of the rim; its path is a cycloid when the wheel rolls."""
    x, y, phi = pose
    return on_slope(placed(polyline((0.0, -parameters["radius"])), x, y, -phi), parameters)


def wheel_ground(parameters: Parameters, box: np.ndarray, size: float) -> list[Shape]:
    """The slope over the width of the box."""
    start, end = box[0] / np.cos(parameters["slope"])
    return [Shape(on_slope(polyline((start, 0.0), (end, 0.0)), parameters), "ground")]


# A ball in a groove, in two views: from the side and, before its start, along the groove.


def groove_pose(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """(s, psi) -> (s, psi, s at the start and at most). psi are integrals of angular velocities; each is
    the rotation angle in its view if the ball turns about one axis, as in rolling."""
    ends = [np.full_like(q[0], end) for end in (q[0, 0], np.nanmax(q[0]))]
    return np.vstack([q, *ends])


def groove_walls(radius: float, gamma: float) -> np.ndarray:
    """Both walls, seen along the groove, relative to the ball's centre: from the bottom up past the
    contacts at r (-+sin gamma, -cos gamma); the left wall is at the left."""
    bottom = np.array([0.0, -radius / np.cos(gamma)])
    up = 2.0 * radius * np.tan(gamma) * heading(gamma)
    return columns(bottom + up * [-1.0, 1.0], bottom, bottom + up)


def front_view(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Position of the ball's centre in the view along the groove."""
    radius = parameters["radius"]
    return on_slope(np.array([[pose[4]], [0.0]]), parameters)[:, 0] + [-4.5 * radius, 0.0]


def groove_shapes(pose: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    radius = parameters["radius"]
    side = [on_slope(placed(curve, pose[0], 0.0, -pose[2]), parameters)
            for curve in (circle(radius), wheel_marks(radius))]
    # The left point moves up the left wall as psi_1 grows: clockwise, too.
    front = [placed(curve, *front_view(pose, parameters), -pose[1])
             for curve in (circle(radius), wheel_marks(radius))]
    gamma = parameters["half_angle"]
    walls = placed(groove_walls(radius, gamma), *front_view(pose, parameters), 0.0)
    depth = radius * np.cos(gamma)  # distance of the lines of contact
    line = on_slope(polyline((pose[4] - radius, -depth), (pose[5] + radius, -depth)), parameters)
    return [Shape(side[0], "body"), Shape(side[1]), Shape(front[0], "body"), Shape(front[1]),
            Shape(walls, "ground"), Shape(line, "ground")]


def groove_contacts(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Both contacts together from the side, then the left and the right one."""
    radius, gamma = parameters["radius"], parameters["half_angle"]
    depth, half = radius * np.cos(gamma), radius * np.sin(gamma)
    centre = front_view(pose, parameters)
    return columns(on_slope(np.array([[pose[0]], [-depth]]), parameters)[:, 0],
                   centre + [-half, -depth], centre + [half, -depth])


def groove_pushes(pose: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    """Along: the sum over both walls. Across: lambda_2 up the left wall, lambda_4 down the right one."""
    gamma = parameters["half_angle"]
    along = on_slope(np.array([[-force[0] - force[2]], [0.0]]), parameters)[:, 0]
    # Left in space is left in the picture, so (y, z) is drawn at (-y, z).
    return columns(along, -force[1] * np.array([-np.cos(gamma), np.sin(gamma)]),
                   -force[3] * np.array([-np.cos(gamma), -np.sin(gamma)]))


def groove_traced(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    return on_slope(placed(polyline((0.0, -parameters["radius"])), pose[0], 0.0, -pose[2]),
                    parameters)


def table_shapes(pose: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """A ball without marks, because the coordinates do not include the orientation."""
    return [Shape(placed(circle(parameters["radius"]), *pose, 0.0), "body")]


def table_point(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    return pose[:, None]


def table_pushes(pose: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return -force[:, None]


def table_ground(parameters: Parameters, box: np.ndarray, size: float) -> list[Shape]:
    """The axis of the table; the table has no given radius."""
    arm = 0.03 * np.max(box[:, 1] - box[:, 0])
    return [Shape(joined(polyline((-arm, 0.0), (arm, 0.0)), polyline((0.0, -arm), (0.0, arm))),
                  "ground")]


def centre_pose(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """(x, y, clock) -> (x, y)."""
    return q[:2]


def belt_pose(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """(x, phi, clock) -> (x, r, phi): the roller stays between the belts."""
    return wheel_pose(q[:2], parameters)


def belt_contacts(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    """On the lower and on the upper belt."""
    x, y, _ = pose
    return polyline((x, y - parameters["radius"]), (x, y + parameters["radius"]))


def belt_pushes(pose: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return np.array([-force, np.zeros(2)])


def belt_ground(parameters: Parameters, box: np.ndarray, size: float) -> list[Shape]:
    """Both belts over the width of the box."""
    start, end = box[0]
    return [Shape(polyline((start, y), (end, y)), "ground") for y in (0.0, 2.0 * parameters["radius"])]


PICTURES = {
    "tilted_turntable_ball": Picture("from above, in axes at rest", table_shapes, table_point, table_pushes,
                                     table_point, ground=table_ground, pose=centre_pose),
    "belt_roller": Picture("from the side", wheel_shapes, belt_contacts, belt_pushes, wheel_traced,
                           ground=belt_ground, pose=belt_pose),
    "wheel": Picture("from the side", wheel_shapes, wheel_contacts, wheel_pushes, wheel_traced,
                     ground=wheel_ground, pose=wheel_pose),
    "wheel_euler": Picture("from the side", wheel_shapes, wheel_contacts, wheel_pushes,
                           wheel_traced, ground=wheel_ground, pose=wheel_euler_pose),
    "v_groove_ball": Picture("from the side, and down the groove", groove_shapes, groove_contacts,
                             groove_pushes, groove_traced, pose=groove_pose),
    "turntable_ball": Picture("from above, in the axes of the table", table_shapes, table_point,
                              table_pushes, table_point, ground=table_ground),
}
