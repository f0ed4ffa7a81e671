"""The reference of the command line: the help of every command of the program."""

import os
import re
import subprocess

from pages import ROOT

PROGRAM = os.environ.get("RIGIDLIMIT_PROGRAM", str(ROOT / "build/release/src/rigidlimit"))
_HEAD = """# Command line

The help of every command, as the program prints it (`rigidlimit help COMMAND`). [Experiment files](studies.md) describes
the commands in context, [help topics](help.md) the topics of `rigidlimit help TOPIC`.
"""


def _help(*arguments: str) -> str:
    return subprocess.run([PROGRAM, *arguments, "--help"], capture_output=True, text=True, check=True).stdout.rstrip()


def commands_page() -> str:
    """The page, in Markdown, with a section for each command that the program lists."""
    overview = _help()
    listed = overview.split("\nSubcommands:\n")[1].split("\n\n")[0]
    commands = re.findall(r"^  ([\w-]+) +\w", listed, re.MULTILINE)
    sections = [_HEAD, f"## rigidlimit\n\n```text\n{overview}\n```\n"]
    sections += [f"## rigidlimit {command}\n\n```text\n{_help(command)}\n```\n" for command in commands]
    return "\n".join(sections)
