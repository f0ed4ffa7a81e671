"""Integrators of other projects: their equations are ours, and a guest that is missing or fails is a row."""

import ctypes
import math
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rigidlimit as rl
from guests import __main__ as guests
from guests import equations
from guests.table import table, times

ROOT = Path(__file__).resolve().parents[2]
DISK = ROOT / "experiments/convergence/rolling_disk.toml"
MATH = SimpleNamespace(sin=math.sin, cos=math.cos, tan=math.tan, sqrt=math.sqrt)
BENCHMARK = f"""
[benchmark]
name = "guest"
kind = "work_precision"
methods = ["radau_iia", "rosenbrock4"]
[tolerance]
rtol = [1e-5, 1e-8]
[timing]
repeats = 1
most_seconds = 0.01
[[problem]]
study = "{DISK}"
epsilon = [1e-2, 0]
formulations = ["adapted"]
"""


def seen(study: rl.Study) -> list[dict[str, Any]]:
    """Of each problem of a benchmark: f, J and two copies of them near the start."""
    found: list[dict[str, Any]] = []

    @rl.method(name="looks_on")
    def look(problem: Any, times: Any, rtol: float, atol: Any) -> Any:
        y = problem.y0 + 0.01
        library = equations.compiled(problem, "calls.c")
        rate, matrix = np.empty(y.size), np.empty((y.size, y.size))
        library.counted_rhs(ctypes.c_double(0.5), equations.pointer(y), equations.pointer(rate), None)
        library.jacobian(ctypes.c_double(0.5), equations.pointer(y), equations.pointer(matrix))
        found.append({"f": problem.rhs(0.5, y), "J": problem.jacobian(0.5, y), "compiled": rate, "J compiled": matrix,
                      "traced": np.array(equations.traced(problem, MATH)(0.5, list(y))), "key": problem.fingerprint,
                      "calls": ctypes.c_long.in_dll(library, "calls").value})
        raise RuntimeError("it only looks on")

    study.with_(benchmark={"methods": ["radau_iia", "looks_on"]}).run(results=None, jobs=1)
    return found


def test_compiled_and_traced_equations_are_those_of_the_problem() -> None:
    """Thousand roundings of terms up to 1/ε² = 1e4 times f."""
    problems = seen(rl.Study.loads(BENCHMARK))
    assert len(problems) == 4, "two values of epsilon, two tolerances"
    for one in problems:
        size = np.abs(one["f"]).max()
        np.testing.assert_allclose(one["compiled"], one["f"], rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(one["traced"], one["f"], rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(one["J compiled"], one["J"], rtol=0, atol=1e-12 * np.abs(one["J"]).max())
        assert one["calls"] == 1
    assert len({one["key"] for one in problems}) == 2, "one key for each problem, whatever the tolerance"
    assert not np.allclose(problems[0]["f"][:3], problems[0]["f"][3:6]), "negative control"


def test_scipy_stands_beside_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors of Radau fall by the factor of the tolerances, within one power of ten each."""
    pytest.importorskip("scipy")
    (tmp_path / "guest.toml").write_text(BENCHMARK)
    assert guests.main(["scipy", "--study", str(tmp_path / "guest.toml"), "--results", str(tmp_path)]) == 0
    text = (tmp_path / "guest/table.md").read_text()
    assert capsys.readouterr().out.strip() == text.strip()
    assert {"radau_iia", "scipy_radau", "scipy_dop853"} <= {line.split("|")[1].strip() for line in text.splitlines()}
    errors = rl.Study.load(tmp_path / "guest.toml").with_(benchmark={"methods": ["scipy_radau"]}).run(
        results=None).table.query("group == 'q' and epsilon == 0").error.to_numpy()
    assert 1e-4 < errors[1] / errors[0] < 1e-2


@pytest.mark.parametrize(("guest", "package", "count"), [("diffsol", "pydiffsol", 4), ("assimulo", "assimulo", 6)])
def test_the_methods_of_a_guest_converge_with_the_tolerance(guest: str, package: str, count: int) -> None:
    """Ideal rolling, which no method finds stiff, at rtol 1e-5 and 1e-8: the error falls by more than ten."""
    pytest.importorskip(package)
    rl.method(name="stands_still")(lambda problem, times, rtol, atol: np.tile(problem.y0[:, None], times.size))
    methods = guests.invited([guest])[0][guest]
    assert len(methods) == count
    study = rl.Study.loads(BENCHMARK).with_(benchmark={"methods": [*methods, "stands_still"]})
    rows = study.run(results=None, jobs=1).table.query("group == 'q' and epsilon == 0")
    loose, tight = (rows[rows.rtol == rtol].set_index("method").error for rtol in (1e-5, 1e-8))
    assert (tight[methods] < 0.1 * loose[methods]).all() and (tight[methods] < 1e-5).all()
    assert tight["stands_still"] > 0.1 * loose["stands_still"] > 1e-5, "negative control"


def test_a_guest_that_is_missing_is_a_row_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "heyoka", None)
    monkeypatch.delitem(sys.modules, "guests.heyoka_guest", raising=False)
    methods, missing = guests.invited(["heyoka"])
    assert methods == {} and list(missing) == ["heyoka"] and missing["heyoka"]
    result = rl.Study.loads(BENCHMARK).run(results=None)
    rows = table(result, "radau_iia", [1e-4, 1e-8], missing).splitlines()
    assert rows[-1].startswith("| heyoka | – |") and missing["heyoka"] in rows[-1]


def test_a_guest_that_fails_is_a_row_of_dashes() -> None:
    @rl.method(name="fails")
    def fail(problem: Any, times: Any, rtol: float, atol: Any) -> Any:
        raise RuntimeError("no, not this one")

    result = rl.Study.loads(BENCHMARK).with_(benchmark={"methods": ["radau_iia", "fails"]}).run(results=None)
    rows = {line.split("|")[1].strip(): line for line in table(result, "radau_iia", [1e-3, 1e-5], {}).splitlines()}
    assert set(rows["fails"].split("|")[2:-2]) == {" – / – "} and "no, not this one" in rows["fails"]
    assert " 1 / 1 " in rows["radau_iia"], "negative control: our own solves arrive"
    assert result.table.query("method == 'fails'").reason.str.endswith("no, not this one").all()


def made_up(errors: list[float], seconds: list[float]) -> pd.DataFrame:
    """Solves of one method at tolerances 1e-2, 1e-3, …"""
    return pd.DataFrame({"method": "ours", "problem": "x", "rtol": [10.0**-(2 + i) for i in range(len(errors))],
                         "accuracy": errors, "seconds": seconds})


def test_a_lucky_tolerance_does_not_set_the_time() -> None:
    honest = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
    seconds = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    lucky = honest[:1] + [1e-8] + honest[2:]
    solves = made_up(lucky, seconds)
    assert solves[solves.accuracy <= 1e-8].seconds.min() == 2.0, "negative control: the least time of one solve"
    assert times(solves, [1e-8])["ours", "x", 1e-8] == 7.0
    assert times(made_up(honest, seconds), [1e-8])["ours", "x", 1e-8] == 7.0
    assert times(solves.sample(frac=1, random_state=1), [1e-8])["ours", "x", 1e-8] == 7.0, "the order of rows is free"


def test_one_outlier_in_time_or_one_failure_changes_nothing() -> None:
    errors, seconds = [1e-2, 1e-4, 1e-6, 1e-8], [1.0, 2.0, 3.0, 4.0]
    assert times(made_up(errors, [1.0, 9.0, 3.0, 4.0]), [1e-4])["ours", "x", 1e-4] == 3.0
    assert times(made_up(errors, [1.0, 0.1, 3.0, 4.0]), [1e-4])["ours", "x", 1e-4] == 1.0
    failed = made_up([1e-2, float("nan"), 1e-6, 1e-8], seconds)
    assert times(failed, [1e-6])["ours", "x", 1e-6] == 4.0
    assert times(made_up(errors, [float("nan")] * 4), [1e-4]).empty, "unknown times"


def test_the_ends_have_one_neighbour() -> None:
    """The larger error and time of two; a single tolerance counts as it is."""
    two = made_up([1e-3, 1e-6], [1.0, 2.0])
    assert times(two, [1e-3])["ours", "x", 1e-3] == 2.0 and times(two, [1e-4]).empty
    assert times(made_up([1e-6], [2.0]), [1e-4])["ours", "x", 1e-4] == 2.0


def test_times_of_other_threads_are_unknown() -> None:
    study = rl.Study.loads(BENCHMARK)

    def copies(problem: Any, times: Any, rtol: float, atol: Any) -> Any:
        return np.tile(problem.y0[:, None], times.size)

    rl.method(name="copies_here")(copies)
    rl.method(name="copies_elsewhere", in_thread=False)(copies)
    rows = study.with_(benchmark={"methods": ["copies_here", "copies_elsewhere"]}).run(results=None).table
    assert (rows[rows.method == "copies_here"].seconds > 0.0).all()
    assert rows[rows.method == "copies_elsewhere"].seconds.isna().all()


def test_every_guest_is_short() -> None:
    for path in (ROOT / "benchmarks/guests").glob("*_guest.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 60, path.name


def test_an_unknown_guest_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        guests.main(["nobody"])
    assert stopped.value.code == 2 and "scipy" in capsys.readouterr().err
