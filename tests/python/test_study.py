"""Studies in Python have the bits of the command line, and fail with its messages."""

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

import rigidlimit as rl
from program import PROGRAM, ROOT

SHIPPED = ["convergence/knife_edge.toml", "friction/ball_rolls.toml"]
TABLES = {"initial": {"v": [0.7, 0.0, 1.3]}, "contact": {"stiffness": 1.0}, "time": {"end": 2.0},
          "epsilon": rl.geometric(1e-2, 1e-3, 5), "expect": [{"quantity": "q", "order": 2.0}]}


@pytest.fixture
def study() -> rl.Study:
    return rl.Study({"name": "knife_edge"}, name="sample", **TABLES)


def printed(folder: Path, *arguments: str) -> str:
    return subprocess.run([PROGRAM, "run", *arguments, "--results", folder, "--format", "csv"], capture_output=True,
                          text=True, check=False).stdout


@pytest.mark.parametrize("file", SHIPPED)
def test_a_shipped_file_has_the_bits_of_the_command_line(file: str, tmp_path: Path) -> None:
    path = str(ROOT / "experiments" / file)
    result = rl.Study.load(path).run(results=tmp_path / "here", jobs=2)
    assert result.text("csv") == printed(tmp_path / "there", path)
    assert result.held and not result.interrupted
    for name in ("errors.csv", "result.txt", "resolved.toml"):
        folder = result.name
        assert (tmp_path / "here" / folder / name).read_bytes() == (tmp_path / "there" / folder / name).read_bytes()


def test_tables_are_those_of_the_csv(study: rl.Study) -> None:
    pandas = pytest.importorskip("pandas")
    result = study.run(results=None)
    expected = pandas.read_csv(io.StringIO(result.text("csv")))
    assert list(result.table.columns) == list(expected.columns)
    assert result.table["model_error"].to_numpy().tobytes() == expected["model_error"].to_numpy().tobytes()
    assert len(result.table) == 12 * 5
    assert list(result.claims["held"]) == [True]
    with pytest.raises(KeyError, match="sample: no table 'nothing', only errors, series") as error:
        result.tables["nothing"]
    assert isinstance(error.value, ValueError) and "nothing" not in result.tables


@pytest.mark.parametrize("word", ["knife_edge", Path("study.toml"), 3])
def test_a_name_in_place_of_a_system_is_sent_to_load(word: object) -> None:
    with pytest.raises(rl.InputError) as error:
        rl.Study(word)
    assert error.value.where == "system"
    assert ("Study.load(" in str(error.value)) == (word != 3), "negative control: a number is no name"


def test_verdicts_are_rows_for_each_series(study: rl.Study) -> None:
    pytest.importorskip("pandas")
    result = study.run(results=None)
    verdicts = result.verdicts.set_index(["quantity", "norm", "window"])
    assert len(verdicts) == 12
    judged = verdicts.loc[("q", "sup", "all")]
    assert judged["verdict"] == "confirmed" and abs(judged["order"] - 2.0) < 0.05
    assert verdicts.loc[("v", "sup", "all"), "verdict"] == "settled", "the negative control: no order was expected"
    swept = study.with_(sweep={"contact.damping_ratio": [1.0, 2.0]}).run(results=None).verdicts
    assert set(swept["contact_damping_ratio"]) == {1.0, 2.0} and len(swept) == 24


def test_a_study_of_a_dict_equals_its_file(study: rl.Study, tmp_path: Path) -> None:
    study.save(tmp_path / "sample.toml")
    again = rl.Study.load(tmp_path / "sample.toml")
    assert again == study and again.resolved == study.resolved
    assert study.with_(time={"end": 1.5}) != study, "negative control"
    assert again.run(results=None).text("csv") == study.run(results=None).text("csv")
    copy = pickle.loads(pickle.dumps(study))
    assert copy == study and hash(copy) == hash(study)


@pytest.mark.parametrize(("first", "last", "count"), [(1e-1, 1e-5, 9), (1e-2, 3e-4, 7), (1e-3, 1e-1, 2)])
def test_geometric_values_have_the_bits_of_a_file(first: float, last: float, count: int) -> None:
    table = {"from": first, "to": last, "count": count}
    if first > last:
        read = rl.Study({"name": "knife_edge"}, name="sample", time={"end": 2.0}, epsilon=table)
        here = rl.Study({"name": "knife_edge"}, name="sample", time={"end": 2.0}, epsilon=rl.geometric(first, last, count))
        assert here == read
    assert rl.geometric(first, last, count)[-1] == last and len(rl.geometric(first, last, count)) == count


def test_a_changed_key_replaces_its_alternatives(study: rl.Study) -> None:
    damped = study.with_(contact={"damping": 2.0})
    assert "damping_ratio" in study.resolved and "damping_ratio" not in damped.resolved
    assert "values = [0.1, 0.01]" in study.with_(epsilon=[0.1, 0.01]).resolved
    assert study.with_(sweep={"contact": {"damping_ratio": [0.5, 1.0]}}).is_sweep
    with pytest.raises(AttributeError):
        study.name = "other"  # type: ignore[misc]


def test_the_skate_of_functions_is_the_system_of_formulas(tmp_path: Path) -> None:
    skate = rl.System(
        "skate", coordinates=["x", "y", "phi"], parameters={"m": 1.0, "J": 0.2},
        kinetic_coenergy=lambda q, v, p: p.m / 2 * (v.x**2 + v.y**2) + p.J / 2 * v.phi**2,
        constraint=lambda q, v, p: [rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x])
    study = rl.Study(
        skate, initial={"q": [0.0, 0.0, 0.0], "v": [0.7, 0.0, 1.3]}, contact={"stiffness": 1.0, "damping_ratio": 1.0},
        epsilon=rl.geometric(1e-1, 1e-3, 5), time={"end": 2.0}, solvers={"compliant": ["radau_iia"]})
    result = study.run(results=tmp_path / "here")
    study.save(tmp_path / "skate.toml")
    assert result.text("csv") == printed(tmp_path / "there", str(tmp_path / "skate.toml"))
    heavier = study.with_(system={"m": 2.0}).run(results=None)
    assert heavier.text("csv") != result.text("csv")


@pytest.mark.parametrize(("change", "words"), [
    ({"contact": {"damping_ratio": -1.0}}, ["contact.damping_ratio", "-1"]),
    ({"contact": {"damping_rati": 1.0}}, ["damping_rati", "damping_ratio"]),
    ({"system": {"name": "knife_edg"}}, ["knife_edg", "knife_edge"]),
    ({"epsilon": [float("nan")]}, ["epsilon"]),
    ({"time": {"end": "long"}}, ["time.end"])])
def test_a_mistake_has_the_message_of_the_file(study: rl.Study, change: dict[str, object], words: list[str]) -> None:
    with pytest.raises(rl.InputError) as error:
        study.with_(**change)
    assert all(word in str(error.value) for word in words)
    assert isinstance(error.value, ValueError) and error.value.where


def test_the_store_is_used_again_and_only_if_wanted(study: rl.Study, tmp_path: Path) -> None:
    first = study.run(results=tmp_path)
    assert (first.computed, first.reused) == (13, 0)
    assert (study.run(results=tmp_path).computed, study.run(results=tmp_path).reused) == (0, 13)
    assert study.run(results=tmp_path, recompute=True).computed == 13
    assert study.run(results=tmp_path, fresh=True).computed == 13
    more = study.with_(epsilon=rl.geometric(1e-2, 1e-4, 5)).run(results=tmp_path, solve=False)
    assert more.missing > 0 and more.interrupted
    assert not list((tmp_path / "none").glob("*"))


def test_progress_is_told_in_the_calling_thread_and_its_exception_stops_the_run(study: rl.Study,
                                                                                 tmp_path: Path) -> None:
    told: list[tuple[int, int, str, int]] = []
    study.run(results=None, progress=lambda *what: told.append((*what, threading.get_ident())))
    assert told[-1][:2] == (13, 13) and {one[3] for one in told} == {threading.get_ident()}

    def fail(done: int, total: int, what: str) -> None:
        raise RuntimeError("no more")

    long = study.with_(epsilon=[float(x) for x in np.geomspace(1e-2, 1e-4, 400)], study={"name": "long"})
    with pytest.raises(RuntimeError, match="no more"):
        long.run(results=tmp_path, progress=fail, jobs=1)
    kept = long.run(results=tmp_path, solve=False)
    assert kept.missing > 0, "the run has stopped early"


def test_control_c_is_a_keyboard_interrupt_and_the_same_call_continues(tmp_path: Path) -> None:
    script = textwrap.dedent(f"""
        import signal, sys, rigidlimit as rl
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores SIGINT
        study = rl.Study({{"name": "knife_edge"}}, name="long", time={{"end": 2.0}},
                         epsilon=[10 ** (-2 - k / 400) for k in range(800)])
        try:
            study.run(results={str(tmp_path)!r}, jobs=1, progress=lambda *w: print(w[0], flush=True))
        except KeyboardInterrupt:
            print("interrupted", study.run(results={str(tmp_path)!r}, solve=False).reused)
        """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    while int(process.stdout.readline()) < 20:
        pass
    process.send_signal(signal.SIGINT)
    last = process.stdout.read().splitlines()[-1]
    assert process.wait(timeout=60) == 0
    assert last.startswith("interrupted") and int(last.split()[1]) >= 20


def test_two_threads_on_one_study_have_the_same_result(study: rl.Study) -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(study.run(results=None).text("csv"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3 and len(set(found)) == 1


def test_a_sweep_has_its_points_and_swept_values(study: rl.Study, tmp_path: Path) -> None:
    sweep = study.with_(sweep={"contact": {"damping_ratio": [0.5, 1.0]}}).run(results=tmp_path)
    assert "points" in sweep.tables and sorted(set(sweep.table["contact_damping_ratio"])) == [0.5, 1.0]


def test_a_benchmark_runs_by_the_same_call(tmp_path: Path) -> None:
    benchmark = rl.Study.load(ROOT / "experiments/benchmarks/classical_work_precision.toml", [
        'problem=[{classical = "kaps"}]', "timing.repeats=0", "tolerance.rtol=[1e-4, 1e-6]"])
    assert benchmark.kind == "benchmark"
    result = benchmark.run(results=tmp_path)
    assert set(result.table["problem"]) == {"kaps"} and result.missing == 0


def test_a_study_of_the_package_has_its_name_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = rl.studies()
    assert len(names) > 100 and len(set(names)) == len(names)
    assert rl.Study.load("knife_edge").resolved == rl.Study.load(
        str(ROOT / "experiments/convergence/knife_edge.toml")).resolved
    assert rl.System.load("suslov").to_dict() == rl.System.load(str(ROOT / "experiments/systems/suslov.toml")).to_dict()
    with pytest.raises(rl.InputError, match="knife_edge"):
        rl.Study.load("knife_edg")
    rl.Study.load("knife_edge").with_(study={"name": "mine"}).save(tmp_path / "knife_edge.toml")
    with pytest.warns(UserWarning, match="knife_edge.toml"):
        assert rl.Study.load("knife_edge").name == "mine"


def test_a_proof_has_the_numbers_of_the_command_line() -> None:
    file = ROOT / "experiments/prediction/chaplygin_sleigh_prediction.toml"
    seen: list[tuple[int, int, str]] = []
    proof = rl.Study.load(file).prove(largest_epsilon=0.01, progress=lambda *told: seen.append(told))
    done = subprocess.run([PROGRAM, "prove", file, "--largest-epsilon", "0.01", "--format", "json"],
                          capture_output=True, text=True, check=False)
    printed = json.loads(done.stdout)
    assert proof.tables["constants"]["constant_lower"].tolist() == [
        row["constant_lower"] for row in printed["constants"]]
    states = proof.tables["claims"]["state"].tolist()
    assert states == [claim["state"] for claim in printed["claims"]]
    assert {"proved", "open"} == set(states)
    assert proof.tables["tried"]["epsilon"].tolist() == [0.01] == [row["epsilon"] for row in printed["tried"]]
    assert seen and all(0 <= part <= total == 100 for part, total, _ in seen)
    assert rl.Study.load(file).prove(largest_epsilon=0.005).tables["tried"]["epsilon"].tolist() == [0.005]
    for wrong in (1e-6, 2.0):
        with pytest.raises(rl.InputError, match="largest_epsilon"):
            rl.Study.load(file).prove(largest_epsilon=wrong)
    with pytest.raises(rl.InputError, match="damping_exponent"):
        rl.Study.load(file, ["contact.damping_exponent=1.5"]).prove()
