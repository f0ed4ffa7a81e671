"""The program in the package, `rigidlimit` and `python -m rigidlimit`, behaves as the program of C++."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from program import PROGRAM, ROOT

PACKAGED = Path(sys.executable).with_name("rigidlimit")
STUDY = ROOT / "experiments/convergence/knife_edge.toml"
SHORT = ["--set", "epsilon={values=[1e-1, 1e-2]}", "--set", "bound=[]"]


def run(command: list[object], folder: Path, **options: object) -> tuple[int, str, str]:
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                          **options)  # type: ignore[call-overload]
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(("words", "status"), [
    (["check", STUDY], 0), (["check", STUDY, "--set", "expect=[{quantity='q', order=3.0}]"], 1),
    (["check", "missing.toml"], 2), (["list", "--no-such-option"], 2), (["chekc"], 2), ([], 2),
    (["describe", "knife_edge"], 0), (["completion", "bash"], 0), (["--help"], 0), (["help", "report"], 0)])
def test_output_and_exit_status_are_those_of_the_native_program(
        words: list[object], status: int, tmp_path: Path) -> None:
    native, packaged = (run([program, *words], tmp_path) for program in (PROGRAM, PACKAGED))
    assert native == packaged and native[0] == status
    assert native == run([sys.executable, "-m", "rigidlimit", *words], tmp_path)


def test_the_version_names_python_as_the_program(tmp_path: Path) -> None:
    status, packaged, _ = run([sys.executable, "-m", "rigidlimit", "--version"], tmp_path)
    native = run([PROGRAM, "--version"], tmp_path)[1]
    assert status == 0 and packaged.splitlines()[0] == native.splitlines()[0]
    assert packaged.splitlines()[1].startswith("  program: python") and native != packaged


def test_the_start_imports_no_package_of_arrays_or_figures(tmp_path: Path) -> None:
    code = ("import sys; sys.argv = ['rigidlimit', '--version']; from rigidlimit.__main__ import main; main()\n"
            "print({'numpy', 'pandas', 'matplotlib'} & set(sys.modules), file=sys.stderr)")
    assert run([sys.executable, "-c", code], tmp_path)[2] == "set()\n"
    assert "'numpy'" in run([sys.executable, "-c", "import numpy\n" + code], tmp_path)[2], "negative control"


@pytest.mark.parametrize("program", [PROGRAM, PACKAGED])
def test_an_interrupt_stops_a_run_with_status_130(program: Path, tmp_path: Path) -> None:
    command: list[str | Path] = [program, "run", ROOT / "experiments/convergence/rolling_disk.toml", "--set",
               "epsilon={from=1e-1, to=1e-6, count=400}"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)) as running:
        for _ in range(200):
            time.sleep(0.1)
            if (tmp_path / "results/rolling_disk/results.db").exists():
                break
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert running.returncode == 130


@pytest.mark.parametrize("program", [PROGRAM, PACKAGED])
def test_a_closed_pipe_ends_the_program_silently(program: Path, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen([program, "list"], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE,
                          restore_signals=True) as running:
        os.close(write)
        assert running.communicate(timeout=60)[1] == b""
    assert running.returncode == -signal.SIGPIPE


def test_a_report_is_drawn_in_the_environment_of_the_package(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    status, _, errors = run([PACKAGED, "run", STUDY, "--quiet", *SHORT], tmp_path)
    assert status in (0, 1), errors
    path = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    status, printed, errors = run([PACKAGED, "report", "--jobs", "1"], tmp_path, env=path)
    assert status == 0 and printed.splitlines()[-1].endswith("results/report/index.html"), errors
    assert "knife_edge" in (tmp_path / "results/report/index.html").read_text()
    status, _, errors = run([PACKAGED, "report", "results/missing"], tmp_path, env=path)
    assert status == 2 and "missing" in errors, "negative control"
