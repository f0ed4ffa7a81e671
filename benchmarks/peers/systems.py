"""Interface of a system: functions of floats, derived by hand.

The equations are those of src/rigidlimit/systems/, the parameters and starts those of
experiments/convergence/knife_edge.toml, chaplygin_sleigh.toml and rolling_disk.toml. They share no
code with the C++ side, so an error in either appears as a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Floats = Sequence[float]


@dataclass(frozen=True)
class System:
    """n velocities v = q', m contacts with sliding velocities w, forces lam; SI units.

    Accelerations solve M v' = F - G^T lam for v' by hand. The adapted variables are (q, u, w) with
    the natural quasi-velocities u of the C++ side (docs/theory.md, section 11).
    """

    name: str
    n: int
    m: int
    q0: Floats
    v0: Floats
    delassus: Callable[[Floats], list[float]]
    """(q) -> diagonal of A = G M^-1 G^T, m values in 1/kg; A is diagonal."""

    acceleration: Callable[[Floats, Floats, Floats], list[float]]
    """(q, v, lam) -> v', n values."""
    acceleration_derivatives: Callable[[Floats, Floats, Floats], np.ndarray]
    """(q, v, lam) -> d v'/d(q, v, lam), n x (2 n + m)."""
    sliding: Callable[[Floats, Floats], list[float]]
    """(q, v) -> w = G v, m values in m/s."""
    sliding_derivatives: Callable[[Floats, Floats], np.ndarray]
    """(q, v) -> d w/d(q, v), m x 2 n; the right half is G."""

    adapted: Callable[[Floats, Floats], list[float]]
    """(q, v) -> (u, w), n values."""
    velocity: Callable[[Floats, Floats], list[float]]
    """(q, (u, w)) -> v, n values."""
    adapted_rates: Callable[[Floats, Floats, Floats], list[float]]
    """(q, (u, w), lam) -> (q', u', w'), 2 n values."""
    adapted_derivatives: Callable[[Floats, Floats, Floats], np.ndarray]
    """(q, (u, w), lam) -> derivatives of adapted_rates by (q, u, w, lam), 2 n x (2 n + m)."""
