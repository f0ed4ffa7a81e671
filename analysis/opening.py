"""Opens results of every kind: rolling, friction and benchmarks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .._core import RunResult
from .friction_store import FrictionResult
from .result import Result, settings_of
from .shape import check
from .store import RollingResult
from .tables import STORE, AnalysisError, Store

if TYPE_CHECKING:
    import pandas as pd

DRAWN_BY = {"rolling": "plot_convergence", "friction": "plot_histories", "benchmark": "plot_work_precision"}
"""A figure of each kind of result."""
CLASSES: dict[str, type[Result]] = {"rolling": RollingResult, "friction": FrictionResult, "benchmark": Result}
COMPONENT = {"name": str, "unit": str}
SYSTEM = {"system": {"coordinates": [COMPONENT], "velocities": [COMPONENT]}}
Kind = TypeVar("Kind", bound=Result)


def open_result(result: str | Path | Result) -> Result:
    """Opens results/NAME (or a results.db) of any kind; an open result is returned unchanged.

    AnalysisError, in one line with the command that makes the result again, if results.db is missing, is not
    a store of rigidlimit, or has another schema.
    """
    if isinstance(result, Result):
        return result
    path = Path(result)
    path = path / STORE if path.is_dir() or not path.suffix else path
    store = Store(path)
    study = store.study()
    judgement = judgement_of(study["result"], path)
    kind = (judgement["kind"] if judgement.get("kind") in DRAWN_BY
            else kind_of(settings_of(study["resolved"]), set(store.table("errors"))))
    return CLASSES[kind](study["name"], kind, study["resolved"], store.path,
                         not study["complete"] or judgement.get("interrupted") is True, _opened=store, _judged=judgement)


def result_of(run: RunResult, kind: str) -> Result:
    """The result of a run."""
    return CLASSES[kind](run.name, kind, run.resolved, Path(run.store).absolute() if run.store else None,
                         run.interrupted, run.computed, run.reused, run.missing, run)


def of_kind(result: str | Path | Result, kind: type[Kind]) -> Kind:
    """The open result; AnalysisError, with a figure that it has, for another kind."""
    found = open_result(result)
    if not isinstance(found, kind):
        raise AnalysisError(f"{found.where}: a result of kind {found.kind}, for which this is not defined; "
                            f"{DRAWN_BY[found.kind]}() draws it")
    return found


def kind_of(settings: dict[str, Any], columns: set[str]) -> str:
    """The kind without a verdict, from the columns of the table of errors or from the file."""
    if "benchmark" in columns or "benchmark" in settings:
        return "benchmark"
    slips = "history" in settings or "friction" in settings.get("contact", {})
    return "friction" if slips or "tangential_power" in columns else "rolling"


def judgement_of(text: str | None, path: Path) -> dict[str, Any]:
    """The JSON of the result; empty without verdicts."""
    try:
        found = json.loads(text) if text else {}
    except (TypeError, ValueError, RecursionError) as problem:
        raise AnalysisError(f"{path}: the column result is not JSON: {problem}") from None
    check(found, {}, str(path), "the column result")
    return found


def rolling(study: str | Path | Result) -> RollingResult:
    """A rolling study or sweep; AnalysisError for another kind."""
    return of_kind(study, RollingResult)


def load(study: str | Path | Result) -> pd.DataFrame:
    """The errors of results/NAME (or of a results.db) of any kind. A sweep adds one column per swept key.

        >>> table = load("results/knife_edge")
        >>> table.query("quantity == 'v' and norm == 'sup' and status == 'ok'")
    """
    return open_result(study).table


def friction_result(study: str | Path | Result) -> FrictionResult:
    """A friction study, or all points of a sweep in the same tables; AnalysisError for another kind."""
    found = of_kind(study, FrictionResult)
    check(found.judgement, SYSTEM, found.where, "")
    return found


def friction_point(study: str | Path | Result) -> FrictionResult:
    """A friction study or a point; AnalysisError, with the points, for a sweep."""
    return friction_result(study).one_point("each point has its own motions")
