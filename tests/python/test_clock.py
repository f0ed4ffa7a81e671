"""No output of a study on surfaces that move has the clock, which is a coordinate of its equations.

The systems have two coordinates and two velocities, so a third component in any output is the clock.
"""

import json
import re
from pathlib import Path

import pytest

from program import run, written

WHEEL = """
[system]
name = "wheel_on_belt"
kinetic_coenergy = "0.5*mass*x'^2 + 0.25*mass*(radius*phi')^2"
potential = "0"
coordinates = [{name = "x", unit = "m", start = 0.0, start_rate = 0.0},
               {name = "phi", unit = "rad", start = 0.0, start_rate = -0.6}]
[system.parameters]
mass = {default = 2.0, unit = "kg"}
radius = {default = 0.5, unit = "m"}
"""
ROLLS = "[study]\nname = \"rolls\"\n" + WHEEL.replace(
    "coordinates", "constraint = [\"x' - radius*phi' - 0.3*cos(4*t)\"]\ncoordinates") + """
[epsilon]
from = 1e-2
to = 1e-3
count = 4
[time]
end = 1.0
samples = 21
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
[[expect]]
quantity = "q"
order = 2.0
within = 0.1
[[expect]]
quantity = "x'"
order = 2.0
within = 0.1
"""
SLIPS = "[study]\nname = \"slips\"\n" + WHEEL + """
[[system.contacts]]
name = "belt"
normal = "given"
normal_force = "9.81*mass"
friction = 0.2
sliding = ["x' - radius*phi' - 0.1*t"]
[contact]
tangential_stiffness = 1.0
[epsilon]
from = 1e-2
to = 2.5e-3
count = 3
[time]
end = 0.5
samples = 21
[solvers]
moreau_jean = [1e-3]
[[expect]]
quantity = "q"
order = 2.0
within = 0.2
"""
BALL = """
[study]
name = "ball"
[system]
name = "shaken_ball"
[contact]
tangential_stiffness = 1e4
normal_stiffness = 1e4
tangential_power = [1.5]
[epsilon]
from = 1e-2
to = 2.5e-3
count = 3
[time]
end = 0.7
samples = 21
[solvers]
moreau_jean = [4e-4]
[[expect]]
quantity = "q"
order = 1.0
within = 0.25
"""
STUDIES = {"rolls": ROLLS, "slips": SLIPS, "ball": BALL}
TUPLE = re.compile(r"\b[qv]\(0\) = \(([^)]*)\)")


def require_no_clock(text: str, where: object) -> None:
    assert not re.search(r"\bclock\b", text), f"{where}: {re.search('.*clock.*', text)[0]}"  # type: ignore[index]
    assert not re.search(r"\b[qv]3(_before|_after)?\b", text), where
    for listed in TUPLE.findall(text):
        assert len(listed.split(",")) == 2, f"{where}: {listed}"


def solved(name: str, tmp_path: Path) -> tuple[Path, str]:
    study = written(tmp_path / f"{name}.toml", STUDIES[name])
    return study, run("run", study, "--results", tmp_path / "results", "--full")


@pytest.mark.parametrize("name", STUDIES)
def test_no_output_of_a_run_has_the_clock(name: str, tmp_path: Path) -> None:
    _, text = solved(name, tmp_path)
    require_no_clock(text, "printed")
    files = [path for path in (tmp_path / "results").rglob("*") if path.suffix in (".json", ".csv", ".toml", ".xml")]
    assert {".json", ".csv"} <= {path.suffix for path in files}
    for path in files:
        require_no_clock(path.read_text(), path)
    result = json.loads(next(path for path in files if path.name == "result.json").read_text())
    for part in ("coordinates", "velocities"):
        assert len(result["system"][part]) == 2
        assert all(isinstance(one["start"], float | int) for one in result["system"][part])


def test_the_impacts_of_a_ball_have_two_velocities(tmp_path: Path) -> None:
    """The table of events has "v before" (x', z') with |x'| = 0 and z' < 0."""
    _, text = solved("ball", tmp_path)
    impacts = [line for line in text.splitlines() if "impact table" in line and "(" in line]
    assert impacts
    assert all(len(numbers.split(",")) == 2 for line in impacts for numbers in re.findall(r"\(([^)]*)\)", line))


@pytest.mark.parametrize("name", STUDIES)
def test_descriptions_and_templates_leave_the_clock_out(name: str, tmp_path: Path) -> None:
    study = written(tmp_path / "study.toml", STUDIES[name])
    system = ("shaken_ball" if name == "ball" else
              written(tmp_path / "system.toml",
                      re.search(r"\[system\]\n(.*?)(?=\n\[(contact|epsilon)\])", STUDIES[name], re.DOTALL)[1]
                      .replace("system.", "")))  # type: ignore[index]
    require_no_clock(run("describe", system), "describe")
    require_no_clock(run("run", study, "--dry-run", "--results", tmp_path), "the plan")
    run("init", "mine", "--system", system, "--directory", tmp_path)
    require_no_clock((tmp_path / "mine.toml").read_text(), "init")


def test_claims_and_sizes_know_no_clock(tmp_path: Path) -> None:
    """q has the units m and rad, without the s of the clock; a size of the clock is refused by name."""
    study = written(tmp_path / "study.toml", ROLLS)
    for wrong in ("clock", "clock'"):
        with pytest.raises(AssertionError, match=r"expect\[\d\].quantity") as refused:
            run("check", written(tmp_path / "wrong.toml", ROLLS.replace('quantity = "x\'"', f'quantity = "{wrong}"')))
        require_no_clock(str(refused.value).replace(f"'{wrong}'", "").replace(f'"{wrong}"', ""), "refusal")
    with pytest.raises(AssertionError) as refused:
        run("stiffness", study, "--error", "q=1mm")
    require_no_clock(str(refused.value), "stiffness")


def test_starts_are_given_without_the_clock(tmp_path: Path) -> None:
    """Both forms of a start are read; a list that is too long names two numbers."""
    for given in ("[0.1, 0.2]", "{x = 0.1, phi = 0.2}", "[0.1, 0.2, 0.0]"):
        study = written(tmp_path / "start.toml", SLIPS + f"[initial]\nq = {given}\n")
        text = run("run", study, "--results", tmp_path / "start", "--full")
        assert "q(0) = (0.1, 0.2)" in text
        require_no_clock(text, given)
    for wrong in ("[0.1]", "[0.1, 0.2, 0.0, 0.0]", "{clock = 1.0}"):
        with pytest.raises(AssertionError, match="initial.q") as refused:
            run("check", written(tmp_path / "wrong.toml", SLIPS + f"[initial]\nq = {wrong}\n"))
        require_no_clock(str(refused.value).replace("q.clock", "").replace("'clock'", ""), wrong)


def test_only_an_exported_problem_has_the_clock(tmp_path: Path) -> None:
    """The negative control: its right-hand side has no other argument for the time of the surface."""
    study = written(tmp_path / "study.toml", ROLLS)
    run("export-problem", study, "--epsilon", "0.01", "--language", "python", "--output", tmp_path / "problem.py")
    with pytest.raises(AssertionError, match="clock"):
        require_no_clock((tmp_path / "problem.py").read_text(), "export-problem")
