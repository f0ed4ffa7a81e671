"""Solutions of the problems below a study."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from . import _core
from .vectors import Array


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """A solution on a grid of K times, with the names of scipy.integrate.solve_ivp.

    Attributes
    ----------
    t : (K,)
    y : (N, K)
        NaN after `t_reached` if the solve failed.
    q, v, multiplier : (nq, K), (n, K), (m, K)
        The motion: coordinates, velocities, contact force in SI units.
    success : bool
    status, message : str
        The outcome ("success", "max_steps", ...) and its reason.
    steps, nfev, njev, nlu : int
        Accepted steps, evaluations of f and of its Jacobian, factorisations.
    """

    t: Array
    y: Array
    q: Array
    v: Array
    multiplier: Array
    success: bool
    status: str
    message: str
    t_reached: float
    steps: int
    nfev: int
    njev: int
    nlu: int

    @classmethod
    def _of(cls, core: _core.Solved) -> Self:
        return cls(**{field.name: getattr(core, field.name) for field in fields(cls)})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.status}: {self.steps} steps to t = {self.t_reached:g}>"


@dataclass(frozen=True, repr=False, eq=False)
class Reference(Solution):
    """A solution with error bars; NaN bars if one of its two solves failed.

    Attributes
    ----------
    error, multiplier_error : (N, K), (m, K)
        Of `y`, whose first rows are q and v, and of `multiplier`: the distance from a second solve by a method of
        another order, plus the rounding to float64. An estimate, not a bound.
    """

    error: Array
    multiplier_error: Array
