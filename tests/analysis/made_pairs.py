"""Rolling motions with known formulas, one for each system with a picture, and stores of them.

The motions satisfy G v = 0 for some forces; pictures need no more. The compliant motion is the rigid one
plus eps^2 t in every coordinate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from made_store import Maker

EPSILONS = (0.1, 0.01)


@dataclass(frozen=True)
class Rolling:
    """q(t), K times -> nq x K, with its parameters."""

    motion: Callable[[np.ndarray], np.ndarray]
    contacts: int
    parameters: dict[str, float] = field(default_factory=dict)


def circling(t: np.ndarray, speed: float, rate: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(x, y, heading) of a body that rolls along its heading at constant speed and turning rate."""
    angle = rate * t
    return speed / rate * np.sin(angle), speed / rate * (1.0 - np.cos(angle)), angle


def knife_edge(t: np.ndarray) -> np.ndarray:
    """docs/theory.md, section 8, with the numbers of section 9."""
    s, w, u0 = 9.81 * np.sin(0.3), 1.3, 0.7
    return np.array([u0 / w * np.sin(w * t) + s * np.sin(w * t)**2 / (2.0 * w**2),
                     u0 / w * (1.0 - np.cos(w * t))
                     + s / w * (0.5 * t - np.sin(2.0 * w * t) / (4.0 * w)),
                     w * t])


def chain(t: np.ndarray) -> np.ndarray:
    """Three hitched sleighs on one circle: the start of the program's chain, continued."""
    speed, rate, reach = 1.0, 0.5, 0.5
    turn, blade, along, rows = 2.0 * np.arctan2(reach * rate, speed), np.zeros(2), np.zeros(2), []
    middle = np.array([0.0, speed / rate])
    for i in range(3):
        phi = -turn * i
        ahead = np.array([np.cos(phi), np.sin(phi)])
        blade = blade - reach * (along + ahead) if i else blade
        along = ahead
        c, s = np.cos(rate * t), np.sin(rate * t)
        x, y = blade - middle
        rows += [middle[0] + c * x - s * y, middle[1] + s * x + c * y, phi + rate * t]
    return np.array(rows)


DUMBBELL = {"front_mass": 1.0, "back_mass": 0.6, "length": 0.8, "front_angle": 0.5,
            "back_angle": -0.4, "slope": 0.0}


def dumbbell(t: np.ndarray) -> np.ndarray:
    """Rotation about the intersection of the normals of the blades."""
    front, back = 0.6 * 0.8 / 1.6, 1.0 * 0.8 / 1.6
    a, b = DUMBBELL["front_angle"], DUMBBELL["back_angle"]
    # ((x, y) - (front, 0)) . (cos a, sin a) = 0 = ((x, y) - (-back, 0)) . (cos b, sin b)
    pole = np.linalg.solve([[np.cos(a), np.sin(a)], [np.cos(b), np.sin(b)]],
                           [front * np.cos(a), -back * np.cos(b)])
    c, s = np.cos(0.8 * t), np.sin(0.8 * t)
    return np.array([pole[0] - c * pole[0] + s * pole[1], pole[1] - s * pole[0] - c * pole[1],
                     0.8 * t])


def snakeboard(t: np.ndarray) -> np.ndarray:
    """Constant steering phi: theta' = -tan phi u / half_length."""
    phi, speed, half = 0.2, 0.4, 0.2
    x, y, theta = circling(t, speed, -speed * np.tan(phi) / half)
    return np.array([x, y, theta, 0.7 * np.sin(3.0 * t), np.full_like(t, phi)])


def particle(t: np.ndarray) -> np.ndarray:
    """x = t, z = t - 1/2, y' = z."""
    return np.array([t, 0.5 * t**2 - 0.5 * t, t - 0.5])


def wheel(t: np.ndarray) -> np.ndarray:
    x = 0.3 * t + 0.2 * t**2
    return np.array([x, x / 0.25])


def wheel_euler(t: np.ndarray) -> np.ndarray:
    x, phi = wheel(t)
    return np.array([x, np.full_like(x, 0.25), np.cos(-0.5 * phi), np.sin(-0.5 * phi)])


def coin(t: np.ndarray) -> np.ndarray:
    x, y, psi = circling(t, 0.7, 1.3)
    return np.array([x, y, psi, 0.7 * t / 0.5])


def disc(t: np.ndarray) -> np.ndarray:
    """Constant tilt theta: u = r (phi' + sin theta psi')."""
    theta, rate, spin = 0.3, 0.9, 1.5
    x, y, psi = circling(t, 0.5 * (spin + np.sin(theta) * rate), rate)
    return np.array([x, y, psi, np.full_like(t, theta), spin * t])


def times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product of quaternions, stored as columns."""
    w, v, u, z = a[0], a[1:], b[0], b[1:]
    return np.vstack([w * u - (v * z).sum(axis=0), w * z + u * v + np.cross(v, z, axis=0)])


def about(axis: int, angle: np.ndarray) -> np.ndarray:
    p = np.zeros((4, len(angle)))
    p[0], p[1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return p


def disc_quaternion(t: np.ndarray) -> np.ndarray:
    """R = R_z(yaw) R_x(tilt) R_y(spin)."""
    x, y, psi, theta, phi = disc(t)
    return np.vstack([x, y, times(times(about(2, psi), about(0, theta)), about(1, phi))])


def sphere(t: np.ndarray) -> np.ndarray:
    """Rolling straight along x with tilted axes: x' = r omega_y."""
    tilt = about(0, np.full_like(t, 0.4))
    return np.vstack([0.3 * 2.0 * t, np.zeros_like(t), times(about(1, 2.0 * t), tilt)])


def stone(t: np.ndarray) -> np.ndarray:
    """Spinning upright about the vertical, without translation."""
    return np.vstack([np.zeros_like(t), np.zeros_like(t), about(2, -5.0 * t)])


def groove(t: np.ndarray) -> np.ndarray:
    s = 0.2 * t + 0.3 * t**2
    return np.array([s, np.zeros_like(t), s / (0.1 * np.cos(0.7)), np.zeros_like(t)])


def bearing(t: np.ndarray) -> np.ndarray:
    """2 (R + r) orbit' = R inner' + (R + 2r) outer', 2 r spin' = (R + 2r) outer' - R inner'."""
    inner, outer, R, r = 3.0, -0.5, 0.2, 0.05
    orbit = (R * inner + (R + 2.0 * r) * outer) / (2.0 * (R + r))
    spin = ((R + 2.0 * r) * outer - R * inner) / (2.0 * r)
    return np.array([inner * t, 0.5 + orbit * t, spin * t, outer * t])


def gear(t: np.ndarray) -> np.ndarray:
    sun, r_s, r_p = 4.0 * t + 0.5 * t**2, 0.3, 0.2
    return np.array([sun, r_s * sun / (2.0 * (r_s + r_p)), *(3 * [-r_s * sun / (2.0 * r_p)])])


def belt_roller(t: np.ndarray) -> np.ndarray:
    """Belts of 0.4 and -0.2 m/s."""
    return np.array([0.1 * t, -0.3 / 0.2 * t, t])


DRIVEN = {"inner_radius": 0.05, "roller_radius": 0.01, "inner_speed": 1.0, "inner_ripple": 0.2, "frequency": 5.0}


def driven_bearing(t: np.ndarray) -> np.ndarray:
    """2 r_c carrier = r_i inner + r_o outer, 2 r roller = r_o outer - r_i inner."""
    inner, outer, r_i, r_o = t + 0.04 * (1.0 - np.cos(5.0 * t)), -0.5 * t, 0.05, 0.07
    return np.array([outer, (r_i * inner + r_o * outer) / 0.12, *(6 * [(r_o * outer - r_i * inner) / 0.02]), t])


DISC = {"mass": 1.0, "radius": 0.5, "axial_ratio": 0.5, "gravity": 9.81}
WHEEL = {"mass": 1.0, "radius": 0.25, "slope": 0.3}

ROLLING: dict[str, Rolling] = {
    "knife_edge": Rolling(knife_edge, 1, {"slope": 0.3}),
    "chaplygin_sleigh": Rolling(lambda t: np.array(circling(t, 1.0, 0.8)), 1, {"distance": 0.4}),
    "sleigh_chain": Rolling(chain, 3, {"reach": 0.5, "distance": 0.4}),
    "two_blade_dumbbell": Rolling(dumbbell, 2, DUMBBELL),
    "snakeboard": Rolling(snakeboard, 2, {"half_length": 0.2}),
    "nonholonomic_particle": Rolling(particle, 1),
    "wheel": Rolling(wheel, 1, WHEEL),
    "wheel_euler": Rolling(wheel_euler, 1, WHEEL),
    "rolling_coin": Rolling(coin, 2, {**DISC, "slope": 0.3}),
    "rolling_disk": Rolling(disc, 2, DISC),
    "rolling_disk_quaternion": Rolling(disc_quaternion, 2, DISC),
    "chaplygin_sphere": Rolling(sphere, 2, {"radius": 0.3}),
    "rattleback": Rolling(stone, 2, {"semi_axis_a": 0.2, "semi_axis_b": 0.03, "semi_axis_c": 0.02,
                                     "depth": 0.01}),
    "v_groove_ball": Rolling(groove, 4, {"radius": 0.1, "half_angle": 0.7, "slope": 0.3}),
    "turntable_ball": Rolling(lambda t: np.array([0.5 + 0.2 * t, 0.1 * t]), 2, {"radius": 0.1}),
    "tilted_turntable_ball": Rolling(lambda t: np.array([0.5 + 0.2 * t, 1.6 * t, t]), 2, {"radius": 0.1}),
    "coin_on_plate": Rolling(lambda t: np.vstack([coin(t), t]), 2, {"mass": 1.0, "radius": 0.5}),
    "belt_roller": Rolling(belt_roller, 2, {"radius": 0.2}),
    "driven_bearing": Rolling(driven_bearing, 12, DRIVEN),
    "race_roller": Rolling(bearing, 2, {"inner_radius": 0.2, "roller_radius": 0.05}),
    "epicyclic_gear": Rolling(gear, 6, {"sun_radius": 0.3, "planet_radius": 0.2}),
}

def compliant_q(rolling: Rolling, t: np.ndarray, epsilon: float) -> np.ndarray:
    return rolling.motion(t) + epsilon**2 * t


def write_store(directory: Path, system: str, rolling: Rolling, end: float = 2.0,
                reached: float = np.inf, pushed: bool = True, status: str = "") -> Path:
    """The store of the pair at two epsilons, NaN after `reached`, with or without contact forces, and with
    verdicts of the given status or none."""
    maker = Maker(directory)
    coarse, fine = np.linspace(0.0, end, 41), np.linspace(0.0, end, 81)  # nested grids
    grids = {len(t): maker.grid(t) for t in (coarse, fine)}

    def samples(t: np.ndarray, q: np.ndarray) -> dict[str, np.ndarray]:
        force = np.cos(t) * np.arange(1.0, rolling.contacts + 1.0)[:, None]
        force = force if pushed else np.full_like(force, np.nan)
        found = {"q": q, "v": np.gradient(q, t, axis=1), "lambda": force}
        return {name: np.where(t <= reached, rows, np.nan) for name, rows in found.items()}

    rigid = samples(fine, rolling.motion(fine))
    rigid["multiplier_tested"] = np.ones((1, 1))  # one number per solve, as in the program
    maker.solve("rigid", "ida", grids[81], rigid)
    for epsilon in EPSILONS:
        maker.solve("compliant", "cvode_bdf", grids[41],
                    samples(coarse, compliant_q(rolling, coarse, epsilon)),
                    law="viscoelastic", epsilon=epsilon)
        if status:
            maker.errors([{"law": "viscoelastic", "rigid_solver": "ida", "quantity": quantity,
                           "compliant_solver": "cvode_bdf", "epsilon": epsilon, "norm": "sup",
                           "window": "all", "status": status if quantity == "q" else "ok"}
                          for quantity in ("v", "q")])
    lines = [f'[system]\nname = "{system}"']
    lines += [f"{name} = {value!r}   # SI" for name, value in rolling.parameters.items()]
    return maker.finish(directory.name, None, "\n".join(lines))
