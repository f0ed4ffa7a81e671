"""Results on executors have the bits of one process, also after the death of a worker."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rigidlimit as rl
from program import ROOT
from rigidlimit import _core, executors

FILES = ["convergence/knife_edge.toml", "friction/ball_rolls.toml", "damping/knife_edge_damping.toml"]
TABLES = {"initial": {"v": {"x": 0.7, "phi": 1.3}}, "time": {"end": 2.0}, "epsilon": rl.geometric(1e-2, 1e-3, 5)}


@pytest.fixture
def study() -> rl.Study:
    return rl.Study({"name": "knife_edge"}, name="sample", **TABLES)


@pytest.fixture(scope="module")
def processes() -> Any:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


def files(folder: Path) -> dict[str, bytes]:
    """The files that a run wrote, without the store and the record of machine and time."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())
            if path.name in ("errors.csv", "result.txt", "result.md", "result.tex", "resolved.toml")}


@pytest.mark.parametrize("file", FILES)
def test_processes_have_the_files_of_one_process(file: str, processes: Executor, tmp_path: Path) -> None:
    study = rl.Study.load(ROOT / "experiments" / file)
    alone = study.run(results=tmp_path / "alone")
    told: list[tuple[int, int]] = []
    shared = study.run(results=tmp_path / "shared", executor=processes,
                       progress=lambda done, total, what: told.append((done, total)))
    assert files(tmp_path / "shared" / study.name) == files(tmp_path / "alone" / study.name)
    assert len(files(tmp_path / "shared" / study.name)) == 5
    assert (shared.computed, shared.reused, shared.missing) == (alone.computed, 0, 0)
    assert told[-1][0] == told[-1][1] and all(done <= total for done, total in told)
    again = study.run(results=tmp_path / "shared", executor=refusing(processes))
    assert (again.computed, again.reused) == (0, alone.computed), "a stored solve is not sent to a worker"


def test_dask_solves_the_parts_of_a_killed_worker_again(study: rl.Study, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            workers = client.run(os.getpid)
            told: list[tuple[int, int]] = []

            def kill_a_worker(done: int, total: int, what: str) -> None:
                told.append((done, total))
                if len(told) == 1:
                    os.kill(min(workers.values()), signal.SIGKILL)

            shared = study.run(results=tmp_path / "shared", executor=client, progress=kill_a_worker)
            assert set(client.run(os.getpid).values()) != set(workers.values()), "a worker was replaced"
    alone = study.run(results=tmp_path / "alone")
    assert told[0][0] < told[0][1]
    assert files(tmp_path / "shared" / "sample") == files(tmp_path / "alone" / "sample")
    assert (shared.computed, shared.missing) == (alone.computed, 0)


def refusing(executor: Executor) -> Executor:
    """An executor that must not be used."""

    class Refusing(Executor):
        def submit(self, call: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            raise AssertionError("the executor was used")

    return Refusing()


def test_results_without_a_store(study: rl.Study, processes: Executor) -> None:
    result = study.run(results=None, executor=processes, parts=3)
    assert result.store is None
    assert result.text("csv") == study.run(results=None).text("csv")


def test_motions_come_from_the_workers(study: rl.Study, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        result = study.run(results=tmp_path / "shared", executor=threads)
    alone = study.run(results=tmp_path / "alone")
    shared = result.motion("compliant", epsilon=1e-3)
    assert shared.v.tobytes() == alone.motion("compliant", epsilon=1e-3).v.tobytes()


class Deadly(Executor):
    """Passes calls to a pool; in place of one of them, a worker kills itself."""

    def __init__(self, pool: Executor, at: int) -> None:
        self.pool, self.at, self.calls = pool, at, 0

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        self.calls += 1
        return self.pool.submit(die) if self.calls == self.at else self.pool.submit(call, *arguments, **options)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("at", [1, 3])
def test_this_process_solves_what_a_broken_pool_did_not(at: int, study: rl.Study, tmp_path: Path) -> None:
    alone = study.run(results=tmp_path / "alone")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        with pytest.warns(RuntimeWarning, match="a worker died"):
            shared = study.run(results=tmp_path / "shared", executor=Deadly(pool, at))
    assert files(tmp_path / "shared" / "sample") == files(tmp_path / "alone" / "sample")
    assert shared.missing == 0 and shared.computed == alone.computed


class Failing(ThreadPoolExecutor):
    """The third call raises an error."""

    calls = 0

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        self.calls += 1
        return super().submit(fail if self.calls == 3 else call, *arguments, **options)


def fail(*_: Any) -> None:
    raise OSError("no space left")


def test_an_error_of_a_worker_is_raised_and_finished_parts_stay(study: rl.Study, tmp_path: Path) -> None:
    with Failing(1) as pool, pytest.raises(OSError, match="no space left"):
        study.run(results=tmp_path, executor=pool)
    again = study.run(results=tmp_path)
    assert again.reused > 0 and again.missing == 0


def test_a_worker_of_another_build_is_refused(study: rl.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    key = _core.solver_key()
    assert executors.solve_part(study.resolved, 1, 2, key).startswith(b"SQLite format 3")
    monkeypatch.setattr(_core, "solver_key", lambda: "another")
    with pytest.raises(rl.InputError, match="another build"):
        executors.solve_part(study.resolved, 1, 2, key)


@pytest.mark.parametrize("options", [{"executor": 3}, {"parts": 0, "executor": None}, {"recompute": True}])
def test_bad_options_are_refused(options: dict[str, Any], study: rl.Study, processes: Executor) -> None:
    with pytest.raises(rl.InputError):
        study.run(**{"results": None, "executor": processes, **options})


def test_times_of_a_benchmark_are_refused(processes: Executor) -> None:
    benchmark = rl.Study.load(ROOT / "experiments/benchmarks/contact_work_precision.toml")
    with pytest.raises(rl.InputError, match="timing"):
        benchmark.run(results=None, executor=processes)
