"""The asymptotic expansion of compliant minus ideal rolling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from .vectors import Array, vector


class LeadingTerm(NamedTuple):
    """The leading term coefficient * epsilon**order of an error."""

    coefficient: float
    order: float


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms of compliant minus ideal rolling at K times: t (K,), q (nq, K), v (n, K), multiplier (m, K)."""

    t: Array
    q: Array
    v: Array
    multiplier: Array


class Layer:
    """The initial layer: the r independent contacts swing from their start to the outer motion (docs/theory.md).

    With tau = t/epsilon, x'' = -A (C x + D x') for the deflection x that is missing to its outer value.

        >>> problem.predicted.layer(times).multiplier      # decays like exp(t/time constant)

    Attributes
    ----------
    delassus, stiffness, damping : (r, r)
        A, C and D.
    missing_load : (r,)
        The deflection C^-1 Lambda(0) - eta(0) missing at the start; zero if the spring is prepared, and then the
        layer is one order smaller.
    rates : (2r,) complex
        The exponents of t, 1/s. A double one (critical damping) has an error of 1e-8, relative.
    time_constants : (2r,)
        -1/Re(rates), s.
    """

    def __init__(self, core: _core.Predicted) -> None:
        self._core = core
        self.delassus, self.stiffness, self.damping = core.delassus, core.stiffness, core.damping
        self.missing_load = core.missing_load
        zero, one = np.zeros_like(self.delassus), np.eye(len(self.delassus))
        matrix = np.block([[zero, one], [-self.delassus @ self.stiffness, -self.delassus @ self.damping]])
        self.rates: npt.NDArray[np.complex128] = np.linalg.eigvals(matrix).astype(np.complex128) / core.epsilon
        self.time_constants: Array = -1.0 / self.rates.real

    def __call__(self, times: npt.ArrayLike, order: int = 2) -> Terms:
        """The terms of the layer up to `order` at `times` (K,), with their powers of epsilon."""
        t = vector(times, "times")
        return Terms(t, *self._core.layer(t, order))


class Predicted:
    """The expansion of compliant minus ideal rolling at one epsilon, for the viscoelastic law with beta = 1.

        >>> predicted = study.compliant(1e-3).predicted
        >>> predicted.constants["q"]                       # LeadingTerm(coefficient=17.67, order=2.0)
        >>> predicted.outer(times).q, predicted.layer.time_constants

    Attributes
    ----------
    layer : Layer
    """

    def __init__(self, core: _core.Predicted) -> None:
        self._core = core
        self.layer = Layer(core)

    @property
    def constants(self) -> dict[str, LeadingTerm]:
        """The leading terms of the sup norms of "q", "v" and "lambda", and of the "gap" of joints, over the whole time."""
        return self.leading_terms()

    def leading_terms(self, norm: str = "sup", window: str = "all") -> dict[str, LeadingTerm]:
        """The leading terms of "q", "v", "lambda", and "gap" of joints, as in the column predicted_coefficient of the tables.

        Parameters
        ----------
        norm : "sup" or "l2"
        window : "all" or "after"
            The whole time of the study, or the part behind time.after.
        """
        return {name: LeadingTerm(*term) for name, term in self._core.coefficients(norm, window).items()}

    def outer(self, times: npt.ArrayLike, order: int = 2) -> Terms:
        """The terms without the layer, epsilon^k (q_k, v_k, lambda_k) for k = 1 to `order`, at `times` (K,)."""
        t = vector(times, "times")
        return Terms(t, *self._core.outer(t, order))

    def composite(self, times: npt.ArrayLike, order: int = 2) -> Terms:
        """Outer and layer terms up to `order` (0 to 8): they leave O(epsilon^(order + 1)) of the difference."""
        t = vector(times, "times")
        return Terms(t, *self._core.composite(t, order))

    def __repr__(self) -> str:
        return f"<Predicted at epsilon = {self._core.epsilon:g}>"
