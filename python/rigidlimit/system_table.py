"""The table `[system]` of a study file, from the arguments of `System`. Keys are those of docs/keys.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from .errors import InputError
from .formulas import RESERVED_WORDS, write_formulas
from .recording import Arguments, call, checked_list, checked_scalar, place
from .scalar import ON_COORDINATES, ON_TIME, ON_VELOCITIES, Condition, Scalar, is_number
from .ufuncs import is_array

Q: Final = ON_COORDINATES
V: Final = ON_VELOCITIES
T: Final = ON_TIME

KEYS: Final = (
    "name", "title", "description", "source", "coordinates", "velocities", "mass_matrix", "force", "kinetic_coenergy",
    "potential", "dissipation", "applied_force", "constraint", "contacts", "exact_constraint", "quasi_velocities",
    "invariants", "kinks", "conditions", "let", "parameters")
"""The keys of a system as formulas, in the order of the text."""

PARAMETER_KEYS: Final = ("default", "unit", "text", "min", "max", "above", "below")
VELOCITY_KEYS: Final = ("name", "unit", "min", "max", "above", "below", "start", "sliding_start")
COORDINATE_KEYS: Final = (*VELOCITY_KEYS, "start_rate", "sliding_start_rate", "rate")
CONDITION_KEYS: Final = ("holds", "text")
ROW_KEYS: Final = ("row", "name", "unit")
CONTACT_KEYS: Final = ("name", "normal", "gap", "normal_force", "friction", "restitution", "gap_scale", "sliding",
                       "sliding_scale")


@dataclass
class TableMaker:
    """Makes the table of one system: calls each function once, then writes all formulas together.

    Parameters
    ----------
    name : str
        Name of the system.
    coordinates, velocities, parameters : list of dict
        As in the file. Each has a name.
    """

    name: str
    coordinates: list[dict[str, Any]]
    velocities: list[dict[str, Any]]
    parameters: dict[str, dict[str, Any]]
    arguments: Arguments = field(init=False)

    def __post_init__(self) -> None:
        q, v = ([str(one["name"]) for one in part] for part in (self.coordinates, self.velocities))
        self.arguments = Arguments.of(self.name, q, v, list(self.parameters))

    @property
    def velocity_count(self) -> int:
        return len(self.velocities) or len(self.coordinates)

    def formula(self, value: object, key: str, may_depend: int) -> object:
        """A formula: a function, text or number."""
        return self._element(value, key, may_depend, place(self.name, key), "")

    def formulas(self, value: object, key: str, may_depend: int, count: int | None = None) -> list[object]:
        """A list of formulas: one function that returns it, or a list of functions, texts or numbers."""
        where, given = self._given(value, key)
        return [self._element(x, key, may_depend, where, f"row {k + 1} ")
                for k, x in enumerate(checked_list(given, where, "rows", count))]

    def _given(self, value: object, key: str) -> tuple[str, object]:
        """The place for messages, and the value: of a function, its result."""
        return place(self.name, key, value), call(value, key, self.arguments) if callable(value) else value

    def matrix(self, value: object, key: str, may_depend: int, columns: int) -> list[list[object]]:
        """A square matrix: one function that returns it, or a list of rows."""
        where, given = self._given(value, key)
        made = []
        for i, row in enumerate(checked_list(given, where, "rows", columns)):
            entries = checked_list(row, f"{where}, row {i + 1}", "entries", columns)
            made.append([self._element(x, key, may_depend, where, f"entry ({i + 1}, {k + 1}) ")
                         for k, x in enumerate(entries)])
        return made

    def rows(self, value: object, key: str) -> list[object]:
        """Sliding velocities: formulas, or {row, name, unit}."""
        where, given = self._given(value, key)
        made: list[object] = []
        for k, row in enumerate(checked_list(given, where, "rows")):
            if isinstance(row, Mapping):
                known_keys(row, ROW_KEYS, f"{where}, row {k + 1}", needed=("row",))
                formula = self._element(row["row"], key, Q | V | T, where, f"row {k + 1} ")
                made.append({**row, "row": formula})
            else:
                made.append(self._element(row, key, Q | V | T, where, f"row {k + 1} "))
        if any(isinstance(row, dict) for row in made):
            made = [row if isinstance(row, dict) else {"row": row} for row in made]
        return made

    def contacts(self, value: object) -> list[object]:
        """Contacts that can slip: a list of dicts, or one function that returns it."""
        where, given = self._given(value, "contacts")
        made: list[object] = []
        for k, contact in enumerate(checked_list(given, where, "contacts")):
            inside = f"contacts[{k}]"
            if not isinstance(contact, Mapping):
                raise InputError(f"contact {k + 1} is a {type(contact).__name__}, but a dict with the keys "
                                 f"{', '.join(CONTACT_KEYS)} was expected", where)
            known_keys(contact, CONTACT_KEYS, place(self.name, inside), needed=("normal", "sliding"))
            one = dict(contact)
            for key, may_depend in (("gap", Q | T), ("normal_force", Q | V | T), ("friction", 0), ("restitution", 0),
                                    ("gap_scale", 0), ("sliding_scale", 0)):
                if key in one:
                    one[key] = self.formula(one[key], f"{inside}.{key}", may_depend)
            one["sliding"] = self.rows(one["sliding"], f"{inside}.sliding")
            if not 1 <= len(one["sliding"]) <= 2:
                raise InputError(f"has {len(one['sliding'])} rows, but 1 or 2 were expected",
                                 place(self.name, f"{inside}.sliding", contact["sliding"]))
            made.append(one)
        return made

    def conditions(self, value: object) -> list[object]:
        """Conditions between parameters: texts, or dicts with the keys holds and text."""
        where = place(self.name, "conditions")
        made: list[object] = []
        for k, one in enumerate(checked_list(value, where, "conditions")):
            table = {"holds": one} if isinstance(one, str) else one
            if not isinstance(table, Mapping):
                raise InputError(f"condition {k + 1} is a {type(one).__name__}, but a string or a dict with the keys "
                                 f"{', '.join(CONDITION_KEYS)} was expected", where)
            known_keys(table, CONDITION_KEYS, f"{where}, condition {k + 1}", needed=("holds",))
            for key in table:
                if not isinstance(table[key], str):
                    raise InputError(f"'{key}' of condition {k + 1} is a {type(table[key]).__name__}, but a string was "
                                     "expected", where)
            made.append(dict(table))
        return made

    def _element(self, value: object, key: str, may_depend: int, where: str, what: str) -> object:
        if isinstance(value, str):
            return value
        if callable(value) and not isinstance(value, Scalar):
            where = place(self.name, key, value)
            value = call(value, key, self.arguments)
        return checked_scalar(value, may_depend, self.arguments, where, what)

    def components(self, parts: list[dict[str, Any]], key: str) -> list[object]:
        """Coordinates or velocities, with recorded formulas."""
        made: list[object] = []
        for one in parts:
            entry = {name: one[name] for name in COORDINATE_KEYS if name in one}
            for formula, may_depend in (("start", 0), ("sliding_start", 0), ("start_rate", 0),
                                        ("sliding_start_rate", 0), ("rate", Q | V | T)):
                if formula in entry:
                    entry[formula] = self.formula(entry[formula], f"{key}.{one['name']}.{formula}", may_depend)
            made.append(entry)
        return made


def known_keys(table: Mapping[str, Any], known: Sequence[str], where: str, needed: Sequence[str] = ()) -> None:
    """InputError for an unknown or missing key."""
    for key in table:
        if key not in known:
            raise InputError(f"unknown key {key!r}; known: {', '.join(known)}", where)
    for key in needed:
        if key not in table:
            raise InputError(f"the key '{key}' is missing", where)


def check_names(system: str, names: Sequence[str]) -> None:
    """InputError for a name that formulas cannot use, or that occurs twice."""
    seen: set[str] = set()
    for name in names:
        where = f"system '{system}'"
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
            raise InputError(f"{name!r} is not a name: it must begin with a letter and contain only letters, digits "
                             "and '_'", where)
        if name in RESERVED_WORDS:
            raise InputError(f"'{name}' is a reserved word of formulas; choose another name", where)
        if name in seen:
            raise InputError(f"'{name}' is defined twice", where)
        seen.add(name)


def written_table(table: dict[str, Any], taken: Sequence[str]) -> dict[str, Any]:
    """The table with text in place of recorded scalars. Shared parts become entries of `let`."""
    scalars: list[Scalar | Condition] = []
    _collect(table, scalars)
    written = write_formulas(scalars, frozenset(taken))
    texts = {id(scalar): text for scalar, text in zip(scalars, written.texts)}
    made = _replaced(table, texts)
    lets = {**made.pop("let", {}), **written.lets}
    if lets:
        made["let"] = lets
    return {key: made[key] for key in KEYS if key in made}


def _collect(value: object, scalars: list[Scalar | Condition]) -> None:
    if isinstance(value, Scalar):
        scalars.append(value)
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            _collect(part, scalars)


def _replaced(value: Any, texts: dict[int, str]) -> Any:
    if isinstance(value, Scalar):
        constant = value._op == "number"
        return float(value._value) if constant else texts[id(value)]
    if isinstance(value, dict):
        return {key: _replaced(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_replaced(part, texts) for part in value]
    return value


def named_tables(value: object, where: str, known: Sequence[str]) -> list[dict[str, Any]]:
    """Coordinates or velocities: names, or dicts with the keys of the file."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InputError("must be a list of names, or of dicts with the key 'name'", where)
    made = []
    for one in value:
        if isinstance(one, Mapping):
            known_keys(one, known, where, needed=("name",))
        elif not isinstance(one, str):
            raise InputError(f"contains a {type(one).__name__}, but names or dicts with the key 'name' were expected",
                             where)
        made.append({"name": one} if isinstance(one, str) else dict(one))
    for entry in made:
        if not isinstance(entry["name"], str):
            raise InputError(f"the name {entry['name']!r} is not a string", where)
    return made


def parameter_tables(value: Mapping[str, Any] | None, where: str) -> dict[str, dict[str, Any]]:
    """Parameters: numbers, or dicts with the keys of the file."""
    if value is not None and not isinstance(value, Mapping):
        raise InputError("must be a dict of numbers, or of dicts with the key 'default'", where)
    made: dict[str, dict[str, Any]] = {}
    for name, given in (value or {}).items():
        inside = f"{where}.{name}"
        if is_array(given) and getattr(given, "ndim") == 0:
            given = given[()]
        if isinstance(given, Mapping):
            known_keys(given, PARAMETER_KEYS, inside, needed=("default",))
            made[str(name)] = dict(given)
        elif is_number(given):
            made[str(name)] = {"default": float(given)}
        else:
            raise InputError(f"is a {type(given).__name__}, but a number or a dict with the key 'default' was expected",
                             inside)
        default = made[str(name)]["default"]
        if not is_number(default):
            raise InputError(f"the default is a {type(default).__name__}, but a number was expected", inside)
        if not abs(float(default)) < float("inf"):
            raise InputError(f"the default is {default}, but a finite number was expected", inside)
    return made
