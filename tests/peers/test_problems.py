"""The problems of the peers are those of the C++ side: energies, Jacobians, closed forms. NumPy only."""

from math import cos, sin

import numpy as np
import pytest

from peers import disk
from peers.problems import DAE_FORMULATIONS, ODE_FORMULATIONS, SYSTEMS, multiplier, problem
from peers.systems import System

STEP = 1e-4  # central differences: h^2 |f'''|/6 and 1e-16/h are below 1e-8 for |f'''| < 10


def central(function, at: np.ndarray, step: float = STEP) -> np.ndarray:
    """Central differences, one column per component."""
    return np.stack([(np.asarray(function(at + step * e)) - np.asarray(function(at - step * e)))
                     / (2.0 * step) for e in np.eye(len(at))], axis=-1)


def somewhere(system: System, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v and a force without symmetries; |v| is of order 1, and the disc does not lie flat."""
    draw = np.random.default_rng(seed)
    q = np.array(system.q0) + 0.3 * draw.uniform(-1.0, 1.0, system.n)
    return q, draw.uniform(-1.0, 1.0, system.n), draw.uniform(-1.0, 1.0, system.m)


def coenergy(name: str, q: np.ndarray, v: np.ndarray) -> float:
    """K* as documented in src/rigidlimit/systems."""
    if name == "knife_edge":
        return 0.5 * (v[0] ** 2 + v[1] ** 2 + 0.5 * v[2] ** 2)
    if name == "chaplygin_sleigh":
        a = 0.4
        x, y = v[0] - a * sin(q[2]) * v[2], v[1] + a * cos(q[2]) * v[2]  # centre of mass
        return 0.5 * (x * x + y * y + 0.5 * v[2] ** 2)
    r, axial = disk.RADIUS, disk.AXIAL
    spin = v[4] + sin(q[3]) * v[2]
    return (0.5 * (v[0] ** 2 + v[1] ** 2 + (r * sin(q[3]) * v[3]) ** 2)
            + 0.25 * axial * (v[3] ** 2 + (cos(q[3]) * v[2]) ** 2) + 0.5 * axial * spin**2)


def potential(name: str, q: np.ndarray) -> float:
    return {"knife_edge": -9.81 * sin(0.3) * q[0], "chaplygin_sleigh": 0.0,
            "rolling_disk": 9.81 * disk.RADIUS * cos(q[3]) if len(q) > 3 else 0.0}[name]


def lagrange_residual(system: System, q, v, lam, acceleration) -> np.ndarray:
    """(d/dt) dK*/dv - d(K* - P)/dq + G^T lam by central differences; zero for a correct motion."""
    def momentum(t: float) -> np.ndarray:
        return central(lambda u: coenergy(system.name, q + t * v, u), v + t * acceleration)

    slope = (momentum(STEP) - momentum(-STEP)) / (2.0 * STEP)
    by_q = central(lambda x: coenergy(system.name, x, v) - potential(system.name, x), q)
    G = system.sliding_derivatives(q, v)[:, system.n:]
    return slope - by_q + G.T @ lam


@pytest.mark.parametrize("name", SYSTEMS)
def test_accelerations_satisfy_lagrange_equations(name: str) -> None:
    """Second differences: round-off 1e-16/h^2 = 1e-8, truncation h^2 = 1e-8, times some tens.
    Negative control: an acceleration error of 1e-3 is detected."""
    system = SYSTEMS[name]()
    for seed in range(3):
        q, v, lam = somewhere(system, seed)
        right = np.array(system.acceleration(q, v, lam))
        assert np.max(np.abs(lagrange_residual(system, q, v, lam, right))) < 1e-6
        wrong = right + 1e-3
        assert np.max(np.abs(lagrange_residual(system, q, v, lam, wrong))) > 1e-5


@pytest.mark.parametrize("name", SYSTEMS)
def test_adapted_rates_equal_those_of_the_natural_variables(name: str) -> None:
    """d/dt of (u, w)(q, v) along the natural motion by central differences (h^2 = 1e-8)."""
    system = SYSTEMS[name]()
    q, v, lam = somewhere(system, 5)
    acceleration = np.array(system.acceleration(q, v, lam))
    uw = np.array(system.adapted(q, v))
    along = (np.array(system.adapted(q + STEP * v, v + STEP * acceleration))
             - np.array(system.adapted(q - STEP * v, v - STEP * acceleration))) / (2.0 * STEP)
    rates = np.array(system.adapted_rates(q, uw, lam))
    assert rates[:system.n] == pytest.approx(v, abs=1e-14)
    assert rates[system.n:] == pytest.approx(along, abs=1e-7)
    assert system.velocity(q, uw) == pytest.approx(v, abs=1e-14)
    assert uw[-system.m:] == pytest.approx(system.sliding(q, v), abs=1e-14)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("formulation", ODE_FORMULATIONS)
def test_ode_jacobians_equal_central_differences(name: str, formulation: str) -> None:
    """With eps = 0.3 the entries are at most 1/eps^2 = 11; differences resolve them to 1e-6."""
    ode = problem(name, formulation, 0.3)
    y = ode.start + 0.1 * np.random.default_rng(2).uniform(-1.0, 1.0, len(ode.start))
    differences = central(lambda x: ode.rhs(0.0, x), y)
    assert ode.jacobian(0.0, y) == pytest.approx(differences, abs=1e-6, rel=1e-6)
    shifted = ode.jacobian(0.0, y + 0.01)
    assert np.max(np.abs(shifted - differences)) > 1e-4, "the comparison can fail"


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("formulation", DAE_FORMULATIONS)
def test_daes_have_consistent_starts_and_correct_jacobians(name: str, formulation: str) -> None:
    dae = problem(name, formulation, float("nan"))
    assert dae.residual(0.0, dae.start, dae.start_rate) == pytest.approx(0.0, abs=1e-14)
    draw = np.random.default_rng(3)
    y = dae.start + 0.1 * draw.uniform(-1.0, 1.0, len(dae.start))
    rate = dae.start_rate + 0.1 * draw.uniform(-1.0, 1.0, len(y))
    by_y, by_rate = dae.jacobian(0.0, y, rate)
    assert by_y == pytest.approx(central(lambda x: dae.residual(0.0, x, rate), y), abs=1e-6, rel=1e-6)
    assert by_rate == pytest.approx(central(lambda x: dae.residual(0.0, y, x), rate), abs=1e-6,
                                    rel=1e-6)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_delassus_matrix_is_diagonal_and_as_stated(name: str) -> None:
    """A = G M^-1 G^T is -1 times the derivative of w' by the forces, at the start and elsewhere."""
    system = SYSTEMS[name]()
    for q, v, lam in (system.q0, system.v0, [0.0] * system.m), somewhere(system, 6):
        d = system.adapted_derivatives(q, system.adapted(q, v), lam)
        A = -d[2 * system.n - system.m:, 2 * system.n:]
        assert A == pytest.approx(np.diag(system.delassus(q)), abs=1e-14)


def test_the_multiplier_of_the_knife_edge_has_its_closed_form() -> None:
    """Lambda(0) = -m u0 omega = -0.91 (docs/theory.md, section 8)."""
    system = SYSTEMS["knife_edge"]()
    assert multiplier(system, system.q0, system.v0) == pytest.approx([-0.91])


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no problem 'sphere'; there are: knife_edge"):
        problem("sphere", "natural", 1e-2)
    with pytest.raises(ValueError, match="no formulation 'unnatural'"):
        problem("knife_edge", "unnatural", 1e-2)
