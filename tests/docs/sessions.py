"""Shell sessions of Markdown pages: the files that a page writes, its commands, and the output that it shows.

A ```console block has commands after `$ `, each followed by its output. A line `…` stands for any number of lines, and a
`…` at the end of a line for any rest of it. A block ```LANGUAGE title="FILE"``` is the content of a file, or, with the
title "FILE, at its end", its last lines.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"(?<![A-Za-z_\d.])[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\d.]*[A-Za-z_])")
AT_ITS_END = ", at its end"


@dataclass
class Command:
    """A command of a page, with the lines of output that the page shows."""

    line: str
    shown: list[str] = field(default_factory=list)


@dataclass
class Written:
    """A file that the reader writes, or lengthens."""

    name: str
    text: str
    at_its_end: bool


def steps(page: str) -> Iterator[Command | Written]:
    """The files and commands of a page, in their order."""
    for language, title, text in _BLOCK.findall(page):
        if title:
            yield Written(title.removesuffix(AT_ITS_END), text, title.endswith(AT_ITS_END))
        elif language == "console":
            yield from commands(text)


def commands(block: str) -> list[Command]:
    found: list[Command] = []
    goes_on = False
    for line in block.splitlines():
        if goes_on:
            found[-1].line += line.strip()
        elif line.startswith("$ "):
            found.append(Command(line[2:]))
        else:
            found[-1].shown.append(line)
            continue
        goes_on = found[-1].line.endswith("\\")
        found[-1].line = found[-1].line.removesuffix("\\")
    return found


def _pieces(line: str) -> tuple[str, list[tuple[str, float]]]:
    """A line without its numbers and alignment, and each number with its error bar, or 0."""
    line = re.sub(r"-{2,}", "--", line)
    numbers = [(m[1].replace("−", "-"), float(m[2] or 0.0))
               for m in re.finditer(rf"({_NUMBER.pattern})(?: ± *({_NUMBER.pattern}))?", line)]
    return " ".join(_NUMBER.sub("#", re.sub(r"± *\S+", "±", line)).split()), numbers


def _same_number(shown: tuple[str, float], found: str) -> bool:
    """Equal to 5e-3, the error bar, 0.06 (an order, with two decimals) or a tenth (a count of steps)."""
    text, bar = shown
    value = float(text)
    rounding = 0.06 if re.fullmatch(r"-?\d\.\d\d", text) else 0.0
    steps = 0.1 * value if text.isdigit() and value > 20 else 0.0
    return abs(value - float(found)) <= max(5e-3 * abs(value), bar, rounding, steps)


def _same_line(shown: str, found: str) -> bool:
    (words, numbers), (found_words, found_numbers) = _pieces(shown.removesuffix("…")), _pieces(found)
    if shown.endswith("…"):
        found_words, found_numbers = found_words[:len(words)], found_numbers[:len(numbers)]
    return (words == found_words and len(numbers) == len(found_numbers) and
            all(_same_number(x, y) for x, (y, _) in zip(numbers, found_numbers, strict=True)))


def matches(shown: list[str], found: list[str]) -> bool:
    """Whether a command printed what its page shows, up to roundings, error bars and alignment."""
    reached = {0}  # numbers of found lines that the shown lines before this one can stand for
    for line in shown:
        if line == "…":
            reached = set(range(min(reached), len(found) + 1)) if reached else set()
        else:
            reached = {k + 1 for k in reached if k < len(found) and _same_line(line, found[k])}
    return len(found) in reached


def play(page: str, place: Path, program: Path) -> Iterator[tuple[Command, list[str], int]]:
    """Runs the commands of a page.

    Parameters
    ----------
    page : str
        Markdown.
    place : Path
        Folder in which the commands run.
    program : Path
        The program rigidlimit, which the commands find in the PATH beside this Python.

    Yields
    ------
    tuple
        The command, the lines that it printed, its exit status.
    """
    path = os.pathsep.join([str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "CI": "", "PY_COLORS": "0"}
    status = 0
    for step in steps(page):
        if isinstance(step, Written):
            with open(place / step.name, "a" if step.at_its_end else "w", encoding="utf-8") as file:
                file.write(step.text)
            continue
        columns = "100" if "pytest" in step.line else "120"  # of its rules of '='; that of files
        done = subprocess.run(["bash", "-c", step.line.replace("$?", str(status))], cwd=place,
                              env=environment | {"COLUMNS": columns},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        status = done.returncode
        yield step, done.stdout.splitlines(), status
