"""Ensembles: several problems in threads."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import rigidlimit as rl

TIMES = np.linspace(0.0, 2.0, 21)


@pytest.fixture
def study() -> rl.Study:
    return rl.Study({"name": "knife_edge"}, name="sample", initial={"v": [0.7, 0.0, 1.3]}, time={"end": 2.0},
                    epsilon=[1e-2, 1e-3])


@pytest.mark.parametrize("method", ["radau_iia", "cvode_bdf", "rodas4", "dopri5", "arkode_imex_ark436l2sa_6_3_4"])
def test_an_ensemble_has_the_bits_of_its_members(study: rl.Study, method: str) -> None:
    problem = study.compliant(1e-2)
    starts = problem.y0 + 0.1 * np.cos(np.arange(6)[:, None] * [1.0, 2.0, 3.0, 0.0, 0.0, 4.0, 5.0])
    problems = [problem.with_start(y0) for y0 in starts] + [
        study.with_(system={"mass": mass}).compliant(epsilon) for mass in (0.5, 2.0) for epsilon in (1e-1, 1e-2)]
    together = rl.solve_ivps(problems, method, TIMES, jobs=3)
    assert len(together) == 10
    for one, alone in zip(together, [p.solve(method, TIMES) for p in problems]):
        assert one.success and np.array_equal(one.y, alone.y) and np.array_equal(one.multiplier, alone.multiplier)
        assert (one.steps, one.nfev) == (alone.steps, alone.nfev)
    assert not np.array_equal(together[0].y, together[1].y), "negative control"


def test_a_problem_may_occur_twice_and_sides_may_be_mixed(study: rl.Study) -> None:
    problem = study.compliant(1e-2)
    first, second, rigid, index2 = rl.solve_ivps(
        [problem, problem, study.rigid(), study.rigid("semi_explicit")], "radau_iia", TIMES, jobs=2)
    assert np.array_equal(first.y, second.y) and rigid.y.shape == (6, 21) and index2.y.shape == (7, 21)
    assert rl.solve_ivps([], "radau_iia", TIMES) == []


def test_a_member_that_fails_does_not_end_the_others(study: rl.Study) -> None:
    stiff = rl.solve_ivps([study.compliant(e) for e in (1e-1, 1e-6, 1e-2)], "dopri5", TIMES, max_steps=2000, jobs=2)
    assert [one.success for one in stiff] == [True, False, True] and stiff[1].status == "max_steps"


def test_wrong_input_is_an_error(study: rl.Study) -> None:
    problem = study.rigid()
    for problems, method, times, jobs in (
            ([problem], "radau", TIMES, 1), ([problem, 3], "radau_iia", TIMES, 1), ([problem], "radau_iia", [1, 0], 1),
            ([problem], "radau_iia", TIMES, 0), ([problem, study.rigid("semi_explicit")], "dopri5", TIMES, 1),
            ([study.rigid("index2")], "radau_iia", TIMES, 1), ([problem], "radau_iia", [0.0, float("nan")], 1)):
        with pytest.raises(rl.InputError):
            rl.solve_ivps(problems, method, times, jobs=jobs)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", ["p.solve('dopri5', [0.0, 2.0], max_steps=10**9)",
                                  "rl.solve_ivps([p] * 50, 'dopri5', [0.0, 2.0], max_steps=10**9, jobs=2)",
                                  "p.reference(np.linspace(0.0, 2.0, 3_000_000))"])
def test_ctrl_c_stops_the_solves(call: str) -> None:
    script = textwrap.dedent(f"""\
        import signal
        import numpy as np
        import rigidlimit as rl
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores SIGINT
        study = rl.Study({{"name": "knife_edge"}}, name="s", time={{"end": 2.0}}, epsilon=[1e-2])
        p = study.compliant(1e-9)
        try:
            print("begins", flush=True)
            {call}
            print("ended")
        except KeyboardInterrupt:
            print("interrupted", p.rhs(0.0, p.y0).shape)
        """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    time.sleep(0.5)  # the solve has begun, and takes many seconds
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == "interrupted (7,)\n"
    assert process.wait(timeout=60) == 0
