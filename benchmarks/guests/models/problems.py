"""The three problems and their exact motions.

`disk`: the rolling disc of experiments/convergence/rolling_disk.toml. `wheel`: the wheel of
experiments/friction/wheel_slip_to_roll.toml, which slips and then rolls down an incline. In space the plane of both is
z = 0, the heading at the start is x, and the gravity of the wheel is inclined. `ball`: a homogeneous sphere on a level
plane, which slides and then rolls, with the friction and the start of experiments/friction/ball_slide_to_roll.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, hypot, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Settings = dict[str, Any]  # of an engine, by name: the answer of Study.stiffness_for
Track = Iterator[tuple[float, Array]]  # times, s, and centres (3,), m

EXPERIMENTS = Path(__file__).resolve().parents[3] / "experiments"
DISK = EXPERIMENTS / "convergence" / "rolling_disk.toml"
WHEEL = EXPERIMENTS / "friction" / "wheel_slip_to_roll.toml"
BALL = EXPERIMENTS / "friction" / "ball_slide_to_roll.toml"
SPHERE = EXPERIMENTS / "friction" / "sphere_slip.toml"
OBLIQUE = EXPERIMENTS / "impacts" / "bouncing_ball_oblique.toml"
BOUNCE = EXPERIMENTS / "impacts" / "bouncing_ball.toml"
UPRIGHT = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # axes of Start: the heading is x
THIN = 1e-3  # half the thickness of a disc over its radius, where an engine needs a thickness


@dataclass(frozen=True)
class Start:
    """A thin homogeneous disc at its start, in the axes of space and SI units.

    Attributes
    ----------
    axes : (3, 3)
        Columns: axle, minus heading, direction from the contact point to the centre; a rotation.
    """

    axes: Array
    centre: Array
    velocity: Array
    angular_velocity: Array
    gravity: Array

    @property
    def quaternion(self) -> Array:
        """Of `axes`, with its scalar first; for turns by less than half a revolution."""
        w = 0.5 * sqrt(1.0 + np.trace(self.axes))
        (_, xy, xz), (yx, _, yz), (zx, zy, _) = self.axes
        return np.array([w, (zy - yz) / (4.0 * w), (xz - zx) / (4.0 * w), (yx - xy) / (4.0 * w)])


@dataclass(frozen=True)
class Body:
    """Mass, kg; radius, m; moment of inertia about the axle over mass radius^2; gravity, m/s^2; end of the run, s."""

    mass: float
    radius: float
    axial_ratio: float
    gravity: float
    end: float

    @property
    def inertia(self) -> float:
        """About the axle, kg m^2; about a diameter half of it."""
        return self.axial_ratio * self.mass * self.radius**2

    @property
    def inertias(self) -> Array:
        """(3,) about the axes of the body, kg m^2: axle first."""
        return self.inertia * np.array([1.0, 0.5, 0.5])

    @property
    def half_axes(self) -> Array:
        """(3,) of the ellipsoid that stands for the body, m: axle first."""
        return self.radius * np.array([THIN, 1.0, 1.0])

    @property
    def start(self) -> Start:
        raise NotImplementedError


def in_parts(end: float, step: float, parts: int) -> Iterator[int]:
    """Numbers of steps whose sums are nearest to k/parts of a run to `end`, s."""
    total, done = round(end / step), 0
    for k in range(1, parts + 1):
        yield total * k // parts - done
        done = total * k // parts


@dataclass(frozen=True)
class Disk(Body):
    """Its start is the default of the system (`rigidlimit describe rolling_disk`).

    Lean to the right, rad; rates of yaw, lean and spin, rad/s.
    """

    lean: float = 0.3
    yaw_rate: float = 1.0
    lean_rate: float = 0.2
    spin_rate: float = 4.0

    @property
    def start(self) -> Start:
        s, c = sin(self.lean), cos(self.lean)
        heading, axle, up = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
        spin = self.yaw_rate * np.array([0.0, 0.0, 1.0]) + self.lean_rate * heading + self.spin_rate * axle
        arm = self.radius * up
        return Start(np.column_stack([axle, -heading, up]), np.array([0.0, 0.0, arm[2]]), np.cross(spin, arm), spin,
                     np.array([0.0, 0.0, -self.gravity]))

    def error(self, centre: Array) -> float:
        """Distance, m, of (x, y, ...) from the centre at the end if the disc rolls ideally."""
        x, y = ideal_centre(self.end)
        return hypot(centre[0] - x, centre[1] - y)


IDEAL: dict[float, tuple[float, float]] = {}  # of each end; a Python without rigidlimit gets it from another one


def ideal_centre(end: float) -> tuple[float, float]:
    """(x, y) in m at `end` of the disc that rolls ideally: the study's reference in 113 bits."""
    if end not in IDEAL:
        import rigidlimit as rl

        x, y = rl.Study.load(DISK).rigid().reference([end]).q[:2, -1]
        IDEAL[end] = float(x), float(y)
    return IDEAL[end]


@dataclass(frozen=True)
class Wheel(Body):
    """Released at x = 0 with speed v0, m/s, and without spin, on a slope, rad, with Coulomb's friction.

    x points down the slope. With s = g sin(slope), a = friction g cos(slope) and k = axial_ratio:
    slipping, x'' = s - a and r phi'' = a/k until x' = r phi'; then rolling, x'' = r phi'' = s/(1 + k).
    """

    slope: float
    friction: float
    v0: float

    @property
    def down(self) -> float:
        """Gravity along the slope, m/s^2."""
        return self.gravity * sin(self.slope)

    @property
    def pressing(self) -> float:
        """Gravity into the slope, m/s^2."""
        return self.gravity * cos(self.slope)

    @property
    def start(self) -> Start:
        return Start(UPRIGHT,
                     np.array([0.0, 0.0, self.radius]), np.array([self.v0, 0.0, 0.0]), np.zeros(3),
                     np.array([self.down, 0.0, -self.pressing]))

    @property
    def transition(self) -> float:
        """Time at which it begins to roll, s."""
        return self.v0 / (self.friction * self.pressing * (1.0 + 1.0 / self.axial_ratio) - self.down)

    def state(self, t: float) -> tuple[float, float, float]:
        """x in m, x' in m/s and r phi' in m/s at t."""
        slip = min(t, self.transition)
        roll, a = t - slip, self.friction * self.pressing
        v, rolling = self.v0 + (self.down - a) * slip, self.down / (1.0 + self.axial_ratio)
        x = self.v0 * slip + 0.5 * (self.down - a) * slip**2 + v * roll + 0.5 * rolling * roll**2
        return x, v + rolling * roll, a / self.axial_ratio * slip + rolling * roll

    def error(self, x: float) -> float:
        """Distance, m, of x from the exact position at the end."""
        return abs(x - self.state(self.end)[0])


@dataclass(frozen=True)
class Ball(Wheel):
    """A homogeneous sphere: the centre moves as that of a wheel with the axial ratio 2/5."""

    @property
    def inertias(self) -> Array:
        return self.inertia * np.ones(3)

    @property
    def half_axes(self) -> Array:
        return self.radius * np.ones(3)


@dataclass(frozen=True)
class Bounce(Body):
    """A disc in its plane that falls from rest at height 0.6 m of its centre with the speed v0, m/s, along the floor.

    An impact at the normal speed u changes v by the impulse of friction, at most mu (1 + e) u, and stops sliding if it
    can (`rigidlimit describe bouncing_ball`).
    """

    friction: float = 0.2
    restitution: float = 0.5
    v0: float = 0.0
    height: float = 0.6

    @property
    def start(self) -> Start:
        return Start(UPRIGHT,
                     np.array([0.0, 0.0, self.height]), np.array([self.v0, 0.0, 0.0]), np.zeros(3),
                     np.array([0.0, 0.0, -self.gravity]))

    def centre(self, t: float) -> Array:
        """(3,), m, of the rigid body at t."""
        x, z, v, u, spin = 0.0, self.height - self.radius, self.v0, 0.0, 0.0  # u upwards
        left, share = t, self.axial_ratio / (1.0 + self.axial_ratio)
        while True:
            flight = (u + sqrt(u * u + 2.0 * self.gravity * z)) / self.gravity
            if left <= flight:
                return np.array([x + v * left, 0.0, self.radius + z + u * left - 0.5 * self.gravity * left**2])
            hits = self.gravity * flight - u
            x, z, u, left = x + v * flight, 0.0, self.restitution * hits, left - flight
            w = v + spin  # spin: r phi'
            impulse = max(-1.0, min(1.0, share * w / (self.friction * (1.0 + self.restitution) * hits)))
            impulse *= self.friction * (1.0 + self.restitution) * hits
            v, spin = v - impulse, spin - impulse / self.axial_ratio


def _tables(study: Path) -> dict[str, dict[str, Any]]:
    """Tables of a study, with those of its base below them."""
    own = tomllib.loads(study.read_text(encoding="utf-8"))
    base = tomllib.loads((study.parent / own["base"]).read_text(encoding="utf-8"))
    return {name: {**base.get(name, {}), **own.get(name, {})} for name in ("system", "initial", "time")}


def disk() -> Disk:
    tables = _tables(DISK)
    return Disk(**{name: tables["system"][name] for name in ("mass", "radius", "axial_ratio", "gravity")},
                end=tables["time"]["end"])


def wheel() -> Wheel:
    tables = _tables(WHEEL)
    return Wheel(**{name: tables["system"][name] for name in ("mass", "radius", "axial_ratio", "slope", "friction")},
                 gravity=tables["system"].get("gravity", 9.81),  # m/s^2: the default of the system
                 v0=tables["initial"]["v"][0], end=tables["time"]["end"])


def ball() -> Ball:
    """On a level plane: it rolls with 5/7 of its first speed v0 from 2 v0/(7 friction g) on."""
    tables = _tables(BALL)
    return Ball(mass=1.0, radius=0.1, axial_ratio=0.4, gravity=9.81, end=tables["time"]["end"], slope=0.0,
                friction=tables["system"]["friction_left"], v0=tables["initial"]["v"][0])


# Of SPHERE: the motion of `ball`.
OF_BALL = {"system": {"friction": ball().friction}, "initial": {"v": [ball().v0, 0.0, 0.0, 0.0, 0.0]},
           "time": {"end": ball().end}}


def oblique() -> Bounce:
    """Thrown along the floor, up to 0.13 s after its first impact (0.3193 s)."""
    return Bounce(mass=1.0, radius=0.1, axial_ratio=0.5, gravity=9.81, end=0.45, v0=1.5)


def bounce() -> Bounce:
    """Up to 0.08 s after its second impact (0.6386 s)."""
    return Bounce(mass=1.0, radius=0.1, axial_ratio=0.5, gravity=9.81, end=0.72)
