"""The short comparison: cheap experiments of each kind, run by the built program."""

import concurrent.futures
import dataclasses
import os
from concurrent.futures import Future
from pathlib import Path

import pytest
from golden import command, comparison, program, records
from golden.records import Record

PROGRAM = command.default_program()
SHORT = [e for e in program.all_experiments().values() if e.short]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory):
    """Runs all short experiments in parallel, one per core."""
    if not PROGRAM.exists() and "RIGIDLIMIT_PROGRAM" not in os.environ:
        pytest.skip("the program is not built (scripts/test builds it)")
    built = program.Program(Path(PROGRAM), tmp_path_factory.mktemp("golden"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {e.name: pool.submit(built.run, e) for e in reversed(SHORT)}  # shortened ones take longest
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("name", [e.name for e in SHORT])
def test_the_results_equal_the_golden_values(running: dict[str, Future[Record]], name: str) -> None:
    found, golden = running[name].result(), records.read(command.golden_file(name))
    report = comparison.compared(golden, found, command.demand_of(golden, found, None))
    assert report.agrees, (f"{command.text_of(report, golden, found, False)}\nWhere this is meant: "
                           f"scripts/golden make {name} --because 'REASON'")


def test_a_different_mass_is_detected(running: dict[str, Future[Record]], tmp_path: Path) -> None:
    """The mass of the wheel is increased by 1e-6; the bounds allow for another libm, but not for this."""
    wheel = program.all_experiments()["wheel_prediction"]
    found = program.Program(Path(PROGRAM), tmp_path).run(
        dataclasses.replace(wheel, overrides=("system.mass=1.000001",)))
    report = comparison.compared(records.read(command.golden_file(wheel.name)), found, comparison.BOUNDS)
    refused = {c.column for c in report.columns if not c.agrees}
    assert {"model_error", "predicted_coefficient"} <= refused
