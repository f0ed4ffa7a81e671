"""A Python function as a method: its rows are those of the algorithm, and its failures are its own."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
from program import ROOT
from rigidlimit.own_method import content_of

integrate = pytest.importorskip("scipy.integrate")


@pytest.fixture
def study() -> rl.Study:
    return rl.Study({"name": "knife_edge"}, name="sample", time={"end": 2.0}, epsilon=rl.geometric(1e-2, 1e-3, 4),
                    initial={"v": {"x": 0.7, "phi": 1.3}}, expect=[{"quantity": "q", "order": 2.0}],
                    solvers={"rtol": 1e-9, "atol": 1e-11})


@rl.method
def scipy_radau(problem: Any, times: Any, rtol: float, atol: float) -> Any:
    return integrate.solve_ivp(problem.rhs, (problem.t0, times[-1]), problem.y0, "Radau", times, rtol=rtol, atol=atol,
                               jac=problem.jacobian)


@rl.method(order=4, stiff=False, title="Classical Runge-Kutta method, 4000 steps")
def own_rk4(problem: Any, times: Any, rtol: float, atol: float) -> Any:
    t, y, states, steps = problem.t0, problem.y0, [], 0
    for end in times:
        count = int(np.ceil((end - t) / times[-1] * 4000))
        h = (end - t) / max(count, 1)
        for _ in range(count):
            k1 = problem.rhs(t, y)
            k2 = problem.rhs(t + h / 2, y + h / 2 * k1)
            k3 = problem.rhs(t + h / 2, y + h / 2 * k2)
            k4 = problem.rhs(t + h, y + h * k3)
            t, y, steps = t + h, y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), steps + 1
        states.append(y)
    return np.transpose(states), {"steps": steps}


# The two-wheeler turns by more than 105°, where the adapted coordinates of its start are singular. In natural
# variables, which a function gets by default, SciPy's Radau ends at every ε. Negative control: in adapted variables it
# meets an f that is not finite, and the row says so with its t.
def test_it_solves_a_body_that_turns_far() -> None:
    study = rl.Study.load(Path(__file__).parent / "two_wheeler.toml").with_(
        epsilon={"values": [1e-1, 1e-2, 1e-3]}, solvers={"compliant": ["scipy_radau"], "rtol": 1e-8, "atol": 1e-10})
    table = study.run(results=None).table
    assert set(table["status"]).isdisjoint({s for s in table["status"] if s.startswith("failed")})
    adapted = study.with_(solvers={"formulation": "adapted"}).run(results=None).table
    assert (adapted["status"] == "failed: not_finite").any()


def test_its_errors_are_those_of_the_pair(study: rl.Study) -> None:
    result = study.with_(solvers={"compliant": ["radau_iia", "scipy_radau"]}).run(results=None, jobs=2)
    assert result.held, result.verdict
    table = result.table.query("quantity == 'q' and norm == 'sup' and window == 'all'")
    both = table.set_index(["compliant_solver", "epsilon"])
    for epsilon in study.with_().run(results=None).table["epsilon"].unique():
        ours, theirs = both.loc[("radau_iia", epsilon)], both.loc[("scipy_radau", epsilon)]
        assert abs(ours["model_error"] - theirs["model_error"]) <= 10 * theirs["solver_error"] + 1e-12
        assert theirs["rhs_evaluations"] > 100 and theirs["jacobian_evaluations"] > 0


def test_it_stands_on_the_rigid_side_and_in_benchmarks(study: rl.Study) -> None:
    rigid = study.with_(solvers={"rigid": ["own_rk4"], "compliant": ["radau_iia"]}).run(results=None)
    assert rigid.held, rigid.verdict
    benchmark = rl.Study.loads(f"""
        benchmark = {{name = "mine", kind = "work_precision", methods = ["radau_iia", "scipy_radau"]}}
        tolerance.rtol = [1e-4, 1e-7]
        timing.repeats = 0
        problem = [{{study = "{ROOT}/experiments/convergence/knife_edge.toml", epsilon = [1e-2]}}]
        """)
    rows = benchmark.run(results=None).table
    assert set(rows["method"]) == {"radau_iia", "scipy_radau"} and set(rows["status"]) == {"ok"}
    for formulation in ("natural", "adapted"):
        errors = rows.query("method == 'scipy_radau' and group == 'q' and formulation == @formulation")
        assert errors.sort_values("rtol")["error"].is_monotonic_increasing and len(errors) == 2


def test_it_solves_single_problems(study: rl.Study) -> None:
    times = np.linspace(0.0, 2.0, 21)
    problem = study.compliant(1e-2)
    ours = problem.solve("radau_iia", times, rtol=1e-12, atol=1e-14)
    own = problem.solve("own_rk4", times)
    assert own.success and np.abs(own.y - ours.y).max() < 1e-7
    assert own.steps >= 4000 and own.nfev == 4 * own.steps


def wrong(name: str, answer: Callable[[Any, Any], Any], **options: Any) -> None:
    rl.method(name=name, **options)(lambda problem, times, rtol, atol: answer(problem, times))


def spin(problem: Any, times: Any) -> Any:
    while True:
        pass


def spin_on_f(problem: Any, times: Any) -> Any:
    while True:
        try:
            problem.rhs(0.0, problem.y0)
        except RuntimeError:
            pass


def raising(problem: Any, times: Any) -> Any:
    raise ZeroDivisionError("one over nothing")


FAULTS = {
    "too_few": lambda problem, times: np.zeros((len(problem.y0), 2)),
    "transposed": lambda problem, times: np.zeros((len(times), len(problem.y0))),
    "undefined": lambda problem, times: np.full((len(problem.y0), len(times)), np.nan),
    "nothing": lambda problem, times: None,
    "words": lambda problem, times: "states",
    "a_triple": lambda problem, times: (1, 2, 3),
    "ragged": lambda problem, times: [[1.0], [1.0, 2.0]],
    "wrong_shape_of_y": lambda problem, times: problem.rhs(0.0, np.zeros(99)),
    "raising": raising,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_method_spoils_its_own_rows_only(fault: str, study: rl.Study) -> None:
    wrong(fault, FAULTS[fault])
    table = study.with_(solvers={"compliant": ["radau_iia", fault]}).run(results=None).table
    status = table.set_index("compliant_solver")["status"]
    assert all(text.startswith("failed") for text in status.loc[fault]) and len(status.loc[fault]) > 0
    assert not any(text.startswith("failed") for text in status.loc["radau_iia"])


@pytest.mark.parametrize("endless", [spin, spin_on_f])
def test_an_endless_method_ends_at_its_limit(endless: Any, study: rl.Study) -> None:
    wrong("endless", endless, time_limit=0.2)
    solution = study.compliant(1e-2).solve("endless", [0.0, 2.0])
    assert not solution.success and solution.status == "time_limit" and "0.2 s" in solution.message
    assert study.compliant(1e-2).solve("radau_iia", [0.0, 2.0]).success, "the thread and the problem are sound"


# SciPy ends with status -1 where its step falls below the spacing of numbers: at a pole of y' = y², at t = 1 for
# y = 1. Negative control: the result of another library has no such status.
def test_an_exhausted_step_is_an_outcome_of_its_own(study: rl.Study) -> None:
    wrong("exhausted", lambda problem, times: integrate.solve_ivp(lambda t, y: y**2, (0.0, 2.0), [1.0], "Radau"))
    wrong("other", lambda problem, times: (np.empty((0, 0)), {"success": False, "message": "lost"}))
    wrong("named", lambda problem, times: (np.empty((0, 0)), {"success": False, "outcome": "max_steps"}))
    statuses = {name: study.compliant(1e-2).solve(name, [0.0, 2.0]).status for name in ("exhausted", "other", "named")}
    assert statuses == {"exhausted": "step_underflow", "other": "solver_error", "named": "max_steps"}


def test_control_c_ends_an_endless_method() -> None:
    script = textwrap.dedent("""\
        import signal
        import rigidlimit as rl
        signal.signal(signal.SIGINT, signal.default_int_handler)
        @rl.method
        def endless(problem, times, rtol, atol):
            print("begins", flush=True)
            while True:
                pass
        study = rl.Study({"name": "knife_edge"}, name="s", time={"end": 2.0}, epsilon=[1e-2],
                         solvers={"compliant": ["endless"]})
        try:
            study.run(results=None, jobs=1)
        except KeyboardInterrupt:
            print("interrupted")
        """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None and process.stdout.readline() == "begins\n"
    process.send_signal(signal.SIGINT)
    assert "interrupted" in process.stdout.read()
    assert process.wait(timeout=60) == 0


def test_the_store_tells_two_versions_apart(study: rl.Study, tmp_path: Path) -> None:
    def euler(problem: Any, times: Any, rtol: float, atol: float) -> Any:
        return scipy_radau(problem, times, rtol, atol)

    def computed(version: str) -> int:
        rl.method(name="versioned", version=version)(euler)
        return study.with_(solvers={"compliant": ["versioned"]}).run(results=tmp_path).computed

    first, again, changed = computed("1"), computed("1"), computed("2")
    assert again == 0 and 0 < changed < first, "the rigid motion is the same"


def test_content_follows_the_code() -> None:
    def make(factor: int) -> Any:
        return lambda problem, times, rtol, atol: factor * problem.y0

    same = content_of(make(2), "")
    assert content_of(make(2), "") == same
    assert content_of(make(3), "") != same, "a captured value"
    assert content_of(lambda problem, times, rtol, atol: 2 + problem.y0, "") != same
    assert content_of(make(2), "other") != same


def test_bad_registrations_are_refused() -> None:
    for options in ({"name": "cvode_bdf"}, {"name": "two words"}, {"name": "late", "time_limit": 0.0}):
        with pytest.raises(rl.InputError):
            rl.method(**options)(own_rk4)  # type: ignore[call-overload]
    with pytest.raises(rl.InputError):
        rl.method(3)  # type: ignore[call-overload]
    assert "own_rk4" in rl.methods() and "late" not in rl.methods()


def test_a_problem_ends_with_its_solve(study: rl.Study) -> None:
    kept = []
    wrong("keeper", lambda problem, times: kept.append(problem))
    study.compliant(1e-2).solve("keeper", [0.0, 2.0])
    with pytest.raises(rl.InputError):
        kept[0].rhs(0.0, np.zeros(7))
