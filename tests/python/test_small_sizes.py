"""Studies with sizes 0, 1 and 2 in every direction: each runs, or is refused, and none ends the program by a signal.

Each size counts: coordinates, exact rows, contact rows, contacts, parameters, epsilons, samples and solvers.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from program import PROGRAM

SEED, CASES = 74, 120
ROWS = {0: ["0", "1"], 1: ["x'", "0", "2*x'"], 2: ["x'", "y'", "x'+y'", "0", "0.5*x'"]}


def quoted(choice: random.Random, rows: list[str], count: int) -> str:
    return "[" + ", ".join(f'"{choice.choice(rows)}"' for _ in range(count)) + "]"


def system_text(choice: random.Random, has_friction: bool) -> str:
    names = ["x", "y"][:choice.randrange(3)]
    rows = ROWS[len(names)]
    coordinates = ", ".join(f'{{name = "{x}", start = 0, start_rate = {choice.choice([0, 0.5])}}}' for x in names)
    energy = "+".join(f"{x}'^2/2" for x in names) or "0"
    lines = ['[system]', 'name = "small_one"', f"coordinates = [{coordinates}]", 'potential = "0"',
             f'kinetic_coenergy = "{energy}"']
    if choice.random() < 0.5:
        lines.append("applied_force = [" + ", ".join(['"1"'] * len(names)) + "]")
    if choice.random() < 0.6:
        lines.append("exact_constraint = " + quoted(choice, rows, choice.choice([0, 1, 1, 2])))
    contacts = choice.choice([0, 1, 1, 2])
    if not has_friction:
        lines.append("constraint = " + quoted(choice, rows, contacts))
    for i in range(contacts if has_friction else 0):
        lines += ["[[system.contacts]]", f'name = "c{i}"', 'normal = "given"',
                  f'normal_force = "{choice.choice([0, 1])}"', f'friction = "{choice.choice([0, 0.3])}"',
                  "sliding = " + quoted(choice, rows, choice.choice([0, 1, 1, 2]))]
    if choice.random() < 0.5:
        lines += ["[system.parameters]", *choice.choice([[], ["mass = {default = 1.0}"]])]
    return "\n".join(lines)


def study_text(choice: random.Random) -> str:
    has_friction = choice.random() < 0.5
    epsilons = ["values = []", "values = [1e-2]", "values = [1e-2, 1e-3]", "from = 1e-2\nto = 1e-2\ncount = 1",
                "from = 1e-2\nto = 1e-3\ncount = 0"]
    solvers = ["rigid = []", "compliant = []", 'rigid = ["radau_iia"]\ncompliant = ["radau_iia"]', ""]
    contact = ('friction = "projected"\ntangential_stiffness = 10.0' if has_friction else
               choice.choice(["stiffness = 1.0", "stiffness = []", "stiffness = [1.0]"]))
    samples = choice.choice(["", "", "samples = 0", "samples = 1", "samples = 2"])
    return "\n".join(['[study]', 'name = "small"', system_text(choice, has_friction), "[contact]", contact,
                      "[epsilon]", choice.choice(epsilons), "[time]", f"end = {choice.choice([0, 1, 1, 1])}", samples,
                      "[solvers]", choice.choice(solvers), ""])


def status(folder: Path, text: str, command: str = "run") -> tuple[int, str]:
    (folder / "small.toml").write_text(text)
    done = subprocess.run([PROGRAM, command, "small.toml"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("case", range(CASES))
def test_sizes_of_zero_and_one_run_or_are_refused(case: int, tmp_path: Path) -> None:
    text = study_text(random.Random(1000 * SEED + case))
    code, message = status(tmp_path, text)
    assert code in (0, 1, 2), f"{message}\n{text}"
    assert "Assertion" not in message
    assert code != 2 or "small" in message


GUIDED = """
[study]
name = "guided"
[system]
name = "guided"
coordinates = [{name = "x", unit = "m", start = 0, start_rate = "0.2"}, {name = "y", start = 0, start_rate = 0}]
kinetic_coenergy = "x'^2 + y'^2"
potential = "0"
exact_constraint = [ROWS]
[[system.contacts]]
name = "guide"
normal = "given"
normal_force = "30"
friction = "0.3"
sliding = ["x'"]
[contact]
friction = "projected"
tangential_stiffness = 10.0
[epsilon]
values = [1e-2, 1e-3]
[time]
end = 0.1
"""


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_system_without_freedom_is_refused(command: str, tmp_path: Path) -> None:
    code, message = status(tmp_path, GUIDED.replace("ROWS", "\"x' - 0.2\", \"y'\""), command)
    assert code == 2, message
    assert "small.toml:" in message


def test_a_system_with_one_freedom_runs(tmp_path: Path) -> None:
    """Control: one exact row fewer."""
    code, message = status(tmp_path, GUIDED.replace("ROWS", "\"y'\""))
    assert code in (0, 1), message
