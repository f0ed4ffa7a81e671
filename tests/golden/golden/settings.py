"""The settings of an experiment file, merged over its bases."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

Tables = dict[str, Any]


def settings(path: Path) -> Tables:
    """The tables of a file with the keys of its bases (docs/studies.md, section "A base")."""
    with path.open("rb") as stream:
        own = tomllib.load(stream)
    bases = own.pop("base", [])
    found: Tables = {}
    for base in [bases] if isinstance(bases, str) else bases:
        found = merged(found, settings(path.parent / base))
    for key in own.pop("without", []):
        drop(found, key.split("."))
    return merged(found, own)


def merged(below: Tables, above: Tables) -> Tables:
    """Tables are merged key by key; every other value is replaced."""
    tables = dict(below)
    for key, value in above.items():
        old = tables.get(key)
        tables[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return tables


def drop(tables: Tables, path: list[str]) -> None:
    for key in path[:-1]:
        tables = tables.get(key, {})
    tables.pop(path[-1], None)


def value(tables: Tables, key: str, default: Any = None) -> Any:
    """The value of a dotted key."""
    found: Any = tables
    for part in key.split("."):
        if not isinstance(found, dict) or part not in found:
            return default
        found = found[part]
    return found
