"""Checks JSON of the program: an object with the required parts, or a message that names the file."""

from __future__ import annotations

import json
from typing import Any

from .tables import AnalysisError

NAMES = {dict: "an object", list: "a list", str: "a text", float: "a number", bool: "true or false"}


def check(value: object, shape: Any, file: str, place: str) -> None:
    """AnalysisError, with the path of the part, unless `value` has the shape: a type (float: a number), [shape]
    for a list, or {name: shape} for an object with at least these names; {str: shape} allows any names."""
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
