"""A program as a solver: the examples of docs/protocol.md, and programs that do everything wrong."""

import csv
import io
import json
import os
import re
import subprocess
import sys
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
BENCHMARK = """
[benchmark]
name = "sample"
kind = "work_precision"
methods = ["radau_iia", "mine"]
[solvers.mine]
program = "./mine"
{keys}
[tolerance]
rtol = [1e-6]
[timing]
repeats = 1
{problem}
"""
DISK = """
[[problem]]
study = "disk.toml"
study_text = '''
study.name = "disk"
system.name = "rolling_disk"
epsilon.values = [1e-1, 3e-2]
time = {end = 0.5, samples = 3}
'''
formulations = ["adapted"]
"""
SHELL = "#!/bin/sh\n"


def examples() -> list[str]:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    found: list[str] = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert len(found) == 2
    return found


def example() -> str:
    """The one that asks for f."""
    return examples()[0]


def example_with_source() -> str:
    return examples()[1]


def executable(folder: Path, solver: str) -> None:
    program = folder / "mine"
    program.write_text(solver, encoding="utf-8")
    program.chmod(0o755)


def study(folder: Path, solver: str, *, seconds: float = 60.0, rigid: str = "radau_iia",
          compliant: str = '["radau_iia", "mine"]', source: str = "", more: str = "") -> Path:
    executable(folder, solver)
    file = folder / "sample.toml"
    text = STUDY.format(seconds=seconds, rigid=rigid, compliant=compliant)
    text += f'source = "{source}"\n' if source else ""
    file.write_text(more + text, encoding="utf-8")
    return file


def benchmark(folder: Path, solver: str, keys: str = "", problem: str = DISK) -> Path:
    executable(folder, solver)
    file = folder / "sample.toml"
    file.write_text(BENCHMARK.format(keys=keys, problem=problem), encoding="utf-8")
    return file


def run(file: Path, *options: str) -> tuple[int, list[dict[str, str]], str]:
    done = subprocess.run([PROGRAM, "run", file, "--results", file.parent / "results", "--format", "csv", *options],
                          capture_output=True, text=True, check=False, cwd="/")
    return done.returncode, list(csv.DictReader(io.StringIO(done.stdout))), done.stderr


def rows_of(rows: list[dict[str, str]], solver: str) -> list[dict[str, str]]:
    return [row for row in rows if row["compliant_solver"] == solver]


def require_agreement(rows: list[dict[str, str]]) -> None:
    """The program mine, the classical Runge-Kutta method, has the errors in q of radau_iia."""
    ours, theirs = rows_of(rows, "radau_iia"), rows_of(rows, "mine")
    assert len(ours) == len(theirs) > 0
    for one, other in zip(ours, theirs):
        if one["quantity"] == "q":
            assert float(other["model_error"]) == pytest.approx(float(one["model_error"]), rel=1e-4)
            assert other["status"] == "ok" and float(other["steps"]) >= 200
            assert float(other["rhs_evaluations"]) == 4 * float(other["steps"])


def test_the_example_of_the_page_agrees_with_ours(tmp_path: Path) -> None:
    status, rows, err = run(study(tmp_path, example()))
    assert status == 0, err
    require_agreement(rows)


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


def test_the_example_with_source_agrees_with_ours(tmp_path: Path) -> None:
    text = example_with_source()
    assert len(text.splitlines()) <= 40
    status, rows, err = run(study(tmp_path, text, source="c"))
    assert status == 0, err
    require_agreement(rows)
    # Without the key it gets no source.
    assert all(row["status"].startswith("failed") for row in rows_of(run(study(tmp_path, text))[1], "mine"))


WRITER = """#!/usr/bin/env python3
import hashlib, json
from pathlib import Path

source = json.loads(input())["source"]
Path(__file__).with_name(hashlib.sha1(source.encode()).hexdigest() + ".source").write_text(source)
print(json.dumps({"failure": "only writes"}), flush=True)
"""


def functions_in(text: str) -> str:
    return text[text.index("void rhs("):text.index("const double CHECK_T")]


def test_the_source_is_that_of_export_problem(tmp_path: Path) -> None:
    file = study(tmp_path, WRITER, source="c")
    assert run(file)[0] in (0, 1)
    sources = {functions_in(path.read_text()) for path in tmp_path.glob("*.source")}
    assert len(sources) == 2, "one for each epsilon"
    for epsilon in ("0.1", "0.03"):
        exported = subprocess.run([PROGRAM, "export-problem", file, "--epsilon", epsilon, "--variables", "natural",
                                   "--reference", "none"], capture_output=True, text=True, check=True).stdout
        sources.discard(functions_in(exported))
    assert not sources


def test_the_source_in_python_passes_its_own_check(tmp_path: Path) -> None:
    assert run(study(tmp_path, WRITER, source="python"))[0] in (0, 1)
    written = list(tmp_path.glob("*.source"))
    assert len(written) == 2
    for path in written:
        assert subprocess.run([sys.executable, path], check=False).returncode == 0
        path.write_text(re.sub(r"check_f = np.array\(\[\s+", r"\g<0>1e-3 + ", path.read_text()))
        assert subprocess.run([sys.executable, path], check=False).returncode == 1, "negative control"


def test_source_needs_recorded_equations(tmp_path: Path) -> None:
    file = study(tmp_path, example_with_source(), source="c", more='contact.law = "viscous"\n')
    status, rows, err = run(file)
    assert status in (0, 1), err
    assert all(row["status"].startswith("failed") for row in rows_of(rows, "mine"))
    assert not any(row["status"].startswith("failed") for row in rows_of(rows, "radau_iia"))
    assert "not recorded" in (tmp_path / "results/sample/result.txt").read_text()


def test_the_examples_stand_in_a_benchmark(tmp_path: Path) -> None:
    for text, keys in ((example(), ""), (example_with_source(), 'source = "c"')):
        file = benchmark(tmp_path, text, keys)
        status, rows, err = run(file)
        assert status == 0, err
        theirs = [row for row in rows if row["method"] == "mine"]
        ours = [row for row in rows if row["method"] == "radau_iia"]
        assert len(theirs) == len(ours) == 2 * 3, "two epsilons, three groups"
        for row in theirs:
            assert 0.0 < float(row["error"]) < 1e-3 and row["library"] == "program"
            assert float(row["rhs"]) == 4 * float(row["steps"]) > 0.0
            assert row["seconds"] in ("", "nan") and row["repeats"] == "0"
        assert all(float(row["seconds"]) > 0.0 for row in ours), "negative control"
        assert "reused" in run(file)[2]
        resolved = tmp_path / "results/sample/resolved.toml"
        planned = subprocess.run([PROGRAM, "run", resolved, "--results", tmp_path / "results", "--dry-run"],
                                 capture_output=True, text=True, check=True).stdout
        count, stored = re.search(r"(\d+) solves, (\d+) of them stored", planned).groups()  # type: ignore[union-attr]
        assert count == stored


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_program_spoils_its_own_rows_of_a_benchmark_only(fault: str, tmp_path: Path) -> None:
    status, rows, err = run(benchmark(tmp_path, FAULTS[fault]))
    assert status in (0, 1), err
    assert {row["status"] for row in rows if row["method"] == "mine"} == {"failed"}
    ours = [row for row in rows if row["method"] == "radau_iia"]
    assert ours and all(row["status"] == "ok" and float(row["seconds"]) > 0.0 for row in ours)


def test_absolute_tolerances_by_component_are_a_list(tmp_path: Path) -> None:
    teller = """#!/usr/bin/env python3
import json
print(json.dumps({"failure": "atol is " + json.dumps(json.loads(input())["atol"])}), flush=True)
"""
    problem = '[[problem]]\nclassical = "robertson"\nend = 1.0\nreference = "double"\n'
    status, _, err = run(benchmark(tmp_path, teller, problem=problem))
    assert status in (0, 1), err
    found = re.search(r"atol is (\[[^\]]*\])", (tmp_path / "results/sample/result.txt").read_text())
    assert found is not None and len(json.loads(found[1])) == 3
