"""Exported DiffSL: the equations are those of the library, and diffsol solves them."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
DISK, SKATE = (str(ROOT / f"experiments/convergence/{name}.toml") for name in ("rolling_disk", "knife_edge"))
CASES = {
    "natural": [SKATE, "--epsilon", "1e-3"],
    "free_law": [SKATE, "--epsilon", "1e-3", "--free-law"],
    "adapted": [DISK, "--epsilon", "1e-3", "--variables", "adapted"],
    "rigid": [DISK, "--side", "rigid"],
    "hires": ["hires"],
    "ring_modulator": ["ring_modulator"],
    "pendulum_index_1": ["pendulum_index_1"],
    "slider_crank": ["slider_crank"],
}


def export(language: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, "export-problem", *arguments, "--language", language], capture_output=True,
                          text=True, check=False)


def text_of(*arguments: str) -> str:
    done = export("diffsl", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def values_of(text: str) -> dict[str, Any]:
    """The assignments in the comments at the end of a file."""
    comments = [line[3:] for line in text[text.index("\n// t0 = "):].splitlines() if line.startswith("// ")]
    values: dict[str, Any] = {}
    exec(re.sub("//.*", "", "\n".join(comments)), values)
    return {name: np.array(value) for name, value in values.items() if name != "__builtins__"}


def starts(text: str, tensor: str) -> np.ndarray:
    """The numbers of a tensor `tensor` { name = number, … }; none without it."""
    found = re.search(rf"^{tensor} \{{$(.*?)^\}}$", text, re.MULTILINE | re.DOTALL)
    return np.array([float(x) for x in re.findall(r"= (\S+),", found[1])] if found else [])


def differing(text: str) -> int:
    """The number of f_i and of row sums that differ from those of the library by 1e-12 of the largest."""
    ode, values, parameters = pytest.importorskip("pydiffsol").Ode(text), values_of(text), starts(text, "in_i")
    t, y = float(values["check_t"]), values["check_y"]
    pairs = ((ode.rhs(parameters, t, y), values["check_f"]),
             (ode.rhs_jac_mul(parameters, t, y, np.ones(y.size)), values["check_row_sums"]))
    assert np.array_equal(ode.y0(parameters), starts(text, "u_i"))
    return sum(int((~(np.abs(found - known) <= 1e-12 * np.abs(known).max())).sum()) for found, known in pairs)


@pytest.mark.parametrize("case", CASES)
def test_diffsl_has_the_equations_of_the_library(case: str) -> None:
    assert differing(text_of(*CASES[case], "--reference", "none")) == 0


@pytest.mark.parametrize("case", ["natural", "adapted", "rigid", "hires"])
def test_a_spoilt_coefficient_is_found(case: str) -> None:
    """Negative control: a number of the equations is changed by a millionth."""
    text = text_of(*CASES[case], "--reference", "none")
    number = next(found for found in re.finditer(r"(?<=[ (])\d+\.\d+(?:e[+-]?\d+)?(?= \}| [*+-])", text)
                  if found.start() > text.index("\nu_i") and float(found[0]) not in (0.0, 1.0))
    assert differing(f"{text[:number.start()]}{float(number[0]) * (1 + 1e-6)!r}{text[number.end():]}") > 0


@pytest.mark.parametrize("case", ["natural", "free_law", "adapted", "rigid", "hires", "pendulum_index_1"])
def test_diffsol_meets_the_reference(case: str) -> None:
    """BDF; the error falls with the tolerance, and a factor of 1000 above it allows for errors that add up."""
    ds, text = pytest.importorskip("pydiffsol"), text_of(*CASES[case])
    ode, values, errors = ds.Ode(text), values_of(text), []
    for rtol in (1e-5, 1e-8):
        ode.t0, ode.rtol, ode.atol = float(values["t0"]), rtol, 1e-2 * rtol
        end = ode.solve_dense(starts(text, "in_i"), values["t1"][None]).ys[:, -1]
        errors.append(np.max(np.abs(end - values["reference"]) / np.maximum(np.abs(values["reference"]), 1e-3)))
    assert errors[1] <= 1e-5 and errors[1] < 0.1 * errors[0]


@pytest.mark.parametrize("case", CASES)
def test_the_comments_have_the_values_of_the_other_languages(case: str, tmp_path: Path) -> None:
    arguments = [*CASES[case], "--reference", "none"]
    text = text_of(*arguments)
    (tmp_path / "problem.py").write_text(export("python", *arguments).stdout)
    python, values = runpy.run_path(str(tmp_path / "problem.py")), values_of(text)
    assert {"t0", "t1", "check_t", "check_y", "check_f", "check_row_sums"} == set(values)
    for name, value in values.items():
        assert np.array_equal(value, python[name]), name
    assert np.array_equal(starts(text, "u_i"), python["y0"])
    assert np.array_equal(starts(text, "in_i"), python.get("p0", []))


def test_a_dae_has_the_rows_of_its_mass_matrix() -> None:
    text = text_of("pendulum_index_1", "--reference", "none")
    rows = re.search(r"^M_i \{\n(.*?)\n\}$", text, re.MULTILINE | re.DOTALL)
    assert rows is not None
    assert [row.strip() for row in rows[1].splitlines()] == [*(f"1.0 * dy{i}," for i in range(4)), "0.0,"]
    assert "M_i" not in text_of("hires", "--reference", "none"), "negative control"


def test_the_program_of_the_page_meets_the_reference(tmp_path: Path) -> None:
    pytest.importorskip("pydiffsol")
    page = (ROOT / "docs/export.md").read_text(encoding="utf-8")
    program = re.search(r'^```py title="solve_hires.py"\n(.*?)```$', page, re.MULTILINE | re.DOTALL)
    assert program is not None
    (tmp_path / "hires.diffsl").write_text(text_of("hires"))
    done = subprocess.run([sys.executable, "-c", program[1]], capture_output=True, text=True, check=True, cwd=tmp_path)
    rates, end = map(float, done.stdout.split())
    assert rates < 1e-14 and 0.0 < end < 1e-6


def study_of(folder: Path, force: Any) -> str:
    system = rl.System("functions", ["x", "y"], {}, kinetic_coenergy=lambda v: (v.x**2 + v.y**2) / 2,
                       constraint=lambda q, v: [v.y - q.x * v.x], applied_force=lambda q: [force(q.x), 0])
    rl.Study(system, name="functions", time={"end": 0.1}, epsilon=[1e-2]).save(folder / "functions.toml")
    return str(folder / "functions.toml")


@pytest.mark.parametrize("function", [
    lambda z: rl.sin(z) + rl.cos(z) + rl.tan(z), lambda z: rl.sinh(z) + rl.cosh(z) + rl.tanh(z),
    lambda z: rl.exp(z) + rl.log(z) + rl.sqrt(z), lambda z: z**1.5 + z**-2 + (z - 1)**3])
def test_every_function_of_diffsl_is_written(function: Any, tmp_path: Path) -> None:
    """Without tan, and not all in one sum: LLVM would end the process (docs/export.md)."""
    text = text_of(study_of(tmp_path, lambda x: function(x + 0.4)), "--reference", "none")
    assert re.search(r"\btan\(", re.sub("//.*", "", text)) is None
    assert differing(text) == 0


@pytest.mark.parametrize(("reason", "force"), [("asin", rl.asin), ("acos", rl.acos), ("atan", rl.atan),
                                               ("atan2", lambda x: rl.atan2(x, 1 + x))])
def test_equations_that_diffsl_lacks_are_refused(reason: str, force: Any, tmp_path: Path) -> None:
    study = study_of(tmp_path, force)
    done = export("diffsl", study, "--reference", "none")
    assert done.returncode == 2 and done.stdout == "" and reason in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert export("c", study, "--reference", "none").returncode == 0, "negative control: C has it"
