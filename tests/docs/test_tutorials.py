"""The commands of docs/tutorials/ print what the pages show."""

import os
import re
from pathlib import Path

import pytest

from sessions import Command, Written, commands, matches, play, steps

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_every_command_prints_what_the_page_shows(tutorial: Path, tmp_path: Path) -> None:
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    page = tutorial.read_text(encoding="utf-8")
    played = list(play(page, tmp_path, PROGRAM))
    assert len(played) >= 2
    for k, (command, found, status) in enumerate(played):
        assert matches(command.shown, found), "\n".join([f"$ {command.line}", *found])
        status_is_shown = k + 1 < len(played) and "$?" in played[k + 1][0].line
        assert status == 0 or status_is_shown, command.line


def test_every_block_of_a_tutorial_is_run_or_is_a_file() -> None:
    for tutorial in TUTORIALS:
        page = tutorial.read_text(encoding="utf-8")
        opened = [line for line in re.findall(r"^```.*$", page, re.MULTILINE) if line != "```"]
        assert all(line == "```console" or 'title="' in line for line in opened), (tutorial.name, opened)
        told = [line for step in steps(page) if isinstance(step, Command) for line in step.shown]
        assert len(told) > 5, f"{tutorial.name} shows output"


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
