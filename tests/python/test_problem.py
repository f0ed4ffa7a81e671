"""The problems below a study: forms, Jacobians, solutions of several methods, starts, wrong input, threads."""

import threading
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

import rigidlimit as rl

EPSILON = 1e-2


@pytest.fixture
def study() -> rl.Study:
    return rl.Study({"name": "knife_edge"}, name="sample", initial={"v": [0.7, 0.0, 1.3]}, time={"end": 2.0},
                    epsilon=[1e-2, 1e-3])


@pytest.mark.parametrize("side", ["rigid", "compliant"])
def test_the_jacobian_is_the_derivative_of_the_right_hand_side(study: rl.Study, side: str) -> None:
    problem = study.rigid() if side == "rigid" else study.compliant(EPSILON)
    y = problem.y0 + 0.1 * np.cos(np.arange(len(problem.names)))
    jacobian = problem.jacobian(0.3, y)
    step = 1e-6  # central differences: error of order step^2, and rounding / step
    for k in range(len(y)):
        away = np.zeros_like(y)
        away[k] = step
        slope = (problem.rhs(0.3, y + away) - problem.rhs(0.3, y - away)) / (2 * step)
        np.testing.assert_allclose(jacobian[:, k], slope, atol=1e-7 * max(1.0, np.abs(jacobian).max()))
    assert np.abs(jacobian).max() > 1.0, "negative control: not zero"


def test_components_have_names_and_units(study: rl.Study) -> None:
    assert study.rigid().names == ["x", "y", "phi", "x'", "y'", "phi'"]
    assert study.rigid().units == ["m", "m", "rad", "m/s", "m/s", "rad/s"]
    compliant = study.compliant(EPSILON)
    assert compliant.names[6:] == ["eta1"] and compliant.units[6:] == ["m"] and compliant.y0.shape == (7,)
    assert study.rigid("semi_explicit").names[6:] == ["lambda1"] and study.rigid("index2").units[6:] == ["N"]
    assert study.rigid("impulse").names[6:] == ["impulse1"] and study.rigid("impulse").units[6:] == ["N s"]


@pytest.mark.parametrize("name", ["knife_edge", "wheel_euler", "epicyclic_gear", "chaplygin_sphere"])
def test_every_form_of_ideal_rolling_has_the_same_motion(name: str) -> None:
    study = rl.Study({"name": name}, name="sample", time={"end": 0.5}, epsilon=[1e-2])
    times = np.linspace(0.0, 0.5, 6)
    best = study.rigid().reference(times)
    assert best.success
    form: Literal["semi_explicit", "index2", "impulse"]
    for form in ("semi_explicit", "index2", "impulse"):
        problem = study.rigid(form)
        assert len(problem.names) == len(problem.units) == len(problem.y0) > len(study.rigid().names)
        solution = (problem.solve("radau_iia", times, rtol=1e-10, atol=1e-12) if isinstance(problem, rl.Problem) else
                    problem.solve(times, rtol=1e-9, atol=1e-11))
        assert solution.success
        np.testing.assert_allclose(solution.q, best.q, atol=1e-6)
        np.testing.assert_allclose(solution.v, best.v, atol=1e-6)
        np.testing.assert_allclose(solution.multiplier, best.multiplier, atol=1e-4, err_msg=form)


def test_the_mass_matrix_is_the_identity_or_singular_where_multipliers_are_states(study: rl.Study) -> None:
    assert np.array_equal(study.rigid().mass, np.eye(6)) and study.rigid().index == [0] * 6
    assert np.array_equal(study.compliant(EPSILON).mass, np.eye(7))
    problem = study.rigid("semi_explicit")
    assert np.array_equal(problem.mass, np.diag([1.0] * 6 + [0.0])) and problem.index == [0] * 6 + [2]
    # M y' = f(t, y) has the derivative of the form without multipliers.
    rate = problem.rhs(0.0, problem.y0)
    np.testing.assert_allclose(rate, [*study.rigid().rhs(0.0, study.rigid().y0), 0.0], atol=1e-14)
    wrong = problem.y0 + np.eye(7)[6]  # negative control: another multiplier, another acceleration
    assert np.abs(problem.rhs(0.0, wrong) - rate).max() > 0.1
    with pytest.raises(rl.InputError):
        problem.solve("cvode_bdf", [0.0, 1.0])


@pytest.mark.parametrize("form", ["index2", "impulse"])
def test_a_residual_vanishes_at_the_start_and_has_an_exact_jacobian(study: rl.Study,
                                                                    form: Literal["index2", "impulse"]) -> None:
    problem = study.rigid(form)
    y, yp = problem.y0, problem.yp0
    np.testing.assert_allclose(problem.residual(0.0, y, yp), 0.0, atol=1e-14)
    assert np.abs(problem.residual(0.0, y, yp + 1.0)).max() > 0.1, "negative control"
    assert problem.differential == [True] * 6 + [form == "impulse"]
    alpha, step = 3.0, 1e-6
    jacobian = problem.jacobian(0.0, y, yp, alpha)
    for k in range(7):
        away = step * np.eye(7)[k]
        slope = (problem.residual(0.0, y + away, yp + alpha * away)
                 - problem.residual(0.0, y - away, yp - alpha * away)) / (2 * step)
        np.testing.assert_allclose(jacobian[:, k], slope, atol=1e-7)


def test_another_start_keeps_the_equations_and_the_damping() -> None:
    study = rl.Study({"name": "snakeboard"}, name="sample", time={"end": 1.0}, epsilon=[1e-2])
    problem = study.compliant(EPSILON)
    y0 = problem.y0
    y0[4] += 0.2
    y0[10] = 0.3
    other = problem.with_start(y0)
    assert np.array_equal(other.y0, y0) and np.array_equal(other.rhs(0.0, y0), problem.rhs(0.0, y0))
    q = [float(x) for x in y0[:5]]
    fresh = study.with_(initial={"q": q})
    # Negative control: the damping ratio of a study refers to its own start.
    sliding = y0 + 0.1
    assert not np.array_equal(fresh.compliant(EPSILON).rhs(0.0, sliding), problem.rhs(0.0, sliding))


def test_methods_agree_within_their_tolerances_and_with_the_closed_form(study: rl.Study) -> None:
    times = np.linspace(0.0, 2.0, 21)
    problem = study.compliant(EPSILON)
    one = problem.solve("radau_iia", times, rtol=1e-10, atol=1e-12)
    other = problem.solve("cvode_bdf", times, rtol=1e-10, atol=1e-12)
    assert one.success and other.success and one.y.shape == (7, 21) and one.multiplier.shape == (1, 21)
    assert np.abs(one.y - other.y).max() < 1e-7 and np.abs(one.y - other.y).max() > 0.0
    assert one.nfev > 0 and other.nfev > 0
    rigid = study.rigid().solve("radau_iia", times, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(rigid.q[2], 1.3 * times, atol=1e-9)  # phi' is constant
    # The error of q is 17.3 eps^2 (experiments/convergence/knife_edge.toml).
    assert 1.0 < np.abs(one.q - rigid.q).max() / EPSILON**2 < 20.0


def test_scipy_takes_a_problem_as_it_is(study: rl.Study) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    problem = study.compliant(EPSILON)
    theirs = integrate.solve_ivp(problem.rhs, (0.0, 2.0), problem.y0, method="Radau", jac=problem.jacobian, rtol=1e-8,
                                 atol=1e-10)
    ours = problem.solve("radau_iia", [0.0, 2.0], rtol=1e-10, atol=1e-12)
    assert theirs.success and np.abs(theirs.y[:, -1] - ours.y[:, -1]).max() < 1e-5


def test_a_failed_solve_is_a_solution(study: rl.Study) -> None:
    failed = study.compliant(EPSILON).solve("radau_iia", [0.0, 2.0], max_steps=3)
    assert not failed.success and failed.status == "max_steps" and np.isnan(failed.y[:, -1]).all()


NAN = float("nan")


@pytest.mark.parametrize("wrong", [
    lambda s, p: p.rhs(0.0, np.zeros(3)), lambda s, p: p.rhs(0.0, np.zeros((7, 2))),
    lambda s, p: p.rhs(0.0, [[1.0], [1.0, 2.0]]), lambda s, p: p.jacobian(0.0, np.zeros(8)),
    lambda s, p: p.rhs(0.0, ["1"] * 7), lambda s, p: p.rhs(0.0, np.zeros(7, dtype=complex)),
    lambda s, p: p.with_start(np.zeros(6)), lambda s, p: p.with_start(np.full(7, NAN)),
    lambda s, p: p.solve("radau_ia", [0.0, 1.0]), lambda s, p: p.solve("radau_iia_batched", [0.0, 1.0]),
    lambda s, p: p.solve("radau_iia", [1.0, 0.0]), lambda s, p: p.solve("radau_iia", [0.0, 0.0]),
    lambda s, p: p.solve("radau_iia", [0.0, NAN]), lambda s, p: p.solve("radau_iia", []),
    lambda s, p: p.solve("radau_iia", [-1.0, 1.0]), lambda s, p: p.solve("radau_iia", [[0.0, 1.0]]),
    lambda s, p: p.solve("radau_iia", [0.0, 1.0], rtol=-1), lambda s, p: p.solve("radau_iia", [0.0, 1.0], atol=NAN),
    lambda s, p: p.solve("radau_iia", [0.0, 1.0], max_steps=0), lambda s, p: p.reference([0.0, NAN]),
    lambda s, p: s.compliant(-1.0), lambda s, p: s.compliant(NAN), lambda s, p: s.compliant(float("inf")),
    lambda s, p: s.compliant(EPSILON, law="elastic"), lambda s, p: s.rigid("index3"),
    lambda s, p: s.rigid("index2").residual(0.0, np.zeros(7), np.zeros(6)),
    lambda s, p: s.rigid("index2").residual(0.0, np.zeros(6), np.zeros(7)),
    lambda s, p: s.rigid("index2").jacobian(0.0, np.zeros(6), np.zeros(7), 1.0),
    lambda s, p: s.rigid("index2").solve([0.0, 1.0], rtol=0.0),
    lambda s, p: s.rigid("semi_explicit").with_start(np.zeros(7)),
    lambda s, p: s.rigid("semi_explicit").reference([0.0, 1.0]),
    lambda s, p: s.with_(sweep={"contact": {"damping_ratio": [1.0, 2.0]}}).rigid(),
    lambda s, p: s.rigid("semi_explicit").solve("radau_iia", [1.0, 0.0])])
def test_wrong_input_is_an_error_of_one_sentence(study: rl.Study, wrong: Callable[[Any, Any], object]) -> None:
    with pytest.raises(rl.InputError) as caught:
        wrong(study, study.compliant(EPSILON))
    assert caught.value.message and "\n" not in caught.value.message


def test_a_start_that_violates_an_exact_constraint_is_an_error() -> None:
    problem = rl.Study({"name": "wheel_euler"}, name="sample", time={"end": 1.0}, epsilon=[1e-2]).compliant(EPSILON)
    assert problem.with_start(problem.y0).y0.shape == problem.y0.shape
    with pytest.raises(rl.InputError):
        problem.with_start(np.ones_like(problem.y0))


def test_integers_and_strided_arrays_are_taken(study: rl.Study) -> None:
    problem = study.compliant(EPSILON)
    y = np.arange(14, dtype=float)
    assert np.array_equal(problem.rhs(0.0, y[::2]), problem.rhs(0, [0, 2, 4, 6, 8, 10, 12]))


def test_a_problem_outlives_its_study_and_refuses_a_second_thread(study: rl.Study) -> None:
    problem = study.with_(epsilon=[1e-3]).compliant(1e-4)
    y = problem.y0
    refused: list[bool] = []
    done = threading.Event()

    def solve() -> None:
        problem.solve("dopri5", np.linspace(0.0, 2.0, 3), rtol=1e-10, atol=1e-12)
        done.set()

    thread = threading.Thread(target=solve)
    thread.start()
    while not done.is_set() and not refused:
        try:
            problem.rhs(0.0, y)
        except rl.InputError:
            refused.append(True)
    thread.join()
    assert refused, "the solve takes long enough to be met"
    assert problem.rhs(0.0, y).shape == y.shape, "afterwards it is free"
