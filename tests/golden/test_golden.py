"""Tests of scripts/golden with artificial experiments: messages, files and exit status."""

import copy
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from golden import command, program, records
from golden.program import Experiment, Program
from golden.records import CorpusError, Record

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: Record) -> dict[str, Record | CorpusError]:
    """The results of two experiments, and an empty corpus."""
    experiments = {"made": Experiment("made", "smooth", "experiments/made.toml", short=True),
                   "other": Experiment("other", "smooth", "experiments/other.toml")}
    gives = {"made": record, "other": dataclasses.replace(copy.deepcopy(record), experiment="other")}

    def run(_: Program, experiment: Experiment, resume: bool = False) -> Record:
        if isinstance(given := gives[experiment.name], CorpusError):
            raise given
        return given

    monkeypatch.setattr(command, "all_experiments", lambda: experiments)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "CORPUS", tmp_path / "corpus")
    monkeypatch.setattr(command, "ACCEPTED", tmp_path / "accepted.md")
    monkeypatch.setattr(Program, "run", run)
    return gives


def golden(*arguments: str) -> int:
    return command.main([*arguments, *(["--program", sys.executable] if arguments[0] != "show" else [])])


def spoil(record: Record, column: str = "model_error", value: records.Value = 1.5) -> None:
    record.tables["errors"].columns[column][0] = value


def test_a_new_corpus_agrees_with_its_experiments(found, capsys) -> None:
    assert golden("make") == 0 and "made: made, " in capsys.readouterr().out
    assert golden("compare") == 0
    said = capsys.readouterr().out
    assert "2 compared" in said and "2 agree, 0 differ" in said
    assert golden("make") == 0 and "other: unchanged" in capsys.readouterr().out


def test_a_difference_is_shown_by_column_and_fails(found, capsys) -> None:
    golden("make")
    capsys.readouterr()
    spoil(found["other"])
    assert golden("compare") == 1
    said = capsys.readouterr().out
    assert "other (experiments/made.toml), bits required: DIFFERS" in said
    (line,) = (line for line in said.splitlines() if line.startswith("  errors  "))
    assert line.split()[:9] == ["errors", "model_error", "number", "3", "1", "1", "5.0e-01", "2.3e+15", "-"]
    assert "1 agree, 1 differ" in said
    assert golden("compare", "made") == 0, "the other one was not asked for"
    assert golden("compare", "--short") == 0


def test_another_platform_selects_the_mode_bounds(found, capsys) -> None:
    golden("make")
    spoil(found["made"], value=1.0 + 1e-9)
    assert golden("compare", "made") == 1
    found["made"].platform = {"compiler": "another"}
    assert golden("compare", "made") == 0 and golden("compare", "made", "--bits") == 1
    assert golden("compare", "made", "--relative", "1e-8") == 0
    assert golden("compare", "made", "--relative", "1e-10") == 1
    assert "compiler: golden 'made', here 'another'" in capsys.readouterr().out


def test_new_and_missing_experiments_are_reported(found, capsys, tmp_path: Path) -> None:
    golden("make", "made")
    capsys.readouterr()
    assert golden("compare") == 1
    assert "other (experiments/other.toml) has no golden file" in capsys.readouterr().err
    assert golden("compare", "other") == 1 and "other has no golden file" in capsys.readouterr().err
    assert golden("compare", "made") == 0
    golden("make")
    records.write(dataclasses.replace(found["made"], experiment="gone"), tmp_path / "corpus/gone.json.gz")
    capsys.readouterr()
    assert golden("compare") == 1
    assert "corpus/gone.json.gz: its experiment is missing" in capsys.readouterr().err


def test_golden_values_change_only_with_a_reason(found, capsys, tmp_path: Path) -> None:
    golden("make")
    spoil(found["made"])
    spoil(found["made"], "work.steps", 101)
    before = (tmp_path / "corpus/made.json.gz").read_bytes()
    assert golden("make") == 2
    said = capsys.readouterr().err
    assert "made: values differ (errors: model_error 1 by 5e-01, work.steps 1 by 1e-02)" in said
    assert "--because" in said and (tmp_path / "corpus/made.json.gz").read_bytes() == before
    assert golden("make", "--because", "a better\nmethod") == 0
    assert (tmp_path / "accepted.md").read_text() == (
        "* `made`: a better method (errors: model_error 1 by 5e-01, work.steps 1 by 1e-02)\n")
    assert golden("compare") == 0


def test_a_change_of_platform_needs_no_reason(found, tmp_path: Path) -> None:
    golden("make")
    found["made"].platform = {"compiler": "another"}
    assert golden("make", "made") == 0 and not (tmp_path / "accepted.md").exists()
    assert records.read(tmp_path / "corpus/made.json.gz").platform == {"compiler": "another"}


def test_a_column_without_a_rule_is_refused(found, capsys) -> None:
    found["made"].tables["errors"].columns["colour"] = ["red"] * 3
    assert golden("make", "made") == 2
    assert "errors: no rule for colour" in capsys.readouterr().err


def test_a_failing_experiment_does_not_stop_the_others(found, capsys) -> None:
    golden("make")
    found["made"] = CorpusError("made: the program ended with status 2 and wrote no tables")
    capsys.readouterr()
    assert golden("compare") == 2
    said = capsys.readouterr()
    assert "1 agree, 0 differ, 1 could not be run" in said.out and "status 2" in said.err
    assert golden("make") == 2 and "other: unchanged" in capsys.readouterr().out


def test_names_are_patterns_and_unknown_names_are_refused(found, capsys) -> None:
    golden("make")
    capsys.readouterr()
    assert golden("compare", "o*") == 0 and "1 compared" in capsys.readouterr().out
    assert golden("compare", "made", "knife") == 2
    assert "no experiment knife" in capsys.readouterr().err
    assert golden("compare", "other", "--short") == 2
    assert "no experiment other in the short comparison" in capsys.readouterr().err


def test_show_prints_the_stored_values(found, capsys) -> None:
    golden("make")
    capsys.readouterr()
    assert golden("show", "made") == 0 and "exit_status held" in capsys.readouterr().out
    assert golden("show", "made", "motions", "--rows", "3") == 0
    said = capsys.readouterr().out
    assert "... 8 more rows" in said and len(said.splitlines()) == 6
    assert golden("show", "made", "colours") == 2
    assert "made has no table colours, but errors, failures" in capsys.readouterr().err
    assert golden("show", "none") == 2 and golden("show") == 2


def test_list_marks_experiments_without_a_golden_file(found, capsys) -> None:
    golden("make", "made")
    capsys.readouterr()
    assert command.main(["list"]) == 0
    said = capsys.readouterr().out
    assert "no golden file" in said and "2 experiments" in said


@pytest.mark.parametrize("arguments", [["compare", "--jobs", "0"], ["compare", "--relative", "two"],
                                       ["compare", "--bits", "--bounds"], ["make", "--bits"], []])
def test_wrong_options_are_refused(found, arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as left:
        command.main(arguments)
    assert left.value.code == 2 and "usage" in capsys.readouterr().err


def test_a_missing_program_gives_a_message_how_to_build_it(found, capsys, tmp_path: Path) -> None:
    golden("make")
    assert command.main(["compare", "--program", str(tmp_path / "none")]) == 2
    assert "scripts/test builds" in capsys.readouterr().err


def test_the_help_of_the_script_explains_usage() -> None:
    said = subprocess.run([ROOT / "scripts/golden", "--help"], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": ""})
    assert "compare --short" in said.stdout and "Exit status" in said.stdout


# --- running the current program -----------------------------------------------------------------------


def test_every_experiment_file_has_its_kind() -> None:
    every = program.all_experiments()
    files = {e.file for e in every.values()}
    parts = [ROOT / "experiments" / part for part in ("bases", "systems")]
    assert {str(p.relative_to(ROOT)) for p in (ROOT / "experiments").rglob("*.toml")
            if p.parent not in parts} == files
    kinds = {name: every[name].kind for name in ("knife_edge", "curb_plastic", "knife_edge_plane",
                                                 "chain", "rolling_disk_steps")}
    assert list(kinds.values()) == ["smooth", "friction", "sweep", "bench", "sweep"]


def test_the_short_comparison_has_each_kind() -> None:
    every = program.all_experiments().values()
    assert {e.kind for e in every if e.short} == {e.kind for e in every} == set(program.READERS)


def test_two_files_with_equal_names_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("a/x.toml", "b/x.toml"):
        (tmp_path / "experiments" / place).parent.mkdir(parents=True)
        (tmp_path / "experiments" / place).write_text("")
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program, "EXPERIMENTS", tmp_path / "experiments")
    with pytest.raises(CorpusError, match="b/x.toml: experiments/a/x.toml has the same name"):
        program.all_experiments()


def test_experiments_and_golden_files_match() -> None:
    assert command.without_other_half(program.all_experiments()) == []


def fake_program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo '  compiler: made' && exit\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_run_without_tables_is_reported_with_its_message(tmp_path: Path) -> None:
    fake = fake_program(tmp_path / "fake", "echo 'rigidlimit: no such law' >&2; exit 2")
    with pytest.raises(CorpusError, match="status 2 and wrote no tables: rigidlimit: no such law"):
        Program(fake, tmp_path / "work").run(program.all_experiments()["wheel"])


def sweep_of_steps(place: Path, solver_key: str, steps: str) -> str:
    """A script that writes a sweep with one count of steps into the folder of its results."""
    record = {"law": "a", solver_key: "b", "formulation": "natural", "epsilon": 0.01, "outcome": "success",
              "growth": None, "work": {"steps": "STEPS"}}
    text = json.dumps({"held": True, "steps": [record]}).replace('"STEPS"', steps)
    return f"mkdir -p '{place}/x'\ncat > '{place}/x/result.json' <<END\n{text}\nEND\n"


def test_resuming_reuses_counts_only_of_the_same_program(tmp_path: Path) -> None:
    """The fake program gives the number of its calls as the number of steps."""
    calls = tmp_path / "calls"
    experiment = program.all_experiments()["rolling_disk_steps"]
    place = tmp_path / "work" / experiment.name
    script = f"echo x >> {calls}\n{sweep_of_steps(place, 'compliant_solver', f'$(wc -l < {calls})')}exit 1"
    fake = fake_program(tmp_path / "fake", script)

    def steps(resume: bool) -> int:
        got = Program(fake, tmp_path / "work").run(experiment, resume)
        assert got.tables["outcome"].columns == {"exit_status": [1], "held": [True]}
        assert got.platform["compiler"] == "made"
        return got.tables["steps"].columns["work.steps"][0]

    assert [steps(False), steps(True), steps(False), steps(True)] == [1, 1, 2, 2]
    fake_program(fake, script + " # rebuilt")
    assert steps(True) == 3


def test_a_renamed_column_is_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = program.all_experiments()["rolling_disk_steps"]
    script = sweep_of_steps(tmp_path / "work" / experiment.name, "method", "7")
    fake = fake_program(tmp_path / "fake", script)
    monkeypatch.setattr(program, "RENAMED", {"steps": {"method": "compliant_solver"}})
    found = Program(fake, tmp_path / "work").run(experiment)
    assert found.tables["steps"].columns["compliant_solver"] == ["b"]


def test_other_folders_are_not_removed(tmp_path: Path) -> None:
    (tmp_path / "work/wheel").mkdir(parents=True)
    mine = tmp_path / "work/wheel/mine.txt"
    mine.write_text("kept")
    program.remove(mine.parent)
    assert mine.exists()
