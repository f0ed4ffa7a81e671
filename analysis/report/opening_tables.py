"""The tables at the top of a page: claims that failed, and the system with its parameters and start."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .tables import Table, num, table
from .words import known, plural, with_powers
from ..names import unit

MOST_CLAIMS = 40  # rows; result.json has all
MOST_KEYS = 8  # swept: their subsets are tried


@dataclass(frozen=True)
class SystemView:
    """The system of a study; empty texts and tables if the result does not have them."""

    title: str
    equations: list[str]  # lines of the program's description
    parameters: Table
    start: Table

    def __bool__(self) -> bool:
        return bool(self.equations or self.parameters.lines or self.start.lines)


def failed_claims(claims: list[dict[str, Any]]) -> Table:
    """The claims that do not hold, of a sweep with their points, at most MOST_CLAIMS."""
    failed = [claim for claim in claims if claim.get("held") is False]
    rest = len(failed) - MOST_CLAIMS
    t = table(f"{plural(len(failed), 'claim')} of {len(claims)} failed" + (f"; {rest} more are in result.json" if rest > 0
                                                                         else ""), "claim", "found")
    for claim in failed[:MOST_CLAIMS]:
        swept = ", ".join(f"{key} = {value}" for key, value in claim.items() if key not in CLAIM)
        t.add(f"{swept}: {claim.get('name', '')}" if swept else str(claim.get("name", "")), str(claim.get("message", "")))
    return t


CLAIM = ("name", "group", "held", "message", "reason", "swept")  # other entries of a claim are swept keys


def system_view(system: dict[str, Any]) -> SystemView:
    """`system`: the object of result.json; entries of other types than the program writes are omitted. Of a sweep, a row
    that is equal at all points appears once, and a value that differs has one row for each swept value it depends on."""
    parameters = rows_of("Parameters", "parameter", objects(system.get("parameters")), "value", "meaning")
    start = rows_of("Start", "component", [one for part in ("coordinates", "velocities")
                                           for one in objects(system.get(part)) if "start" in one], "start")
    equations = system.get("equations")
    return SystemView(str(system.get("title", "")), equations.splitlines() if isinstance(equations, str) else [],
                      parameters, start)


def rows_of(caption: str, kind: str, all_rows: list[dict[str, Any]], value: str, *more: str) -> Table:
    """The named values of a system: of a sweep those of all points, below each other."""
    named: dict[str, list[dict[str, Any]]] = {}
    for row in all_rows:
        named.setdefault(str(row.get("name", "")), []).append(row)
    shown = [(point, row) for rows in named.values() for point, row in distinct(rows, (value, "unit", *more))]
    swept = any(point for point, _ in shown)
    t = table(caption, kind, *(["at"] if swept else []), "value", "unit", *more, numbers="..n" if swept else ".n")
    for point, row in shown:
        t.add(str(row.get("name", "")), *([point] if swept else []), num(value_of(row.get(value))),
              unit(str(row.get("unit", ""))), *(str(row.get(name, "")) for name in more))
    return t


def distinct(rows: list[dict[str, Any]], contents: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
    """The rows of one name with the words for their points: one row without words if all points have the same contents,
    otherwise one for each value of the fewest swept keys that determine them."""
    def content(row: dict[str, Any]) -> str:
        return repr([row.get(name) for name in contents])

    def place(row: dict[str, Any], keys: tuple[str, ...]) -> str:
        return ", ".join(f"{key} = {value_of(swept_of(row).get(key))}" for key in keys)

    keys = tuple(swept_of(rows[0]))[:MOST_KEYS]
    for chosen in (chosen for count in range(len(keys) + 1) for chosen in combinations(keys, count)):
        first: dict[str, dict[str, Any]] = {}
        if all(content(first.setdefault(place(row, chosen), row)) == content(row) for row in rows):
            return list(first.items())
    return [("", row) for row in rows]


def swept_of(row: dict[str, Any]) -> dict[str, Any]:
    swept = row.get("swept")
    return swept if isinstance(swept, dict) else {}


def objects(x: object) -> list[dict[str, Any]]:
    return [one for one in x if isinstance(one, dict)] if isinstance(x, list) else []


def value_of(x: object) -> str:
    """A number of an input file: up to 6 digits, zero without a sign."""
    return with_powers(f"{x or 0.0:.6g}") if known(x) else str(x)
