"""Event times and end states of several methods in one table."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from guests.impacts.event_rows import EventRow

Array = np.ndarray
NAMES = ("x", "y", "phi", "x'", "y'", "phi'")


@dataclass(frozen=True)
class Account:
    """The events and the end state of a motion by one method."""

    method: str  # "event-driven", "by hand", "Siconos, h = 1e-05"
    events: list[EventRow]
    end: Array  # (q, v)


def matched(wanted: EventRow, all_wanted: list[EventRow], found: list[EventRow],
            farthest: float) -> float:
    """The time of the event of the same kind at the same contact. Impacts are matched by number,
    other events by the nearest time. NaN if the distance exceeds `farthest`."""
    times: list[float] = []
    for contact in wanted.contact.split():
        there = [e.t for e in alike(wanted.kind, contact, found)]
        if wanted.kind == "impact":
            number = next(k for k, e in enumerate(alike("impact", contact, all_wanted))
                          if e is wanted)
            there = there[number:number + 1]
        times += there
    t = min(times, key=lambda t: abs(t - wanted.t), default=float("nan"))
    return t if abs(t - wanted.t) <= farthest else float("nan")


def alike(kind: str, contact: str, events: list[EventRow]) -> list[EventRow]:
    return [e for e in events if e.kind == kind and contact in e.contact.split()]


def table(accounts: list[Account], farthest: float = 0.02) -> list[list[object]]:
    """[name, value of the first account, value − first for the others…]: one row per event, then
    one per component of the end state."""
    first, *others = accounts
    rows: list[list[object]] = []
    for event in first.events:
        rows.append([f"{event.kind} {event.contact}", event.t,
                     *(matched(event, first.events, one.events, farthest) - event.t
                       for one in others)])
    for k, name in enumerate(NAMES):
        rows.append([f"{name} at the end", float(first.end[k]),
                     *(float(one.end[k] - first.end[k]) for one in others)])
    return rows


def write_table(path: Path, accounts: list[Account], rows: list[list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["what", accounts[0].method,
                         *(f"{one.method} minus {accounts[0].method}" for one in accounts[1:])])
        for what, *values in rows:
            writer.writerow([what, *(repr(float(x)) for x in values)])


def unmatched(row: list[object]) -> bool:
    return len(row) > 2 and all(np.isnan(x) for x in row[2:])


def text_of(name: str, accounts: list[Account], rows: list[list[object]]) -> str:
    """Markdown. A dash marks an event that the method lacks; several in a row share one line."""
    def cell(x: float, digits: str) -> str:
        return "–" if np.isnan(x) else format(x, digits)

    lines = [f"### {name}", "",
             "| | " + " | ".join([accounts[0].method, *(f"{a.method}, −" for a in accounts[1:])]) + " |",
             "|---|" + "---:|" * len(accounts)]
    alone = 0  # preceding events that only the first method has
    for k, (what, first, *differences) in enumerate(rows):
        nobody = unmatched([what, first, *differences])
        following = rows[k + 1] if k + 1 < len(rows) else [""]
        if nobody and following[0] == what and unmatched(following):
            alone += 1
            continue
        if nobody and alone:
            what, alone = f"{what}, {alone + 1} of them until", 0
        cells = [cell(first, ".12f"), *(cell(x, "+.1e") for x in differences)]
        lines.append(f"| {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
