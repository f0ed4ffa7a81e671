"""A program as a solver: the example of docs/protocol.md, and programs that do everything wrong."""

import csv
import io
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from program import PROGRAM, ROOT

STUDY = """
study.name = "sample"
system.name = "knife_edge"
initial.v = {{x = 0.7, phi = 1.3}}
epsilon.values = [1e-1, 3e-2]
time = {{end = 0.5, samples = 11, layer_samples = 5}}
[solvers]
rigid = ["{rigid}"]
compliant = {compliant}
rtol = 1e-6
atol = 1e-8
[solvers.mine]
program = "./mine"
seconds = {seconds}
"""
SHELL = "#!/bin/sh\n"


def example() -> str:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    found, = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    return str(found)


def study(folder: Path, solver: str, *, seconds: float = 60.0, rigid: str = "radau_iia",
          compliant: str = '["radau_iia", "mine"]') -> Path:
    program = folder / "mine"
    program.write_text(solver, encoding="utf-8")
    program.chmod(0o755)
    file = folder / "sample.toml"
    file.write_text(STUDY.format(seconds=seconds, rigid=rigid, compliant=compliant), encoding="utf-8")
    return file


def run(file: Path, *options: str) -> tuple[int, list[dict[str, str]], str]:
    done = subprocess.run([PROGRAM, "run", file, "--results", file.parent / "results", "--format", "csv", *options],
                          capture_output=True, text=True, check=False, cwd="/")
    return done.returncode, list(csv.DictReader(io.StringIO(done.stdout))), done.stderr


def rows_of(rows: list[dict[str, str]], solver: str) -> list[dict[str, str]]:
    return [row for row in rows if row["compliant_solver"] == solver]


def test_the_example_of_the_page_agrees_with_ours(tmp_path: Path) -> None:
    status, rows, err = run(study(tmp_path, example()))
    assert status == 0, err
    ours, theirs = rows_of(rows, "radau_iia"), rows_of(rows, "mine")
    assert len(ours) == len(theirs) > 0
    for one, other in zip(ours, theirs):
        if one["quantity"] == "q":
            assert float(other["model_error"]) == pytest.approx(float(one["model_error"]), rel=1e-4)
            assert other["status"] == "ok" and float(other["steps"]) >= 200
            assert float(other["rhs_evaluations"]) == 4 * float(other["steps"])


def test_it_stands_on_the_rigid_side_and_its_solves_are_found_again(tmp_path: Path) -> None:
    file = study(tmp_path, example(), rigid="mine", compliant='["radau_iia"]')
    status, rows, _ = run(file)
    assert status == 0 and {row["rigid_solver"] for row in rows} == {"mine"}
    assert "reused" in run(file)[2]
    # The resolved study runs the same program.
    resolved = tmp_path / "results/sample/resolved.toml"
    assert f'program = "{tmp_path / "mine"}"' in resolved.read_text(encoding="utf-8")
    again = subprocess.run([PROGRAM, "run", resolved, "--results", tmp_path / "results", "--dry-run"],
                           capture_output=True, text=True, check=True)
    planned, stored = re.search(r"(\d+) solves, (\d+) of them stored", again.stdout).groups()  # type: ignore[union-attr]
    assert planned == stored
    # Another program under the same name is another solver.
    (tmp_path / "mine").write_text(example() + "# changed\n", encoding="utf-8")
    changed = subprocess.run([PROGRAM, "run", file, "--results", tmp_path / "results", "--dry-run"],
                             capture_output=True, text=True, check=True).stdout
    fewer = re.search(r"(\d+) solves, (\d+) of them stored", changed).groups()  # type: ignore[union-attr]
    assert int(fewer[1]) < int(fewer[0])


FAULTS = {
    "ends at once": SHELL + "exit 0\n",
    "fails": SHELL + "exit 3\n",
    "kills itself": SHELL + "kill -9 $$\n",
    "prints rubbish": SHELL + "echo 'hello, world'\n",
    "prints a list": SHELL + "echo '[1, 2]'\n",
    "prints bytes": SHELL + "head -c 100000 /dev/urandom; echo\n",
    "answers without states": SHELL + "echo '{\"steps\": 3}'\n",
    "answers too few states": SHELL + "echo '{\"states\": [[1, 2]]}'\n",
    "answers words": SHELL + "read line; echo \"{\\\"states\\\": \\\"none\\\"}\"\n",
    "asks about a short state": SHELL + "echo '{\"rhs\": {\"t\": 0, \"y\": [1]}}'; read a; read b; sleep 5\n",
    "asks without a state": SHELL + "echo '{\"jacobian\": 3}'; sleep 5\n",
    "gives up": SHELL + "echo '{\"failure\": \"no idea\"}'\n",
    "is no program": "neither a script nor a binary\n",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_program_spoils_its_own_rows_only(fault: str, tmp_path: Path) -> None:
    status, rows, err = run(study(tmp_path, FAULTS[fault]))
    assert status in (0, 1), err
    assert rows_of(rows, "mine") and rows_of(rows, "radau_iia")
    assert all(row["status"].startswith("failed") for row in rows_of(rows, "mine")), rows_of(rows, "mine")[0]
    assert not any(row["status"].startswith("failed") for row in rows_of(rows, "radau_iia"))


@pytest.mark.parametrize("endless", [
    "sleep 1000",
    "trap '' TERM INT HUP; sleep 1000",
    "sleep 1000 & sleep 1000",
    "while :; do printf x; done",
    "while :; do echo '{\"rhs\": {\"t\": 0, \"y\": [0, 0, 0, 0, 0, 0, 0]}}'; done"])
def test_an_endless_program_is_killed_with_its_children(endless: str, tmp_path: Path) -> None:
    mark = f"RIGIDLIMIT_TEST_{os.getpid()}_{abs(hash(endless))}"
    begin = time.monotonic()
    status, rows, err = run(study(tmp_path, SHELL + f"export {mark}=1\n{endless}\n", seconds=0.2))
    assert status in (0, 1), err
    assert time.monotonic() - begin < 60.0
    assert all(row["status"].startswith("failed") for row in rows_of(rows, "mine"))
    time.sleep(0.2)
    left = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in entry.read_bytes():
                left.append(entry)
        except OSError:
            continue
    assert left == []


def test_mistakes_in_the_file_have_their_place(tmp_path: Path) -> None:
    file = study(tmp_path, example())
    (tmp_path / "mine").chmod(0o644)
    status, _, err = run(file)
    assert status == 2 and "sample.toml:13" in err and "executable" in err
    (tmp_path / "mine").unlink()
    assert run(file)[0] == 2
    other = study(tmp_path, example())
    other.write_text(other.read_text().replace('program = "./mine"\n', ""))
    assert run(other)[0] == 2, "seconds without a program, and an unknown solver"
