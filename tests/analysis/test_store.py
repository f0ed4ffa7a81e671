"""A store is read bit for bit; a file that is not a store gives an error with its path."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import made_store
from programs import PROGRAM
from rigidlimit.analysis import AnalysisError, load, open_result
from rigidlimit.analysis.result import Motion


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_store.tiny(tmp_path_factory.mktemp("store") / "tiny", laws=("viscoelastic", "viscous"))


def test_the_table_equals_the_store(tiny: Path) -> None:
    table = load(tiny)
    assert list(table.columns) == made_store.ERROR_COLUMNS
    assert len(table) == 2 * 6 * len(made_store.EPSILONS)
    assert load(tiny / "results.db").equals(table)
    limited = table[table["status"] != "ok"]
    assert list(limited["epsilon"]) == [1e-3, 1e-3] and set(limited["quantity"]) == {"v"}


def test_a_study_has_its_description(tiny: Path) -> None:
    study = open_result(tiny)
    assert (study.name, study.interrupted, study.after) == ("tiny", False, 0.5)
    assert study.laws() == ["viscoelastic", "viscous"] and study.epsilons() == made_store.EPSILONS
    assert study.judgement["question"] == "Is it?" and study.resolved.startswith("[study]")
    assert len(study.solves) == 1 + 2 * 2 * 5 and len(study.tables["runs"]) == 1 and study.tables["findings"].empty
    assert open_result(study) is study


def test_motions_are_read_bit_for_bit(tiny: Path) -> None:
    motion = open_result(tiny).motion("compliant", law="viscous", epsilon=1e-2)
    times = made_store.grid_of(1e-2)
    assert np.array_equal(motion.times, times) and motion.law == "viscous"
    assert motion.q.shape == (3, len(times)) and motion.multiplier.shape == (1, len(times))
    assert np.array_equal(motion.v, made_store.compliant_motion(times, 1e-2)["v"])
    assert "energy.spring" not in motion.samples
    tighter = open_result(tiny).motion("compliant", law="viscous", epsilon=1e-2, tighter=True)
    assert np.array_equal(tighter["energy.spring"][0], made_store.accounts(times, 1e-2)["energy.spring"])


def test_differences_use_the_times_of_the_compliant_motion(tiny: Path) -> None:
    """compliant - rigid = leading terms + eps^2 OUTER t, to the round-off of numbers below 4."""
    study = open_result(tiny)
    motion = study.motion("compliant", law="viscous", epsilon=1e-3)
    t = motion.times
    expected = made_store.leading_terms(t, 1e-3)["v"] + 1e-6 * made_store.OUTER * t
    assert motion.minus(study.motion("rigid"), "v") == pytest.approx(expected, rel=0.0, abs=4e-15)
    forces = [motion.minus(study.motion("rigid"), name) for name in ("multiplier", "lambda")]
    assert np.array_equal(*forces), "multiplier is the attribute, lambda the name in the store"
    with pytest.raises(AnalysisError, match="times"):
        study.motion("compliant", law="viscous", epsilon=1e-1).at(t)


def test_an_ambiguous_motion_names_the_columns_that_differ(tiny: Path) -> None:
    with pytest.raises(AnalysisError, match=r"2 compliant motions fit; they differ in law \(viscoelastic, viscous\)$"):
        open_result(tiny).motion("compliant", epsilon=1e-3)
    with pytest.raises(AnalysisError, match="no 'slope', only law, solver, epsilon"):
        open_result(tiny).motion("compliant", law="viscous", epsilon=1e-3, slope=0.6)
    with pytest.raises(AnalysisError, match="^a motion is 'rigid' or 'compliant', not 'complaint'$"):
        open_result(tiny).motion("complaint", epsilon=1e-3)
    assert open_result(tiny).motion("compliant", law="viscous", epsilon=1e-3).law == "viscous", "the control"


def test_extended_numbers_keep_their_remainder(tmp_path: Path) -> None:
    """A double loses 1e-20 beside 1; the difference of two such numbers keeps it."""
    study = open_result(made_store.tiny(tmp_path / "long", with_rest=True))
    motion, rigid = study.motion("compliant", epsilon=1e-3), study.motion("rigid")
    assert motion.minus(rigid, "v")[2, 0] == 1e-20, "v_3 = omega in both motions at t = 0"
    assert (motion.v - rigid.at(motion.times).v)[2, 0] == 0.0


def test_curves_are_found_by_their_settings(tiny: Path) -> None:
    study = open_result(tiny)
    curve = study.curve("predicted", "lambda", epsilon=1e-2)
    assert np.array_equal(curve.values, made_store.leading_terms(curve.times, 1e-2)["lambda"])
    assert study.has_curve("rigid", "sliding") and not study.has_curve("rigid", "sliding", law="none")
    with pytest.raises(AnalysisError, match="subject = predicted, name = y.*compliant energy_defect, "
                                            "compliant sliding, predicted "):
        study.curve("predicted", "y")


def test_a_missing_solve_is_named(tiny: Path) -> None:
    with pytest.raises(AnalysisError) as raised:
        open_result(tiny).motion("compliant", law="elastic", epsilon=0.5)
    assert "law = elastic, epsilon = 0.5" in str(raised.value)
    assert "viscoelastic radau_iia 0.1; viscoelastic radau_iia 0.03" in str(raised.value)
    with pytest.raises(AnalysisError, match="'y'.*lambda, multiplier_tested, q, v"):
        open_result(tiny).motion("rigid")["y"]


def test_the_store_is_opened_read_only(tiny: Path) -> None:
    before = (tiny / "results.db").read_bytes()
    open_result(tiny).motion("rigid")
    assert (tiny / "results.db").read_bytes() == before
    assert [path.name for path in tiny.iterdir()] == ["results.db"], "neither journal nor lock"


def pragma(path: Path, text: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(text)
    db.close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="no such file"):
        open_result(tmp_path)
    path = tmp_path / "results.db"
    path.write_text("not a database, but as long as a header" * 50, encoding="utf-8")
    with pytest.raises(AnalysisError, match=f"{path}: "):
        open_result(tmp_path)
    path.unlink()
    (tmp_path / "resolved.toml").touch()
    pragma(path, "CREATE TABLE x (y)")
    with pytest.raises(AnalysisError, match="results.db"):
        open_result(tmp_path)


def test_an_unfinished_transaction_is_rolled_back_on_a_copy(tmp_path: Path) -> None:
    """A writer that dies with pages on disk leaves a journal; reading changes neither file."""
    path = made_store.tiny(tmp_path / "killed") / "results.db"
    child = os.fork()
    if child == 0:
        db = sqlite3.connect(path)
        db.execute("PRAGMA cache_size = 1")  # otherwise the pages stay in memory
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE samples SET data = randomblob(20000)")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert set(before) == {"results.db", "results.db-journal"}
    assert open_result(path).motion("rigid").v.shape[0] == 3, "and not 20000 random bytes"
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store as the program leaves it."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "edge.toml").write_text("""
study = { name = "edge" }
system = { name = "knife_edge" }
initial = { v = [0.7, 0.0, 1.3] }
contact = { stiffness = 1.0, damping_ratio = 1.0 }
time = { end = 0.5, samples = 11 }
epsilon = { values = [1e-2, 3e-3] }
""", encoding="utf-8")
    subprocess.run([PROGRAM, "run", "edge.toml", "--quiet"], cwd=folder, check=True)
    return folder / "results/edge/results.db"


def contents(store: Path) -> str:
    """Every number that pages and figures take from a store, as text."""
    found = open_result(store)
    motions = [found.motion("compliant", epsilon=epsilon) for epsilon in found.epsilons()]
    curves = [found.database.curve(k) for k in range(len(found.curves))]
    return "\n".join([repr(found).replace(str(store), ""), found.resolved, str(found.judgement),
                      *(found.tables[name].to_csv() for name in found.tables), found.solves.to_csv(),
                      *(f"{x.times.tobytes()!r} {sorted((n, y.tobytes()) for n, y in x.samples.items())}" for x in motions),
                      *(f"{times.tobytes()!r} {values.tobytes()!r}" for times, values in curves)])


@pytest.mark.parametrize("seed", range(60))
def test_damage_is_an_error_and_never_another_table(sealed: Path, tmp_path: Path, seed: int) -> None:
    """1 to 1000 wrong bytes. Equal contents remain where none but the bytes outside the checksum have changed."""
    rng = random.Random(seed)
    damaged = bytearray(sealed.read_bytes())
    for _ in range(rng.choice([1, 5, 50, 1000])):
        damaged[rng.randrange(100 if seed % 2 else 0, len(damaged))] = rng.randrange(256)
    path = tmp_path / "results.db"
    path.write_bytes(damaged)
    try:
        found = contents(path)
    except AnalysisError as problem:
        assert str(problem).startswith(str(path))
        return
    assert found == contents(sealed)
    same = [a == b for k, (a, b) in enumerate(zip(damaged, sealed.read_bytes()))
            if not (24 <= k < 28 or 92 <= k < 100)]  # counters that change with each transaction
    assert all(same), "damage without an error"


@pytest.mark.parametrize("change", [
    "UPDATE errors SET model_error = 1e-30", "UPDATE samples SET data = zeroblob(length(data))",
    "DROP TABLE study; CREATE VIEW study AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
    "SELECT '' AS name, '' AS resolved, count(*) AS hash, NULL AS result, 1 AS complete FROM r",
    "PRAGMA journal_mode = WAL", "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"])
def test_a_changed_store_is_refused(sealed: Path, tmp_path: Path, change: str) -> None:
    path = tmp_path / "results.db"
    shutil.copy(sealed, path)
    assert contents(path) == contents(sealed), "the control"
    with sqlite3.connect(path) as db:
        db.executescript(change)
    db.close()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(AnalysisError, match=str(path)):
        contents(path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before, "reading writes nothing"


def test_a_store_without_a_seal_has_the_checksums_of_its_solves(sealed: Path, tmp_path: Path) -> None:
    """As after a run that was killed."""
    path = tmp_path / "results.db"
    shutil.copy(sealed, path)
    pragma(path, f"UPDATE seal SET content = '{made_store.BLANK_SEAL}'")
    assert contents(path) == contents(sealed)
    pragma(path, "UPDATE solves SET t_reached = t_reached / 2")
    with pytest.raises(AnalysisError, match=f"{path}: .*checksum"):
        contents(path)


def test_texts_of_a_store_reach_the_terminal_without_control_characters(tmp_path: Path) -> None:
    name = "red\x1b[31m\x9b\u202e\u2028end"
    study = open_result(made_store.Maker(tmp_path / "x").finish(name, None, ""))
    assert study.name == name
    assert not any(c in repr(study) for c in "\x1b\x9b\u202e\u2028\n") and "red" in repr(study)


def test_newer_and_empty_stores_are_refused(tmp_path: Path) -> None:
    path = made_store.tiny(tmp_path / "new") / "results.db"
    pragma(path, "PRAGMA user_version = 4")
    with pytest.raises(AnalysisError, match=f"{path}: .*schema 4 of a newer"):
        load(path)
    pragma(path, "PRAGMA user_version = 3")
    pragma(path, "DELETE FROM study")
    with pytest.raises(AnalysisError, match="no study"):
        load(path)


def test_a_uniform_rigid_motion_is_interpolated_and_a_compliant_one_is_not() -> None:
    nodes = np.linspace(0.0, 2.0, 101)
    times = np.array([0.0, 1e-4, 0.3, 1.23456, 2.0])
    known = {"q": np.vstack([np.sin(3.0 * nodes), nodes**7])}
    rigid = Motion("k", "rigid", "", "ida", float("nan"), nodes, known)
    found = rigid.at(times)["q"]
    # The error of the polynomial at an end is below h^8 max|f^(8)| / 60, with f^(8) = 3^8 sin(3t) or 0.
    bound = 0.02**8 * 3.0**8 / 60.0 + 1e-13
    assert np.abs(found[0] - np.sin(3.0 * times)).max() < bound
    np.testing.assert_allclose(found[1], times**7, rtol=1e-12, atol=1e-14)
    assert np.array_equal(rigid.at(nodes[::7])["q"], known["q"][:, ::7]), "at a node, the sample"
    for motion, wanted in ((rigid, np.array([2.1])), (replace(rigid, kind="compliant"), times)):
        with pytest.raises(AnalysisError, match="lacks"):
            motion.at(wanted)
