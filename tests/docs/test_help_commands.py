"""The commands that `rigidlimit help TOPIC` shows end with status 0 in an empty folder."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
TOPICS = (ROOT / "docs/help.md").read_text(encoding="utf-8")
# Files that the reader writes, and proofs, which end with 1 where a claim stays open.
OF_THE_READER = re.compile(r"FILE|my_|[a-z]+/|\.toml|^rigidlimit prove")


def shown(text: str) -> list[str]:
    return [line.strip() for line in re.findall(r"^    (rigidlimit [^#\n]*)", text, re.MULTILINE)]


def ends_with_status_0(command: str, folder: Path) -> bool:
    done = subprocess.run(["bash", "-c", command.replace("rigidlimit", str(PROGRAM), 1)], cwd=folder, text=True, check=False,
                          capture_output=True)
    return done.returncode == 0


@pytest.mark.parametrize("command", [one for one in shown(TOPICS) if not OF_THE_READER.search(one)])
def test_a_command_of_a_topic_succeeds(command: str, tmp_path: Path) -> None:
    assert ends_with_status_0(command, tmp_path)


def test_topics_show_commands_and_a_missing_force_is_noticed(tmp_path: Path) -> None:
    assert len(shown(TOPICS)) > 25
    assert not ends_with_status_0("rigidlimit stiffness wheel --error x=0.1mm --engine mujoco", tmp_path)
