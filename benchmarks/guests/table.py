"""Processor times at equal error, in multiples of our method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

import rigidlimit as rl

KEYS = ["problem", "library", "method", "rtol"]


def solves(result: rl.Result) -> pd.DataFrame:
    """A row for each solve. `accuracy`: the largest error of q and v, or of all unknowns, relative to them; NaN if
    the solve failed."""
    rows = result.table[lambda every: every.group.isin(["q", "v", "all"])].copy()
    rows["problem"] = [heading(*parts) for parts in zip(rows.problem, rows.epsilon, rows.formulation)]
    rows["accuracy"] = rows.error.where(rows.group != "all", 10.0 ** -rows.scd)
    grouped = rows.groupby(KEYS, sort=False, dropna=False)
    return grouped.agg(accuracy=("accuracy", lambda errors: errors.max(skipna=False)), seconds=("seconds", "max"),
                       reason=("reason", "first")).reset_index()


def heading(problem: str, epsilon: float, formulation: str) -> str:
    parts = [problem.replace("_", " ")]
    if epsilon > 0.0:
        parts.append(f"ε = {epsilon:g}")
    if formulation != "-":
        parts.append(formulation)
    return ", ".join(parts)


def upper_medians(numbers: pd.Series) -> np.ndarray:
    """Of each number with those before and behind it: the middle one, at an end the larger of two."""
    windows = [sorted(numbers.iloc[max(i - 1, 0):i + 2]) for i in range(len(numbers))]
    return np.array([window[len(window) // 2] for window in windows])


def typical(every_solve: pd.DataFrame) -> pd.DataFrame:
    """Of each tolerance the upper medians of accuracy and of seconds of it and its two neighbours, each apart. A failed
    solve counts as infinitely inaccurate and slow, an unknown time as infinite."""
    rows = every_solve.sort_values("rtol", ascending=False, kind="stable")
    rows["seconds"] = rows.seconds.where(rows.accuracy.notna() & rows.seconds.notna(), np.inf)
    rows["accuracy"] = rows.accuracy.fillna(np.inf)
    by_method = rows.groupby(["method", "problem"], sort=False)
    return rows.assign(**{name: by_method[name].transform(upper_medians) for name in ("accuracy", "seconds")})


def times(every_solve: pd.DataFrame, errors: Sequence[float]) -> pd.Series:
    """The least typical time of the tolerances whose typical accuracy is at most each of `errors`, by (method, problem,
    error): one lucky tolerance alone has no part in it."""
    rows = typical(every_solve)
    within = [rows[(rows.accuracy <= error) & (rows.seconds < np.inf)].assign(error=error) for error in errors]
    return pd.concat(within).groupby(["method", "problem", "error"]).seconds.min()


def reason_of(method: str, every_solve: pd.DataFrame) -> str:
    """The most frequent reason of the failed solves of a method, or ""."""
    reasons = every_solve[(every_solve.method == method) & every_solve.accuracy.isna()].reason
    return str(reasons.mode().iloc[0]) if len(reasons) else ""


def lines(result: rl.Result, unit: str, errors: Sequence[float], missing: Mapping[str, str]) -> Iterator[str]:
    every_solve = solves(result)
    least, problems = times(every_solve, errors), list(dict.fromkeys(every_solve.problem))

    def cells(method: str, scale: Mapping[tuple[str, float], float]) -> str:
        def cell(problem: str, error: float) -> str:
            x = least.get((method, problem, error), float("nan")) / scale[problem, error]
            return "–" if pd.isna(x) else f"{x:.0f}" if x >= 10 else f"{x:.2g}"

        return " | ".join(" / ".join(cell(problem, error) for error in errors) for problem in problems)

    ours = {(problem, error): least.get((unit, problem, error), float("nan"))
            for problem in problems for error in errors}
    yield f"| method | {' | '.join(problems)} | failures |"
    yield "| --- |" + " ---: |" * len(problems) + " --- |"
    yield f"| {unit}, ms | {cells(unit, dict.fromkeys(ours, 1e-3))} | |"
    for method in dict.fromkeys(every_solve.method):
        yield f"| {method} | {cells(method, ours)} | {reason_of(method, every_solve)} |"
    for guest, reason in missing.items():
        yield f"| {guest} | {' | '.join(['–'] * len(problems))} | {reason} |"


def table(result: rl.Result, unit: str, errors: Sequence[float], missing: Mapping[str, str]) -> str:
    """Markdown: a row for each method, a column for each problem, a number for each of `errors`. 1 is `unit`."""
    return "\n".join(lines(result, unit, errors, missing)) + "\n"
