"""The commands of every topic of `rigidlimit help` run in an empty folder, one after the other.

tests/cli/explain_command_test.cpp tests those of `rigidlimit explain`."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
TOPICS = dict(re.findall(r"^## ([a-z-]+): [^\n]*\n(.*?)(?=^## |\Z)", (ROOT / "docs/help.md").read_text(encoding="utf-8"),
                         re.MULTILINE | re.DOTALL))
# Commands that need more than the program: proofs take long, and pages and clang may be missing.
NEEDS_MORE = re.compile(r"^rigidlimit prove|certified=|^RIGIDLIMIT_(PYTHON|CC)=")


def commands_of(topic: str) -> list[str]:
    shown = re.findall(r"^    ((?:[A-Z_]+=\S+ )*rigidlimit [^#\n]*)", topic, re.MULTILINE)
    return [line.strip() for line in shown if not NEEDS_MORE.search(line)]


def failing(topic: str, folder: Path) -> list[str]:
    """The commands that cannot run: status 2. Status 1 is a claim that does not hold."""
    statuses = {
        command: subprocess.run(["bash", "-c", re.sub(r"\brigidlimit\b", str(PROGRAM), command, count=1)], cwd=folder,
                                check=False, capture_output=True).returncode for command in commands_of(topic)
    }
    return [command for command, status in statuses.items() if status not in (0, 1)]


@pytest.mark.parametrize("name", TOPICS)
def test_the_commands_of_a_topic_run(name: str, tmp_path: Path) -> None:
    assert failing(TOPICS[name], tmp_path) == []


def test_most_topics_show_commands() -> None:
    assert sum(len(commands_of(topic)) for topic in TOPICS.values()) > 30


@pytest.mark.parametrize("command", [
    "rigidlimit run FILE.toml", "rigidlimit stiffness wheel --error x=0.1mm --engine mujoco",
    "NO_COLOR=1 rigidlimit check my_study.toml"
])
def test_a_placeholder_and_a_missing_option_are_found(command: str, tmp_path: Path) -> None:
    assert failing("    " + command, tmp_path) == [command]
