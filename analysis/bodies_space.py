"""Bodies that roll on a plane in space: a parallel projection, obliquely from above.

x and y are in the plane, z is normal to it; on a slope x points down and space is tilted. A body is
drawn as its outline with curves on it; the path of the contact lies in the plane.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .bodies import CIRCLE, Parameters, Picture, Shape, circle, joined, round_down

AZIMUTH, ELEVATION = np.radians(-62.0), np.radians(28.0)  # of the eye: x runs to the right
GRID = 10  # minimum number of cells of the plane along the longer side of the picture

# Orthonormal rows: right and up in the picture, and towards the eye.
CAMERA = np.array([
    [-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0],
    [-np.sin(ELEVATION) * np.cos(AZIMUTH), -np.sin(ELEVATION) * np.sin(AZIMUTH), np.cos(ELEVATION)],
    [np.cos(ELEVATION) * np.cos(AZIMUTH), np.cos(ELEVATION) * np.sin(AZIMUTH), np.sin(ELEVATION)]])


def camera(parameters: Parameters) -> np.ndarray:
    """Projection, 3 x 3, of space with x down the slope."""
    c, s = np.cos(parameters.get("slope", 0.0)), np.sin(parameters.get("slope", 0.0))
    return CAMERA @ np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def seen(points: np.ndarray, parameters: Parameters) -> np.ndarray:
    """3 x k in space -> 2 x k in the picture."""
    return camera(parameters)[:2] @ points


def about_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def about_y(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def about_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


# Quaternions, the real part first.


def times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a[0] * b[0] - a[1:] @ b[1:],
                     *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def rotation(p: np.ndarray) -> np.ndarray:
    """Rotation from the body's frame to space; p need not have unit length."""
    w, x, y, z = p / np.linalg.norm(p)
    return np.array([[1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
                     [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
                     [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)]])


def turned_further(p: np.ndarray, difference: np.ndarray, factor: float) -> np.ndarray:
    """p rotated by factor times the angle from p to p + difference, about the same axis.

    The rotation is 1 + difference o conj(p), which keeps all digits of a small difference, taken the
    short way.
    """
    turn = np.array([1.0, 0.0, 0.0, 0.0]) + times(difference, p * [1.0, -1.0, -1.0, -1.0]) / (p @ p)
    turn = turn if turn[0] >= 0.0 else -turn
    sine = np.linalg.norm(turn[1:])
    if sine == 0.0:
        return p
    half = factor * np.arctan2(sine, turn[0])
    return times(np.array([np.cos(half), *(np.sin(half) / sine * turn[1:])]), p)


def attitude_exaggerated(pose: np.ndarray, difference: np.ndarray, factor: float) -> np.ndarray:
    return np.concatenate([pose[:2] + factor * difference[:2],
                           turned_further(pose[2:], difference[2:], factor)])


# Discs.


def disc_curves(centre: np.ndarray, R: np.ndarray, radius: float,
                parameters: Parameters) -> list[Shape]:
    """A disc across the second axis of its frame R: rim, spokes, a ring about the point at -z."""
    rim, small = circle(radius), circle(0.07 * radius, 12)
    flat = np.array([rim[0], np.zeros(rim.shape[1]), rim[1]])
    spokes = [np.array([[0.0, radius * np.sin(a)], [0.0, 0.0], [0.0, -radius * np.cos(a)]])
              for a in 2.0 * np.pi * np.arange(6) / 6.0]
    ring = np.array([small[0], np.zeros(small.shape[1]), small[1] - 0.9 * radius])
    place = centre[:, None]
    return [Shape(seen(place + R @ flat, parameters), "body"),
            Shape(seen(place + R @ joined(*spokes, ring), parameters))]


def coin_frame(q: np.ndarray, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
    """Centre and attitude of the upright coin, q = (x, y, psi, phi)."""
    return np.array([q[0], q[1], parameters["radius"]]), about_z(q[2]) @ about_y(q[3])


def disk_frame(q: np.ndarray, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
    """Centre and attitude of the tilting disc, q = (x, y, psi, theta, phi): yaw, tilt, spin."""
    centre = np.array([q[0], q[1], parameters["radius"] * np.cos(q[3])])
    return centre, about_z(q[2]) @ about_x(q[3]) @ about_y(q[4])


def disk_quaternion_frame(q: np.ndarray, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
    R = rotation(q[2:])
    return np.array([q[0], q[1], parameters["radius"] * np.hypot(R[2, 0], R[2, 2])]), R


Frame = Callable[[np.ndarray, Parameters], tuple[np.ndarray, np.ndarray]]


def disc_contact(centre: np.ndarray, R: np.ndarray, radius: float) -> np.ndarray:
    """The lowest point of the rim, on the steepest diameter of the disc."""
    up = R[2] * [1.0, 0.0, 1.0]
    return centre - radius * R @ (up / np.linalg.norm(up))


def disc_heading(R: np.ndarray) -> np.ndarray:
    """Direction of the disc's track: axle x e3."""
    axle = R[:, 1]
    return np.array([axle[1], -axle[0], 0.0]) / np.hypot(axle[0], axle[1])


def disc_picture(frame: Frame, view: str = "obliquely from above", **more: object) -> Picture:
    """The picture of a disc from the function for its centre and attitude."""

    def shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
        return disc_curves(*frame(q, parameters), parameters["radius"], parameters)

    def contact(q: np.ndarray, parameters: Parameters) -> np.ndarray:
        point = disc_contact(*frame(q, parameters), parameters["radius"])
        return seen(point[:, None], parameters)

    def push(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
        along = disc_heading(frame(q, parameters)[1])
        left = np.array([-along[1], along[0], 0.0])
        return seen(-(force[0] * along + force[1] * left)[:, None], parameters)

    return Picture(view, shapes, contact, push, contact, ground=plane,
                   cell=plane_cell, **more)


# Ellipsoids, balls included.


def ellipsoid_curves(centre: np.ndarray, R: np.ndarray, axes: np.ndarray,
                     parameters: Parameters) -> list[Shape]:
    """The outline, and the near halves of the three ellipses in the symmetry planes."""
    look = camera(parameters)
    across = look @ (R * axes)  # of points on the unit sphere: right, up, towards the eye
    # The outline is the ellipse u'(BB')^-1 u = 1, B the first two rows.
    width, frame = np.linalg.eigh(across[:2] @ across[:2].T)
    place = look @ centre[:, None]
    outline = place[:2] + frame @ (np.sqrt(width)[:, None] * circle(1.0))
    towards = look[2] @ (R / axes)  # near side: component of the normal along the line of sight
    halves = []
    for first, second in ((0, 1), (1, 2), (2, 0)):
        start = np.arctan2(-towards[first], towards[second])  # start of the near half
        angle = start + np.linspace(0.0, np.pi, CIRCLE // 2 + 1)
        ball = np.zeros((3, len(angle)))
        ball[first], ball[second] = np.cos(angle), np.sin(angle)
        halves.append(place[:2] + across[:2] @ ball)
    return [Shape(outline, "body"), Shape(joined(*halves))]


def sphere_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """q = (x, y, p): the curves lie in the ball's principal planes."""
    radius = parameters["radius"]
    centre = np.array([q[0], q[1], radius])
    return ellipsoid_curves(centre, rotation(q[2:]), np.full(3, radius), parameters)


def sphere_contact(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    return seen(np.array([[q[0]], [q[1]], [0.0]]), parameters)


def stone_axes(parameters: Parameters) -> np.ndarray:
    return np.array([parameters[f"semi_axis_{k}"] for k in "abc"])


def stone_place(q: np.ndarray, parameters: Parameters) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ellipsoid's centre, contact, R) of the rattleback, q = (x, y, p). The centre of mass (x, y) is `depth`
    below the ellipsoid's centre on its third axis.

    The ellipsoid's centre is h = |diag(axes) R'e3| above the plane, the contact at -R diag(axes^2)
    R'e3/h from it.
    """
    R, axes = rotation(q[2:]), stone_axes(parameters)
    height = np.linalg.norm(axes * R[2])
    offset = parameters["depth"] * R[:, 2]
    centre = np.array([q[0] + offset[0], q[1] + offset[1], height])
    return centre, centre - R @ (axes**2 * R[2]) / height, R


def stone_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    centre, _, R = stone_place(q, parameters)
    return ellipsoid_curves(centre, R, stone_axes(parameters), parameters)


def stone_contact(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    return seen(stone_place(q, parameters)[1][:, None], parameters)


def plane_push(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    """Forces of contacts along x and y of space."""
    return seen(-np.array([[force[0]], [force[1]], [0.0]]), parameters)


def plane_corners(parameters: Parameters, box: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(min, max) of x and y over the points of the plane that the box shows, m."""
    corners = np.array([[x, y] for x in box[0] for y in box[1]]).T
    back = np.linalg.solve(camera(parameters)[:2, :2], corners)
    return back.min(axis=1), back.max(axis=1)


def plane_cell(parameters: Parameters, box: np.ndarray) -> float:
    """1, 2 or 5 times a power of ten metres."""
    low, high = plane_corners(parameters, box)
    return round_down(float(np.max(high - low)) / GRID)


def plane(parameters: Parameters, box: np.ndarray, size: float) -> list[Shape]:
    """A grid over the visible part of the plane."""
    cell = plane_cell(parameters, box)
    low, high = (np.round(corner / cell) * cell for corner in plane_corners(parameters, box))
    xs, ys = (np.arange(a - cell, b + 1.5 * cell, cell) for a, b in zip(low, high))
    lines = [np.array([[x, x], ys[[0, -1]], [0.0, 0.0]]) for x in xs]
    lines += [np.array([xs[[0, -1]], [y, y], [0.0, 0.0]]) for y in ys]
    return [Shape(seen(joined(*lines), parameters), "ground")]


PICTURES = {
    "rolling_coin": disc_picture(coin_frame, "obliquely from above, tilted by the slope"),
    "coin_on_plate": disc_picture(coin_frame),
    "rolling_disk": disc_picture(disk_frame),
    "rolling_disk_quaternion": disc_picture(disk_quaternion_frame,
                                            exaggerated=attitude_exaggerated),
    "chaplygin_sphere": Picture("obliquely from above", sphere_shapes, sphere_contact, plane_push,
                                sphere_contact, ground=plane, exaggerated=attitude_exaggerated,
                                cell=plane_cell),
    "rattleback": Picture("obliquely from above", stone_shapes, stone_contact, plane_push,
                          stone_contact, ground=plane, exaggerated=attitude_exaggerated,
                          cell=plane_cell),
}
