"""Opens results of every kind: rolling, friction and benchmarks."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from .friction_store import FrictionResult
from .result import DRAWN_BY, StoredResult
from .shape import check
from .store import RollingResult
from .sweep import flat, sweep_of
from .tables import STORE, AnalysisError, Store

CLASSES: dict[str, type[StoredResult]] = {"rolling": RollingResult, "friction": FrictionResult, "benchmark": StoredResult}
COMPONENT = {"name": str, "unit": str}
SYSTEM = {"system": {"coordinates": [COMPONENT], "velocities": [COMPONENT]}}
Kind = TypeVar("Kind", bound=StoredResult)


def open_result(result: str | Path | StoredResult) -> StoredResult:
    """Opens results/NAME (or a results.db) of any kind; an open result is returned unchanged.

    AnalysisError, in one line with the command that makes the result again, if results.db is missing, is not
    a store of rigidlimit, or has another schema.
    """
    if isinstance(result, StoredResult):
        return result
    path = Path(result)
    path = path / STORE if path.is_dir() or not path.suffix else path
    store = Store(path)
    study = store.study()
    settings = settings_of(study["resolved"])
    judgement = judgement_of(study["result"], path)
    sweep = sweep_of(settings, judgement)
    kind = judgement["kind"] if judgement.get("kind") in DRAWN_BY else kind_of(settings, set(store.table("errors")))
    opened_result = CLASSES[kind](
        store, kind, study["name"], study["resolved"], study["hash"], study["complete"],
        flat(judgement) if sweep else judgement, settings, store.names(), sweep)
    if sweep is not None:
        opened_result.judgement.update(opened_result.facts_at(opened_result.judgement, settings))
    return opened_result


def of_kind(result: str | Path | StoredResult, kind: type[Kind]) -> Kind:
    """The open result; AnalysisError, with the command that draws it, for another kind."""
    found = open_result(result)
    if not isinstance(found, kind):
        raise AnalysisError(f"{found.path}: a result of kind {found.kind}: open_result reads it, "
                            f"`scripts/plot {DRAWN_BY[found.kind]}` draws it")
    return found


def kind_of(settings: dict[str, Any], columns: set[str]) -> str:
    """The kind without a verdict, from the columns of the table of errors or from the file."""
    if "benchmark" in columns or "benchmark" in settings:
        return "benchmark"
    slips = "history" in settings or "friction" in settings.get("contact", {})
    return "friction" if slips or "tangential_power" in columns else "rolling"


def settings_of(resolved: str) -> dict[str, Any]:
    try:
        return tomllib.loads(resolved)
    except tomllib.TOMLDecodeError:
        return {}


def judgement_of(text: str | None, path: Path) -> dict[str, Any]:
    """The JSON of the result; empty without verdicts."""
    try:
        found = json.loads(text) if text else {}
    except (TypeError, ValueError, RecursionError) as problem:
        raise AnalysisError(f"{path}: the column result is not JSON: {problem}") from None
    check(found, {}, str(path), "the column result")
    return found


def rolling(study: str | Path | StoredResult) -> RollingResult:
    """A rolling study or sweep; AnalysisError for another kind."""
    return of_kind(study, RollingResult)


def load(study: str | Path | StoredResult) -> pd.DataFrame:
    """The errors of results/NAME (or of a results.db) of any kind. A sweep adds one column per swept key.

        >>> table = load("results/knife_edge")
        >>> table.query("quantity == 'v' and norm == 'sup' and status == 'ok'")
    """
    return open_result(study).table("errors")


def friction_result(study: str | Path | StoredResult) -> FrictionResult:
    """A friction study, or all points of a sweep in the same tables; AnalysisError for another kind."""
    found = of_kind(study, FrictionResult)
    check(found.judgement, SYSTEM, str(found.path), "")
    return found


def friction_point(study: str | Path | StoredResult) -> FrictionResult:
    """A friction study or a point; AnalysisError, with the points, for a sweep."""
    return friction_result(study).one_point("each point has its own motions")
