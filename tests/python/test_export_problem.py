"""Exported problems run in their language, reproduce the library's values, and meet their reference."""

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
from program import PROGRAM, ROOT, run

CONTACT = {
    "natural": ["--epsilon", "1e-3"],
    "free_law": ["--epsilon", "1e-3", "--free-law"],
    "adapted": ["--variables", "adapted", "--epsilon", "1e-3"],
    "rigid": ["--side", "rigid"],
    "rigid_adapted": ["--side", "rigid", "--variables", "adapted"],
}
STUDIES = [str(ROOT / f"experiments/convergence/{name}.toml") for name in ("knife_edge", "rolling_disk")]
CASES = {f"{Path(study).stem}-{form}": [study, *options] for study in STUDIES for form, options in CONTACT.items()}
CASES |= {name: [name] for name in ("hires", "ring_modulator", "pendulum_ode", "pendulum_index_2", "slider_crank")}
SUFFIXES = {"c": ".c", "python": ".py", "fortran": ".f90", "javascript": ".mjs"}
TOOLS = {"c": "cc", "python": sys.executable, "fortran": "gfortran", "javascript": "node"}
OPTIONS = {
    "c": ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"],
    "fortran": ["-std=f2008", "-pedantic", "-Wall", "-Wno-unused-dummy-argument", "-Werror", "-ffp-contract=off"],
}


def exported(folder: Path, language: str, *arguments: str) -> Path:
    path = folder / f"problem{SUFFIXES[language]}"
    run("export-problem", *arguments, "--language", language, "-o", path)
    return path


def status(path: Path, language: str) -> int:
    """The exit status of the file as a program."""
    command = [TOOLS[language], str(path)]
    if language in OPTIONS:
        program = path.with_suffix(".exe")
        subprocess.run([TOOLS[language], *OPTIONS[language], str(path), "-lm", "-o", str(program)], check=True,
                       cwd=path.parent)
        command = [str(program)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def changed(text: str) -> str:
    """The file with one constant of the right-hand side changed by a millionth."""
    start = re.search(r"^.*\brhs\(", text, re.MULTILINE)
    assert start is not None
    for number in re.compile(r"(?<![\w.])\d+\.\d+(?:e[+-]?\d+)?").finditer(text, start.end()):
        if float(number[0]) not in (0.0, 1.0):
            return f"{text[:number.start()]}{float(number[0]) * (1 + 1e-6)!r}{text[number.end():]}"
    raise AssertionError("no constant")


def available(language: str) -> None:
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"no {TOOLS[language]}")


@pytest.mark.parametrize("language", SUFFIXES)
@pytest.mark.parametrize("case", CASES)
def test_a_file_reproduces_the_values_of_the_library(case: str, language: str, tmp_path: Path) -> None:
    available(language)
    path = exported(tmp_path, language, *CASES[case], "--reference", "none")
    assert status(path, language) == 0
    assert max(map(len, path.read_text().splitlines())) <= 132, "the lines of Fortran"


@pytest.mark.parametrize("language", SUFFIXES)
def test_every_smooth_function_is_written(language: str, tmp_path: Path) -> None:
    available(language)

    def force(q: Any, v: Any, t: Any) -> list[Any]:
        x, y = 0.3 + q.x, 0.4 + q.y
        return [rl.sin(x) + rl.cos(y) + rl.tan(x) + rl.asin(x) + rl.acos(y) + rl.atan(x) + rl.sinh(y) + rl.cosh(x),
                rl.tanh(x) + rl.exp(y) + rl.log(x) + rl.sqrt(y) + rl.atan2(-y, -x) + x**1.5 + y**-2 + (x - 1)**3 + t]

    system = rl.System("functions", ["x", "y"], {}, kinetic_coenergy=lambda v: (v.x**2 + v.y**2) / 2,
                       constraint=lambda q, v: [v.y - q.x * v.x], applied_force=force)
    study = tmp_path / "functions.toml"
    rl.Study(system, name="functions", time={"end": 0.1}, epsilon=[1e-2]).save(study)
    assert status(exported(tmp_path, language, str(study), "--reference", "none"), language) == 0


@pytest.mark.parametrize("language", SUFFIXES)
def test_a_file_with_another_constant_fails(language: str, tmp_path: Path) -> None:
    available(language)
    path = exported(tmp_path, language, *CASES["rolling_disk-adapted"], "--reference", "none")
    path.write_text(changed(path.read_text()))
    assert status(path, language) == 1


def loaded(path: Path) -> dict[str, Any]:
    """The names of an exported Python file."""
    return runpy.run_path(str(path))


def integrated(problem: dict[str, Any], rtol: float) -> np.ndarray:
    """The end value by SciPy's Radau."""
    integrate = pytest.importorskip("scipy.integrate")
    solution = integrate.solve_ivp(problem["rhs"], (problem["t0"], problem["t1"]), problem["y0"], method="Radau",
                                   jac=problem["jacobian"], rtol=rtol, atol=1e-2 * rtol)
    assert solution.success
    return np.asarray(solution.y[:, -1])


@pytest.mark.parametrize("case", ["knife_edge-natural", "knife_edge-adapted", "rolling_disk-adapted",
                                  "rolling_disk-rigid", "rolling_disk-rigid_adapted", "hires"])
def test_scipy_meets_the_reference(case: str, tmp_path: Path) -> None:
    problem = loaded(exported(tmp_path, "python", *CASES[case]))
    size = np.maximum(np.abs(problem["reference"]), 1e-3 if case == "hires" else 1.0)
    assert (problem["reference_error"] <= 1e-14 * size).all()
    # A factor of 1000 above rtol: errors of steps add up, and the compliant contact magnifies them.
    errors = [np.max(np.abs(integrated(problem, rtol) - problem["reference"]) / size) for rtol in (1e-6, 1e-9)]
    assert errors[1] <= 1e-6 and errors[1] < 0.1 * errors[0]


def test_the_page_integrates_its_example(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    page = (ROOT / "docs/export.md").read_text(encoding="utf-8")
    command = re.search(r"^rigidlimit (.*?-o disk.py)$", page, re.MULTILINE | re.DOTALL)
    example = re.search(r"```py\n(.*?)```", page, re.DOTALL)
    assert command is not None and example is not None
    arguments = command[1].split("\nrigidlimit ")[-1].replace("\\\n", "").split()
    subprocess.run([PROGRAM, *(str(ROOT / a) if a.endswith(".toml") else a for a in arguments)], check=True,
                   cwd=tmp_path)
    done = subprocess.run([sys.executable, "-c", example[1]], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert 0.0 < float(done.stdout) < 1e-5


def test_a_dae_has_its_mass_matrix_and_a_consistent_start(tmp_path: Path) -> None:
    problem = loaded(exported(tmp_path, "python", "pendulum_index_2", "--reference", "none"))
    mass = problem["M"]
    assert mass.shape == (5, 5) and np.linalg.matrix_rank(mass) == 4
    assert abs(problem["rhs"](problem["t0"], problem["y0"])[-1]) < 1e-14
    assert "reference" not in problem


def test_a_parameter_changes_the_equations(tmp_path: Path) -> None:
    rates = []
    for stiffness in ("2e11", "1e10"):
        problem = loaded(exported(tmp_path, "python", "slider_crank", "--set", f"stiffness={stiffness}",
                                  "--reference", "none"))
        rates.append(problem["check_f"])
    assert np.abs(rates[0] - rates[1]).max() > 1.0


@pytest.mark.parametrize("name", ["knife_edge", "rolling_disk"])
def test_the_parameters_of_a_free_law_are_those_of_the_study(name: str, tmp_path: Path) -> None:
    study = str(ROOT / f"experiments/convergence/{name}.toml")
    law = ["--set", "contact.damping_ratio=0.3", "--set", "contact.damping_exponent=0.5", "--epsilon", "1e-2"]
    free = loaded(exported(tmp_path, "python", study, "--free-law", "--reference", "none"))
    fixed = loaded(exported(tmp_path, "python", study, *law, "--reference", "none"))
    m = int(((len(free["p0"]) - 2) / 2)**0.5)
    p = np.concatenate(([1e-2, 0.5], free["p0"][2:2 + m * m], 0.3 * free["p0"][2 + m * m:]))
    t, y = fixed["check_t"], fixed["check_y"]
    size = np.abs(fixed["check_f"]).max()
    assert np.abs(free["rhs"](t, y, p) - fixed["check_f"]).max() < 1e-12 * size
    jacobian = fixed["jacobian"](t, y)
    assert np.abs(free["jacobian"](t, y, p) - jacobian).max() < 1e-12 * np.abs(jacobian).max()
    assert np.abs(free["rhs"](t, y) - fixed["check_f"]).max() > 1e-3 * size


@pytest.mark.parametrize("arguments", [
    ["hires", "--side", "rigid"],
    ["hires", "--set", "stiffness=1"],
    ["slider_crank", "--set", "stiffness=-1"],
    ["hire"],
    [STUDIES[0], "--side", "rigid", "--epsilon", "1e-3"],
    [STUDIES[0], "--law", "elastic"],
    [STUDIES[0], "--reference", "double"],
    [STUDIES[0], "--epsilon", "0"],
    [STUDIES[0], "--side", "rigid", "--free-law"],
    [STUDIES[0], "--variables", "adapted", "--free-law"],
    ["hires", "--free-law"],
    [str(ROOT / "experiments/convergence/switched_drive.toml")],
    [str(ROOT / "experiments/convergence/knife_edge_steps.toml")],
])
def test_a_problem_that_cannot_be_written_is_refused(arguments: list[str]) -> None:
    done = subprocess.run([PROGRAM, "export-problem", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, "one sentence"


def test_only_a_law_with_a_spring_is_written(tmp_path: Path) -> None:
    study = tmp_path / "laws.toml"
    rl.Study({"name": "knife_edge"}, name="laws", contact={"law": ["viscoelastic", "viscous", "elastic"]},
             time={"end": 0.1}, epsilon=[1e-2, 1e-3]).save(study)
    command = [PROGRAM, "export-problem", study, "--reference", "none", "--law"]
    codes = [subprocess.run([*command, law], capture_output=True, check=False).returncode
             for law in ("viscoelastic", "viscous", "elastic")]
    assert codes == [0, 2, 0]
    assert status(exported(tmp_path, "python", str(study), "--law", "elastic"), "python") == 0
