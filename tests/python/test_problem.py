"""The problems below a study: Jacobians, solutions of several methods, wrong input, threads."""

import threading

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


def test_components_are_named(study: rl.Study) -> None:
    assert study.rigid().names == ["x", "y", "phi", "x'", "y'", "phi'"]
    assert study.compliant(EPSILON).names[6:] == ["eta1"]
    assert study.compliant(EPSILON).y0.shape == (7,)


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


def test_a_failed_solve_is_a_solution_and_wrong_input_an_error(study: rl.Study) -> None:
    problem = study.compliant(EPSILON)
    failed = problem.solve("radau_iia", [0.0, 2.0], max_steps=3)
    assert not failed.success and failed.status == "max_steps" and np.isnan(failed.y[:, -1]).all()
    for wrong in (lambda: problem.rhs(0.0, np.zeros(3)), lambda: problem.solve("radau_ia", [0.0, 1.0]),
                  lambda: problem.solve("radau_iia", [1.0, 0.0]), lambda: problem.solve("radau_iia", [0.0, 1.0], rtol=-1),
                  lambda: study.compliant(-1.0), lambda: study.compliant(EPSILON, law="elastic"),
                  lambda: study.with_(sweep={"contact": {"damping_ratio": [1.0, 2.0]}}).rigid()):
        with pytest.raises(rl.InputError):
            wrong()
    with pytest.raises((TypeError, ValueError)):
        problem.rhs(0.0, np.zeros((7, 2)))


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
