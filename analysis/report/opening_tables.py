"""The tables at the top of a page: claims that failed, and the system with its parameters and start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .tables import Table, num, table
from .words import known, plural
from ..names import unit

MOST_CLAIMS = 40  # rows; result.json has all


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
    """`system`: the object of result.json; entries of other types than the program writes are omitted."""
    parameters = table("Parameters", "parameter", "value", "unit", "meaning", numbers=".n")
    for one in objects(system.get("parameters")):
        parameters.add(str(one.get("name", "")), num(value_of(one.get("value"))), unit(str(one.get("unit", ""))),
                       str(one.get("meaning", "")))
    start = table("Start", "component", "value", "unit", numbers=".n")
    for part in ("coordinates", "velocities"):
        for one in objects(system.get(part)):
            if "start" in one:
                start.add(str(one.get("name", "")), num(value_of(one["start"])), unit(str(one.get("unit", ""))))
    equations = system.get("equations")
    return SystemView(str(system.get("title", "")), equations.splitlines() if isinstance(equations, str) else [],
                      parameters, start)


def objects(x: object) -> list[dict[str, Any]]:
    return [one for one in x if isinstance(one, dict)] if isinstance(x, list) else []


def value_of(x: object) -> str:
    """A number of an input file: up to 6 digits."""
    return f"{x:.6g}".replace("-", "−") if known(x) else str(x)
