"""Answers of Study.stiffness_for are those of the command line, and keep the wanted errors."""

import csv
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import rigidlimit as rl
from program import PROGRAM, ROOT

WHEEL = ROOT / "experiments/convergence/wheel.toml"


def test_it_has_the_numbers_of_the_command_line() -> None:
    study = rl.Study.load(WHEEL)
    answer = study.stiffness_for(q=1e-4, methods=["radau_iia", "dopri5"])
    done = subprocess.run([PROGRAM, "stiffness", WHEEL, "--error", "q=1e-4", "--cost", "--methods",
                           "radau_iia,dopri5", "--format", "json"], capture_output=True, text=True, check=True)
    printed = json.loads(done.stdout)
    assert answer.found and answer.epsilon == printed["epsilon"]
    assert answer.stiffness is not None and answer.stiffness.shape == (1, 1)
    assert answer.stiffness.tolist() == [[row["stiffness"]] for row in printed["contact"]]
    assert answer.contact["damping"].tolist() == [row["damping"] for row in printed["contact"]]
    assert answer.decay_time == printed["decay_time"]
    assert answer.costs["method"].tolist() == ["dopri5", "radau_iia"] * 2
    assert answer.costs["steps"].tolist() == [row["work"]["steps"] for row in printed["costs"]]


def test_csv_has_the_answer_for_each_contact_row() -> None:
    answer = rl.Study.load(ROOT / "experiments/convergence/rolling_disk.toml").stiffness_for(q=1e-3)
    assert answer.stiffness is not None and answer.damping is not None
    rows = list(csv.DictReader(io.StringIO(answer.text("csv"))))
    assert len(rows) == 2 and rows[0]["study"] == "rolling_disk"
    for k, row in enumerate(rows):
        assert (float(row["stiffness"]), row["stiffness_unit"]) == (answer.stiffness[k, k], "N/m")
        assert (float(row["damping"]), row["damping_unit"]) == (answer.damping[k, k], "N s/m")
        assert float(row["largest_explicit_step"]) == answer.largest_explicit_step
    none = rl.Study.load(WHEEL).stiffness_for({"lambda": 1e-6}).text("csv")
    assert list(csv.DictReader(io.StringIO(none))) == [] and "stiffness" in none, "no answer has a header alone"


def test_a_damper_that_couples_rows_has_a_diagonal_one() -> None:
    answer = rl.Study.load(ROOT / "experiments/convergence/snakeboard.toml").stiffness_for(q=1e-3)
    assert answer.damping is not None and answer.damping[0, 1] != 0 and answer.keeps_with_diagonal
    assert answer.diagonal_damping is not None
    factors = answer.diagonal_damping / answer.damping.diagonal()
    assert factors[0] == pytest.approx(factors[1], rel=1e-12)
    disk = rl.Study.load(ROOT / "experiments/convergence/rolling_disk.toml").stiffness_for(q=1e-3)
    assert disk.diagonal_damping is None and disk.keeps_with_diagonal is None, "its damper is diagonal"


def test_the_contact_keeps_the_wanted_error() -> None:
    study = rl.Study.load(WHEEL)
    answer = study.stiffness_for({"v.sup.all": 1e-3})
    assert answer.epsilon is not None and len(answer.costs) == 0

    def errors(epsilon: float) -> float:
        table = study.with_(epsilon=[epsilon]).run(results=None).table
        chosen = table[(table["quantity"] == "v") & (table["norm"] == "sup") & (table["window"] == "all")]
        return float(chosen["model_error"].iloc[0])

    assert 0.9e-3 < errors(answer.epsilon) <= 1e-3
    assert errors(1.2 * answer.epsilon) > 1e-3, "the negative control: a softer contact"


def test_an_error_that_does_not_shrink_has_no_answer() -> None:
    answer = rl.Study.load(WHEEL).stiffness_for({"lambda": 1e-6})
    assert not answer.found and answer.reason and answer.stiffness is None and answer.epsilon is None
    assert len(answer.contact) == 0


@pytest.mark.parametrize("wanted", [{}, {"w": 1.0}, {"q": -1.0}, {"q.later": 1.0}])
def test_other_errors_are_refused(wanted: dict[str, float]) -> None:
    with pytest.raises(rl.InputError):
        rl.Study.load(WHEEL).stiffness_for(wanted)


def test_a_sweep_is_refused(tmp_path: Path) -> None:
    with pytest.raises(rl.InputError):
        rl.Study.load(ROOT / "experiments/damping/knife_edge_damping.toml").stiffness_for(q=1e-3)


def test_a_text_has_its_unit_and_a_component_its_name() -> None:
    study = rl.Study.load(WHEEL)
    answer = study.stiffness_for(x="0.1 mm")
    assert answer.epsilon == study.stiffness_for({"x": 1e-4}).epsilon
    with pytest.raises(rl.InputError, match="rad"):
        study.stiffness_for(x="1 rad")


@pytest.mark.parametrize(("call", "where"), [
    (lambda study: study.run(jobs="two", results=None), "jobs"), (lambda study: study.run(jobs=0), "jobs"),
    (lambda study: study.run(jobs=1.5), "jobs"), (lambda study: study.run(parts="four"), "parts"),
    (lambda study: study.stiffness_for(q=1e-3, jobs=[]), "jobs"), (lambda study: study.stiffness_for(q=None), "q"),
    (lambda study: study.compliant("a"), "epsilon"), (lambda study: study.compliant(float("nan")), "epsilon")])
def test_an_argument_of_another_type_is_an_input_error_at_its_name(call, where) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(rl.InputError, match=where) as error:
        call(rl.Study.load(WHEEL))
    assert error.value.where == where


def test_errors_name_arguments_and_not_options_of_the_command_line() -> None:
    study = rl.Study.load(WHEEL)
    for call, names in [(lambda: study.stiffness_for(z=1e-3), ("wanted", "z")),
                        (lambda: study.stiffness_for(q=1e-3, engine="exudyn", body="disc"), ("normal_force",)),
                        (lambda: study.stiffness_for(q=1e-3, methods=["radau"]), ("radau_iia",))]:
        with pytest.raises(rl.InputError) as error:
            call()
        assert "--" not in str(error.value) and all(name in str(error.value) for name in names), str(error.value)


def test_a_value_is_named_once_at_its_argument() -> None:
    with pytest.raises(rl.InputError) as error:
        rl.Study.load(WHEEL).run(jobs="two", results=None)
    assert str(error.value).count("jobs") == 1 and "'two'" in str(error.value)


def test_an_unknown_format_lists_the_formats() -> None:
    answer = rl.Study.load(WHEEL).stiffness_for(q=1e-3)
    with pytest.raises(rl.InputError, match="Valid: .*csv.*latex") as error:
        answer.text("pdf")
    assert error.value.where == "format" and answer.text("csv")


SLIPS = ROOT / "experiments/friction/wheel_slip_to_roll.toml"


def test_an_engine_has_the_settings_of_the_contact_that_was_found() -> None:
    answer = rl.Study.load(SLIPS).stiffness_for(x=1e-4, engine="lammps")
    assert answer.found and answer.stiffness is not None
    assert answer.settings["k_t"] == pytest.approx(answer.stiffness[0], rel=1e-12)
    assert rl.Study.load(SLIPS).stiffness_for(x=1e-4).settings == {}, "only for an engine"
    below = rl.Study.load(SLIPS).stiffness_for(x=1e-9, engine="drake")
    assert not below.found and "accuracy" in below.reason and below.settings == {}


def test_an_engine_has_no_settings_for_a_blade() -> None:
    skate = rl.Study.load(ROOT / "experiments/convergence/knife_edge.toml").stiffness_for(q=1e-3, engine="exudyn")
    assert skate.found and skate.settings == {} and "skate" in skate.no_settings
    wheel = rl.Study.load(WHEEL).stiffness_for(q=1e-3, engine="exudyn", normal_force=9.81)
    assert wheel.settings and wheel.no_settings == ""


@pytest.mark.parametrize("more", [{"engine": "exudyn", "body": "ball"}, {"engine": "lamps"}, {"engine": "exudyn", "mass": -1.0},
                                  {"engine": "exudyn", "normal_force": 0.0}])
def test_an_engine_or_body_that_is_none_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(rl.InputError):
        rl.Study.load(SLIPS).stiffness_for(x=1e-3, **more)
