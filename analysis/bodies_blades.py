"""Bodies on blades, seen from above: x to the right (down the slope, if there is one), y up.

A blade is drawn through its contact, normal to the direction in which the row of G measures the contact
velocity: leftward. The force on the body at the contact is -lambda in that direction.
"""

from __future__ import annotations

import numpy as np

from .bodies import (Parameters, Picture, Shape, circle, columns, ellipse, heading,
                     leftward, placed, polyline)

FROM_ABOVE = "from above"
ON_THE_SLOPE = "from above, x down the slope"


def blade(x: float, y: float, angle: float, length: float) -> Shape:
    half = 0.5 * length
    return Shape(placed(polyline((-half, 0.0), (half, 0.0)), x, y, angle), "contact")


def hull(length: float) -> np.ndarray:
    """An egg around the origin; its sharper end shows the heading."""
    x, y = circle(1.0)
    return length * np.array([0.5 * x + 0.05, 0.2 * y * (1.0 - 0.45 * x)])


def at_point(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    return q[:2, None]


def knife_edge_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """q = (x, y, phi). The equations do not give the length of the hull; `size` does."""
    x, y, phi = q
    return [Shape(placed(hull(size), x, y, phi), "body"), blade(x, y, phi, size)]


def knife_edge_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return -force[0] * leftward(q[2])[:, None]


def sleigh_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """The hull surrounds the centre of mass, `distance` ahead of the blade, and covers both."""
    x, y, phi = q
    a = parameters["distance"]
    outline = hull(2.4 * (abs(a) + 0.3 * size)) + np.array([[a], [0.0]])
    centre = circle(0.06 * size, 12) + np.array([[a], [0.0]])
    return [Shape(placed(outline, x, y, phi), "body"),
            Shape(placed(polyline((0.0, 0.0), (a, 0.0)), x, y, phi)),
            Shape(placed(centre, x, y, phi)),
            blade(x, y, phi, 0.7 * size)]


def chain_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """Each sleigh from hitch to hitch, `reach` ahead of and behind its blade, and the springs."""
    h, a = parameters["reach"], parameters["distance"]
    half = max(h, 0.2 * size)
    shapes = []
    sleighs = q.reshape(-1, 3)
    for x, y, phi in sleighs:
        centre = circle(0.08 * half, 12) + np.array([[a], [0.0]])
        shapes += [Shape(placed(ellipse(half, 0.35 * half), x, y, phi), "body"),
                   Shape(placed(centre, x, y, phi)),
                   blade(x, y, phi, 0.7 * half)]
    for (x1, y1, phi1), (x2, y2, phi2) in zip(sleighs, sleighs[1:]):
        shapes.append(Shape(columns((x1, y1) - h * heading(phi1), (x2, y2) + h * heading(phi2))))
    return shapes


def chain_contacts(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    return q.reshape(-1, 3)[:, :2].T


def chain_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return columns(*(-f * leftward(phi) for f, phi in zip(force, q[2::3])))


def dumbbell_ends(q: np.ndarray, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the front and the back mass, from the centre of mass and the mass ratio."""
    front, back = parameters["front_mass"], parameters["back_mass"]
    along = parameters["length"] / (front + back) * heading(q[2])
    return q[:2] + back * along, q[:2] - front * along


def dumbbell_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    length = parameters["length"]
    shapes = [Shape(columns(*dumbbell_ends(q, parameters)))]
    masses = parameters["front_mass"], parameters["back_mass"]
    angles = parameters["front_angle"], parameters["back_angle"]
    for end, mass, angle in zip(dumbbell_ends(q, parameters), masses, angles):
        radius = 0.14 * length * np.sqrt(mass / max(masses))
        shapes += [Shape(placed(circle(radius), *end, 0.0), "body"),
                   blade(*end, q[2] + angle, 0.45 * length)]
    return shapes


def dumbbell_contacts(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    return columns(*dumbbell_ends(q, parameters))


def dumbbell_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return columns(-force[0] * leftward(q[2] + parameters["front_angle"]),
                   -force[1] * leftward(q[2] + parameters["back_angle"]))


def snakeboard_contacts(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Back and front wheel set."""
    along = parameters["half_length"] * heading(q[2])
    return columns(q[:2] - along, q[:2] + along)


def snakeboard_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """q = (x, y, theta, psi, phi): board, rotor at psi, wheels at phi behind and -phi in front."""
    x, y, theta, psi, phi = q
    half = parameters["half_length"]
    rotor = placed(polyline((-0.6 * half, 0.0), (0.6 * half, 0.0)), x, y, theta + psi)
    knobs = [Shape(placed(circle(0.1 * half, 16), *end, 0.0)) for end in rotor.T]
    shapes = [Shape(placed(ellipse(1.3 * half, 0.32 * half), x, y, theta), "body"), Shape(rotor),
              *knobs]
    track = 0.35 * half
    for end, angle in zip(snakeboard_contacts(q, parameters).T, (theta + phi, theta - phi)):
        shapes.append(Shape(placed(polyline((0.0, -track), (0.0, track)), *end, angle)))
        shapes += [blade(*(end + side * leftward(angle)), angle, 0.4 * half)
                   for side in (-track, track)]
    return shapes


def snakeboard_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    return columns(-force[0] * leftward(q[2] + q[4]), -force[1] * leftward(q[2] - q[4]))


def particle_direction(q: np.ndarray) -> np.ndarray:
    """(1, z), normalised: with y' = z x' the particle moves along it, forward or backward."""
    return np.array([1.0, q[2]]) / np.hypot(1.0, q[2])


def particle_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """q = (x, y, z), drawn at (x, y); z is the slope of the path there."""
    along = 0.35 * size * particle_direction(q)
    return [Shape(placed(circle(0.15 * size), q[0], q[1], 0.0), "body"),
            Shape(columns(q[:2] - along, q[:2] + along), "contact")]


def particle_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    """-G'lambda in the plane, G = (-z, 1, 0)."""
    return -force[0] * np.array([[-q[2]], [1.0]])


PICTURES = {
    "knife_edge": Picture(ON_THE_SLOPE, knife_edge_shapes, at_point, knife_edge_pushes, at_point),
    "chaplygin_sleigh": Picture(FROM_ABOVE, sleigh_shapes, at_point, knife_edge_pushes, at_point),
    "sleigh_chain": Picture(FROM_ABOVE, chain_shapes, chain_contacts, chain_pushes, chain_contacts),
    "two_blade_dumbbell": Picture(ON_THE_SLOPE, dumbbell_shapes, dumbbell_contacts,
                                  dumbbell_pushes, dumbbell_contacts),
    "snakeboard": Picture(FROM_ABOVE, snakeboard_shapes, snakeboard_contacts, snakeboard_pushes,
                          at_point),
    "nonholonomic_particle": Picture("in (x, y), z = y'/x'", particle_shapes,
                                     at_point, particle_pushes, at_point),
}
