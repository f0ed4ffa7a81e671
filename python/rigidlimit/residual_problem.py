"""Ideal rolling as a differential-algebraic problem."""

from __future__ import annotations

import numpy.typing as npt

from . import _core
from .solution import Solution
from .vectors import Array, vector


class ResidualProblem:
    """0 = r(t, y, y'): ideal rolling in y = (q, v, kappa, Lambda), of index 2, or (q, v, impulses), of index 1.

    The multipliers are those of the exact rows and of the independent contacts; an impulse is the integral of one.
    One thread at a time may use a problem (else InputError).

    Attributes
    ----------
    name : str
    names, units : list of str
        Of the components of y. A unit is "" where the library declares none.
    differential : list of bool
        Whether the derivative of a component occurs in r.
    t0 : float
    """

    def __init__(self, core: _core.ResidualProblem) -> None:
        self._core = core
        self.name = core.name
        self.names = core.names
        self.units = core.units
        self.differential = core.differential
        self.t0 = core.t0

    @property
    def y0(self) -> Array:
        """The start (N,), a new array."""
        return self._core.y0

    @property
    def yp0(self) -> Array:
        """y' at the start (N,), consistent; a new array."""
        return self._core.yp0

    def residual(self, t: float, y: npt.ArrayLike, yp: npt.ArrayLike) -> Array:
        """r(t, y, y'), (N,)."""
        return self._core.residual(t, vector(y, "y"), vector(yp, "yp"))

    def jacobian(self, t: float, y: npt.ArrayLike, yp: npt.ArrayLike, alpha: float) -> Array:
        """The derivatives of r by y, plus alpha times those by y', (N, N). Exact."""
        return self._core.jacobian(t, vector(y, "y"), vector(yp, "yp"), alpha)

    def solve(self, times: npt.ArrayLike, *, rtol: float = 1e-8, atol: float = 1e-10,
              max_steps: int = 2_000_000) -> Solution:
        """Solve by IDA, with the arguments of `Problem.solve`."""
        return Solution._of(self._core.solve(vector(times, "times"), rtol, atol, max_steps))

    def __repr__(self) -> str:
        return f"<ResidualProblem {self.name}: {len(self.names)} components>"
