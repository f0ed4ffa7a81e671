"""The tables of a page of friction, a map or a benchmark: the problem and its expectations.

The data come from the JSON of the result and otherwise from the resolved file, whose comments are units.
"""

from __future__ import annotations

import tomllib
from typing import Any

from ..names import commented_units
from . import typeset
from .study_tables import expected_words, swept_cells, swept_table, toml_value
from .tables import Cell, Table, num, table
from .words import badge, known, order, plain, unit

Entry = dict[str, Any]
PHYSICS = ("contact", "epsilon", "time")  # sections of a resolved file shown on a page


def as_object(x: object) -> Entry:
    """The object itself; an empty one for anything else."""
    return x if isinstance(x, dict) else {}


def objects_in(x: object) -> list[Entry]:
    """The objects of a list; empty for anything else."""
    return [one for one in x if isinstance(one, dict)] if isinstance(x, list) else []


def demands(about: Entry) -> list[bool]:
    """Whether each claim held."""
    return [c.get("held") is True for c in objects_in(about.get("claims"))]


def claim_table(about: Entry) -> Table:
    """The claims about motions; those about orders are in order_table."""
    t = swept_table(about, "Claims", "claim", "held", "result", numbers="...")
    for claim in objects_in(about.get("claims")):
        if claim.get("group") != "expectations":
            t.add(*swept_cells(about, claim), str(claim.get("name", "")),
                  Cell(badge("held" if claim.get("held") else "not held")), str(claim.get("message", "")))
    return t


def order_table(about: Entry) -> Table:
    """Fitted orders of a friction study; series with an expectation come first."""
    t = swept_table(about, "Orders", "law", "solver", "measure", "fitted order", "expected", "verdict", "reason",
              numbers="...nn..")
    for s in sorted(objects_in(about.get("series")), key=lambda s: "held" not in s):
        t.add(*swept_cells(about, s), law_words(s), str(s.get("compliant_solver", "")), measure_words(s),
              num(order(s.get("order"), s.get("standard_error"))), num(expected_words(s)),
              Cell(badge(str(s.get("verdict", "")))), str(s.get("reason", "")))
    return t


def law_words(series: Entry) -> str:
    kappa = series.get("tangential_power")
    name = str(series.get("law", ""))
    return f"{name}, κ = {plain(kappa)}" if known(kappa) and kappa != 1.0 else name


def measure_words(series: Entry) -> str:
    if series.get("quantity") == "event_time":
        return f"event_time ({series['events']})" if series.get("events") else "event_time"
    return " ".join(str(series.get(key, "")) for key in ("quantity", "norm", "window"))


def problem_tables(about: Entry, resolved: str) -> list[Table]:
    """Parameters, start, contacts, and the settings of contact, epsilon and time, without empty tables."""
    try:
        file = tomllib.loads(resolved)
    except tomllib.TOMLDecodeError:
        file = {}
    units = commented_units(resolved)
    tables = [parameter_table(file, units), start_table(about, file, units), contact_table(about),
              setting_table(file, units)]
    return [t for t in tables if t.lines]


def parameter_table(file: Entry, units: dict[str, list[str]]) -> Table:
    t = table("Parameters of the system", "parameter", "value", "unit", numbers=".n.")
    for name, value in as_object(file.get("system")).items():
        if known(value):
            t.add(name, num(plain(value)), unit(" ".join(units.get(f"system.{name}", [""]))))
    return t


def start_table(about: Entry, file: Entry, units: dict[str, list[str]]) -> Table:
    """The initial state of both motions, with the names of the result or numbers."""
    t = table("Start", "", "component", "value", "unit", numbers="..n.")
    system = as_object(about.get("system"))
    for symbol, what in (("q", "coordinates"), ("v", "velocities")):
        values = as_object(file.get("initial")).get(symbol, [])
        names = [str(c.get("name", "")) for c in objects_in(system.get(what))]
        its = units.get(f"initial.{symbol}", [])
        for k, value in enumerate(values if isinstance(values, list) else []):
            t.add(symbol, Cell(typeset.line(names[k])) if k < len(names) else str(k + 1),
                  num(plain(value)), unit(its[k]) if k < len(its) else "")
    return t


def contact_table(about: Entry) -> Table:
    t = swept_table(about, "Contacts", "contact", "components of friction", "μ", "restitution", numbers=".nnn")
    for c in objects_in(as_object(about.get("system")).get("contacts")):
        t.add(*swept_cells(about, c), str(c.get("name", "")), *[num(plain(c.get(name))) for name in (
            "components", "friction", "restitution")])
    return t


def setting_table(file: Entry, units: dict[str, list[str]]) -> Table:
    t = table("Contact, ε and time", "key", "value", "unit")
    for name in PHYSICS:
        for key, value in as_object(file.get(name)).items():
            words = dict.fromkeys(units.get(f"{name}.{key}", []))
            t.add(f"{name}.{key}", toml_value(value), unit(", ".join(words)))
    return t
