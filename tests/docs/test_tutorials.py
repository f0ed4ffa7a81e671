"""The commands of docs/tutorials/ print what the pages show."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from programs import needed_program
from sessions import Command, Written, commands, matches, play, steps

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))


COMPILERS = {"cc": "gcc", "gfortran": "gfortran"}


def needed_compilers(page: str) -> None:
    """Skips the test if a compiler of the page is missing, or fails if CI is set."""
    for step in steps(page):
        if isinstance(step, Command) and step.line.split()[0] in COMPILERS:
            name = step.line.split()[0]
            needed_program(name, package=COMPILERS[name])


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_every_command_prints_what_the_page_shows(tutorial: Path, tmp_path: Path) -> None:
    page = tutorial.read_text(encoding="utf-8")
    needed_compilers(page)
    played = list(play(page, tmp_path, PROGRAM))
    assert len(played) >= 2
    for k, (command, found, status) in enumerate(played):
        assert matches(command.shown, found), "\n".join([f"$ {command.line}", *found])
        status_is_shown = k + 1 < len(played) and "$?" in played[k + 1][0].line
        assert status == 0 or status_is_shown, command.line


def paths_of_a_clone(page: str) -> list[str]:
    return [step.line for step in steps(page) if isinstance(step, Command) and "experiments/" in step.line]


def test_the_commands_of_a_tutorial_need_no_clone() -> None:
    for tutorial in TUTORIALS:
        assert paths_of_a_clone(tutorial.read_text(encoding="utf-8")) == [], tutorial.name
    assert paths_of_a_clone("```console\n$ rigidlimit run experiments/a.toml\nheld\n```\n"), "the search finds paths"


def test_every_block_of_a_tutorial_is_run_or_is_a_file() -> None:
    for tutorial in TUTORIALS:
        page = tutorial.read_text(encoding="utf-8")
        opened = [line for line in re.findall(r"^```.*$", page, re.MULTILINE) if line != "```"]
        assert all(line == "```console" or 'title="' in line for line in opened), (tutorial.name, opened)
        told = [line for step in steps(page) if isinstance(step, Command) for line in step.shown]
        assert len(told) > 5, f"{tutorial.name} shows output"


@pytest.fixture(scope="module")
def compiled_method(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled method of the tutorial."""
    page = (ROOT / "docs/tutorials/integrator.md").read_text(encoding="utf-8")
    needed_compilers(page)
    folder = tmp_path_factory.mktemp("compiled")
    for step in steps(page):
        if isinstance(step, Written):
            with open(folder / step.name, "a" if step.at_its_end else "w", encoding="utf-8") as file:
                file.write(step.text)
        elif step.line.split()[0] in COMPILERS:
            warnings = "-Wall -Werror " + ("-std=f2018" if "fortran" in step.line else "-std=c99 -pedantic -Wextra")
            subprocess.run(["bash", "-c", f"{step.line} {warnings}"], cwd=folder, check=True)
    return folder


MOCK = """
import math
import sys

import numpy as np

import compiled
from rigidlimit import InputError


class Problem:
    t0, y0 = 0.0, np.array([0.0, 1.0])

    def __init__(self, last=math.inf, error=None):
        self.calls, self.last, self.error = 0, last, error

    def rhs(self, t, y):
        # y1 = cos(t) + O(1/lambda), y2 = exp(sin(t)) + O(1/lambda)
        self.calls += 1
        if self.calls > self.last:
            raise self.error
        return np.array([-RATE * (y[0] - math.cos(t)) - math.sin(t), y[0] * y[1]])

    def jacobian(self, t, y):
        return np.array([[-RATE, 0.0], [y[1], y[0]]])


def solve(problem, rtol, times=(0.5, 2.0)):
    raised = []
    functions = compiled.callbacks(problem, raised)
    return compiled.solve(f"./rodas3_{sys.argv[1]}.so", problem, functions, raised, times, rtol, rtol)
"""


def played_mock(folder: Path, language: str, script: str) -> None:
    done = subprocess.run([sys.executable, "-c", MOCK + script, language], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Exception ignored" not in done.stderr


# The start y1 = 1 of the closed form y1 = cos(t), y2 = exp(sin(t)) for every RATE. Errors are proportional to
# rtol^(order/3) if the embedded order 2 controls the steps, and their number to rtol^(-1/3): a tenth of the error costs
# 2.15 times the steps. An order lost in t (an f_t without its weights) changes the ratio: 3.2 times for order 2.
@pytest.mark.parametrize("language", ["c", "fortran"])
def test_the_compiled_method_has_order_3_for_an_f_that_depends_on_t(compiled_method: Path, language: str) -> None:
    played_mock(compiled_method, language, """
RATE = 2.0
Problem.y0 = np.array([1.0, 1.0])
exact = np.array([math.cos(2.0), math.exp(math.sin(2.0))])
found = []
for rtol in (1e-6, 1e-8):
    states, counts = solve(Problem(), rtol)
    assert states.shape == (2, 2) and counts["nfev"] >= 4 * counts["steps"] == 4 * counts["njev"]
    found.append((np.abs(states[:, 1] - exact).max(), counts["steps"]))
order = -math.log(found[0][0] / found[1][0]) / math.log(found[0][1] / found[1][1])
assert 2.8 < order < 3.3, (order, found)
""")


@pytest.mark.parametrize("language", ["c", "fortran"])
@pytest.mark.parametrize("error", ["ZeroDivisionError('seventh')", "KeyboardInterrupt()", "InputError('wrong')"])
def test_an_exception_in_a_callback_is_raised_by_the_compiled_method(compiled_method: Path, language: str,
                                                                     error: str) -> None:
    played_mock(compiled_method, language, f"""
RATE = 1e3
error, problem = {error}, None
for last in range(9):
    problem = Problem(last, error)
    try:
        solve(problem, 1e-4)
    except BaseException as caught:
        assert caught is error and problem.calls == last + 1, "C returns at once"
    else:
        raise AssertionError("no exception")
""")


@pytest.mark.parametrize("language", ["c", "fortran"])
def test_an_f_that_is_not_finite_is_a_failure_of_the_compiled_method(compiled_method: Path, language: str) -> None:
    played_mock(compiled_method, language, """
RATE = math.nan
states, counts = solve(Problem(), 1e-4)
assert states.size == 0 and counts == {"success": False, "outcome": "step_underflow"}
""")


def test_the_comparison_sees_differences() -> None:
    found = ["skate: held, 4 of 4 expectations", "  1.000e-02  1.751e-03 ± 4e-14   2.00", "end"]
    assert matches(["skate: held, 4 of 4 expectations", "…"], found)
    assert matches(["…", "  1.000e-02   1.7512e-03 ± 5e-14  2.00", "…"], found)
    assert matches(["…", "end"], found) and matches(["skate: …", "…"], found)
    assert not matches(["skate: not held, 4 of 4 expectations", "…"], found)
    assert not matches(["skate: held, 3 of 4 expectations", "…"], found)
    assert not matches(["…", "  1.000e-02  1.761e-03 ± 4e-14   2.00", "…"], found)
    assert not matches(["…", "  1.000e-02  1.751e-03 ± 4e-14   1.90", "…"], found)
    assert not matches(["skate: held, 4 of 4 expectations"], found) and not matches(["…", "nothing", "…"], found)


def test_sessions_are_read_in_order() -> None:
    page = '```toml title="a.toml"\nx = 1\n```\n\n```console\n$ echo 1 \\\n    2\n1 2\n$ true\n```\n' \
        '```toml title="a.toml, at its end"\ny = 2\n```\n'
    assert list(steps(page)) == [Written("a.toml", "x = 1\n", False), Command("echo 1 2", ["1 2"]), Command("true"),
                                 Written("a.toml", "y = 2\n", True)]
    assert commands("$ a\n…\n") == [Command("a", ["…"])]
