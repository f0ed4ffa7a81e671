"""The published end values of the classical stiff problems, and the number of their digits that agree with ours.

    build/venv/bin/python experiments/published/classical.py

The table is read from src/rigidlimit/classical/, and tests/experiment/benchmark/certified_reference_test.cpp demands these
numbers of agreeing digits.
"""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src/rigidlimit/classical"
TEXTS = r'((?:\s*"[^"]*",?)+)'
SOLUTION = rf"\.source\s*=\s*{TEXTS}((?:(?!\.source).)*?)\.?confirmed\s*=?\s*\{{([^}}]*)\}}"


def span(numbers: list[int]) -> str:
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


def digits(printed: str) -> int:
    """Significant digits of a printed number."""
    return len(printed.split("e")[0].replace(".", "").lstrip("-0"))


def rows() -> list[tuple[str, str, list[int], list[int]]]:
    """Problem, source, digits of each printed value, agreeing digits of each."""
    found = []
    for path in sorted(SOURCES.glob("*.cpp")):
        for source, between, agreeing in re.findall(SOLUTION, path.read_text(encoding="utf-8"), re.DOTALL):
            values = re.findall(r'"((?:-?[\d.]+(?:e[-+]?\d+)?)?)"', between)     # "": not printed
            pairs = [(digits(x), int(n)) for x, n in zip(values, agreeing.split(","), strict=True) if x]
            found.append((path.stem, "".join(re.findall(r'"([^"]*)"', source)), [a for a, _ in pairs],
                          [b for _, b in pairs]))
    return found


def table() -> str:
    return "\n".join(["| problem | source | values | digits printed | agreeing |", "| --- | --- | ---: | ---: | ---: |",
                      *(f"| {problem} | {source.split(':')[0].split(';')[0]} | {len(agreeing)} | {span(printed)} "
                        f"| {span(agreeing)} |" for problem, source, printed, agreeing in rows())])


if __name__ == "__main__":
    print(table())
