"""The published end values of the classical stiff problems, and the number of their digits that agree with ours.

    build/venv/bin/python experiments/published/classical.py

The table is read from src/rigidlimit/classical/, and tests/experiment/benchmark/certified_reference_test.cpp demands these
numbers of agreeing digits.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src/rigidlimit/classical"
TEXTS = r'((?:\s*"[^"]*",?)+)'
SOLUTION = rf"\.source\s*=\s*{TEXTS}((?:(?!\.source).)*?)\.?confirmed\s*=?\s*\{{([^}}]*)\}}"


def span(numbers: list[int]) -> str:
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


def digits(printed: str) -> int:
    """Significant digits of a printed number."""
    return len(printed.split("e")[0].replace(".", "").lstrip("-0"))


def published() -> Iterator[tuple[str, str, list[str], list[int]]]:
    """Problem, source, values as printed ("": not printed) and their digits that agree with ours."""
    for path in sorted(SOURCES.glob("*.*"), key=lambda path: path.stem):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            for one in tomllib.loads(text)["problem"].get("published", []):
                yield path.stem, one["source"], [x if x != "-" else "" for x in one["values"]], one["confirmed"]
        elif path.suffix == ".cpp":
            for source, between, agreeing in re.findall(SOLUTION, text, re.DOTALL):
                yield (path.stem, "".join(re.findall(r'"([^"]*)"', source)),
                       re.findall(r'"((?:-?[\d.]+(?:e[-+]?\d+)?)?)"', between), [int(n) for n in agreeing.split(",")])


def title(source: str) -> str:
    """The publication without the way in which it computed the values."""
    return source.split(":")[0].split(";")[0]


def rows() -> list[tuple[str, str, list[int], list[int]]]:
    """Problem, source, digits of each printed value, agreeing digits of each."""
    found = []
    for problem, source, values, agreeing in published():
        pairs = [(digits(x), n) for x, n in zip(values, agreeing, strict=True) if x]
        found.append((problem, source, [a for a, _ in pairs], [b for _, b in pairs]))
    return found


def table() -> str:
    return "\n".join(["| problem | source | values | digits printed | agreeing |", "| --- | --- | ---: | ---: | ---: |",
                      *(f"| {problem} | {title(source)} | {len(agreeing)} | {span(printed)} "
                        f"| {span(agreeing)} |" for problem, source, printed, agreeing in rows())])


if __name__ == "__main__":
    print(table())
