"""The commands of docs/questions.md run in their order and print what the page shows."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
PAGE = (ROOT / "docs/questions.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+")


def rows(page: str) -> list[tuple[str, str]]:
    """The command and the shown text of each row that has both."""
    found = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3 and cells[1].startswith("`rigidlimit ") and cells[2].startswith("`"):
            found.append((cells[1].split("`")[1], cells[2].split("`")[1]))
    return found


def prints(said: str, shown: str) -> bool:
    """Whether a line begins with the shown text, with numbers equal to 1 %."""
    words = NUMBER.sub("#", shown)
    for line in said.splitlines():
        head = NUMBER.sub("#", line)[:len(words)]
        if head == words and [float(x) for x in NUMBER.findall(shown)] == pytest.approx(
                [float(x) for x in NUMBER.findall(line)][:len(NUMBER.findall(shown))], rel=1e-2):
            return True
    return False


def test_every_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    (tmp_path / "rigidlimit").symlink_to(PROGRAM)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    assert len(rows(PAGE)) > 15
    for command, shown in rows(PAGE):
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=os.environ | {"PATH": path, "COLUMNS": "120"})
        assert done.returncode == 0 and prints(done.stdout, shown), f"$ {command}\n{done.stdout[:2000]}"


def test_every_command_exists_with_its_options() -> None:
    named = re.findall(r"`rigidlimit ([a-z-]+)((?: [^`]*)?)`", PAGE)
    assert len(named) > 18
    for command, words in named:
        said = subprocess.run([PROGRAM, command, "--help"], text=True, capture_output=True, check=False)
        assert said.returncode == 0, command
        assert [option for option in re.findall(r" (--[a-z-]+)", words) if option not in said.stdout] == []
    assert [name for name in re.findall(r"experiments/[\w/]+\.toml", PAGE) if not (ROOT / name).is_file()] == []


def test_another_text_or_number_is_noticed() -> None:
    row = "| q | `rigidlimit check a.toml` ([x](x.md)) | `a: stiffness 2.06 N/m` … |"
    assert rows(row) == [("rigidlimit check a.toml", "a: stiffness 2.06 N/m")]
    assert rows("| q | [x](x.md) | |\n| question | command or page | it prints |") == []
    assert prints("x\na: stiffness 2.061 N/m and", "a: stiffness 2.06 N/m")
    assert not prints("a: stiffness 2.16 N/m", "a: stiffness 2.06 N/m")
    assert not prints("a: stiffness 2.06 N s/m", "a: stiffness 2.06 N/m") and not prints("", "a")
