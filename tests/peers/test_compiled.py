"""Problems exported from our tapes are the hand-written ones. Skipped without benchmark_exported
(cmake --build build/release --target benchmark_exported) or a C compiler."""

import math
import operator
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from peers.exported import OurProgram, evaluate, read_exported
from peers.problems import problem
from peers.reference import reduced
from peers.systems import System

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_EXPORTED",
                              ROOT / "build/release/benchmarks/benchmark_exported"))
STUDIES = ROOT / "experiments/convergence"

pytestmark = pytest.mark.skipif(not PROGRAM.exists() or shutil.which("cc") is None,
                                reason="needs benchmark_exported and cc")

EPSILON = 1e-2
ROUNDINGS = 64 * np.finfo(float).eps
"""Some tens of operations an entry, each with a relative error of half an eps of terms of its size."""


def export(tmp_path: Path, study: Path, variables: str, epsilon: float | None = EPSILON):
    OurProgram(PROGRAM, study, variables, epsilon, tmp_path).close()
    return read_exported(tmp_path, variables)


def with_slope(tmp_path: Path, slope: float) -> Path:
    """The study of the knife edge with another slope (rad)."""
    text = (STUDIES / "knife_edge.toml").read_text(encoding="utf-8")
    text = text.replace("../bases", str(STUDIES.parent / "bases"))
    assert "slope = 0.3 " in text
    study = tmp_path / "steeper.toml"
    study.write_text(text.replace("slope = 0.3 ", f"slope = {slope!r} "), encoding="utf-8")
    return study


def somewhere(start: np.ndarray) -> np.ndarray:
    return start + 0.1 * np.random.default_rng(4).uniform(-1.0, 1.0, len(start))


def largest_difference(a: np.ndarray, b: np.ndarray) -> float:
    """Relative to the largest entry: each entry sums terms as large as D w/eps and eta."""
    return float(np.max(np.abs(a - b)) / np.max(np.abs(b)))


@pytest.mark.parametrize("name", ["knife_edge", "chaplygin_sleigh", "rolling_disk"])
@pytest.mark.parametrize("variables", ["adapted", "natural"])
def test_exported_functions_equal_the_hand_written_ones(tmp_path: Path, name: str,
                                                        variables: str) -> None:
    exported = export(tmp_path, STUDIES / f"{name}.toml", variables)
    ode = problem(name, variables, EPSILON)
    assert exported.start == pytest.approx(ode.start, abs=1e-15)
    y = somewhere(ode.start)
    assert largest_difference(exported.rate(0.3, y), ode.rhs(0.3, y)) < ROUNDINGS
    assert largest_difference(exported.jacobian(0.3, y), ode.jacobian(0.3, y)) < ROUNDINGS
    assert exported.end_state(y) == pytest.approx(ode.end(y), abs=1e-14)


def test_another_slope_gives_another_right_hand_side(tmp_path: Path) -> None:
    """Negative control: g (sin 0.31 - sin 0.3) = 0.094 m/s^2 times cos and sin of phi."""
    ode = problem("knife_edge", "adapted", EPSILON)
    exported = export(tmp_path, with_slope(tmp_path, 0.31), "adapted")
    y = somewhere(ode.start)
    change = exported.rate(0.0, y) - ode.rhs(0.0, y)
    more = 9.81 * (math.sin(0.31) - math.sin(0.3))
    expected = np.array([0.0, 0.0, 0.0, more * math.cos(y[2]), 0.0, -more * math.sin(y[2]), 0.0])
    assert change == pytest.approx(expected, abs=1e-11)  # roundings of D w/eps < 100 m/s^2
    assert largest_difference(exported.rate(0.0, y), ode.rhs(0.0, y)) > 1e6 * ROUNDINGS


def system_of(name: str) -> System:
    return problem(name, "adapted", EPSILON).system


@pytest.mark.parametrize("name", ["knife_edge", "rolling_disk"])
def test_the_exported_rigid_motion_has_no_sliding(tmp_path: Path, name: str) -> None:
    exported = export(tmp_path, STUDIES / f"{name}.toml", "reduced", None)
    ode = reduced(system_of(name))
    y = somewhere(ode.start)
    assert exported.epsilon is None
    assert largest_difference(exported.rate(0.0, y), ode.rhs(0.0, y)) < ROUNDINGS
    n = ode.system.n
    end = exported.end_state(y)
    assert np.array(ode.system.sliding(end[:n], end[n:])) == pytest.approx(0.0, abs=1e-14)


def test_the_tape_of_heyoka_equals_the_compiled_function(tmp_path: Path) -> None:
    """The same operations in the same order, so that only sin and cos may round differently."""
    exported = export(tmp_path, STUDIES / "rolling_disk.toml", "adapted")
    functions = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
                 "divide": operator.truediv, "negate": operator.neg, "sin": math.sin,
                 "cos": math.cos, "sqrt": math.sqrt}
    y = somewhere(exported.start)
    by_tape = np.array(evaluate(exported.rate_tape, [*y.tolist(), 0.0], functions))
    assert largest_difference(by_tape, exported.rate(0.0, y)) < ROUNDINGS
    with pytest.raises(KeyError, match="sin"):
        del functions["sin"]
        evaluate(exported.rate_tape, [*y.tolist(), 0.0], functions)


def test_our_solves_arrive_within_the_error_of_their_tolerance(tmp_path: Path) -> None:
    """rtol 1e-12 ends within 1e-9 of the reference, rtol 1e-2 does not."""
    program = OurProgram(PROGRAM, STUDIES / "knife_edge.toml", "adapted", EPSILON, tmp_path)
    exported = read_exported(tmp_path, "adapted")
    tight, loose = (program.ask("radau_iia", rtol, 0.0) for rtol in (1e-12, 1e-2))
    unknown = program.ask("euler", 1e-6, 0.0)
    program.close()
    assert np.max(np.abs(np.array(tight["end"]) - exported.reference.end)) < 1e-9
    assert np.max(np.abs(np.array(loose["end"]) - exported.reference.end)) > 1e-9
    assert "end" not in unknown and unknown["reason"] == "no method 'euler'"


def test_an_invalid_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="benchmark_exported: "):
        OurProgram(PROGRAM, tmp_path / "absent.toml", "adapted", EPSILON, tmp_path)


def peers_of(exported, tmp_path: Path):
    """The drivers of race.c; skipped without the libraries that run_compiled installs."""
    pytest.importorskip("scipy")
    pytest.importorskip("solve_dae")
    from peers.compiled import Libraries
    built = ROOT / "build/compiled_peers"
    if not (built / "radau.so").exists():
        pytest.skip("needs benchmarks/peers/run_compiled")
    libraries = Libraries(tmp_path / "libraries", ROOT / "benchmarks/peers/race.c")
    for name in ("radau.so", "radau5.so"):
        if (built / name).exists():
            shutil.copy(built / name, libraries.directory)
    return libraries


@pytest.mark.parametrize("name", ["RADAU", "RADAU5", "taylor", "taylor, by hand", "LSODA",
                                  "CVODE BDF"])
def test_each_peer_reaches_the_reference(tmp_path: Path, name: str) -> None:
    """At rtol 1e-10 the end is within 1e-6: a step commits at most rtol, 1e4 steps add up. A tenth of
    the time, as a negative control of the comparison, ends elsewhere."""
    exported = export(tmp_path, STUDIES / "knife_edge.toml", "adapted")
    libraries = peers_of(exported, tmp_path)
    entry = next(e for e in libraries.entries([]) if e.method == name)
    try:
        contestant = entry.make(exported, None)
    except (RuntimeError, ImportError, OSError) as missing:
        pytest.skip(str(missing))
    run = contestant.run(1e-10)
    assert run.reason == ""
    assert np.max(np.abs(run.end - exported.reference.end)) < 1e-6
    assert contestant.least(1e-10, 0.0) > 0.0
    if name != "LSODA":
        assert run.counts["steps"] > 5
    start = exported.end_state(exported.start)
    assert np.max(np.abs(start - exported.reference.end)) > 1e-3


def test_equations_by_hand_of_other_parameters_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("heyoka")
    peers_of(export(tmp_path, STUDIES / "knife_edge.toml", "adapted"), tmp_path)
    from peers.compiled import Heyoka, rates_by_hand
    steeper = export(tmp_path / "steeper", with_slope(tmp_path, 0.31), "adapted")
    with pytest.raises(RuntimeError, match="other parameters"):
        Heyoka(steeper, "taylor, by hand", rates_by_hand)
    for variables, epsilon in (("adapted", EPSILON), ("natural", EPSILON), ("reduced", None)):
        disk = export(tmp_path / variables, STUDIES / "rolling_disk.toml", variables, epsilon)
        assert Heyoka(disk, "taylor, by hand", rates_by_hand).run(1e-8).reason == ""


def test_a_solve_that_ends_its_process_becomes_a_reason(tmp_path: Path) -> None:
    import ctypes

    exported = export(tmp_path, STUDIES / "knife_edge.toml", "adapted")
    libraries = peers_of(exported, tmp_path)
    from peers.compiled import Race
    c = ctypes.CDLL(None)
    aborts = Race(exported, libraries.driver, "solve_radau", "made", "abort", c.abort)
    assert aborts.run(1e-6).reason == "the solve ends its process: SIGABRT"
    idle = Race(exported, libraries.driver, "solve_radau", "made", "idle", c.getpid)
    assert idle.run(1e-6).reason == "status -99", "a function that returns without a result"


def test_the_race_writes_a_row_for_every_method(tmp_path: Path) -> None:
    exported = export(tmp_path, STUDIES / "knife_edge.toml", "adapted")
    peers_of(exported, tmp_path)
    pytest.importorskip("matplotlib")
    import csv

    from peers.compiled_race import main
    # Without radau.so in its folder RADAU is a row with the reason.
    assert main([str(STUDIES / "knife_edge.toml"), "--epsilons", "1e-2", "--errors", "1e-6",
                 "--program", str(PROGRAM), "--libraries", str(tmp_path / "empty"),
                 "-o", str(tmp_path / "out")]) == 0
    with (tmp_path / "out/compiled.csv").open(encoding="utf-8") as file:
        rows = {row["method"]: row for row in csv.DictReader(file)}
    assert rows["RADAU"]["status"] == "failed" and "radau.so" in rows["RADAU"]["reason"]
    assert float(rows["radau_iia"]["times ours"]) == 1.0
    served = [row for row in rows.values() if row["status"] == "ok"]
    assert len(served) >= 2 and all(float(row["achieved error"]) <= 1e-6 for row in served)
    assert all((tmp_path / "out" / f"compiled.{end}").stat().st_size > 0
               for end in ("json", "md", "png"))
