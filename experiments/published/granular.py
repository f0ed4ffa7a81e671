"""Limits of stiff contact in discrete elements: tests of MFiX and LAMMPS beside the limit of their own model.

    build/venv/bin/python experiments/published/granular.py            # tables
    build/venv/bin/python experiments/published/granular.py --csv      # one line for each quantity of a test

A sphere of radius R and mass m touches a wall by linear springs k and k_t, with a damper along the normal and Coulomb's
friction mu: N = k d + c d', T = k_t s, |T| <= mu |N|, where the spring s follows the sliding velocity within the cone.
Every quantity is f = f_0 + K k^(-p) + ...; docs/theory.md, section 17, has the limits f_0 and the constants K.

Published: verification cases DEM02, DEM04 and DEM05 of MFiX (NETL), their results as stored in its sources with the
measurements of Kharaz, Gorham and Salman (2001), and values stored in unittest/granular of LAMMPS (July 2026).
"""

import csv
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

Array = npt.NDArray[np.float64]


def damping_ratio(restitution: float) -> float:
    """zeta of a contact that ends at overlap 0: e = exp(-pi zeta/sqrt(1 - zeta^2))."""
    log = math.log(restitution)
    return -log / math.hypot(math.pi, log)


@dataclass(frozen=True)
class Impact:
    """An impact at the normal speed v, in the units v of velocities and 1/Omega = sqrt(m/k) of times."""

    tangential: float                # u/v before the impact, without spin
    friction: float
    ratio: float                     # k_t/k
    restitution: float = 1.0
    rho: float = 0.0                 # v/(Omega R): friction acts at the arm R - d

    def normal(self, y: Array) -> float:
        return float(y[0] + 2.0 * damping_ratio(self.restitution) * y[1])

    def slope(self, y: Array) -> float:
        """d/dt of the normal force."""
        zeta = damping_ratio(self.restitution)
        return float(y[1] - 2.0 * zeta * self.normal(y))

    def sliding(self, y: Array) -> float:
        return float(y[2] + (1.0 - self.rho * y[0]) * y[3])

    def spring(self, y: Array, slip: int) -> float:
        """T = k_t s/k; on the boundary of the cone if it slips in the direction `slip`."""
        return slip * self.friction * abs(self.normal(y)) if slip else float(self.ratio * y[4])

    def rates(self, y: Array, slip: int) -> Array:
        """Of overlap, its rate, u, R omega and s. A sphere: I = 2/5 m R^2."""
        T = self.spring(y, slip)
        return np.array([y[1], -self.normal(y), -T, -2.5 * (1.0 - self.rho * y[0]) * T,
                         0.0 if slip else self.sliding(y)])

    def growth(self, y: Array, slip: int) -> float:
        """Rate of the spring by w, less that of the boundary of the cone: it slips while this is positive."""
        return (slip * self.ratio * self.sliding(y)
                - self.friction * self.slope(y) * (1.0 if self.normal(y) >= 0.0 else -1.0))

    def mode_without_force(self, y: Array) -> int:
        """Slip with this sign, or 0 if the spring holds, where the normal force and the spring are 0."""
        w = self.sliding(y)
        return int(math.copysign(1.0, w)) if self.ratio * abs(w) > self.friction * abs(self.slope(y)) else 0


def solve(impact: Impact) -> Array:
    """d', u, R omega when the overlap is 0 again, each over v; every change of mode is located."""
    y = np.array([0.0, 1.0, impact.tangential, 0.0, 0.0])
    slip = impact.mode_without_force(y) if impact.restitution == 1.0 else 0
    pulls = False           # the damper pulls at the end of an impact with loss
    for _ in range(40):
        def opens(_: float, y: Array) -> float:
            return float(y[0])

        def unloads(_: float, y: Array) -> float:
            return impact.normal(y)

        def changes(_: float, y: Array, slip: int = slip) -> float:
            return (impact.growth(y, slip) if slip
                    else impact.friction * abs(impact.normal(y)) - impact.ratio * abs(float(y[4])))
        events = (opens, changes) if pulls else (opens, changes, unloads)
        for event in events:     # only downwards: a mode begins where one of them is 0 and grows
            event.terminal, event.direction = True, -1.0     # type: ignore[attr-defined]
        piece = solve_ivp(lambda _, y, slip=slip: impact.rates(y, slip), (0.0, 20.0), y, method="DOP853",
                          rtol=1e-13, atol=1e-15, max_step=0.05, events=events)
        y = piece.y[:, -1]
        if piece.t_events[0].size:
            return np.array(y[1:4])
        if slip:
            y[4] = impact.spring(y, slip) / impact.ratio
        if piece.t_events[1].size:
            slip = 0 if slip else int(math.copysign(1.0, y[4]))
        else:
            pulls, slip = True, impact.mode_without_force(y)
    raise RuntimeError(f"{impact}: more than 40 changes of mode")


def rebound(restitution: float, gamma: float) -> float:
    """Speed after a normal impact, over that before, of a contact that ends at overlap 0."""
    zeta = damping_ratio(restitution)
    nu = math.sqrt(1.0 - zeta**2)

    def at(t: float) -> tuple[float, float]:
        a, b = -gamma, (1.0 - zeta * gamma) / nu
        decay, c, s = math.exp(-zeta * t), math.cos(nu * t), math.sin(nu * t)
        return (gamma + decay * (a * c + b * s), decay * ((b * nu - a * zeta) * c - (a * nu + b * zeta) * s))
    return -at(brentq(lambda t: at(t)[0], 0.8 * math.pi / nu, 1.6 * math.pi / nu, xtol=1e-15))[1]


@dataclass(frozen=True)
class Sphere:
    """A sphere and its contact with the wall y = 0, in SI units."""

    radius: float
    density: float
    k: float
    k_t: float = 1.0
    friction: float = 0.0
    restitution: float = 1.0

    def mass(self) -> float:
        return self.density * 4.0 / 3.0 * math.pi * self.radius**3

    def frequency(self) -> float:
        """Omega, rad/s."""
        return math.sqrt(self.k / self.mass())


def steps_of_mfix(sphere: Sphere, y: float, v: float, u: float, g: float, end: Callable[[Array, Array], bool],
                  share_of_first_step: bool = False) -> tuple[float, Array, Array]:
    """Time and the last two states (y, v, u, omega) of a sphere that MFiX steps from the height y until `end`.

    From its sources: the step is 1/50 of the shortest contact of any pair of solids, here of two spheres
    (check_solids_dem); v and omega by Adams and Bashforth's formula of order 2, y by the trapezoidal rule (cfnewvalues);
    the spring adds h w in every step and is then cut to the cone, and friction has the arm y (calc_collision_wall). In
    the results of 2014 the first step of a contact added w times the time since the touch, at most h.
    """
    m, zeta = sphere.mass(), damping_ratio(sphere.restitution)
    damper = 2.0 * zeta * math.sqrt(sphere.k * m)
    h = math.pi / (sphere.frequency() * math.sqrt(1.0 - zeta**2)) / math.sqrt(2.0) / 50.0
    state, spring, touched, steps = np.array([y, v, u, 0.0]), 0.0, False, 0
    before = np.array([-g, 0.0, 0.0])
    while True:
        y, v, u, omega = state
        overlap = sphere.radius - y
        rates = np.array([-g, 0.0, 0.0])
        if overlap > 0.0:
            w = u - y * omega
            share = min(1.0, -overlap / (v * h)) if share_of_first_step and not touched and v < 0.0 else 1.0
            normal = sphere.k * overlap - damper * v
            limit = sphere.friction * abs(normal) / sphere.k_t
            spring = min(max(spring + share * h * w, -limit), limit)
            rates += np.array([normal, -sphere.k_t * spring, 2.5 * y * sphere.k_t * spring / sphere.radius**2]) / m
        else:
            spring = 0.0
        touched = overlap > 0.0
        last = state
        state = state + h * np.append(0.0, 1.5 * rates - 0.5 * before)
        state[0] += 0.5 * h * (last[1] + state[1])
        before, steps = rates, steps + 1
        if end(last, state):
            return steps * h, last, state


@dataclass(frozen=True)
class Row:
    """One quantity of one test: f = limit + K k^(-p) + ..., between low and high at the k of the test."""

    test: str
    quantity: str
    k: float
    limit: float
    p: float
    K: float
    low: float
    high: float
    published: float
    stepped: float | None = None      # the same by the steps of the program
    digits: int = 8
    model: float | None = None        # the value at k without steps, where it is computed

    def needed(self) -> float:
        """The largest relative distance of the model from its limit, which a tolerance need not exceed."""
        return max(abs(self.low - self.limit), abs(self.high - self.limit)) / abs(self.limit)


def around(limit: float, first: float, model: float) -> tuple[float, float, float]:
    """The model, and the first-order value with the model's own distance from it on both sides."""
    rest = abs(model - limit - first)
    return model, limit + first - rest, limit + first + rest


G = 9.80665
RESTITUTIONS = 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
# DEM02, height of the centre after the first bounce from 0.5 m, m, for these restitutions.
BOUNCES = {5e4: (0.50002755, 0.41930671, 0.34806323, 0.28263251, 0.23001523, 0.18685958),
           5e5: (0.49992415, 0.42132778, 0.35174839, 0.29064285, 0.23838360, 0.19854242),
           5e6: (0.50006755, 0.42332601, 0.35488805, 0.29459053, 0.24252441, 0.19860922)}


def bounces() -> Iterator[Row]:
    drop = 0.4      # of a sphere of radius 0.1 m
    v = math.sqrt(2.0 * G * drop)
    for k, heights in BOUNCES.items():
        for e, published in zip(RESTITUTIONS, heights, strict=True):
            sphere = Sphere(0.1, 2600.0, k, restitution=e)
            gamma = G / (v * sphere.frequency())
            K = -4.0 * damping_ratio(e) * (1.0 + e) * e * drop * gamma * math.sqrt(k)
            limit = 0.1 + e**2 * drop
            model, low, high = around(limit, K / math.sqrt(k), 0.1 + rebound(e, gamma) ** 2 * drop)
            _, last, top = steps_of_mfix(sphere, 0.5, 0.0, 0.0, G, lambda a, b: bool(a[1] > 0.0 > b[1]))
            yield Row("MFiX DEM02", f"height after the first bounce, e = {e}, m", k, limit, 0.5, K, low, high,
                      published, float(max(last[0], top[0])), model=model)


# DEM04, mu g t/u at the end of sliding, for these mu.
SLIDES = {0.2: 0.28593282, 0.3: 0.28557391, 0.4: 0.28525487, 0.5: 0.28558388, 0.6: 0.28461681, 0.7: 0.28431772,
          0.8: 0.28665064, 0.9: 0.28560382, 1.0: 0.28732858}


def end_of_sliding(u: float, friction: float, g: float, m: float, k_t: float) -> float:
    """Time at which a sphere on its normal spring, thrown with the speed u without spin, slides no more."""
    omega = math.sqrt(3.5 * k_t / m)
    loaded = math.asin(friction * m * g * omega / (k_t * u)) / omega
    return loaded + u * math.cos(omega * loaded) / (3.5 * friction * g)


def slides() -> Iterator[Row]:
    u = 0.1
    for mu, published in SLIDES.items():
        sphere = Sphere(5e-4, 1e4, 1e4, 1e4, mu)
        m, R = sphere.mass(), sphere.radius
        K = 0.5 * (mu * G / u) ** 2 * m
        model, low, high = around(2.0 / 7.0, K / sphere.k, mu * G / u * end_of_sliding(u, mu, G, m, sphere.k_t))
        stepped = steps_of_mfix(sphere, R, 0.0, u, G, lambda _, b, R=R: bool(b[2] - R * b[3] < 1e-6))[0] * mu * G / u
        yield Row("MFiX DEM04", f"mu g t/u at the end of sliding, mu = {mu}", sphere.k, 2.0 / 7.0, 1.0, K, low, high,
                  published, stepped, model=model)


# DEM05, u'/u of an impact at 3.9 m/s on the wall, by its angle to the normal in degrees: results of 2014 and of 2017.
OBLIQUE = {0.5: (0.8760, 0.8762), 1.0: (0.8677, 0.8763), 1.5: (0.8606, 0.8669), 2.0: (0.8537, 0.8636),
           2.5: (0.8456, 0.8469), 5.0: (0.7972, 0.7981), 7.5: (0.7268, 0.7268), 10.0: (0.6556, 0.6556),
           12.5: (0.6162, 0.6162), 15.0: (0.5971, 0.5971), 20.0: (0.5946, 0.5946), 25.0: (0.6219, 0.6219),
           30.0: (0.6813, 0.6813), 45.0: (0.8160, 0.8160), 60.0: (0.8938, 0.8938)}
MEASURED = {2.0275: 0.7938, 3.9282: 0.7450, 9.6304: 0.6728, 20.0845: 0.5964, 30.2218: 0.6883, 39.3031: 0.7719,
            49.5459: 0.8469, 59.8416: 0.9019}
ALUMINA = Sphere(2.5e-3, 4000.0, 1.72e7, 1.48e7, 0.092)


def tangential_restitution(angle: float, rho: float = 0.0) -> float:
    """u'/u of this impact; rho = 0 is the limit."""
    slope = math.tan(math.radians(angle))
    return float(solve(Impact(slope, ALUMINA.friction, ALUMINA.k_t / ALUMINA.k, rho=rho))[1]) / slope


def stepped_restitution(angle: float, share_of_first_step: bool) -> float:
    v, u = 3.9 * math.cos(math.radians(angle)), 3.9 * math.sin(math.radians(angle))
    # Some steps after the contact, which cover at most 0.7 um each: the formula of order 2 has used up its last force.
    state = steps_of_mfix(ALUMINA, 5.5e-3, -v, u, 0.0, lambda a, b: bool(
        b[1] > 0.0 and a[0] > ALUMINA.radius + 2e-6), share_of_first_step)[2]
    return float(state[2]) / u


def oblique_impacts() -> Iterator[Row]:
    k = ALUMINA.k
    for angle, results in OBLIQUE.items():
        rho = 3.9 * math.cos(math.radians(angle)) / (ALUMINA.frequency() * ALUMINA.radius)
        limit, small = tangential_restitution(angle), 1e-3
        difference = tangential_restitution(angle, small) - tangential_restitution(angle, -small)
        first = difference / (2.0 * small) * rho
        first = first if abs(first) > 1e-9 else 0.0     # below the rounding of the difference: the impact only slides
        model, low, high = around(limit, first, tangential_restitution(angle, rho))
        for year, published in zip((2014, 2017), results, strict=True):
            yield Row(f"MFiX DEM05, {year}", f"u'/u at {angle} degrees", k, limit, 0.5, first * math.sqrt(k), low, high,
                      published, stepped_restitution(angle, year == 2014), 4, model)


def values_of_lammps() -> Iterator[Row]:
    """Stored in dem05-hookehistory-slip, dem05-sliptime and dem04-hookehistory-oblique."""
    sphere, g = Sphere(2.5e-3, 2700.0, 1e4, 2.8e3, 0.4), 1.0
    mu, m = sphere.friction, sphere.mass()
    swing = mu * g * math.sqrt(m / (3.5 * sphere.k_t))
    yield Row("LAMMPS slip", "u at 0.75 s, m/s", sphere.k, 5.0 / 7.0, 0.5, swing * math.sqrt(sphere.k),
              5.0 / 7.0 - swing, 5.0 / 7.0 + swing, 0.71424033326038)
    late = 0.5 * mu**2 * m * g**2 / (sphere.k_t * 1.4)
    yield Row("LAMMPS sliptime", "u at 0.4 s, m/s", sphere.k, 1.24, 1.0, late * sphere.k, 1.24, 1.24 + 2.0 * late,
              1.24000196288331)
    v, u, k = 2.9876, 2.5069, 2e7
    impact = Impact(u / v, 0.092, 5.7 / 20.0, 0.98)
    _, after, spin = solve(impact) * v
    slid = impact.friction * (1.0 + impact.restitution) * v
    yield Row("LAMMPS oblique", "u after the impact, m/s", k, u - slid, 0.0, after - u + slid, after, after,
              1.9626463236052916)
    yield Row("LAMMPS oblique", "spin after the impact, rad/s", k, 2.5 * slid / 2.5e-3, 0.0,
              -spin / 2.5e-3 - 2.5 * slid / 2.5e-3, -spin / 2.5e-3, -spin / 2.5e-3, 544.25367639471085)


def rows() -> list[Row]:
    return [*bounces(), *slides(), *oblique_impacts(), *values_of_lammps()]


def table(all_rows: list[Row]) -> str:
    """Of the tests of MFiX: its value, the same by its own steps, the model at its k without steps, and the limit."""
    lines = ["| test | quantity | k, N/m | published | by its steps | model | limit | K |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for row in all_rows:
        if row.stepped is not None:
            lines.append(f"| {row.test} | {row.quantity} | {row.k:.3g} | {row.published:.{row.digits}f} "
                         f"| {row.stepped:.{row.digits}f} | {row.model:.6f} | {row.limit:.6f} | {row.K:.4g} |")
    return "\n".join(lines)


def tolerances(all_rows: list[Row]) -> str:
    """The largest distance of the models of LAMMPS from their limits; its tests allow 0.01."""
    lines = ["| test | quantity | limit | p | K | stored | off the limit | off by the stiffness, at most |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for row in all_rows:
        if row.stepped is None:
            lines.append(f"| {row.test} | {row.quantity} | {row.limit:.9g} | {row.p:g} | {row.K:.3g} "
                         f"| {row.published:.9g} | {abs(row.published / row.limit - 1.0):.1e} | {row.needed():.1e} |")
    return "\n".join(lines)


def measured() -> str:
    lines = ["| angle | measured | limit | difference |", "| ---: | ---: | ---: | ---: |"]
    for angle, value in MEASURED.items():
        limit = tangential_restitution(angle)
        lines.append(f"| {angle} | {value:.4f} | {limit:.4f} | {limit - value:+.4f} |")
    return "\n".join(lines)


def in_csv(all_rows: list[Row]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["test", "quantity", "k_N_per_m", "limit", "p", "K", "low", "high", "published"])
    for row in all_rows:
        writer.writerow([row.test, row.quantity, *(f"{x:.9g}" for x in
                                                   (row.k, row.limit, row.p, row.K, row.low, row.high)),
                         f"{row.published:.15g}"])
    return text.getvalue()


if __name__ == "__main__":
    found = rows()
    print(in_csv(found) if "--csv" in sys.argv else "\n\n".join((table(found), tolerances(found), measured())), end="")
