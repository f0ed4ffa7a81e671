"""The problems below a study, for integrators of any origin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy.typing as npt

from . import _core
from .arguments import jobs_of
from .errors import InputError
from .predicted import Predicted
from .solution import Reference, Solution
from .vectors import Array, vector


class Problem:
    """M y' = f(t, y): ideal rolling in y = (q, v), or compliant rolling in y = (q, v, eta).

        >>> problem = study.compliant(epsilon=1e-3)
        >>> scipy.integrate.solve_ivp(problem.rhs, (0.0, 2.0), problem.y0, method="Radau", jac=problem.jacobian)
        >>> problem.solve("radau_iia", np.linspace(0.0, 2.0, 101), rtol=1e-10, atol=1e-12)

    One thread at a time may use a problem (else InputError); `solve` releases Python's lock.

    Attributes
    ----------
    name : str
    names, units : list of str
        Of the components of y. A unit is "" where the library declares none.
    index : list of int
        Of each component: 0 if it is differential, else the index at which the problem determines it.
    t0 : float
    """

    def __init__(self, core: _core.Problem) -> None:
        self._core = core
        self.name = core.name
        self.names = core.names
        self.units = core.units
        self.index = core.index
        self.t0 = core.t0

    @property
    def y0(self) -> Array:
        """The start (N,), a new array."""
        return self._core.y0

    @property
    def mass(self) -> Array:
        """M (N, N), a new array: the identity, or singular and diagonal for ideal rolling with multipliers in y."""
        return self._core.mass

    def rhs(self, t: float, y: npt.ArrayLike) -> Array:
        """f(t, y), (N,)."""
        return self._core.rhs(t, vector(y, "y"))

    def jacobian(self, t: float, y: npt.ArrayLike) -> Array:
        """The derivatives of f by y, (N, N): row i has those of f_i. Exact."""
        return self._core.jacobian(t, vector(y, "y"))

    def with_start(self, y0: npt.ArrayLike) -> Problem:
        """The same problem from y0 (N,) at t0, with the same stiffness and damping.

        A compliant problem may slide at its start. That of ideal rolling keeps the sliding velocity of its start.
        """
        return Problem(self._core.with_start(vector(y0, "y0")))

    def solve(self, method: str, times: npt.ArrayLike, *, rtol: float = 1e-8, atol: float = 1e-10,
              max_steps: int = 2_000_000) -> Solution:
        """Solve by a method of the catalogue (`rigidlimit list solvers`).

        Parameters
        ----------
        method : str
            "radau_iia" alone if `mass` is singular.
        times : (K,)
            Strictly increasing, the first >= t0.
        rtol, atol : float
            Relative tolerance; absolute tolerance of every component in its unit.

        Raises
        ------
        InputError
            For an unknown method, an invalid grid or tolerances. A failed solve is a Solution with success = False.
        """
        return Solution._of(self._core.solve(method, vector(times, "times"), rtol, atol, max_steps))

    def reference(self, times: npt.ArrayLike) -> Reference:
        """A solution from y0 at `times` (K,) with error bars, solved twice in 113 bits by Radau IIA at rtol = 1e-20.

        Compliant rolling is solved in variables with a linear stiff part, so that the cost hardly depends on epsilon.
        Laws without a spring are solved in float64, and their bars are larger.
        """
        return Reference._of(self._core.reference(vector(times, "times")))

    @cached_property
    def _prediction(self) -> Predicted | str:
        try:
            return Predicted(_core.predicted(self._core))
        except InputError as error:
            return str(error)

    @property
    def predicted(self) -> Predicted | None:
        """The expansion of compliant minus ideal rolling from the same start; None: see `no_prediction`."""
        return self._prediction if isinstance(self._prediction, Predicted) else None

    @property
    def no_prediction(self) -> str:
        """The reason why `predicted` is None, else ""."""
        return self._prediction if isinstance(self._prediction, str) else ""

    def __repr__(self) -> str:
        return f"<Problem {self.name}: {len(self.names)} components>"


def solve_ivps(problems: Sequence[Problem], method: str, times: npt.ArrayLike, *, rtol: float = 1e-8,
               atol: float = 1e-10, max_steps: int = 2_000_000, jobs: int | None = None) -> list[Solution]:
    """Solve several problems side by side in threads without Python's lock; the bits of `Problem.solve`.

        >>> problem = study.compliant(1e-3)
        >>> rl.solve_ivps([problem.with_start(y0) for y0 in starts], "radau_iia", times)
        >>> rl.solve_ivps([study.with_(system={"m": m}).compliant(1e-3) for m in masses], "radau_iia", times)

    Parameters
    ----------
    problems : sequence of Problem
        A problem may occur twice; every solve has its own workspace.
    method, times, rtol, atol, max_steps
        As for `Problem.solve`, for all.
    jobs : int, optional
        Solves at a time; default: the number of cores.

    Returns
    -------
    list of Solution
        One for each problem, in their order. A failed solve has success = False; the others go on.

    Raises
    ------
    InputError
        As `Problem.solve`.
    KeyboardInterrupt
        After Ctrl-C, which stops all solves.
    """
    at_once = jobs_of(jobs)
    for k, problem in enumerate(problems):
        if not isinstance(problem, Problem):
            raise InputError(f"is a {type(problem).__name__}, not a Problem", f"problems[{k}]")
    solved = _core.solve_all([problem._core for problem in problems], method, vector(times, "times"), rtol, atol,
                             max_steps, at_once)
    return [Solution._of(one) for one in solved]
