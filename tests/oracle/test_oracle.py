"""Tests of the oracle itself: closed forms, agreement of its formulations and methods, suprema of known functions."""

from __future__ import annotations

import numpy as np
import pytest
from oracle_bodies import blades, sleigh, wheel
from oracle_pair import (QUANTITIES, STEP, Motion, Piece, Settings, compliant, distance, friction_compliant,
                         friction_rigid, rolling, windows_of)
from oracle_tables import OWN, limit

NATURAL = Settings(stretched=False)


def piece(begin: float, end: float, f: object) -> Piece:
    return Piece(begin, end, lambda t: np.array([t]), lambda t, y: (np.array([f(t)]),) * 3)  # type: ignore[operator]


def test_a_supremum_is_that_of_the_function_and_not_of_its_samples() -> None:
    """|sin(37 t)| has the supremum 1 on [0, 1]; t^2 up to a jump at 0.4 has the limit 0.16 from the left.

    A maximum located to 1e-6 of the distance of two samples is exact to rounding, as its error is quadratic.
    """
    zero = Motion([piece(0.0, 1.0, lambda t: 0.0)])
    waves = distance(zero, Motion([piece(0.0, 1.0, lambda t: np.sin(37.0 * t))]), 0.1, windows_of(1.0, 0.25))
    assert waves["q", "sup", "all"] == pytest.approx(1.0, abs=1e-14)
    assert waves["q", "l2", "all"] == pytest.approx(np.sqrt(0.5 - np.sin(74.0) / 148.0), rel=1e-12)
    jump = Motion([piece(0.0, 0.4, lambda t: t**2), piece(0.4, 1.0, lambda t: 0.1 - 0.05 * t)])
    assert distance(zero, jump, 0.1, windows_of(1.0, 0.2))["v", "sup", "after"] == 0.4**2
    assert distance(zero, jump, 0.1, windows_of(1.0, 0.4))["v", "sup", "after"] == pytest.approx(0.08, abs=1e-16)
    # The window begins at the jump and has the limit from the right, 0.08, alone; a sample at 0.41 gives 0.0795.
    falling = Motion([piece(0.0, 1.0, lambda t: np.exp(-t))])
    assert distance(zero, falling, 0.1, windows_of(1.0, 0.3))["v", "sup", "after"] == np.exp(-0.3)


@pytest.mark.parametrize("body, end, others", [
    (sleigh, 1.3, [NATURAL]), (blades, 1.0, [NATURAL, Settings("Radau", 1e-10, 1e-12)])])
def test_formulations_and_methods_agree(body: object, end: float, others: list[Settings]) -> None:
    """Norms of the errors in two sets of variables and by two methods differ by less than the accuracy in OWN."""
    it, epsilon = body(), 2e-2  # type: ignore[operator]
    rigid = rolling(it, end)
    best, *more = [distance(rigid, compliant(it, epsilon, end, settings), epsilon, windows_of(end, end / 4))
                   for settings in (Settings(), *others)]
    for other in more:
        for quantity in QUANTITIES:
            for norm, window in (("sup", "all"), ("sup", "after"), ("l2", "all"), ("l2", "after")):
                key = (quantity, norm, window)
                assert other[key] == pytest.approx(best[key], abs=OWN[quantity]), key
    assert best["v", "sup", "all"] > 1e4 * OWN["v"], "the errors are far above the accuracy"


def test_the_wheel_has_its_closed_form() -> None:
    """docs/theory.md, sections 10.4 and 10.8: the end of slipping, and the limits of the errors.

    t* = v0/(g (3 mu cos a - sin a)); missing force 1.3766 N = mu m g cos a - m g sin a/3; q2 = r^-1 2/3 of it, and
    v1 = 20/3 sqrt(3)/e of it. The errors are q2 eps^2 and v1 eps up to the slipping, whose influence is
    exp(-sqrt(3) t*/eps) < 1e-9 at eps <= 0.01. 0.1 % more damping changes v1 by 0.06 %.
    """
    g, a, mu, end, epsilon = 9.81, 0.3, 0.25, 0.6, 2.5e-3
    rigid = friction_rigid(wheel(), end)
    assert rigid.events == pytest.approx([1.0 / (g * (3.0 * mu * np.cos(a) - np.sin(a)))], abs=1e-14)
    missing = mu * g * np.cos(a) - g * np.sin(a) / 3.0
    motion = friction_compliant(wheel(), epsilon, end)
    error = distance(rigid, motion, epsilon, windows_of(end, end / 4))
    assert motion.events == pytest.approx(rigid.events, abs=1e-11)
    assert error["q", "sup", "all"] == pytest.approx(20.0 / 3.0 * missing * epsilon**2, abs=OWN["q"])
    peak = 20.0 / 3.0 * np.sqrt(3.0) * missing / np.e * epsilon
    assert error["v", "sup", "all"] == pytest.approx(peak, abs=OWN["v"])
    assert error["lambda", "sup", "all"] == pytest.approx(missing, abs=OWN["lambda"])
    other = distance(rigid, friction_compliant(wheel(1.001), epsilon, end), epsilon, windows_of(end, end / 4))
    assert 1e-4 < 1.0 - other["v", "sup", "all"] / peak < 1e-3


def test_the_variational_equation_is_the_derivative_of_neighbouring_motions() -> None:
    """The central difference of two motions has the error h^2 f'''/6 + 2 own/(2 h): 1e-8 f'''/6 + 1e-8 at h = 1e-4.

    f''' is some 20 times f' here. A derivative with respect to another quantity, the start, differs by its size.
    """
    end, epsilon, h = 0.5, 2e-2, 1e-4
    lifted = compliant(blades(0.7 + 1j * STEP), epsilon, end, derivative=True).pieces[0]
    below, above = (compliant(blades(0.7 + sign * h), epsilon, end).pieces[0] for sign in (-1.0, 1.0))
    other = compliant(blades(dq=[0.0, 0.0, 1j * STEP]), epsilon, end, derivative=True).pieces[0]
    for t in np.linspace(0.0, end, 7):
        for x, low, high, y in zip(lifted(t), below(t), above(t), other(t)):
            difference = (high - low) / (2.0 * h)
            assert x[3:] == pytest.approx(difference, rel=1e-6, abs=1e-6)
            assert t == 0.0 or np.max(np.abs(y[3:] - difference)) > 1e-3


def test_the_limit_of_a_polynomial_is_its_constant() -> None:
    """The bar is the distance of two extrapolations: that of K + K1 eps + K2 eps^2 is |K2| a b."""
    value, error = limit({e: e**2 * (3.0 + 2.0 * e - 7.0 * e**2) for e in (0.1, 0.05, 0.02)}, 2.0)
    assert value == pytest.approx(3.0, abs=1e-12) and error == pytest.approx(7.0 * 0.02 * 0.05, rel=1e-9)
