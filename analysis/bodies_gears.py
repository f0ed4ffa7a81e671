"""Circles that roll on circles: cross section of a bearing, epicyclic gear."""

from __future__ import annotations

import numpy as np

from .bodies import (Parameters, Picture, Shape, circle, columns, heading, joined, leftward,
                     placed, polyline)

TICKS = 12  # marks around a race
TEETH = 18  # of the sun; the other wheels in proportion to their radii


def ticks(inner: float, outer: float, count: int) -> np.ndarray:
    """Radial marks between two radii, the first at angle 0."""
    return joined(*(columns(inner * heading(a), outer * heading(a))
                    for a in 2.0 * np.pi * np.arange(count) / count))


def roller(radius: float, at: np.ndarray, spin: float) -> list[Shape]:
    """Its outline and a cross."""
    cross = joined(polyline((-radius, 0.0), (radius, 0.0)), polyline((0.0, -radius), (0.0, radius)))
    return [Shape(placed(circle(radius), *at, spin), "body"), Shape(placed(cross, *at, spin))]


def bearing_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """q = (inner, orbit, spin, outer), all relative to space."""
    inner, orbit, spin, outer = q
    R, r = parameters["inner_radius"], parameters["roller_radius"]
    outside, rim = R + 2.0 * r, R + 3.0 * r
    at = (R + r) * heading(orbit)
    return [Shape(placed(circle(R), 0.0, 0.0, inner), "body"),
            Shape(placed(ticks(0.75 * R, R, TICKS), 0.0, 0.0, inner)),
            Shape(placed(polyline((0.0, 0.0), (R, 0.0)), 0.0, 0.0, inner)),
            *roller(r, at, spin),
            Shape(joined(circle(outside), circle(rim))),
            Shape(placed(ticks(outside, outside + 0.5 * r, TICKS), 0.0, 0.0, outer)),
            Shape(placed(polyline((outside, 0.0), (rim, 0.0)), 0.0, 0.0, outer))]


def bearing_contacts(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Contacts of the roller with the inner and with the outer race."""
    R, r = parameters["inner_radius"], parameters["roller_radius"]
    return columns(R * heading(q[1]), (R + 2.0 * r) * heading(q[1]))


def bearing_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    """Forces on the roller; the races get the opposite ones."""
    return columns(-force[0] * leftward(q[1]), -force[1] * leftward(q[1]))


def bearing_traced(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """The point of the roller's rim at its angle."""
    R, r = parameters["inner_radius"], parameters["roller_radius"]
    return ((R + r) * heading(q[1]) + r * heading(q[2]))[:, None]


def tangential(force: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """-force along the circles at these angles: of the inner contacts, then of the outer ones."""
    tangents = [leftward(a) for a in angles] * 2
    return columns(*(-f * tangent for f, tangent in zip(force, tangents)))


ROLLERS = 6  # of the driven bearing


def driven_pose(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """(outer, carrier, rollers, clock) -> (inner, carrier, outer, rollers); the inner ring is driven."""
    t, frequency = q[-1], parameters["frequency"]
    inner = parameters["inner_speed"] * t + parameters["inner_ripple"] * (1.0 - np.cos(frequency * t)) / frequency
    return np.vstack([inner, q[1], q[0], q[2:2 + ROLLERS]])


def roller_angles(pose: np.ndarray) -> np.ndarray:
    return pose[1] + 2.0 * np.pi * np.arange(ROLLERS) / ROLLERS


def driven_shapes(pose: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    inner, _, outer, *spins = pose
    R, r = parameters["inner_radius"], parameters["roller_radius"]
    rings = bearing_shapes(np.array([inner, 0.0, 0.0, outer]), parameters, size)  # 3 and 4: its one roller
    shapes = rings[:3] + rings[5:]
    for angle, spin in zip(roller_angles(pose), spins):
        shapes += roller(r, (R + r) * heading(angle), spin)
    return shapes


def driven_contacts(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Of the six rollers with the inner ring, then with the outer one."""
    R, r = parameters["inner_radius"], parameters["roller_radius"]
    return columns(*(radius * heading(a) for radius in (R, R + 2.0 * r) for a in roller_angles(pose)))


def driven_pushes(pose: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    """Forces on the rollers; the rings get the opposite ones."""
    return tangential(force, roller_angles(pose))


def driven_traced(pose: np.ndarray, parameters: Parameters) -> np.ndarray:
    """The point of the first roller's rim at its angle."""
    R, r = parameters["inner_radius"], parameters["roller_radius"]
    return ((R + r) * heading(pose[1]) + r * heading(pose[3]))[:, None]


def toothed(radius: float, count: int, depth: float, phase: float) -> np.ndarray:
    """A pitch circle with teeth, half a tooth's depth out and in; one tooth is centred at angle phase.

    Each straight flank spans a quarter of the pitch; the teeth are not involutes.
    """
    corner = np.array([-0.375, -0.125, 0.125, 0.375])  # of a pitch: foot, head, head, foot
    out = np.array([-0.5, 0.5, 0.5, -0.5])
    angle = phase + (np.arange(count)[:, None] + corner).ravel() * 2.0 * np.pi / count
    reach = radius + depth * np.tile(out, count)
    points = reach * np.array([np.cos(angle), np.sin(angle)])
    return np.hstack([points, points[:, :1]])


def teeth(parameters: Parameters) -> tuple[int, int, int] | None:
    """Numbers of teeth of sun, planet and ring, in the ratio of the radii; None if no integers have this
    ratio, or if three planets a third of a turn apart do not fit."""
    ratio = parameters["planet_radius"] / parameters["sun_radius"]
    for sun in range(TEETH, 3 * TEETH):
        planet = round(sun * ratio)
        if planet >= 6 and abs(planet - sun * ratio) < 1e-9 and (sun + planet) % 3 == 0:
            return sun, planet, sun + 2 * planet
    return None


def tooth_depth(sun_radius: float, counts: tuple[int, int, int] | None) -> float:
    """Three tenths of the pitch."""
    return 0.3 * 2.0 * np.pi * sun_radius / (counts[0] if counts else TEETH)


def planet_angles(carrier: float) -> np.ndarray:
    return carrier + 2.0 * np.pi * np.arange(3) / 3.0


def planet_phase(counts: tuple[int, int, int], k: int) -> float:
    """The angle of a tooth of planet k at q = 0 for which one of its gaps meets a tooth of the sun.

    At the mesh with the sun the tooth phases count in opposite senses; their sum is half a pitch.
    The slip of the contact, the integral of w_k, changes this sum by slip over pitch: teeth in mesh
    indicate rolling.
    """
    sun, planet, _ = counts
    at = 2.0 * np.pi * k / 3.0
    return (sun * at + planet * (at + np.pi) - np.pi) / planet


def pitch_curves(parameters: Parameters) -> list[tuple[np.ndarray, np.ndarray]]:
    """(curve, spokes) of the sun and planets 1, 2, 3 about their centres at angle 0."""
    counts = teeth(parameters)
    r_s, r_p = parameters["sun_radius"], parameters["planet_radius"]
    depth = tooth_depth(r_s, counts)
    curves = []
    for radius, which in ((r_s, 0), (r_p, 1), (r_p, 1), (r_p, 1)):
        k = len(curves) - 1
        curve = circle(radius) if counts is None else toothed(
            radius, counts[which], depth, 0.0 if which == 0 else planet_phase(counts, k))
        mark = joined(ticks(0.2 * radius, 0.75 * radius, 5), circle(0.2 * radius, 24),
                      0.82 * radius * heading(0.0)[:, None] + circle(0.06 * radius, 12))
        curves.append((curve, mark))
    return curves


def gear_centres(q: np.ndarray, parameters: Parameters) -> list[np.ndarray]:
    r_c = parameters["sun_radius"] + parameters["planet_radius"]
    return [np.zeros(2)] + [r_c * heading(a) for a in planet_angles(q[1])]


def gear_shapes(q: np.ndarray, parameters: Parameters, size: float) -> list[Shape]:
    """q = (sun, carrier, planets), all relative to space."""
    centres = gear_centres(q, parameters)
    shapes = []
    for (curve, mark), at, angle in zip(pitch_curves(parameters), centres, (q[0], *q[2:])):
        shapes += [Shape(placed(curve, *at, angle), "body"), Shape(placed(mark, *at, angle))]
    arms = joined(*(columns(np.zeros(2), at) for at in centres[1:]))
    return [*shapes, Shape(arms)]


def gear_contacts(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Three sun meshes, three ring meshes."""
    r_s, r_p = parameters["sun_radius"], parameters["planet_radius"]
    return columns(*(radius * heading(a) for radius in (r_s, r_s + 2.0 * r_p)
                     for a in planet_angles(q[1])))


def gear_pushes(q: np.ndarray, parameters: Parameters, force: np.ndarray) -> np.ndarray:
    """Forces on the planets; sun and carrier get the reactions."""
    return tangential(force, planet_angles(q[1]))


def gear_traced(q: np.ndarray, parameters: Parameters) -> np.ndarray:
    """The marked point of the first planet."""
    r_p = parameters["planet_radius"]
    return (gear_centres(q, parameters)[1] + 0.82 * r_p * heading(q[2]))[:, None]


def gear_ground(parameters: Parameters, box: np.ndarray, size: float) -> list[Shape]:
    """The ring with its teeth pointing in: at q = 0 one of them is in a gap of each planet."""
    r_s, r_p = parameters["sun_radius"], parameters["planet_radius"]
    ring, counts = r_s + 2.0 * r_p, teeth(parameters)
    depth = tooth_depth(r_s, counts)
    inside = circle(ring) if counts is None else toothed(
        ring, counts[2], -depth, np.pi * counts[1] / counts[2])
    return [Shape(joined(inside, circle(ring + 0.25 * r_p)), "ground")]


PICTURES = {
    "race_roller": Picture("along the axis", bearing_shapes, bearing_contacts, bearing_pushes,
                           bearing_traced),
    "driven_bearing": Picture("along the axis", driven_shapes, driven_contacts, driven_pushes,
                              driven_traced, pose=driven_pose),
    "epicyclic_gear": Picture("along the axis", gear_shapes, gear_contacts,
                              gear_pushes, gear_traced, ground=gear_ground),
}
