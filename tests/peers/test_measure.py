"""Tests of the timing protocol with real libraries; skipped without SciPy and solve_dae
(build/peers_venv/bin/python -m pytest tests/peers runs them)."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("solve_dae")

from peers import __main__ as command
from peers import measure
from peers.problems import problem
from peers.reference import error_of, own_reference
from peers.rows import COLUMNS, row
from peers.solvers import Peer, find_peer, solve


def case_of(method: str, formulation: str = "adapted") -> measure.Case:
    epsilon = 1e-2 if formulation in ("adapted", "natural") else float("nan")
    return measure.Case(find_peer(method), problem("knife_edge", formulation, epsilon),
                        own_reference("knife_edge", epsilon))


@pytest.mark.parametrize(("method", "formulation"), [
    ("scipy_radau", "adapted"), ("scipy_lsoda", "natural"), ("solve_dae_radau_7", "rigid_impulse"),
    ("solve_dae_radau_5", "rigid_index2"), ("solve_dae_radau_5", "adapted")])
def test_the_libraries_solve_the_problems(method: str, formulation: str) -> None:
    """The bound 1e-6 is a hundred times the tolerance, which bounds only local errors."""
    case = case_of(method, formulation)
    run = solve(case.peer, case.problem, 1e-8, math.inf)
    assert run.reason == "" and run.t_reached == 2.0
    assert error_of(run.end, case.reference) < 1e-6
    assert run.counts["steps"] > 5 and run.counts["rhs"] > run.counts["steps"]


def test_the_scan_ends_at_the_looser_of_two_sufficient_tolerances() -> None:
    case = case_of("solve_dae_radau_7")
    measure.scan(case, 60.0)
    measure.repeat(case, 0.0)
    assert case.serving is case.attempts[-2] and case.serving.rtol > case.attempts[-1].rtol
    assert max(a.error for a in case.attempts[-2:]) <= measure.WANTED
    assert len(case.serving.seconds) == 3 and min(case.serving.seconds) > 0.0


def test_zero_clock_readings_do_not_count_as_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solve takes a second, but every third reading of the clock does not advance."""
    now, solves = 0.0, 0

    def solved(problem: object, rtol: float) -> None:
        nonlocal now, solves
        solves += 1
        now += 1.0 if solves % 3 else 0.0

    case = case_of("solve_dae_radau_7")
    case.peer = Peer("made", "made", 5, type(case.problem), solved)
    case.serving = measure.Attempt(1e-6, None, 0.0, [])
    monkeypatch.setattr(measure.time, "process_time", lambda: now)
    measure.repeat(case, 1e9, at_most=9)
    assert solves == 9
    assert case.serving.seconds == [1.0] * 6, "three readings of 0 are gone"
    assert measure.durations([0.0]) == []


def test_the_scan_skips_no_sufficient_tolerance() -> None:
    """The step is half the missing decades, at least one tolerance."""
    assert measure.next_step(1e-4) == 3 * measure.PER_DECADE
    assert measure.next_step(1.5e-10) == measure.next_step(1e-11) == 1
    assert measure.next_step(math.nan) == 1


def test_an_exceeded_time_limit_gives_a_row_with_the_reason() -> None:
    case = case_of("scipy_bdf")
    measure.scan(case, 0.0)
    assert case.serving is None and "0 s of processor time" in case.reason
    written = row(case, case.attempts[-1], "all", slice(0, 6))
    assert list(written) == COLUMNS
    assert written["status"] == "failed" and written["reason"] == "time limit"
    assert math.isnan(written["error"]) and written["t_reached"] < 2.0


def test_an_exception_of_a_library_becomes_the_reason() -> None:
    def broken(ode: object, rtol: float) -> object:
        raise np.linalg.LinAlgError("singular matrix")

    case = case_of("scipy_radau")
    run = solve(Peer("scipy", "broken", 5, type(case.problem), broken), case.problem, 1e-6, math.inf)
    assert run.end is None and run.reason == "LinAlgError: singular matrix"


def test_rows_and_json_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--problems", "knife_edge", "--epsilons", "1e-2", "--formulations",
                         "adapted", "rigid_impulse", "--methods", "solve_dae_radau_7", "scipy_radau",
                         "--repeat-for", "0", "-o", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3, "SciPy takes no DAE"
    with (tmp_path / "errors.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {r["group"] for r in rows} == {"q", "v", "all"}
    assert {r["library"] for r in rows} == {"scipy", "solve_dae"}
    content = json.loads((tmp_path / "peers.json").read_text(encoding="utf-8"))
    assert all(c["reached"] and c["milliseconds"] > 0.0 for c in content["cases"])
    assert set(content["versions"]) == {"python", "numpy", "scipy", "solve_dae"}


@pytest.mark.parametrize("arguments", [["--problems", "sphere"], ["--methods", "euler"],
                                       ["--reference", "no/such/file.json"]])
def test_unknown_names_are_refused(arguments: list[str], capsys) -> None:
    assert command.main(arguments) == 2
    assert capsys.readouterr().err.startswith("peers: ")
