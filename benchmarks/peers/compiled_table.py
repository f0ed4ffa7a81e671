"""Rows of run_compiled as CSV, JSON, Markdown and a figure."""

from __future__ import annotations

import csv
import json
import platform
from importlib.metadata import PackageNotFoundError, version
from math import isfinite, isnan
from pathlib import Path

from peers.compiled import MOST_STEPS, Libraries
from peers.compiled_figure import draw
from peers.compiled_race import FORMS, LOOSEST, ROUND_SECONDS, ROUNDS, Row
from peers.exported import FLAGS
from peers.processor import processor

COLUMNS = ("system", "epsilon", "variables", "library", "method", "error wanted", "rtol",
           "achieved error", "steps", "rejected", "f", "J", "us", "times ours", "reference error",
           "status", "reason")
MARKDOWN = ("system", "ε", "variables", "library", "method", "error wanted", "rtol",
            "achieved error", "steps", "rejected", "f", "J", "µs", "times ours")


def status(row: Row) -> str:
    """ok, failed, or reference_limited: the wanted error is below ten times the error bar."""
    if row.attempt is None:
        return "failed"
    return "ok" if row.wanted >= 10.0 * row.error_bar else "reference_limited"


def values(row: Row) -> dict[str, object]:
    """The row by column; None: unknown."""
    attempt = row.attempt
    counts = attempt.run.counts if attempt else {}

    def known(number: float | None) -> float | None:
        return number if number is not None and isfinite(number) else None

    return dict(zip(COLUMNS, (
        row.system, row.epsilon, row.variables, row.library, row.method, row.wanted,
        attempt and attempt.rtol, attempt and attempt.error,
        *(known(counts.get(name)) for name in ("steps", "rejected", "rhs", "jacobians")),
        known(1e6 * row.seconds), known(row.times_ours), known(row.error_bar), status(row),
        row.reason), strict=True))


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("numpy", "heyoka", "numbalsoda"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def conditions(build: list[str], libraries: Libraries) -> dict[str, object]:
    return {"versions": {**versions(), **libraries.versions()}, "processor": processor(),
            "rigidlimit": build, "flags of exported code": " ".join(FLAGS),
            "clock": "CLOCK_THREAD_CPUTIME_ID", "rounds": ROUNDS, "seconds of a round": ROUND_SECONDS}


def markdown_line(row: Row) -> str:
    of = values(row)

    def text(column: str, form: str) -> str:
        return "–" if of[column] is None else format(of[column], form)

    epsilon = f"{row.epsilon:.0e}" if row.epsilon else "–" if row.variables in FORMS else "rigid"
    cells = [row.system, epsilon, row.variables, row.library, row.method, f"{row.wanted:.0e}"]
    if row.attempt is None:
        cells += [row.reason, *["–"] * 7]
    else:
        limited = " (reference)" if status(row) == "reference_limited" else ""
        cells += [text("rtol", ".1e"), text("achieved error", ".1e") + limited,
                  *(text(column, ".0f") for column in ("steps", "rejected", "f", "J")),
                  text("us", ".1f"), text("times ours", ".2f")]
    return f"| {' | '.join(cells)} |"


def markdown(rows: list[Row], about: dict[str, object]) -> str:
    lines = [
        "# Compiled peers at equal achieved error", "",
        f"Loosest of four tolerances a decade from {LOOSEST:g} down that reaches the error of (q, v) "
        "at the end, or the relative error of all unknowns of a classical problem, and the next one "
        f"too; atol = rtol/100, or recommended for the problem; at most {MOST_STEPS} steps (ours on "
        "studies: 20000). Processor time, the least of "
        f"{ROUNDS} rounds of {1e3 * ROUND_SECONDS:g} ms in turns. Right-hand sides and exact "
        "Jacobians are generated from one tape. LSODA of numbalsoda takes no Jacobian. "
        "(reference): the error wanted is below ten times the error bar of the reference.", "",
        f"`{json.dumps(about, ensure_ascii=False)}`", "",
        f"| {' | '.join(MARKDOWN)} |", f"|{' :-- |' * 5}{' --: |' * 9}",
        *map(markdown_line, rows), ""]
    return "\n".join(lines)


def write(directory: Path, rows: list[Row], build: list[str], libraries: Libraries) -> None:
    """compiled.csv, compiled.json, compiled.md and compiled.png."""
    directory.mkdir(parents=True, exist_ok=True)
    about = conditions(build, libraries)
    with (directory / "compiled.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(values, rows))
    (directory / "compiled.json").write_text(
        json.dumps({**about, "rows": [values(row) for row in rows]}, indent=1, ensure_ascii=False)
        + "\n", encoding="utf-8")
    (directory / "compiled.md").write_text(markdown(rows, about), encoding="utf-8")
    if any(not isnan(row.times_ours) for row in rows):
        draw(directory / "compiled.png", rows)
