"""Reads JSON files of the program: an object with the required parts, or a message that names the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.kinds import no_such_file
from analysis.tables import AnalysisError

NAMES = {dict: "an object", list: "a list", str: "a text", float: "a number", bool: "true or false"}


def read_object(path: Path, shape: dict[str, Any], made_by: str) -> dict[str, Any]:
    """The object in the file, checked against `shape`.

    A shape is a type (float: a number), [shape] for a list, or {name: shape} for an object with at least
    these names; {str: shape} allows any names. AnalysisError, with the path of the part, if the file is
    missing, is not JSON, or lacks a part.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise AnalysisError(no_such_file(path, made_by)) from None
    except (ValueError, RecursionError) as problem:
        raise AnalysisError(f"{path}: not JSON: {problem}") from None
    check(found, shape, str(path), "")
    return found


def check(value: object, shape: Any, file: str, place: str) -> None:
    kind = type(shape) if isinstance(shape, (dict, list)) else shape
    numeric = kind is float and isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (numeric or isinstance(value, kind)):
        raise AnalysisError(f"{file}: {place or 'the whole'} must be {NAMES[kind]}, not {excerpt(value)}")
    inside = f"{place}." if place else ""
    if isinstance(shape, list):
        for k, one in enumerate(value):  # type: ignore[arg-type]
            check(one, shape[0], file, f"{place}[{k}]")
    elif isinstance(shape, dict):
        for name, part in shape.items():
            if name is str:
                for key, one in value.items():  # type: ignore[attr-defined]
                    check(one, part, file, f"{inside}{key}")
            elif name not in value:  # type: ignore[operator]
                raise AnalysisError(f"{file}: has no {inside}{name}")
            else:
                check(value[name], part, file, f"{inside}{name}")  # type: ignore[index]


def excerpt(value: object, most: int = 40) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}…"
