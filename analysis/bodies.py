"""Pictures of systems: plane curves in metres, computed from q and the system's parameters.

A `Picture` belongs to a system and holds pure functions that compute curves; they draw nothing. There
is one file per family: `bodies_blades`, `bodies_wheels`, `bodies_gears`, `bodies_space`.

q is one column of samples unless stated otherwise. `parameters` are those of the resolved study.
`size` is a length, m, for shapes that the equations leave open, such as the hull of a knife edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Parameters = Mapping[str, float]

CIRCLE = 64  # points of a circle: the chord is off by r/830, less than a pixel


@dataclass(frozen=True)
class Shape:
    """A polyline and its role."""

    points: np.ndarray
    """2 x k, m; a column of NaN interrupts the line."""

    role: str = "mark"
    """"body": a closed outline, filled for the compliant body; "contact": a touching part (a blade, a
    wheel set); "mark": other curves (spokes, bars); "ground": fixed curves."""


def no_ground(parameters: Parameters, box: np.ndarray, size: float) -> list[Shape]:
    return []


def as_it_is(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    return q


def added(pose: np.ndarray, difference: np.ndarray, factor: float) -> np.ndarray:
    return pose + factor * difference


def share_of_path(poses: np.ndarray, parameters: Parameters, way: float) -> float:
    """An eighth of the path's extent, so that both the body and the path are visible."""
    return way / 8.0


@dataclass(frozen=True)
class Picture:
    """The picture of a system. All functions except `pose` and `size` take one pose."""

    view: str
    """The view in words, such as "from above"."""

    shapes: Callable[[np.ndarray, Parameters, float], list[Shape]]
    """(pose, parameters, size): the body's curves; their number and lengths are the same for every pose."""

    contacts: Callable[[np.ndarray, Parameters], np.ndarray]
    """(pose, parameters) -> 2 x c, m: positions of the contacts."""

    pushes: Callable[[np.ndarray, Parameters, np.ndarray], np.ndarray]
    """(pose, parameters, lambda) -> 2 x c, N: the forces -G'lambda on the body at `contacts`."""

    traced: Callable[[np.ndarray, Parameters], np.ndarray]
    """(pose, parameters) -> 2 x k, m: the points with a drawn path."""

    ground: Callable[[Parameters, np.ndarray, float], list[Shape]] = no_ground
    """(parameters, box, size): the fixed curves; box = [[x min, max], [y min, max]], m, bounds all
    moving curves."""

    pose: Callable[[np.ndarray, Parameters], np.ndarray] = as_it_is
    """(q, parameters), nq x K samples -> p x K: coordinates that may be interpolated."""

    exaggerated: Callable[[np.ndarray, np.ndarray, float], np.ndarray] = added
    """(rigid pose, compliant pose - rigid pose, factor) -> the pose to draw."""

    size: Callable[[np.ndarray, Parameters, float], float] = share_of_path
    """(poses p x K, parameters, extent of the contacts' paths in m) -> size, m."""

    cell: Callable[[Parameters, np.ndarray], float] | None = None
    """(parameters, box) -> m: the cell size of the ground's grid, if the picture's axes are not lengths
    in the plane of motion; `box` then bounds the whole picture."""


def circle(radius: float, points: int = CIRCLE) -> np.ndarray:
    """2 x (points + 1), closed, from angle 0 counter-clockwise, about the origin."""
    angle = np.linspace(0.0, 2.0 * np.pi, points + 1)
    return radius * np.array([np.cos(angle), np.sin(angle)])


def ellipse(along: float, across: float) -> np.ndarray:
    return np.diag([along, across]) @ circle(1.0)


def polyline(*points: tuple[float, float]) -> np.ndarray:
    return np.array(points, dtype=float).T


def turned(points: np.ndarray, angle: float) -> np.ndarray:
    """2 x k points rotated counter-clockwise about the origin by `angle`, rad."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]]) @ points


def placed(points: np.ndarray, x: float, y: float, angle: float) -> np.ndarray:
    """Points of the body's frame in the plane: rotated, then moved to (x, y)."""
    return turned(points, angle) + np.array([[x], [y]])


def heading(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def leftward(angle: float) -> np.ndarray:
    return np.array([-np.sin(angle), np.cos(angle)])


def columns(*points: np.ndarray) -> np.ndarray:
    """k points as a 2 x k array."""
    return np.array(points, dtype=float).T


def joined(*pieces: np.ndarray) -> np.ndarray:
    """One polyline with gaps between the pieces."""
    gap = np.full((len(pieces[0]), 1), np.nan)
    parts = [part for piece in pieces for part in (piece, gap)]
    return np.hstack(parts[:-1])


def round_down(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is at most value > 0."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(max(m * power for m in (1.0, 2.0, 5.0) if m * power <= value * (1.0 + 1e-12)))
