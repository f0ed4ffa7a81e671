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


def export(tmp_path: Path, study: Path | str, variables: str, epsilon: float | None = EPSILON):
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


CLASSICAL_ODES = ("kaps", "van_der_pol", "robertson", "hires", "pollution")
CLASSICAL_DAES = ("pendulum_index_1", "pendulum_index_2", "pendulum_index_3")


def robertson(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """f and df/dy (Hairer and Wanner II, IV.10)."""
    a, b, c = y
    rate = [-0.04 * a + 1e4 * b * c, 0.04 * a - 1e4 * b * c - 3e7 * b * b, 3e7 * b * b]
    jacobian = [[-0.04, 1e4 * c, 1e4 * b], [0.04, -1e4 * c - 6e7 * b, -1e4 * b],
                [0.0, 6e7 * b, 0.0]]
    return np.array(rate), np.array(jacobian)


def test_the_exported_robertson_problem_is_the_printed_one(tmp_path: Path) -> None:
    """Some operations an entry; another reaction rate, as a negative control, differs by 1/40."""
    exported = export(tmp_path, "robertson", "ode", None)
    assert exported.start == pytest.approx([1.0, 0.0, 0.0], abs=0.0)
    y = np.array([0.9, 3e-5, 0.1])
    rate, jacobian = robertson(y)
    assert largest_difference(exported.rate(7.0, y), rate) < ROUNDINGS
    assert largest_difference(exported.jacobian(7.0, y), jacobian) < ROUNDINGS
    assert exported.end_state(y) == pytest.approx(y, abs=0.0)
    faster = rate + 0.001 * y[0] * np.array([-1.0, 1.0, 0.0])
    assert largest_difference(exported.rate(7.0, y), faster) > 1e6 * ROUNDINGS


@pytest.mark.parametrize(("name", "form"), [*((name, "ode") for name in CLASSICAL_ODES),
                                            *((name, "dae") for name in CLASSICAL_DAES),
                                            ("car_axis", "ode"), ("car_axis", "dae")])
def test_the_exported_jacobian_is_the_derivative_of_the_rate(tmp_path: Path, name: str,
                                                            form: str) -> None:
    """Along a direction d, with central differences of the size h = eps^(1/3) of each unknown: a
    relative error of h^2 from the third derivative and of eps/h from round-off, both 4e-11, of the
    sum of the absolute terms. Another direction, as a negative control, gives another product."""
    exported = export(tmp_path, name, form, None)
    rng = np.random.default_rng(5)
    size = np.maximum(np.abs(exported.start), 1e-2)
    y = exported.start + 0.1 * size * rng.uniform(-1.0, 1.0, len(size))
    d = size * rng.uniform(0.5, 1.0, len(size))
    t, h = 1e-4 * exported.end_time, np.finfo(float).eps ** (1.0 / 3.0)
    change = (exported.rate(t, y + h * d) - exported.rate(t, y - h * d)) / (2.0 * h)
    jacobian = exported.jacobian(t, y)
    terms = np.abs(jacobian) @ d + np.abs(exported.rate(t, y))
    assert np.all(np.abs(jacobian @ d - change) <= 1e-6 * np.max(terms))
    assert np.any(np.abs(jacobian @ (2.0 * d) - change) > 1e-3 * np.max(terms))


def test_a_classical_reference_is_the_known_solution(tmp_path: Path) -> None:
    """Kaps' solution is (e^-2t, e^-t) for every stiffness; the reference is exact to its rounding to
    double. At another time, as a negative control, the solution is another one."""
    exported = export(tmp_path, "kaps", "ode", None)
    exact = np.exp([-2.0 * exported.end_time, -exported.end_time])
    assert np.max(np.abs(exported.reference.end / exact - 1.0)) < 4 * np.finfo(float).eps
    earlier = np.exp([-1.8 * exported.end_time, -0.9 * exported.end_time])
    assert np.max(np.abs(exported.reference.end / earlier - 1.0)) > 1e-3


def test_errors_of_a_classical_problem_are_relative_to_each_unknown(tmp_path: Path) -> None:
    """B of Robertson is 8e-14: the error of 1 % in it counts as 0.01. An absolute error, as a
    negative control, would not see it. E5 has two unknowns below the error bar of the others."""
    from peers.reference import error_of
    reference = export(tmp_path / "robertson", "robertson", "ode", None).reference
    end = reference.end * np.array([1.0, 1.01, 1.0])
    assert error_of(end, reference) == pytest.approx(0.01, rel=1e-9)
    assert np.max(np.abs(end - reference.end)) < 1e-14
    assert list(np.isinf(export(tmp_path / "e5", "e5", "ode", None).reference.scale)) == [
        True, False, False, True]


@pytest.mark.parametrize("name", ["RADAU", "RADAU5", "taylor", "LSODA", "CVODE BDF"])
def test_each_peer_solves_a_classical_problem_of_small_components(tmp_path: Path,
                                                                 name: str) -> None:
    """HIRES at rtol 1e-9 and atol 1e-9 of each unknown, the least of which ends at 2e-4: a relative
    error of 1e-9 (1 + 1/2e-4) = 5e-6 a step without growth, below 1e-3 after some hundred steps.
    At rtol 1e-1, as a negative control, each error is larger than at 1e-9."""
    exported = export(tmp_path, "hires", "ode", None)
    libraries = peers_of(exported, tmp_path)
    from peers.reference import error_of
    entry = next(e for e in libraries.entries([], by_hand=False) if e.method == name)
    try:
        contestant = entry.make(exported, None)
    except (RuntimeError, ImportError, OSError) as missing:
        pytest.skip(str(missing))
    tight, loose = (error_of(contestant.run(rtol).end, exported.reference) for rtol in (1e-9, 1e-1))
    assert tight < 1e-3
    assert not loose <= tight or name == "taylor"  # its steps are limited by stability


def test_absolute_tolerances_of_each_unknown_reach_the_libraries(tmp_path: Path) -> None:
    """Robertson's B needs an absolute tolerance far below that of C. With 1e4 times all of them, as
    a negative control, every library makes fewer steps (or calls of f)."""
    import dataclasses

    exported = export(tmp_path, "robertson", "ode", None)
    assert exported.atol_over_rtol == pytest.approx([1e-8, 1e-14, 1e-2], rel=1e-14)
    libraries = peers_of(exported, tmp_path)
    coarse = dataclasses.replace(exported, atol_over_rtol=1e4 * exported.atol_over_rtol)
    for entry in libraries.entries([], by_hand=False):
        if entry.library == "heyoka":
            continue  # one tolerance for all
        try:
            fine_run, coarse_run = (entry.make(e, None).run(1e-6) for e in (exported, coarse))
        except (RuntimeError, ImportError, OSError):
            continue
        assert fine_run.reason == ""
        assert coarse_run.counts["rhs"] < fine_run.counts["rhs"], entry.method


@pytest.mark.parametrize("name", CLASSICAL_DAES)
def test_radau_codes_solve_the_pendulum_with_a_mass_matrix(tmp_path: Path, name: str) -> None:
    """The closed form of the swing is the reference of all indices, so that the DAE and the ODE have
    one. At rtol 1e-8 the ends are within 1e-3: lambda of index 3 loses two powers of the step, of
    0.06 s, and some 200 steps add up to 1e-8 / 0.06^2 * 200 = 6e-4. Without the mass matrix the
    equations are others, and the end is elsewhere."""
    import dataclasses

    exported = export(tmp_path / "dae", name, "dae", None)
    ode = export(tmp_path / "ode", name, "ode", None)
    assert exported.reference.end == pytest.approx(ode.reference.end, abs=1e-14)
    assert len(ode.start) == 4 and len(exported.start) == 5
    assert list(exported.mass) == [1.0, 1.0, 1.0, 1.0, 0.0]
    libraries = peers_of(exported, tmp_path)
    from peers.reference import error_of
    for make in (libraries.radau, libraries.radau5):
        assert error_of(make(exported, None).run(1e-8).end, exported.reference) < 1e-3
        bare = dataclasses.replace(exported, mass=None, index=())
        assert not error_of(make(bare, None).run(1e-8).end, exported.reference) < 1e-2
    for make in (libraries.lsoda, libraries.cvode):
        with pytest.raises(RuntimeError, match="mass matrix"):
            make(exported, None)


def test_our_methods_solve_classical_problems_in_both_forms(tmp_path: Path) -> None:
    """rtol 1e-10 ends within 1e-6, 1e-1 does not. rosenbrock4 refuses a mass matrix."""
    from peers.reference import error_of
    for form in ("ode", "dae"):
        program = OurProgram(PROGRAM, "pendulum_index_2", form, None, tmp_path / form)
        reference = read_exported(tmp_path / form, form).reference
        for method in ("radau_iia", "radau_iia_5"):
            tight, loose = (error_of(np.array(program.ask(method, rtol, 0.0)["end"]), reference)
                            for rtol in (1e-10, 1e-1))
            assert tight < 1e-6 < loose
        refused = program.ask("rosenbrock4", 1e-6, 0.0)
        program.close()
        assert refused["reason"] == ("" if form == "ode" else "it accepts no mass matrix")


def test_unknown_classical_problems_and_forms_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no classical problem 'brusselator'"):
        OurProgram(PROGRAM, "brusselator", "ode", None, tmp_path)
    with pytest.raises(RuntimeError, match="kaps is not a DAE"):
        OurProgram(PROGRAM, "kaps", "dae", None, tmp_path)


def test_the_race_of_classical_problems_writes_a_row_for_every_method(tmp_path: Path) -> None:
    peers_of(export(tmp_path, "kaps", "ode", None), tmp_path)
    pytest.importorskip("matplotlib")
    import csv

    from peers.compiled_race import main
    assert main(["--classical", "pendulum_index_1", "--errors", "1e-4", "1e-2",
                 "--program", str(PROGRAM), "--libraries", str(tmp_path / "libraries"),
                 "-o", str(tmp_path / "out")]) == 0
    with (tmp_path / "out/compiled.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 8, "forms, errors, methods"
    for row in rows:
        assert row["status"] == "failed" or float(row["achieved error"]) <= float(
            row["error wanted"])
    by = {(row["variables"], row["method"]): row for row in rows}
    assert by["dae", "RADAU5"]["status"] == "ok"
    assert by["dae", "LSODA"]["reason"] == "it accepts no mass matrix"
    assert (tmp_path / "out/compiled.png").stat().st_size > 0
    assert main(["--classical", "brusselator", "--program", str(PROGRAM)]) == 2
