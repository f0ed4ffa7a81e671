"""A towed wheel on a tyre of relaxation length: its limit, the ideal castor, and its shimmy.

    build/venv/bin/python experiments/published/towed_wheel.py

The tyre (Pacejka 2012): its side force F follows the slip angle within the relaxation
length sigma, sigma F' + V F = C w, with the sideways velocity w of the contact point, the speed V and the cornering
stiffness C. sigma = 0 is our law `viscous` with d = C/V; C to infinity, the ideal castor w = 0. Systems:
experiments/systems/towed_wheel.toml and towed_wheel_on_tyre.toml.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from linearised import linearised
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import rigidlimit as rl

Array = npt.NDArray[np.float64]
SYSTEMS = Path(__file__).resolve().parents[1] / "systems"
WHEEL = {"mass": 1.0, "inertia": 0.1, "trail": 0.2, "speed": 3.0, "stiffness": 200.0, "damping": 20.0}
TIMES = np.linspace(0.0, 2.0, 401)
YAW = 0.3        # rad, at the start; the contact point rolls


def study(system: str, **parameters: float) -> rl.Study:
    return rl.Study({"file": str(SYSTEMS / f"{system}.toml"), **WHEEL, **parameters}, name="towed", epsilon=[1e-2],
                    time={"end": float(TIMES[-1])}, contact={"law": "viscous", "damping": 1.0})


def motion(problem: rl.Problem) -> Array:
    """y and yaw at TIMES (2, K)."""
    solution = problem.solve("radau_iia", TIMES, rtol=1e-12, atol=1e-14)
    assert solution.success, solution.message
    return np.array(solution.q[1:3])


def castor() -> Array:
    return motion(study("towed_wheel").rigid())


def without_relaxation(cornering: float) -> Array:
    return motion(study("towed_wheel").compliant(WHEEL["speed"] / cornering))


def on_tyre(cornering: float, relaxation: float) -> Array:
    return motion(study("towed_wheel_on_tyre", cornering=cornering, relaxation=relaxation).rigid())


def first_order_in_relaxation(cornering: float) -> Array:
    """d(y, yaw)/d sigma at sigma = 0: F = (C/V) (w - (sigma/V) w') + O(sigma^2), as w(0) = 0. Equations by hand."""
    m, inertia, a, V, k, d = (WHEEL[name] for name in WHEEL)

    def rates(state: Array, sigma: float) -> Array:
        y, yaw, dy, dyaw = state
        w = np.cos(yaw) * dy - np.sin(yaw) * V - a * dyaw

        def accelerations(F: float) -> tuple[float, float]:
            return (-k * y - d * dy - np.cos(yaw) * F) / m, a * F / inertia
        ddy, ddyaw = accelerations(cornering / V * w)
        slope = np.cos(yaw) * ddy - a * ddyaw - (np.sin(yaw) * dy + np.cos(yaw) * V) * dyaw
        return np.array([dy, dyaw, *accelerations(cornering / V * (w - sigma / V * slope))])
    start = [0.0, YAW, 0.0, -V * np.sin(YAW) / a]
    small = 1e-5
    ends = [solve_ivp(lambda _, state, s=s: rates(state, s), (0.0, TIMES[-1]), start, "Radau", TIMES, rtol=1e-11,
                      atol=1e-13).y[:2] for s in (small, -small)]
    return np.array((ends[0] - ends[1]) / (2.0 * small))


def first_order_in_softness() -> Array:
    """d(y, yaw)/d(1/C) at 1/C = 0 and any sigma of order 1/C: the castor with w = (V/C) Lambda. Equations by hand.

    p = m y' + (I/a) cos(yaw) yaw' is the momentum along the free direction, which the contact force does not change.
    """
    m, inertia, a, V, k, d = (WHEEL[name] for name in WHEEL)

    def velocities(state: Array, slip: float) -> tuple[float, float]:
        _, yaw, p = state
        dy = (p + inertia / a**2 * np.cos(yaw) * (V * np.sin(yaw) + slip)) / (m + inertia * np.cos(yaw) ** 2 / a**2)
        return float(dy), float((np.cos(yaw) * dy - V * np.sin(yaw) - slip) / a)

    def force(state: Array) -> float:
        y, yaw, _ = state
        dy, dyaw = velocities(state, 0.0)
        bend = (np.sin(yaw) * dy + np.cos(yaw) * V) * dyaw
        return float((np.cos(yaw) * (-k * y - d * dy) / m - bend) / (a**2 / inertia + np.cos(yaw) ** 2 / m))

    def rates(state: Array, softness: float) -> Array:
        dy, dyaw = velocities(state, softness * V * force(state))
        return np.array([dy, dyaw, -k * state[0] - d * dy - inertia / a * np.sin(state[1]) * dyaw**2])
    start = [0.0, YAW, -inertia / a**2 * np.cos(YAW) * V * np.sin(YAW)]
    small = 1e-6
    ends = [solve_ivp(lambda _, state, s=s: rates(state, s), (0.0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12,
                      atol=1e-14).y[:2] for s in (small, -small)]
    return np.array((ends[0] - ends[1]) / (2.0 * small))


def hurwitz(**changed: float) -> float:
    """The last Hurwitz determinant but one of the straight run: positive where it is stable, 0 at the onset of shimmy.

    (sigma s + V) P I s^2 + C (I s^3 + a (V + a s) P) = 0,  P = m s^2 + d s + k, the pivot.
    """
    of = WHEEL | {"cornering": 1000.0, "relaxation": 0.1} | changed
    m, inertia, a, V, k, d = (of[name] for name in WHEEL)
    pivot = np.array([m, d, k])
    c = np.polyadd(np.polymul(np.polymul([of["relaxation"], V], pivot), [inertia, 0.0, 0.0]),
                   of["cornering"] * np.polyadd([inertia, 0.0, 0.0, 0.0], a * np.polymul([a, V], pivot)))
    n = len(c) - 1
    H = np.array([[c[2 * j - i] if 0 <= 2 * j - i <= n else 0.0 for j in range(1, n)] for i in range(1, n)]).T
    scale = np.abs(H).max(axis=1)
    return float(np.linalg.det(H / scale[:, None]))


def growth(**changed: float) -> float:
    """The largest real part of the eigenvalues of the straight run, by our Jacobian."""
    parameters = {"cornering": 1000.0, "relaxation": 0.1} | changed
    A = linearised(study("towed_wheel_on_tyre", **parameters), ("y", "yaw", "drift", "y'", "yaw'"),
                   ("x'", "drift'", "clock'"), **{"yaw": 0.0, "yaw'": 0.0})
    return float(np.linalg.eigvals(A).real.max())


# Pivots at which the tyre alone makes the wheel shimmy: the stiffer, the nearer is the onset to sigma = trail.
PIVOTS = {"stiffness 2e4 N/m": {"stiffness": 2e4}, "stiffness 1e6 N/m": {"stiffness": 1e6},
          "stiffness 1e8 N/m": {"stiffness": 1e8}, "2e4 N/m, cornering 3000 N": {"stiffness": 2e4, "cornering": 3e3},
          "2e4 N/m, 10 m/s": {"stiffness": 2e4, "speed": 10.0}}


def onset(value: str, low: float, high: float, by: str, **changed: float) -> float:
    """The relaxation length or the speed at which the straight run loses its stability."""
    function = {"hurwitz": hurwitz, "growth": growth}[by]
    return float(brentq(lambda x: function(**{**changed, value: x}), low, high, xtol=1e-14, rtol=1e-14))


def shimmy_table() -> str:
    lines = ["| pivot | onset at sigma, m, by Routh and Hurwitz | by our Jacobian | relative difference |",
             "| --- | ---: | ---: | ---: |"]
    for name, pivot in PIVOTS.items():
        exact, ours = (onset("relaxation", 0.02, 1.0, by, **pivot) for by in ("hurwitz", "growth"))
        lines.append(f"| {name} | {exact:.9f} | {ours:.9f} | {abs(ours / exact - 1.0):.0e} |")
    return "\n".join(lines)


def largest(difference: Array) -> Array:
    return np.array(np.abs(difference).max(axis=1))


def limits() -> dict[str, list[tuple[float, Array]]]:
    """Small parameter and largest error of y and yaw on [0, 2 s], over that parameter, in each of three limits."""
    ideal, loose = castor(), without_relaxation(1e3)
    return {"1/C, sigma = 0": [(1 / C, largest(without_relaxation(C) - ideal) * C) for C in (1e3, 1e4, 1e5)],
            "1/C, sigma = (100 N)/C": [(1 / C, largest(on_tyre(C, 100 / C) - ideal) * C) for C in (1e4, 1e5, 1e6)],
            "sigma, C = 1000 N": [(x, largest(on_tyre(1e3, x) - loose) / x) for x in (1e-2, 1e-3, 1e-4)]}


def predicted() -> dict[str, Array]:
    return {"1/C": largest(first_order_in_softness()), "sigma": largest(first_order_in_relaxation(1e3))}


def limit_table() -> str:
    lines = ["| small parameter | value | y: error/parameter | yaw: error/parameter | predicted | measured/predicted |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    constants = predicted()
    for name, points in limits().items():
        K = constants[name.split(",")[0]]
        for value, found in points:
            lines.append(f"| {name} | {value:.0e} | {found[0]:.6g} | {found[1]:.6g} | {K[0]:.6g}, {K[1]:.6g} "
                         f"| {found[0] / K[0]:.5f}, {found[1] / K[1]:.5f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(limit_table(), shimmy_table(), sep="\n\n")
