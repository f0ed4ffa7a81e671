"""Every export format reproduces the data of the store to the last bit."""

import json
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest

import made_store
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import AnalysisError, export, load, open_result


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_store.tiny(tmp_path_factory.mktemp("store") / "tiny")


def run(*arguments: object) -> int:
    return command.main(["export", *(str(x) for x in arguments)])


@pytest.mark.parametrize(("form", "read"), [
    ("parquet", pd.read_parquet), ("csv", pd.read_csv),
    ("json", lambda path: pd.DataFrame(json.loads(path.read_text(encoding="utf-8"))))])
def test_exported_errors_equal_the_store(tiny: Path, tmp_path: Path, form: str, read) -> None:
    file = tmp_path / f"out.{form}"
    assert run(tiny, "--format", form, "-o", file, "--table", "errors") == 0
    table, expected = read(file), load(tiny)
    assert list(table.columns) == list(expected.columns) and len(table) == len(expected)
    for name in ("model_error", "epsilon", "ratio"):
        assert np.array_equal(table[name].astype(float), expected[name], equal_nan=True), name
    assert list(table["status"]) == list(expected["status"])


def test_both_tables_have_separate_files(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny, "--format", "csv", "-o", tmp_path / "tiny.csv") == 0
    written = [tmp_path / f"tiny.{name}.csv" for name in ("errors", "solves")]
    assert capsys.readouterr().out.splitlines() == [str(x) for x in written]
    solves = pd.read_csv(written[1])
    assert list(solves["kind"]) == ["rigid"] + 10 * ["compliant"] and solves["tighter"].sum() == 5


def test_missing_numbers_are_null_in_json(tiny: Path, tmp_path: Path) -> None:
    export.export_tables(tiny, "json", tmp_path / "solves.json", ["solves"])
    assert json.loads((tmp_path / "solves.json").read_text(encoding="utf-8"))[0]["epsilon"] is None


def test_trajectories_are_groups_in_hdf5(tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.h5"
    assert run(tiny, "--format", "hdf5", "-o", file, "--kind", "compliant", "--epsilon", "1e-2") == 0
    motion = open_result(tiny).motion("compliant", epsilon=1e-2)
    with h5py.File(file) as stored:
        assert list(stored) == [motion.key] and stored.attrs["study"] == "tiny"
        group = stored[motion.key]
        assert group.attrs["epsilon"] == 1e-2 and group.attrs["law"] == "viscoelastic"
        assert np.array_equal(group["times"], motion.times)
        assert np.array_equal(group["q"], motion.q) and group["lambda"].shape == (1, len(motion.times))


def test_trajectories_can_be_selected(tiny: Path, tmp_path: Path) -> None:
    def count(*options: object) -> int:
        assert run(tiny, "--format", "hdf5", "-o", tmp_path / "x.h5", *options) == 0
        with h5py.File(tmp_path / "x.h5") as stored:
            return len(stored)

    assert count() == 1 + 5 and count("--tighter") == 1 + 10
    assert count("--epsilon", "1e-2", "--epsilon", "0.1") == 1 + 2, "the rigid solve too"
    assert count("--kind", "rigid") == 1


def test_an_impossible_export_is_refused(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny, "--format", "hdf5", "-o", tmp_path / "x.h5", "--epsilon", "0.5") == 2
    said = capsys.readouterr().err
    assert "epsilon = 0.5" in said and " 0.1" in said
    assert not (tmp_path / "x.h5").exists(), "no empty file"
    assert run(tmp_path, "--format", "csv", "-o", tmp_path / "x.csv") == 2
    assert "no such file" in capsys.readouterr().err
    with pytest.raises(AnalysisError, match="errors, solves.*'runs'"):
        export.export_tables(tiny, "csv", tmp_path / "x.csv", ["runs"])


def test_a_missing_package_is_named(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(export, "import_module", absent)
    with pytest.raises(AnalysisError, match=r"h5py.* pip install '.*\[export\]'"):
        export.export_motions(tiny, tmp_path / "x.h5")
