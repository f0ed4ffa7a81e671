"""The workflow of examples/gate that users copy: its commands gate an order."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
GATE = ROOT / "examples/gate"
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))


def command_of(name: str) -> str:
    """The shell command of the step NAME."""
    job = yaml.safe_load((GATE / "order.yml").read_text())["jobs"]["order"]
    return next(step["run"] for step in job["steps"] if step.get("name") == name)


def run_step(name: str, folder: Path) -> int:
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
                   "GITHUB_STEP_SUMMARY": str(folder / "step_summary.md")}
    return subprocess.run(["bash", "-e", "-c", command_of(name)], cwd=folder, env=environment, check=False).returncode


@pytest.mark.parametrize("constant, status", [("10.0", 0), ("0.001", 1)])  # the second bound is broken
def test_the_steps_gate_an_order_with_junit_and_a_summary(tmp_path: Path, constant: str, status: int) -> None:
    shutil.copy(GATE / "skate.toml", tmp_path)
    study = tmp_path / "skate.toml"
    study.write_text(study.read_text().replace("constant = 10.0", f"constant = {constant}"))
    assert run_step("gate", tmp_path) == status
    suite = ElementTree.parse(tmp_path / "report.xml").getroot().find("testsuite")
    assert suite is not None and suite.get("tests") == "5" and suite.get("failures") == str(status)
    assert run_step("summary", tmp_path) == 0
    summary = (tmp_path / "step_summary.md").read_text()
    assert summary.startswith("## skate") and ("skate: not held" in summary) == bool(status)


def test_the_summary_of_a_study_that_cannot_run_is_empty(tmp_path: Path) -> None:
    (tmp_path / "skate.toml").write_text("study.name = 1\n")
    assert run_step("gate", tmp_path) == 2
    assert run_step("summary", tmp_path) == 0
    assert not (tmp_path / "step_summary.md").exists()
