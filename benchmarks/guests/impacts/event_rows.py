"""Reads and writes events and motions with the columns of `rigidlimit run`, and finds the events of
a motion from time steps."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class EventRow:
    t: float
    kind: str  # "impact", "touch", "detachment", "stick", "slip", "reversal", "accumulation", "kink"
    contact: str  # names separated by blanks
    q: Array
    before: Array
    after: Array
    impulse: Array  # l of all contacts, then p
    modes: str  # of all contacts after the event, separated by blanks
    energy_lost: float = 0.0


def columns(count: int, contacts: int) -> list[str]:
    def numbered(name: str, n: int, ending: str = "") -> list[str]:
        return [f"{name}{k + 1}{ending}" for k in range(n)]
    return ["study", "event", "t", "kind", "contacts", "modes", "energy_lost", *numbered("q", count),
            *numbered("v", count, "_before"), *numbered("v", count, "_after"),
            *numbered("impulse_lambda", contacts), *numbered("impulse_p", contacts)]


def write_events(path: Path, study: str, events: Iterable[EventRow], contacts: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns(3, contacts))
        for k, e in enumerate(events):
            numbers = np.concatenate([e.q, e.before, e.after, e.impulse])
            writer.writerow([study, k, repr(float(e.t)), e.kind, e.contact, e.modes,
                             repr(float(e.energy_lost)), *(repr(float(x)) for x in numbers)])


def numbers(row: dict[str, str], name: str, ending: str = "") -> Array:
    found = []
    while f"{name}{len(found) + 1}{ending}" in row:
        found.append(float(row[f"{name}{len(found) + 1}{ending}"]))
    return np.array(found)


def read_events(path: Path, step: float | None = None) -> list[EventRow]:
    """The events of a file; with `step` only those of this step size."""
    with path.open(encoding="utf-8", newline="") as file:
        return [EventRow(float(row["t"]), row["kind"], row["contacts"], numbers(row, "q"),
                         numbers(row, "v", "_before"), numbers(row, "v", "_after"),
                         np.concatenate([numbers(row, "impulse_lambda"), numbers(row, "impulse_p")]),
                         row["modes"], float(row["energy_lost"])) for row in csv.DictReader(file)
                if step is None or float(row["step"]) == step]


def read_motion(path: Path, name: str) -> dict[str, Array]:
    """t, q and v of the first motion with this name: K, K x nq, K x n."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["motion"] == name]
    if not rows:
        raise ValueError(f"{path}: no motion '{name}'")
    return {"t": np.array([float(row["t"]) for row in rows]),
            "q": np.array([numbers(row, "q") for row in rows]),
            "v": np.array([numbers(row, "v") for row in rows])}


def write_motion(path: Path, name: str, h: float, t: Array, q: Array, v: Array, friction: Array,
                 normal: Array) -> None:
    """Writes motions.csv; `solver` gives the step size, forces are means over a step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = ["motion", "tangential_power", "solver", "epsilon", "t"]
    for name_, data in (("q", q), ("v", v), ("lambda", friction), ("p", normal)):
        head += [f"{name_}{k + 1}" for k in range(data.shape[1])]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*head, "modes"])
        for k in range(len(t)):
            values = np.concatenate([[t[k]], q[k], v[k], friction[k] / h, normal[k] / h])
            writer.writerow([name, 1, f"moreau_jean h={h:g}", 0, *(repr(float(x)) for x in values), ""])


def modes_of(friction: Array, normal: Array, mu: float) -> list[list[str]]:
    """The mode of each step and contact: "free" without an impulse, "slip" with friction at its
    bound, otherwise "stick"."""
    held = normal > 0.0
    slipping = np.abs(friction) >= mu * normal * (1.0 - 1e-6)
    return [[("slip" if s else "stick") if h else "free" for h, s in zip(*row)]
            for row in zip(held, slipping)]


def events_of_steps(t: Array, q: Array, v: Array, v_n: Array, friction: Array, normal: Array,
                    names: tuple[str, ...], mu: float, inertia: Array, slowest: float) -> list[EventRow]:
    """Events of each step, at its end. An impact is an impulse at a contact with normal speed v_n
    below -`slowest` (v_n: K x nc, before the step, with the rows after it). Other events are mode
    changes between neighbouring steps. `slowest` also omits contacts that open in one step and
    close in the next (a bounce below the resolution of the step)."""
    modes, events = modes_of(friction, normal, mu), []
    struck_before = np.zeros(len(names), dtype=bool)
    for k in range(1, len(t)):
        for i, name in enumerate(names):
            was, now = modes[k - 1][i], modes[k][i]
            struck = bool(normal[k, i] > 0.0 and v_n[k, i] < -slowest)
            if struck_before[i]:  # an impact and the mode after it are one event
                was = now
            struck_before[i] = struck
            kind = ("impact" if struck else
                    "" if was == now else
                    "touch" if was == "free" else
                    "detachment" if now == "free" else now)
            if kind:
                lost = 0.5 * float(inertia @ (v[k - 1]**2 - v[k]**2))
                events.append(EventRow(t[k], kind, name, q[k], v[k - 1], v[k],
                                       np.concatenate([friction[k], normal[k]]), " ".join(modes[k]),
                                       lost if struck else 0.0))
    return events
