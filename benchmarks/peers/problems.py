"""Problems for the solvers, from a system: the compliant ODE in two formulations, the rigid DAE.

Stiffness C = 1, critical damping at the start (D = 2 sqrt(C/A), A diagonal there), damping exponent
1, unloaded spring: lam = C eta + D w/eps, eps^2 eta' = w (docs/theory.md, section 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from peers.blade import chaplygin_sleigh, knife_edge
from peers.disk import rolling_disk
from peers.systems import System

END_TIME = 2.0  # s, of the three studies
STIFFNESS = 1.0
SYSTEMS: dict[str, Callable[[], System]] = {
    "knife_edge": knife_edge, "chaplygin_sleigh": chaplygin_sleigh, "rolling_disk": rolling_disk}
ODE_FORMULATIONS = ("natural", "adapted")
DAE_FORMULATIONS = ("rigid_index2", "rigid_impulse")


@dataclass(frozen=True)
class Ode:
    """y' = rhs(t, y) with its Jacobian; end(y) is (q, v), 2 n values."""

    system: System
    formulation: str
    epsilon: float
    start: np.ndarray
    rhs: Callable[[float, np.ndarray], np.ndarray]
    jacobian: Callable[[float, np.ndarray], np.ndarray]
    end: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Dae:
    """residual(t, y, y') = 0 with its two Jacobians, from consistent y and y'."""

    system: System
    formulation: str
    start: np.ndarray
    start_rate: np.ndarray
    residual: Callable[[float, np.ndarray, np.ndarray], np.ndarray]
    jacobian: Callable[[float, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    end: Callable[[np.ndarray], np.ndarray]
    epsilon: float = float("nan")


def contact(system: System, epsilon: float) -> tuple[list[float], float]:
    """D/eps of each contact, and 1/eps^2."""
    return [2.0 * (STIFFNESS / a) ** 0.5 / epsilon for a in system.delassus(system.q0)], 1.0 / epsilon**2


def natural(system: System, epsilon: float) -> Ode:
    """y = (q, v, eta): w is computed from v and loses digits as eps decreases."""
    n, m = system.n, system.m
    damping, per_eps2 = contact(system, epsilon)

    def force(y: list[float], w: list[float]) -> list[float]:
        return [STIFFNESS * y[2 * n + i] + damping[i] * w[i] for i in range(m)]

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        y = y.tolist()  # float arithmetic is several times faster than NumPy scalars
        q, v = y[:n], y[n:2 * n]
        w = system.sliding(q, v)
        return np.array([*v, *system.acceleration(q, v, force(y, w)), *[per_eps2 * x for x in w]])

    def jacobian(t: float, y: np.ndarray) -> np.ndarray:
        y = y.tolist()
        q, v = y[:n], y[n:2 * n]
        by_state = system.sliding_derivatives(q, v)
        turn = system.acceleration_derivatives(q, v, force(y, system.sliding(q, v)))
        J = np.zeros((2 * n + m, 2 * n + m))
        J[:n, n:2 * n] = np.eye(n)
        J[n:2 * n, :2 * n] = turn[:, :2 * n] + turn[:, 2 * n:] @ (np.array(damping)[:, None]
                                                                  * by_state)
        J[n:2 * n, 2 * n:] = STIFFNESS * turn[:, 2 * n:]
        J[2 * n:, :2 * n] = per_eps2 * by_state
        return J

    start = np.array([*system.q0, *system.v0, *[0.0] * m])
    return Ode(system, "natural", epsilon, start, rhs, jacobian, lambda y: y[:2 * n].copy())


def adapted(system: System, epsilon: float) -> Ode:
    """y = (q, u, w, eta) with the natural quasi-velocities u."""
    n, m = system.n, system.m
    damping, per_eps2 = contact(system, epsilon)

    def force(y: list[float]) -> list[float]:
        return [STIFFNESS * y[2 * n + i] + damping[i] * y[2 * n - m + i] for i in range(m)]

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        y = y.tolist()
        return np.array([*system.adapted_rates(y[:n], y[n:2 * n], force(y)),
                         *[per_eps2 * x for x in y[2 * n - m:2 * n]]])

    def jacobian(t: float, y: np.ndarray) -> np.ndarray:
        y = y.tolist()
        d = system.adapted_derivatives(y[:n], y[n:2 * n], force(y))
        J = np.zeros((2 * n + m, 2 * n + m))
        J[:2 * n, :2 * n] = d[:, :2 * n]
        J[:2 * n, 2 * n - m:2 * n] += d[:, 2 * n:] * damping
        J[:2 * n, 2 * n:] = STIFFNESS * d[:, 2 * n:]
        J[2 * n:, 2 * n - m:2 * n] = per_eps2 * np.eye(m)
        return J

    def end(y: np.ndarray) -> np.ndarray:
        q, uw = y[:n].tolist(), y[n:2 * n].tolist()
        return np.array([*q, *system.velocity(q, uw)])

    start = np.array([*system.q0, *system.adapted(system.q0, system.v0), *[0.0] * m])
    # Round-off of G v0 is not sliding; at eps = 1e-6 it would be a force of 1e-10 C.
    start[2 * n - m:2 * n] = 0.0
    return Ode(system, "adapted", epsilon, start, rhs, jacobian, end)


def multiplier(system: System, q: list[float], v: list[float]) -> np.ndarray:
    """Lambda of rigid rolling: (G v)' = 0; the accelerations are affine in the force."""
    n = system.n
    d = system.sliding_derivatives(q, v)
    free = d[:, :n] @ v + d[:, n:] @ system.acceleration(q, v, [0.0] * system.m)
    by_force = system.acceleration_derivatives(q, v, [0.0] * system.m)[:, 2 * n:]
    return np.linalg.solve(d[:, n:] @ by_force, -free)


def rigid(system: System, formulation: str) -> Dae:
    """y = (q, v, Lambda): q' = v, v' = a(q, v, Lambda), 0 = G v (index 2); or y = (q, v, Pi) with
    Pi' = Lambda, Gear's reduction to index 1, which the documentation of solve_dae recommends."""
    n, m = system.n, system.m
    impulse = {"rigid_impulse": True, "rigid_index2": False}[formulation]

    def parts(y: np.ndarray, rate: np.ndarray) -> tuple[list[float], list[float], list[float]]:
        return y[:n].tolist(), y[n:2 * n].tolist(), (rate if impulse else y)[2 * n:].tolist()

    def residual(t: float, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        q, v, lam = parts(y, rate)
        return np.concatenate((rate[:2 * n] - [*v, *system.acceleration(q, v, lam)],
                               system.sliding(q, v)))

    def jacobian(t: float, y: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        q, v, lam = parts(y, rate)
        d = system.acceleration_derivatives(q, v, lam)
        by_y, by_rate = np.zeros((2 * n + m, 2 * n + m)), np.zeros((2 * n + m, 2 * n + m))
        by_rate[:2 * n, :2 * n] = np.eye(2 * n)
        by_y[:n, n:2 * n] = -np.eye(n)
        by_y[n:2 * n, :2 * n] = -d[:, :2 * n]
        (by_rate if impulse else by_y)[n:2 * n, 2 * n:] = -d[:, 2 * n:]
        by_y[2 * n:, :2 * n] = system.sliding_derivatives(q, v)
        return by_y, by_rate

    q, v = list(system.q0), list(system.v0)
    lam = multiplier(system, q, v)
    start = np.array([*q, *v, *([0.0] * m if impulse else lam)])
    rate = np.array([*v, *system.acceleration(q, v, lam.tolist()), *(lam if impulse else [0.0] * m)])
    return Dae(system, formulation, start, rate, residual, jacobian, lambda y: y[:2 * n].copy())


def problem(name: str, formulation: str, epsilon: float) -> Ode | Dae:
    """The named problem; a DAE is rigid and has no epsilon. ValueError for unknown names."""
    if name not in SYSTEMS:
        raise ValueError(f"no problem '{name}'; there are: {', '.join(SYSTEMS)}")
    if formulation in DAE_FORMULATIONS:
        return rigid(SYSTEMS[name](), formulation)
    if formulation not in ODE_FORMULATIONS:
        raise ValueError(f"no formulation '{formulation}'")
    return {"natural": natural, "adapted": adapted}[formulation](SYSTEMS[name](), epsilon)
