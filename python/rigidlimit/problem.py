"""The problems below a study, for integrators of any origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _core

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """A solution on a grid of K times, with the names of scipy.integrate.solve_ivp.

    Attributes
    ----------
    t : (K,)
    y : (N, K)
        NaN after `t_reached` if the solve failed.
    q, v, multiplier : (nq, K), (n, K), (m, K)
        The motion: coordinates, velocities, contact force in the units of the system.
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

    def __repr__(self) -> str:
        return f"<Solution {self.status}: {self.steps} steps to t = {self.t_reached:g}>"


class Problem:
    """y' = f(t, y): ideal rolling in y = (q, v), or compliant rolling in y = (q, v, eta).

        >>> problem = study.compliant(epsilon=1e-3)
        >>> scipy.integrate.solve_ivp(problem.rhs, (0.0, 2.0), problem.y0, method="Radau", jac=problem.jacobian)
        >>> problem.solve("radau_iia", np.linspace(0.0, 2.0, 101), rtol=1e-10, atol=1e-12)

    One thread at a time may use a problem (else InputError); `solve` releases Python's lock.

    Attributes
    ----------
    name : str
    names : list of str
        Of the components of y.
    t0 : float
    y0 : (N,)
    """

    def __init__(self, core: _core.Problem) -> None:
        self._core = core
        self.name = core.name
        self.names = core.names
        self.t0 = core.t0

    @property
    def y0(self) -> Array:
        """The start, a new array."""
        return np.asarray(self._core.y0)

    def rhs(self, t: float, y: npt.ArrayLike) -> Array:
        """f(t, y), (N,)."""
        return np.asarray(self._core.rhs(t, _vector(y)))

    def jacobian(self, t: float, y: npt.ArrayLike) -> Array:
        """The derivatives of f by y, (N, N): row i has those of f_i. Exact."""
        return np.asarray(self._core.jacobian(t, _vector(y)))

    def solve(self, method: str, times: Sequence[float] | Array, *, rtol: float = 1e-8, atol: float = 1e-10,
              max_steps: int = 2_000_000) -> Solution:
        """Solve by a method of the catalogue (`rigidlimit list solvers`).

        Parameters
        ----------
        times : (K,)
            Strictly increasing, the first >= t0.
        rtol, atol : float
            Relative tolerance; absolute tolerance of every component in its unit.

        Raises
        ------
        InputError
            For an unknown method, an invalid grid or tolerances. A failed solve is a Solution with success = False.
        """
        found = self._core.solve(method, [float(t) for t in times], rtol, atol, max_steps)
        return Solution(np.asarray(found.t), np.asarray(found.y), np.asarray(found.q), np.asarray(found.v),
                        np.asarray(found.multiplier), found.success, found.status, found.message, found.t_reached,
                        found.steps, found.nfev, found.njev, found.nlu)

    def __repr__(self) -> str:
        return f"<Problem {self.name}: {len(self.names)} components>"


def _vector(y: npt.ArrayLike) -> Array:
    return np.ascontiguousarray(y, dtype=np.float64)
