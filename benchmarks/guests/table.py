"""Processor times at equal error, in multiples of our method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

import rigidlimit as rl

BANDS = (1e-4, 1e-8)


def solves(result: rl.Result) -> pd.DataFrame:
    """A row for each finished solve, with `accuracy`: the largest error of q and v, or the relative one of all unknowns."""
    rows = result.table[lambda all: all.group.isin(["q", "v", "all"])].copy()
    rows["problem"] = rows.problem + rows.epsilon.map(lambda x: "" if pd.isna(x) else f", ε = {x:g}")
    rows["accuracy"] = rows.error.where(rows.group != "all", 10.0 ** -rows.scd)
    keys = ["problem", "formulation", "library", "method", "rtol"]
    grouped = rows.groupby(keys, sort=False, dropna=False)
    return grouped.agg(accuracy=("accuracy", lambda x: x.max(skipna=False)), seconds=("seconds", "max"),
                       rhs=("rhs", "max"), reason=("reason", "first")).reset_index()


def cheapest(all_solves: pd.DataFrame, column: str) -> pd.Series:
    """The least `column` of the solves with an accuracy within each band: (method, problem, band)."""
    found = [all_solves[all_solves.accuracy <= band].assign(band=band) for band in BANDS]
    return pd.concat(found).groupby(["method", "problem", "band"])[column].min()


def reason_of(method: str, all_solves: pd.DataFrame) -> str:
    """The most frequent reason of the failed solves of a method."""
    reasons = all_solves[(all_solves.method == method) & all_solves.accuracy.isna()].reason
    return str(reasons.mode().iloc[0]) if len(reasons) else ""


def lines(result: rl.Result, unit: str, missing: Mapping[str, str]) -> Iterator[str]:
    all_solves = solves(result)
    times = cheapest(all_solves, "seconds")
    columns = [(problem, band) for problem in dict.fromkeys(all_solves.problem) for band in BANDS]
    yield "| method | " + " | ".join(f"{problem}: {band:.0e}" for problem, band in columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    yield f"| {unit}, ms | " + " | ".join(f"{1e3 * times.get((unit, *at), float('nan')):.3g}" for at in columns) + " |"
    for method in dict.fromkeys(all_solves.method):
        cells = [times.get((method, *at), float("nan")) / times.get((unit, *at), float("nan")) for at in columns]
        yield f"| {method} | " + " | ".join("–" if pd.isna(x) else f"{x:.2g}" if x < 10 else f"{x:.0f}" for x in cells) + " |"
    for guest, reason in missing.items():
        yield f"| {guest} | " + " | ".join(["–"] * len(columns)) + f" | {reason}"


def table(result: rl.Result, unit: str, missing: Mapping[str, str]) -> str:
    """Markdown: a row for each method, a column for each problem and error; 1 is the method `unit`."""
    return "\n".join(lines(result, unit, missing)) + "\n"
